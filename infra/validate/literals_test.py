"""Tests words of the templates that promises depend on, and that CloudFormation takes in any
spelling.

The templates are resolved twice: with the defaults, and with all parameters set.
"""

import json
import re
import unittest
from pathlib import Path

from infra.validate.templates import STACK, VALUES, Resolved, read, transform

TEMPLATE = transform("template.yaml")
PLAIN, FULL = Resolved(TEMPLATE, STACK), Resolved(TEMPLATE, STACK, **VALUES["template.yaml"])
GLOBAL = Resolved(read("infra/global.yaml"), "turnout-global", **VALUES["infra/global.yaml"])
WAF = Resolved(read("infra/waf.yaml"), "turnout-waf")


def source(path):
    return Path(path).read_text(encoding="utf-8")


RUNBOOK, COSTS = source("infra/RUNBOOK.md"), source("infra/COSTS.md")


class Resolving(unittest.TestCase):
    def test_conditional_parts_come_and_go(self):
        watching = {
            "AWS::CloudWatch::Alarm",
            "AWS::CloudWatch::Dashboard",
            "AWS::Logs::MetricFilter",
            "AWS::SNS::Topic",
            "AWS::SNS::Subscription",
        }
        self.assertEqual(
            FULL.resources.keys() - PLAIN.resources.keys(),
            {name for name, r in TEMPLATE["Resources"].items() if r["Type"] in watching},
            "a stage that nobody watches pays for alarms, or one that is watched has none",
        )

    def test_one_secret_is_sent_and_both_are_accepted(self):
        for made, in_use in ((PLAIN, "SecretA"), (FULL, "SecretB")):
            secrets = {
                name: f"{{{{resolve:secretsmanager:{made.arn(name)}:SecretString}}}}"
                for name in ("SecretA", "SecretB")
            }
            sent = {"HeaderName": "X-Origin-Secret", "HeaderValue": secrets[in_use]}
            origins = made.resources["Distribution"]["DistributionConfig"]["Origins"]
            self.assertEqual(
                {origin["Id"]: origin.get("OriginCustomHeaders") for origin in origins},
                {"site": None, "api": [sent]},
                "functions refuse every request, or the secret is sent to somebody else",
            )
            for name, function in made.of_type("AWS::Lambda::Function").items():
                accepted = function["Environment"]["Variables"]["ORIGIN_SECRETS"]
                self.assertEqual(
                    accepted,
                    ",".join(secrets.values()),
                    f"{name} takes a secret that others know, or refuses visitors in a rotation",
                )
        self.assertNotIn(
            "secret",
            json.dumps(FULL.outputs).lower(),
            "somebody who reads the outputs of the stack can bypass CloudFront and its rules",
        )

    def test_all_use_one_table(self):
        """With RestoredTable, no other resource names the stack's own table."""
        own = FULL.name("Table")
        for name, properties in FULL.resources.items():
            self.assertNotIn(
                own, json.dumps(properties), f"after a restore {name} has the former table"
            )
        for made, table in ((PLAIN, own), (FULL, FULL.values["RestoredTable"])):
            for name, function in made.of_type("AWS::Lambda::Function").items():
                if "dynamodb:" in json.dumps(made.role_of(name)):
                    self.assertEqual(
                        function["Environment"]["Variables"].get("TABLE_NAME"),
                        table,
                        f"{name} does not start, or has the former table",
                    )
        told = "an operator erases, exports or restores from a table that is not in use"
        self.assertEqual(PLAIN.outputs["TableName"], own, told)
        self.assertEqual(FULL.outputs["TableName"], FULL.values["RestoredTable"], told)


