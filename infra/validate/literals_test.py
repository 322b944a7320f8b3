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
WAF = Resolved(read("infra/waf.yaml"), "turnout-waf")


def source(path):
    return Path(path).read_text(encoding="utf-8")


COSTS = source("infra/COSTS.md")


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
        bounds = (
            "{GuestRate} and {GuestBurst} (guests), {PageRate} and {PageBurst:,} (uncached pages), "
            "{OrganizerRate} and {OrganizerBurst} (organizers), {ListRate} and {ListBurst} (lists)"
        )
        self.assertIn(bounds.format_map(PLAIN.values), COSTS)

    def test_the_web_acl_takes_the_bodies_that_the_api_takes(self):
        (kilobytes,) = re.findall(r"maxBody = (\d+) << 10", source("internal/httpapi/decode.go"))
        text = source("infra/waf.yaml")
        self.assertIn(
            f"DefaultSizeInspectionLimit: KB_{kilobytes}", text, "long events are refused"
        )
        self.assertIn(f"Size: {int(kilobytes) << 10}", text, "long events are refused")
