"""Holds the words of the templates on which promises depend, and which CloudFormation takes in any spelling.

The templates are resolved twice: with the defaults, and with all parameters set.
"""

import json
import re
import unittest
from pathlib import Path

from templates import ACCOUNT, REGION, STACK, VALUES, Resolved, read, transform

TEMPLATE = transform("template.yaml")
PLAIN, FULL = Resolved(TEMPLATE, STACK), Resolved(TEMPLATE, STACK, **VALUES["template.yaml"])
NEEDED = {
    name: value
    for name, value in VALUES["infra/global.yaml"].items()
    if "Default" not in read("infra/global.yaml")["Parameters"][name]
}
GLOBAL = Resolved(read("infra/global.yaml"), "turnout-global", **VALUES["infra/global.yaml"])
WAF = Resolved(read("infra/waf.yaml"), "turnout-waf")
RUNBOOK, COSTS = (
    Path("infra", name).read_text(encoding="utf-8") for name in ("RUNBOOK.md", "COSTS.md")
)


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
        )
        self.assertEqual(FULL.outputs["SiteUrl"], "https://turnout.example.org")
        self.assertEqual(PLAIN.outputs["SiteUrl"], "https://Distribution.DomainName")
        for made, letter in ((PLAIN, "A"), (FULL, "B")):
            secrets = [
                f"{{{{resolve:secretsmanager:{made.arn(name)}:SecretString}}}}"
                for name in ("SecretA", "SecretB")
            ]
            origins = made.resources["Distribution"]["DistributionConfig"]["Origins"]
            self.assertEqual(
                {o["Id"]: o.get("OriginCustomHeaders") for o in origins},
                {
                    "site": None,
                    "api": [
                        {
                            "HeaderName": "X-Origin-Secret",
                            "HeaderValue": secrets["AB".index(letter)],
                        }
                    ],
                },
            )
            for name, function in made.of_type("AWS::Lambda::Function").items():
                self.assertEqual(
                    function["Environment"]["Variables"]["ORIGIN_SECRETS"], ",".join(secrets), name
                )
        self.assertNotIn("secret", json.dumps(FULL.outputs))

    def test_all_use_one_table(self):
        """With RestoredTable, nothing but the stack's own table has its name."""
        own = FULL.name("Table")
        self.assertEqual([name for name, p in FULL.resources.items() if own in json.dumps(p)], [])
        self.assertEqual(
            (PLAIN.outputs["TableName"], FULL.outputs["TableName"]),
            (own, FULL.values["RestoredTable"]),
        )

    def test_parameters_go_together(self):
        for path, values in [
            ("template.yaml", {"DomainName": "turnout.example.org"}),
            ("template.yaml", {"CertificateArn": FULL.values["CertificateArn"]}),
            ("infra/deployer.yaml", {"OwnerId": "1"}),
            ("infra/deployer.yaml", {"RepositoryId": "1"}),
        ]:
            template = TEMPLATE if path == "template.yaml" else read(path)
            self.assertRaises(AssertionError, Resolved, template, STACK, **values)
        for name in ("CertificateArn", "WebAclArn"):  # CloudFront takes both from one region only
            self.assertRaises(
                AssertionError,
                Resolved,
                TEMPLATE,
                STACK,
                **{name: FULL.values[name].replace("us-east-1", REGION)},
                DomainName="x.example.org",
            )

    def test_deployer_and_global(self):
        always = (policies := {"Boundary", "Policy", "RolesPolicy", "OperatorPolicy"}) | {
            "Programs",
            "ProgramsPolicy",
        }
        for values, resources in [
            ({}, set()),
            ({"Repository": "someone/turnout"}, {"Role", "Provider"}),
            ({"Repository": "someone/turnout", "GitHubProvider": "false"}, {"Role"}),
            ({"Operator": f"arn:aws:iam::{ACCOUNT}:role/ops"}, {"OperatorRole"}),
        ]:
            made = Resolved(read("infra/deployer.yaml"), "turnout-deployer", **values)
            outputs = {
                f"{name}Arn": made.arn(name)
                for name in policies | resources - {"Provider", "OperatorRole"}
            } | {"Programs": made.name("Programs")}
            self.assertEqual(
                (made.resources.keys(), made.outputs), (always | resources, outputs), values
            )
        plain = Resolved(GLOBAL.template, "turnout-global", **NEEDED)
        self.assertEqual(
            GLOBAL.resources.keys() - plain.resources.keys(),
            {"SiteCheck", "SiteDownAlarm", "CertificateAlarm"},
        )

    def test_names_are_unique(self):
        """Within a type, and of two stacks and two regions where the type is global."""
        seen = set()
        for name, p in FULL.resources.items():
            kind = FULL.made[name]["Type"]
            if kind in ("AWS::CloudWatch::Alarm", "AWS::Lambda::Permission"):
                continue  # their names refer to other resources
            named = [
                part[key]
                for part in (p, *(v for v in p.values() if isinstance(v, dict)))
                for key in ("Name", "DashboardName", "LogGroupName", "MetricName")
                if key in part
            ]
            named = (
                [t["MetricName"] for t in p["MetricTransformations"]]
                if kind == "AWS::Logs::MetricFilter"
                else named
            )
            for value in named:
                self.assertNotIn((kind, value), seen)
                seen.add((kind, value))
                self.assertTrue("turnout" in value or kind == "AWS::Logs::MetricFilter", name)
                self.assertTrue(
                    REGION in value
                    or not kind.startswith("AWS::CloudFront")
                    and kind != "AWS::CloudWatch::Dashboard",
                    name,
                )


