"""Tests that each alarm rings, for its own cause, and that the runbook has a remedy.

An alarm is in a template, in a row and under a heading of RUNBOOK.md, and in a row of ALARMS. An
alarm of the stack is on its dashboard, too, with its metrics.
"""

import json
import operator
import re
import unittest
from fnmatch import fnmatchcase
from pathlib import Path

from infra.validate.templates import STACK, VALUES, Resolved, read, transform

FULL = Resolved(transform("template.yaml"), STACK, **VALUES["template.yaml"])
GLOBAL = Resolved(read("infra/global.yaml"), "turnout-global", **VALUES["infra/global.yaml"])
WAF = Resolved(read("infra/waf.yaml"), "turnout-waf")
RUNBOOK = Path("infra/RUNBOOK.md").read_text(encoding="utf-8")
COSTS = Path("infra/COSTS.md").read_text(encoding="utf-8")

# Values of an alarm's metrics, by id: values at which the alarm rings, and values at which it does
# not. A metric without an id is its value alone.
ALARMS = {
    "ErrorAlarm": ({"errors": 3, "requests": 499}, {"errors": 2, "requests": 2}),
    "ThrottledAlarm": ({"throttled": 20, "requests": 199}, {"throttled": 19, "requests": 19}),
    "LatencyAlarm": (
        {"latency": 2001, "errors": 0, "requests": 1},
        {"latency": 8000, "errors": 1, "requests": 100},
    ),
    "FunctionErrorAlarm": (1, 0),
    "ApiDownAlarm": (0, 1),
    "CloudFrontRefusalAlarm": ({"rate": 31, "requests": 200}, {"rate": 98, "requests": 50}),
    "FloodAlarm": (
        {"bytes": 10e9, "uploads": 1e9, "requests": 150_000},
        {"bytes": 5e9, "uploads": 1e9, "requests": 150_000},
    ),
    "WebAclAlarm": ({"blocked": 50, "requests": 999}, {"blocked": 49, "requests": 49}),
    "CertificateAlarm": (34, 35),
}

COMPARE = {
    "GreaterThanThreshold": (">", operator.gt),
    "GreaterThanOrEqualToThreshold": (">=", operator.ge),
    "LessThanThreshold": ("<", operator.lt),
}

# Log lines, each with the metrics that count it.
LINES = [
    ({"status": "201", "route": "POST /api/events"}, {"Requests"}),
    ({"status": "503", "route": "POST /api/events"}, {"Requests", "ServerErrors"}),
    ({"status": "429", "route": "POST /api/events"}, {"Requests", "Throttled"}),
    ({"status": "503", "route": "GET /api/health"}, set()),
    ({"status": "429", "route": "GET /api/health"}, set()),
    ({"type": "platform.report", "record.status": "timeout"}, {"FunctionErrors"}),
    ({"type": "platform.report", "record.status": "success"}, set()),
    ({"type": "platform.start"}, set()),
]

CLOUDFRONT = {"DistributionId": "EDFDVBD6EXAMPLE", "Region": "Global"}

# The metrics that AWS reports, with their dimensions. CloudFormation accepts an alarm on a metric
# that does not exist, and the alarm never rings.
METRICS = {
    ("AWS/ApiGateway", "Latency"): {"ApiId": FULL.name("Api")},
    ("AWS/CloudFront", "4xxErrorRate"): CLOUDFRONT,
    ("AWS/CloudFront", "Requests"): CLOUDFRONT,
    ("AWS/CloudFront", "BytesDownloaded"): CLOUDFRONT,
    ("AWS/CloudFront", "BytesUploaded"): CLOUDFRONT,
    ("AWS/Route53", "HealthCheckStatus"): {"HealthCheckId": GLOBAL.name("ApiCheck")},
    ("AWS/WAFV2", "BlockedRequests"): {
        "WebACL": WAF.resources["WebAcl"]["VisibilityConfig"]["MetricName"],
        "Rule": "ALL",
    },
    ("AWS/CertificateManager", "DaysToExpiry"): {"CertificateArn": GLOBAL.values["CertificateArn"]},
    (f"Turnout/{STACK}", "Requests"): {},
    (f"Turnout/{STACK}", "ServerErrors"): {},
    (f"Turnout/{STACK}", "Throttled"): {},
    (f"Turnout/{STACK}", "FunctionErrors"): {},
}

# The metric of each id in an expression.
IDS = {
    "errors": "ServerErrors",
    "requests": "Requests",
    "throttled": "Throttled",
    "latency": "Latency",
    "rate": "4xxErrorRate",
    "bytes": "BytesDownloaded",
    "uploads": "BytesUploaded",
    "blocked": "BlockedRequests",
}

# The namespaces of metrics that have no more values once their resource is deleted.
ENDING = ("AWS/Route53", "AWS/CertificateManager")