class Literals(unittest.TestCase):
    def test_functions_have_the_variables_that_they_read(self):
        """Without a variable, a function does not start, or has the default in every stack."""
        by_lambda = (
            "AWS_REGION",
            "AWS_ACCESS_KEY_ID",
            "AWS_SECRET_ACCESS_KEY",
            "AWS_SESSION_TOKEN",
        )
        with_table = source("internal/boot/boot.go") + source("internal/dynamo/environment.go")
        functions = FULL.of_type("AWS::Lambda::Function")
        read = {}
        for main in Path("functions").glob("*/main.go"):
            text = source(main)
            if '"turnout/internal/boot"' in text:
                text += with_table
            name = "".join(map(str.capitalize, main.parent.name.split("-"))) + "Function"
            read[name] = set(re.findall(r'\benv\.\w+\("(\w+)"', text)) - {*by_lambda}
        self.assertEqual(
            {name: set(made["Environment"]["Variables"]) for name, made in functions.items()},
            read,
            "a folder has no function, or a function lacks a variable, or does not read it",
        )

    def test_functions_end_after_the_deadline_of_a_request(self):
        """Lambda's timeout lies between the request's deadline and API Gateway's 30 s."""
        text = source("internal/middleware/middleware.go")
        deadline = re.search(r"timeout = (\d+) \* time.Second", text)
        for name, function in FULL.of_type("AWS::Lambda::Function").items():
            self.assertTrue(int(deadline[1]) < function["Timeout"] < 30, name)

    def test_a_new_generation_is_a_new_secret(self):
        """CloudFormation generates a new secret when its name changes."""
        again = Resolved(TEMPLATE, STACK, OriginSecretA=2)
        self.assertNotEqual(again.name("SecretA"), PLAIN.name("SecretA"))
        self.assertEqual(again.name("SecretB"), PLAIN.name("SecretB"))

    def test_logs_hold_no_paths(self):
        (stage,) = FULL.of_type("AWS::ApiGatewayV2::Stage").values()
        line = stage["AccessLogSettings"]["Format"]
        variable = r"\$context\.([\w.]+)"
        self.assertEqual(
            set(re.findall(variable, line)),
            {
                "requestTime",
                "requestId",
                "integration.requestId",
                "routeKey",
                "status",
                "integration.status",
                "error.responseType",
                "responseLatency",
                "integration.latency",
                "responseLength",
            },
            "log lines have paths, queries or addresses, and so tokens or who used them (P5), "
            "or lack what leads to a request",
        )
        json.loads(re.sub(variable, "x", line))

    def test_costs_are_those_of_the_defaults(self):
        told = re.findall(r"\| (\d+) \(`(\w+Rate)`\) \|", COSTS)
        self.assertEqual(
            {name: int(rate) for rate, name in told},
            {name: value for name, value in PLAIN.values.items() if name.endswith("Rate")},
            "COSTS.md computes the worst month from other rates than a deployment has",
        )
        limits = (
            "{WriteLimit} POST requests, {ListLimit} lists and {RequestLimit:,} requests "
            "of any kind in five minutes"
        )
        self.assertIn(limits.format_map(WAF.values), " ".join(COSTS.split()))


CLOUDFRONT = {"DistributionId": "EDFDVBD6EXAMPLE", "Region": "Global"}
TABLE = {"TableName": FULL.values["RestoredTable"]}

# The metrics that AWS reports, with their dimensions. CloudFormation accepts an alarm on a metric
# that does not exist, and the alarm never rings.
METRICS = {
    ("AWS/ApiGateway", "Latency"): {"ApiId": FULL.name("Api")},
    ("AWS/Lambda", "Throttles"): {},
    ("AWS/DynamoDB", "ReadThrottleEvents"): TABLE,
    ("AWS/DynamoDB", "WriteThrottleEvents"): TABLE,
    ("AWS/CloudFront", "4xxErrorRate"): CLOUDFRONT,
    ("AWS/CloudFront", "5xxErrorRate"): CLOUDFRONT,
    ("AWS/CloudFront", "Requests"): CLOUDFRONT,
    ("AWS/CloudFront", "BytesDownloaded"): CLOUDFRONT,
    ("AWS/CloudFront", "BytesUploaded"): CLOUDFRONT,
    ("AWS/WAFV2", "BlockedRequests"): {
        "WebACL": WAF.resources["WebAcl"]["VisibilityConfig"]["MetricName"],
        "Rule": "ALL",
    },
    ("AWS/CertificateManager", "DaysToExpiry"): {"CertificateArn": GLOBAL.values["CertificateArn"]},
    (f"Turnout/{STACK}", "Requests"): {},
    (f"Turnout/{STACK}", "ServerErrors"): {},
    (f"Turnout/{STACK}", "Throttled"): {},
    (f"Turnout/{STACK}", "FunctionErrors"): {},
    (f"Turnout/{STACK}", "Refusals"): {},
}

# The namespaces of metrics that have no more values once their resource is deleted.
ENDING = ("AWS/Route53", "AWS/CertificateManager")


def statistic(namespace, metric):
    """Returns the statistic that alarms on a metric compare with their thresholds."""
    if metric.endswith("Rate"):
        return "Average"
    if metric == "Latency":
        return "p99"
    return "Minimum" if namespace in ENDING else "Sum"