class Literals(unittest.TestCase):
    def test_functions_end_after_the_deadline_of_a_request(self):
        """And before API Gateway and CloudFront stop waiting."""
        deadline = re.search(
            r"timeout = (\d+) \* time.Second",
            Path("internal/request/request.go").read_text(encoding="utf-8"),
        )
        for name, function in FULL.of_type("AWS::Lambda::Function").items():
            self.assertTrue(int(deadline[1]) < function["Timeout"] < 30, name)

    def test_a_new_generation_is_a_new_secret(self):
        """CloudFormation generates a new secret when its name changes."""
        again = Resolved(TEMPLATE, STACK, OriginSecretA=2)
        self.assertEqual(
            [again.name(name) == PLAIN.name(name) for name in ("SecretA", "SecretB")], [False, True]
        )

    def test_logs_hold_no_paths(self):
        (stage,) = FULL.of_type("AWS::ApiGatewayV2::Stage").values()
        used = set(re.findall(r"\$context\.([\w.]+)", stage["AccessLogSettings"]["Format"]))
        self.assertEqual(
            used,
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
        )
        json.loads(re.sub(r"\$context\.[\w.]+", "x", stage["AccessLogSettings"]["Format"]))

    def test_routes_are_throttled_each_for_what_it_costs(self):
        (stage,) = FULL.of_type("AWS::ApiGatewayV2::Stage").values()
        body = FULL.resources["Api"]["Body"]
        routes = {
            f"{method.replace('x-amazon-apigateway-any-method', 'any').upper()} {path}"
            for path, methods in body["paths"].items()
            for method in methods
        }
        by_default = {
            "GET /api/health",
            "POST /api/events",
            "PATCH /api/events/{eventToken}",
            "ANY /api",
            "ANY /api/{proxy+}",
        }
        self.assertEqual(
            set(stage["RouteSettings"]) | by_default,
            routes,
            "each route has a row in RouteSettings, or is known to have the default",
        )

    def test_costs_are_those_of_the_defaults(self):
        self.assertEqual(
            {name: int(rate) for rate, name in re.findall(r"\| (\d+) \(`(\w+Rate)`\) \|", COSTS)},
            {name: value for name, value in PLAIN.values.items() if name.endswith("Rate")},
        )
        self.assertIn(
            "{WriteLimit} POST requests, {ListLimit} lists and {RequestLimit:,} requests of any kind".format_map(
                WAF.values
            ),
            " ".join(COSTS.split()),
        )