# A row of the table in the section Alarms of RUNBOOK.md.
ROW = re.compile(
    r"^\| \[(?P<name>\w+)\]\(#(?P<heading>\w+)\) \| (?P<limit>[<>]=? [\d.]+)(?P<of>.*?)"
    r" \| (?P<periods>\d+ of \d+ × \d+ min) \| (?P<reason>.{10,}) \|$",
    re.M,
)


def statistic(namespace, metric):
    """Returns the statistic that alarms on a metric compare with their thresholds."""
    if metric.endswith("Rate"):
        return "Average"
    if metric == "Latency":
        return "p99"
    return "Minimum" if namespace in ENDING else "Sum"


def metrics(alarm):
    """Returns namespace, name, dimensions, statistic and period of each metric of an alarm."""
    stats = [m["MetricStat"] for m in alarm.get("Metrics", []) if "MetricStat" in m]
    if "Metrics" not in alarm:
        stat = alarm.get("Statistic") or alarm["ExtendedStatistic"]
        stats = [{"Metric": alarm, "Stat": stat, "Period": alarm["Period"]}]
    found = []
    for stat in stats:
        metric = stat["Metric"]
        dimensions = {d["Name"]: d["Value"] for d in metric.get("Dimensions", [])}
        name = metric["MetricName"]
        found.append((metric["Namespace"], name, dimensions, stat["Stat"], stat["Period"]))
    return found


def value_of(alarm, values):
    """Returns the number that an alarm compares with its threshold, from its metrics' values."""
    expressions = [m["Expression"] for m in alarm.get("Metrics", []) if "Expression" in m]
    if not expressions:
        return values
    (expression,) = expressions
    return eval(expression, {"IF": lambda test, one, other: one if test else other}, values)


def counts(pattern, line):
    """Returns whether a metric filter's pattern counts a line. It knows =, !=, * and &&."""
    for term in pattern.strip("{ }").split(" && "):
        field, compare, wanted = re.fullmatch(r'\$\.([\w.]+) (!?=) "([^"]+)"', term).groups()
        if field not in line or fnmatchcase(line[field], wanted) != (compare == "="):
            return False
    return True