class Alarms(unittest.TestCase):
    alarms = {
        name: (made, alarm)
        for made in (FULL, GLOBAL)
        for name, alarm in made.of_type("AWS::CloudWatch::Alarm").items()
    }

    def metrics(self, alarm):
        """Yields namespace, name, dimensions, statistic and period of each metric of an alarm."""
        stats = [m["MetricStat"] for m in alarm.get("Metrics", []) if "MetricStat" in m]
        if "Metrics" not in alarm:
            stat = alarm.get("Statistic") or alarm["ExtendedStatistic"]
            stats = [{"Metric": alarm, "Stat": stat, "Period": alarm["Period"]}]
        for stat in stats:
            metric = stat["Metric"]
            dimensions = {d["Name"]: d["Value"] for d in metric.get("Dimensions", [])}
            name = metric["MetricName"]
            yield metric["Namespace"], name, dimensions, stat["Stat"], stat["Period"]

    def test_metrics_exist(self):
        for name, (made, alarm) in self.alarms.items():
            for namespace, metric, dimensions, stat, _ in self.metrics(alarm):
                if namespace == "AWS/Route53":
                    wanted = {"HealthCheckId": made.name(name.replace("DownAlarm", "Check"))}
                else:
                    wanted = METRICS.get((namespace, metric))
                self.assertEqual(
                    dimensions,
                    wanted,
                    f"{name} never rings if AWS reports no {metric} in {namespace} with these "
                    "dimensions: METRICS has those that are known",
                )
                self.assertEqual(
                    stat,
                    statistic(namespace, metric),
                    f"{name} watches another number than its threshold is for",
                )

    def test_one_period_for_all_metrics(self):
        for name, (_, alarm) in self.alarms.items():
            periods = {period for *_, period in self.metrics(alarm)}
            self.assertEqual(len(periods), 1, f"{name} compares counts of different times")

    def test_each_rings(self):
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
            # With ignore, CloudWatch evaluates a p99 only for periods of 1,000 requests or more.
            self.assertNotEqual(
                alarm.get("EvaluateLowSampleCountPercentile"),
                "ignore",
                f"{name} misses a quiet day",
            )

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
            counted[metric] = properties["LogGroupName"]
        access, functions = f"/aws/vendedlogs/{STACK}/access", f"/aws/lambda/{STACK}"
        self.assertEqual(
            counted,
            {
                "Requests": access,
                "ServerErrors": access,
                "Throttled": access,
                "FunctionErrors": functions,
                "Refusals": functions,
            },
            "an alarm counts the lines of other log groups, or none",
        )
        watched = set()
        for _, alarm in self.alarms.values():
            watched |= {(namespace, metric) for namespace, metric, *_ in self.metrics(alarm)}
        for metric in counted:
            self.assertIn((f"Turnout/{STACK}", metric), watched, "no alarm watches what is counted")

    def test_runbook_explains_each(self):
        self.assertEqual(
            set(re.findall(r"^### (\w+Alarm)$", RUNBOOK, re.M)),
            self.alarms.keys(),
            "who gets the email does not know what to do: RUNBOOK.md has a heading for each alarm",
        )
        for name, (_, alarm) in self.alarms.items():
            self.assertTrue(
                alarm["AlarmDescription"].endswith(f" See {name} in infra/RUNBOOK.md."),
                f"the email of {name} does not say where to look",
            )
        # The runbook has the same filter in the syntax of Insights.
        failed = FULL.resources["FunctionErrorFilter"]["FilterPattern"].strip("{ }")
        self.assertIn("filter " + failed.replace("&&", "and").replace("$.", ""), RUNBOOK)

    def test_dashboard_shows_each_function_and_metric(self):
        """RUNBOOK.md promises the metrics of all alarms. Conflicts are on the dashboard alone."""
        body = FULL.resources["Dashboard"]["DashboardBody"]
        shown = {FULL.name(name) for name in FULL.of_type("AWS::Lambda::Function")}
        for alarm in FULL.of_type("AWS::CloudWatch::Alarm").values():
            shown |= {metric for _, metric, *_ in self.metrics(alarm)}
        self.assertTrue(json.loads(body)["widgets"])
        for name in shown | {"TransactionConflict"}:
            self.assertIn(name, body, "somebody who looks for the cause does not see it")