# The dimensions of metrics. CloudFormation accepts an alarm on a metric that does not exist; it never rings.
METRICS = {
    ("AWS/ApiGateway", "Latency"): {"ApiId": FULL.name("Api")},
    ("AWS/Lambda", "Throttles"): {},
    **{
        ("AWS/DynamoDB", f"{kind}ThrottleEvents"): {"TableName": FULL.values["RestoredTable"]}
        for kind in ("Read", "Write")
    },
    **{
        ("AWS/CloudFront", name): {"DistributionId": "EDFDVBD6EXAMPLE", "Region": "Global"}
        for name in ("4xxErrorRate", "5xxErrorRate", "Requests", "BytesDownloaded", "BytesUploaded")
    },
    ("AWS/WAFV2", "BlockedRequests"): {
        "WebACL": WAF.resources["WebAcl"]["VisibilityConfig"]["MetricName"],
        "Rule": "ALL",
    },
    ("AWS/CertificateManager", "DaysToExpiry"): {"CertificateArn": GLOBAL.values["CertificateArn"]},
    **{
        (f"Turnout/{STACK}", t["MetricName"]): {}
        for p in FULL.of_type("AWS::Logs::MetricFilter").values()
        for t in p["MetricTransformations"]
    },
}
ENDING = {
    "AWS/Route53": "HealthCheckId",
    "AWS/CertificateManager": "CertificateArn",
}  # no metric when what it is about is gone