class Alarms(unittest.TestCase):
    alarms = {
        name: (made, alarm)
        for made in (FULL, GLOBAL)
        for name, alarm in made.of_type("AWS::CloudWatch::Alarm").items()
    }

    def test_each_rings_for_its_cause(self):
        odd = ALARMS.keys() ^ self.alarms.keys()
        self.assertFalse(odd, "ALARMS has a row for each alarm, which says when it rings")
        for name, (_, alarm) in self.alarms.items():
            _, beyond = COMPARE[alarm["ComparisonOperator"]]
            rings, silent = (value_of(alarm, values) for values in ALARMS[name])
            self.assertTrue(beyond(rings, alarm["Threshold"]), f"{name} is silent at {rings}")
            self.assertFalse(beyond(silent, alarm["Threshold"]), f"{name} rings at {silent}")

    def test_runbook_has_a_row_and_a_heading_for_each(self):
        rows = {row["name"]: row for row in ROW.finditer(RUNBOOK)}
        headings = set(re.findall(r"^### (\w+Alarm)$", RUNBOOK, re.M))
        self.assertLessEqual({*rows, *headings}, self.alarms.keys(), "such an alarm never rings")
        for name, (_, alarm) in self.alarms.items():
            sign, _ = COMPARE[alarm["ComparisonOperator"]]
            of = alarm["EvaluationPeriods"]
            periods = f"{alarm.get('DatapointsToAlarm', of)} of {of}"
            minutes = metrics(alarm)[0][-1] // 60
            wanted = f"{sign} {alarm['Threshold']}", f"{periods} × {minutes} min", name.lower()
            told = f"RUNBOOK.md has no row of {name} with {wanted}, and a reason"
            row = rows[name].group("limit", "periods", "heading") if name in rows else None
            self.assertEqual(row, wanted, told)
            for floor in re.findall(r">= (\d+)", json.dumps(alarm.get("Metrics", ""))):
                self.assertIn(f"at least {floor}", rows[name]["of"], f"{name}: in its row")
            self.assertIn(name, headings, f"RUNBOOK.md has no heading {name}: what is to be done?")
            self.assertTrue(
                alarm["AlarmDescription"].endswith(f" See {name} in infra/RUNBOOK.md."),
                f"the email of {name} does not say where to look",
            )

    def test_dashboard_shows_each_alarm_metric_and_function(self):
        """Causes that have no alarm of their own are on the dashboard alone."""
        body = FULL.resources["Dashboard"]["DashboardBody"]
        self.assertTrue(json.loads(body)["widgets"])
        shown = {FULL.name(name) for name in FULL.of_type("AWS::Lambda::Function")}
        for name, alarm in FULL.of_type("AWS::CloudWatch::Alarm").items():
            shown |= {FULL.arn(name), *(metric for _, metric, *_ in metrics(alarm))}
        causes = {"Throttles", "ReadThrottleEvents", "WriteThrottleEvents", "TransactionConflict"}
        for name in shown | causes:
            if f'"{name}"' not in body:
                self.fail(f"somebody who looks for the cause does not see it: no widget has {name}")

    def test_costs_count_the_metrics(self):
        told = [int(n) for n in re.findall(r"alarms on (\d+) metrics", COSTS)]
        certificate = 1  # not every stack has one
        of = {
            made.stack: sum(len(metrics(alarm)) for m, alarm in self.alarms.values() if m is made)
            for made in (FULL, GLOBAL)
        }
        self.assertEqual(told, [of[FULL.stack], of[GLOBAL.stack] - certificate], "in COSTS.md")

    def test_metrics_exist(self):
        for name, (_, alarm) in self.alarms.items():
            for part in alarm.get("Metrics", []):
                if "MetricStat" in part:
                    found = part["MetricStat"]["Metric"]["MetricName"]
                    told = f"{name} always or never rings: {part['Id']} is another metric"
                    self.assertEqual(found, IDS.get(part["Id"]), told)
            periods = {period for *_, period in metrics(alarm)}
            self.assertEqual(len(periods), 1, f"{name} compares counts of different times")
            for namespace, metric, dimensions, stat, _ in metrics(alarm):
                self.assertEqual(
                    dimensions,
                    METRICS.get((namespace, metric)),
                    f"{name} never rings if AWS reports no {metric} in {namespace} with these "
                    "dimensions: METRICS has those that are known",
                )
                self.assertEqual(
                    stat,
                    statistic(namespace, metric),
                    f"{name} watches another number than its threshold is for",
                )

    def test_somebody_hears_of_each(self):
        for name, (made, alarm) in self.alarms.items():
            topic = [made.arn("AlarmTopic")]
            self.assertTrue(alarm.get("ActionsEnabled", True), f"nobody hears of {name}")
            self.assertEqual(alarm["AlarmActions"], topic, f"nobody hears of {name}")
            self.assertEqual(alarm["OKActions"], topic, f"nobody hears that {name} is over")
            ending = alarm.get("Namespace") in ENDING
            self.assertEqual(
                alarm["TreatMissingData"],
                "breaching" if ending else "notBreaching",
                f"{name} rings without a reason, or never",
            )
            periods = alarm["EvaluationPeriods"]
            if not ending and periods > 1:
                self.assertLess(
                    alarm.get("DatapointsToAlarm", periods),
                    periods,
                    f"{name} rings late, because the figures of the last period may come late",
                )
        for made, mail in ((FULL, FULL.values["AlarmEmail"]), (GLOBAL, GLOBAL.values["Email"])):
            topics = json.dumps([*made.of_type("AWS::SNS::Topic").values()])
            topics += json.dumps([*made.of_type("AWS::SNS::Subscription").values()])
            self.assertIn(f'"{mail}"', topics, f"{made.stack}: alarms reach nobody")

    def test_filters_count_what_alarms_watch(self):
        """A default lets an alarm end. A metric with dimensions cannot have a default."""
        counted = {}
        for name, properties in FULL.of_type("AWS::Logs::MetricFilter").items():
            (transformation,) = properties["MetricTransformations"]
            metric = transformation["MetricName"]
            self.assertEqual(
                transformation,
                {
                    "MetricNamespace": f"Turnout/{STACK}",
                    "MetricName": metric,
                    "MetricValue": "1",
                    "DefaultValue": 0,
                },
                f"what alarms watch is not counted, or an alarm never ends: {name}",
            )
            counted[metric] = properties
        watched = {m[:2] for _, alarm in self.alarms.values() for m in metrics(alarm)}
        self.assertEqual(
            {metric for namespace, metric in watched if namespace == f"Turnout/{STACK}"},
            counted.keys(),
            "no alarm watches what is counted, or nothing counts what an alarm watches",
        )
        for line, wanted in LINES:
            log = "access" if "route" in line else "lambda"
            found = {
                metric
                for metric, properties in counted.items()
                if log in properties["LogGroupName"] and counts(properties["FilterPattern"], line)
            }
            self.assertEqual(found, wanted, f"alarms ring for others, or stay silent: {line}")
        stage = FULL.resources["ApiApiGatewayDefaultStage"]["AccessLogSettings"]
        self.assertEqual(stage["DestinationArn"], FULL.arn("AccessLogGroup"), "nothing is counted")
        self.assertLess({"status", "route"}, json.loads(stage["Format"]).keys())
        # The runbook has the same filter in the syntax of Insights.
        failed = FULL.resources["FunctionErrorFilter"]["FilterPattern"].strip("{ }")
        self.assertIn("filter " + failed.replace("&&", "and").replace("$.", ""), RUNBOOK)