class Alarms(unittest.TestCase):
    alarms = {
        name: (made, p)
        for made in (FULL, GLOBAL)
        for name, p in made.of_type("AWS::CloudWatch::Alarm").items()
    }

    def metrics(self, a):
        """Namespace, name, dimensions, statistic and period of each metric of an alarm."""
        for m in (
            [m["MetricStat"] for m in a["Metrics"] if "MetricStat" in m]
            if "Metrics" in a
            else [{"Metric": a, "Stat": a.get("Statistic") or a["ExtendedStatistic"], **a}]
        ):
            yield (
                m["Metric"]["Namespace"],
                m["Metric"]["MetricName"],
                {d["Name"]: d["Value"] for d in m["Metric"].get("Dimensions", [])},
                m["Stat"],
                m["Period"],
            )

    def test_metrics_exist(self):
        for name, (made, a) in self.alarms.items():
            self.assertEqual(len({period for *_, period in self.metrics(a)}), 1, name)
            for namespace, metric, dimensions, stat, period in self.metrics(a):
                check = (
                    {"HealthCheckId": made.name(name.replace("DownAlarm", "Check"))}
                    if namespace == "AWS/Route53"
                    else None
                )
                self.assertEqual(dimensions, check or METRICS[namespace, metric], name)
                rate = (
                    "Average"
                    if metric.endswith("Rate")
                    else "p99"
                    if metric == "Latency"
                    else "Minimum"
                    if namespace in ENDING
                    else "Sum"
                )
                self.assertEqual(
                    stat, rate, f"{name} watches another number than its threshold is for"
                )
                # All periods together are at most a day for periods below an hour, otherwise at most a week.
                self.assertLessEqual(
                    period * a["EvaluationPeriods"], 86400 if period < 3600 else 604800, name
                )

    def test_expressions_name_their_metrics_and_have_a_floor(self):
        """Otherwise one error among few requests would ring. DynamoDB reports throttles only while there are some."""
        for name, (_, a) in self.alarms.items():
            for m in (m for m in a.get("Metrics", []) if "Expression" in m):
                self.assertEqual(
                    set(re.findall(r"\b[a-z]\w*", m["Expression"])),
                    {m["Id"] for m in a["Metrics"] if "MetricStat" in m},
                    name,
                )
                self.assertTrue(m.get("ReturnData", True), name)
                floor = (
                    r"FILL\(\w+, 0\)"
                    if name.startswith("Table")
                    else r"bytes \* 0\.085 / 10{9} \+ uploads \* 0\.022 / 10{9} \+ requests / 10{6}"
                    if name == "FloodAlarm"
                    else r"IF\(((\w+) >= ([5-9]|\d\d+), 100 \* \2 / requests|requests \* rate / 100 >= ([5-9]|\d\d+), rate), 0\)"
                )
                self.assertRegex(m["Expression"], f"^{floor}$", name)
            self.assertEqual(
                [
                    m["Id"]
                    for m in a.get("Metrics", [])
                    if m.get("ReturnData", True) and "MetricStat" in m
                ],
                [],
                name,
            )

    def test_each_rings(self):
        for name, (made, a) in self.alarms.items():
            self.assertEqual(
                (a["AlarmActions"], a["OKActions"]),
                ([made.arn("AlarmTopic")],) * 2,
                f"nobody hears of {name}",
            )
            ending = a.get("Namespace") in ENDING
            self.assertEqual(
                a["TreatMissingData"],
                "breaching" if ending else "notBreaching",
                f"{name} rings without a reason, or never",
            )
            if not ending and a["EvaluationPeriods"] > 1:  # the last period may come late
                self.assertLess(a["DatapointsToAlarm"], a["EvaluationPeriods"], name)
            # With ignore, CloudWatch evaluates a p99 only from 1,000 requests a period on.
            self.assertNotEqual(a.get("EvaluateLowSampleCountPercentile"), "ignore", name)

    def test_filters_count_what_alarms_watch(self):
        """Each has a default, so that an alarm can end; a filter with dimensions cannot have one."""
        counted = {}
        for name, p in FULL.of_type("AWS::Logs::MetricFilter").items():
            (m,) = p["MetricTransformations"]
            self.assertEqual(
                (m["DefaultValue"], m["MetricValue"], "Dimensions" in m, m["MetricNamespace"]),
                (0, "1", False, f"Turnout/{STACK}"),
                name,
            )
            counted[m["MetricName"]] = p["LogGroupName"]
        access = dict.fromkeys(
            ("Requests", "ServerErrors", "Throttled"), f"/aws/vendedlogs/{STACK}/access"
        )
        self.assertEqual(
            counted, access | dict.fromkeys(("FunctionErrors", "Refusals"), f"/aws/lambda/{STACK}")
        )
        self.assertEqual(
            {
                m
                for _, a in self.alarms.values()
                for namespace, m, *_ in self.metrics(a)
                if namespace == f"Turnout/{STACK}"
            },
            counted.keys(),
        )

    def test_runbook_explains_each(self):
        self.assertEqual(set(re.findall(r"^\| (\w+Alarm) \|", RUNBOOK, re.M)), self.alarms.keys())
        failed = TEMPLATE["Resources"]["FunctionErrorFilter"]["Properties"][
            "FilterPattern"
        ]  # as Insights have it
        self.assertIn(
            "filter " + failed.strip("{ }").replace("&&", "and").replace("$.", ""), RUNBOOK
        )

    def test_dashboard_shows_each_function_alarm_and_metric(self):
        """Including conflicts, which raise no alarm."""
        body = FULL.resources["Dashboard"]["DashboardBody"]
        self.assertTrue(json.loads(body)["widgets"])
        shown = [*FULL.of_type("AWS::Lambda::Function"), *FULL.of_type("AWS::CloudWatch::Alarm")]
        for text in (
            *(FULL.name(name) for name in shown),
            "TransactionConflict",
            *(
                m
                for made, a in self.alarms.values()
                if made is FULL
                for _, m, *_ in self.metrics(a)
            ),
        ):
            self.assertIn(text, body)
