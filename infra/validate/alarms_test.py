"""Compares alarms, and other literals that no tool checks, with the intended values.

CloudFormation accepts a metric that does not exist; the alarm on it never rings.
"""

import json
import re
import unittest
from pathlib import Path

from samtranslator.yaml_helper import yaml_parse

from transform import transform

STACK = transform("template.yaml")["Resources"]
GLOBAL = yaml_parse(Path("infra/global.yaml").read_text(encoding="utf-8"))["Resources"]
RUNBOOK = Path("infra/RUNBOOK.md").read_text(encoding="utf-8")

OWN = "Turnout/${AWS::StackName}"
BURN = "IF(errors >= 5, 100 * errors / requests, 0)"
CLOUDFRONT = "DistributionId=DistributionId Region=Global"
NOT, MISSING = "notBreaching", "breaching"

# For each alarm: its metrics (namespace, name, dimensions, statistic, period), the expression over them, how many of
# how many periods must breach, the comparison with the threshold, and how missing data are treated.
ALARMS = {
    "FastBurnAlarm": ([(OWN, "ServerErrors", "", "Sum", 300), (OWN, "Requests", "", "Sum", 300)], BURN, 2, 3, "> 1.44", NOT),
    "SlowBurnAlarm": ([(OWN, "ServerErrors", "", "Sum", 21600), (OWN, "Requests", "", "Sum", 21600)], BURN, 1, 1, "> 0.6", NOT),
    "ThrottledAlarm": ([(OWN, "Throttled", "", "Sum", 300), (OWN, "Requests", "", "Sum", 300)],
                       "IF(throttled >= 20, 100 * throttled / requests, 0)", 2, 3, "> 10", NOT),
    "LatencyAlarm": ([("AWS/ApiGateway", "Latency", "ApiId=Api", "p99", 300)], None, 3, 12, "> 2000", NOT),
    "FunctionErrorAlarm": ([(OWN, "FunctionErrors", "", "Sum", 3600)], None, 1, 1, ">= 5", NOT),
    "RefusalAlarm": ([(OWN, "Refusals", "", "Sum", 900)], None, 1, 1, ">= 5", NOT),
    "FunctionThrottleAlarm": ([("AWS/Lambda", "Throttles", "", "Sum", 300)], None, 1, 1, ">= 5", NOT),
    "TableReadThrottleAlarm": ([("AWS/DynamoDB", "ReadThrottleEvents", "TableName=OwnTable", "Sum", 300)], "FILL(reported, 0)", 1, 3, ">= 100", NOT),
    "TableWriteThrottleAlarm": ([("AWS/DynamoDB", "WriteThrottleEvents", "TableName=OwnTable", "Sum", 300)], "FILL(reported, 0)", 1, 3, ">= 100", NOT),
    # In us-east-1.
    "ApiDownAlarm": ([("AWS/Route53", "HealthCheckStatus", "HealthCheckId=ApiCheck", "Minimum", 60)], None, 2, 2, "< 1", MISSING),
    "SiteDownAlarm": ([("AWS/Route53", "HealthCheckStatus", "HealthCheckId=SiteCheck", "Minimum", 60)], None, 2, 2, "< 1", MISSING),
    "CloudFrontServerErrorAlarm": ([("AWS/CloudFront", "5xxErrorRate", CLOUDFRONT, "Average", 300), ("AWS/CloudFront", "Requests", CLOUDFRONT, "Sum", 300)],
                                   "IF(requests * rate / 100 >= 5, rate, 0)", 2, 3, "> 5", NOT),
    "CloudFrontRefusalAlarm": ([("AWS/CloudFront", "4xxErrorRate", CLOUDFRONT, "Average", 300), ("AWS/CloudFront", "Requests", CLOUDFRONT, "Sum", 300)],
                               "IF(requests * rate / 100 >= 50, rate, 0)", 2, 3, "> 30", NOT),
    "WebAclAlarm": ([("AWS/WAFV2", "BlockedRequests", "WebACL=WebAclMetric Rule=ALL", "Sum", 300), ("AWS/CloudFront", "Requests", CLOUDFRONT, "Sum", 300)],
                    "IF(blocked >= 50, 100 * blocked / requests, 0)", 2, 3, "> 5", NOT),
    "CertificateAlarm": ([("AWS/CertificateManager", "DaysToExpiry", "CertificateArn=CertificateArn", "Minimum", 86400)], None, 1, 1, "< 30", NOT),
}

COMPARED = {"GreaterThanThreshold": ">", "GreaterThanOrEqualToThreshold": ">=", "LessThanThreshold": "<"}


def text(value):
    """A value of the template: what it refers to, or itself."""
    return value.get("Ref") or value.get("Fn::Sub") or value["Fn::If"][0] if isinstance(value, dict) else value


def metric(m, statistic, period):
    dimensions = m.get("Dimensions", [])
    dimensions = [] if dimensions == {"Ref": "AWS::NoValue"} else dimensions
    return text(m["Namespace"]), m["MetricName"], " ".join(f"{d['Name']}={text(d['Value'])}" for d in dimensions), statistic, period


def alarms(resources):
    return {name: r["Properties"] for name, r in resources.items() if r["Type"] == "AWS::CloudWatch::Alarm"}


def described(a):
    """An alarm of a template, as in the table."""
    expression = None
    if "Metrics" in a:
        (expression,) = [m["Expression"] for m in a["Metrics"] if "Expression" in m]
        (returned,) = [m for m in a["Metrics"] if m.get("ReturnData", True)]
        assert "Expression" in returned
        metrics = [metric(m["MetricStat"]["Metric"], m["MetricStat"]["Stat"], m["MetricStat"]["Period"]) for m in a["Metrics"] if "MetricStat" in m]
    else:
        metrics = [metric(a, a.get("Statistic") or a["ExtendedStatistic"], a["Period"])]
    periods = a["EvaluationPeriods"]
    return metrics, expression, a.get("DatapointsToAlarm", periods), periods, f"{COMPARED[a['ComparisonOperator']]} {a['Threshold']}", a["TreatMissingData"]


class Alarms(unittest.TestCase):
    def test_each_is_as_intended(self):
        found = {name: described(a) for name, a in (alarms(STACK) | alarms(GLOBAL)).items()}
        self.assertEqual(found.keys(), ALARMS.keys())
        for name, wanted in ALARMS.items():
            self.assertEqual(found[name], wanted, name)

    def test_each_is_evaluated_by_cloudwatch(self):
        """All periods together are at most a day for periods below an hour, otherwise at most a week."""
        for name, (metrics, _, _, periods, _, _) in ALARMS.items():
            for *_, period in metrics:
                self.assertLessEqual(period * periods, 86400 if period < 3600 else 604800, name)

    def test_expressions_name_their_metrics(self):
        for name, a in (alarms(STACK) | alarms(GLOBAL)).items():
            ids = {m["Id"] for m in a.get("Metrics", []) if "MetricStat" in m}
            expressions = " ".join(m["Expression"] for m in a.get("Metrics", []) if "Expression" in m)
            self.assertEqual(set(re.findall(r"\b[a-z]\w*", expressions)), ids, name)

    def test_each_rings(self):
        for resources, action in [(STACK, {"Fn::If": ["Mail", [{"Ref": "AlarmTopic"}], {"Ref": "AWS::NoValue"}]}), (GLOBAL, [{"Ref": "AlarmTopic"}])]:
            for name, a in alarms(resources).items():
                self.assertEqual((a["AlarmActions"], a["OKActions"]), (action, action), name)
                # With ignore, CloudWatch evaluates a p99 only from 1,000 requests a period on.
                self.assertNotEqual(a.get("EvaluateLowSampleCountPercentile"), "ignore", name)
        self.assertEqual(GLOBAL["AlarmTopic"]["Properties"]["Subscription"], [{"Protocol": "email", "Endpoint": {"Ref": "Email"}}])

    def test_checks_from_outside_read_only(self):
        for name, path in [("ApiCheck", "/api/health"), ("SiteCheck", "/")]:
            config = GLOBAL[name]["Properties"]["HealthCheckConfig"]
            self.assertEqual((config["Type"], config["ResourcePath"], config["FullyQualifiedDomainName"], config["EnableSNI"]), ("HTTPS", path, {"Ref": "Host"}, True))
            self.assertEqual((config["RequestInterval"], config["FailureThreshold"], len(set(config["Regions"]))), (30, 3, 3))

    def test_filters_count_what_alarms_watch(self):
        """Each has a default, so that an alarm can end; a filter with dimensions cannot have one."""
        counted = {}
        for name, r in STACK.items():
            if r["Type"] == "AWS::Logs::MetricFilter":
                (m,) = r["Properties"]["MetricTransformations"]
                self.assertEqual((m["DefaultValue"], m["MetricValue"], "Dimensions" in m), (0, "1", False), name)
                counted[m["MetricName"]] = (text(m["MetricNamespace"]), r["Properties"]["LogGroupName"]["Ref"])
        self.assertEqual(counted, {name: (OWN, group) for name, group in {
            "Requests": "AccessLogGroup", "ServerErrors": "AccessLogGroup", "Throttled": "AccessLogGroup",
            "FunctionErrors": "FunctionLogGroup", "Refusals": "FunctionLogGroup"}.items()})
        watched = {m[1] for metrics, *_ in ALARMS.values() for m in metrics if m[0] == OWN}
        self.assertEqual(watched, counted.keys())

    def test_runbook_explains_each_and_says_which_outage_rings_it(self):
        explained, outages = (RUNBOOK.split(f"\n{heading}\n")[1].split("\n#")[0] for heading in ("## Alarms", "### Which alarm reports which outage"))
        self.assertEqual(set(re.findall(r"^\| (\w+Alarm) \|", explained, re.M)), ALARMS.keys())
        self.assertEqual(set(re.findall(r"\b\w+Alarm\b", outages)), ALARMS.keys())
        for row in re.findall(r"^\| (?!-|outage)(.*) \|$", outages, re.M):
            self.assertEqual(len(row.split(" | ")), 3, row)

    def test_dashboard_shows_what_the_functions_count(self):
        """Including conflicts, which are harmless singly and raise no alarm."""
        shown = json.loads(STACK["Dashboard"]["Properties"]["DashboardBody"]["Fn::Sub"][0])
        metrics = json.dumps(shown)
        for name in ("ConflictRetries", "ConflictsExhausted", *(m[1] for metrics, *_ in list(ALARMS.values())[:9] for m in metrics)):
            self.assertIn(f'"{name}"', metrics)


def properties(name):
    return STACK[name]["Properties"]


class Literals(unittest.TestCase):
    """Words in the template that decide whether the service works, or is safe."""

    def test_words(self):
        (stage,) = [r["Properties"] for r in STACK.values() if r["Type"] == "AWS::ApiGatewayV2::Stage"]
        config = properties("Distribution")["DistributionConfig"]
        origins = {origin["Id"]: origin for origin in config["Origins"]}
        access = properties("SiteAccess")["OriginAccessControlConfig"]
        for what, found, wanted in [
            ("stage", (stage["StageName"], stage["AutoDeploy"]), ("$default", True)),
            ("API's host", origins["api"]["DomainName"], {"Fn::Sub": "${Api}.execute-api.${AWS::Region}.${AWS::URLSuffix}"}),
            ("API's protocol", origins["api"]["CustomOriginConfig"], {"OriginProtocolPolicy": "https-only", "OriginSSLProtocols": ["TLSv1.2"]}),
            ("bucket's host", origins["site"]["DomainName"], {"Fn::GetAtt": ["SiteBucket", "RegionalDomainName"]}),
            ("bucket's access", origins["site"]["OriginAccessControlId"], {"Fn::GetAtt": ["SiteAccess", "Id"]}),
            ("access", (access["OriginAccessControlOriginType"], access["SigningBehavior"], access["SigningProtocol"]), ("s3", "always", "sigv4")),
            ("names", config["Aliases"], {"Fn::If": ["OwnDomain", [{"Ref": "DomainName"}], {"Ref": "AWS::NoValue"}]}),
            ("certificate", [part if isinstance(part, str) else sorted(part) for part in config["ViewerCertificate"]["Fn::If"]],
             ["OwnDomain", ["AcmCertificateArn", "MinimumProtocolVersion", "SslSupportMethod"], ["CloudFrontDefaultCertificate"]]),
            ("distribution", (config["Enabled"], config["DefaultRootObject"]), (True, "index.html")),
        ]:
            self.assertEqual(found, wanted, what)

    def test_conditions(self):
        conditions = transform("template.yaml")["Conditions"]

        def empty(name):
            return {"Fn::Equals": [{"Ref": name}, ""]}

        self.assertEqual(conditions, {
            "OwnDomain": {"Fn::Not": [{"Fn::Or": [empty("DomainName"), empty("CertificateArn")]}]},
            "WebAcl": {"Fn::Not": [empty("WebAclArn")]},
            "Mail": {"Fn::Not": [empty("AlarmEmail")]},
            "Bounded": {"Fn::Not": [empty("PermissionsBoundary")]},
            "OwnTable": empty("RestoredTable"),
            "SecretAInUse": {"Fn::Equals": [{"Ref": "OriginSecretInUse"}, "a"]},
        })

    def test_functions(self):
        """They write JSON, and end after the request's own deadline."""
        deadline = re.search(r"const timeout = (\d+) \* time.Second", Path("internal/request/request.go").read_text(encoding="utf-8"))
        for name, r in STACK.items():
            if r["Type"] == "AWS::Lambda::Function":
                self.assertEqual(r["Properties"]["LoggingConfig"]["LogFormat"], "JSON", name)
                self.assertGreater(r["Properties"]["Timeout"], int(deadline[1]), name)
                self.assertLess(r["Properties"]["Timeout"], 30, name)  # API Gateway's and CloudFront's

    def test_rights_on_the_table(self):
        """With DynamoDB Local, functions_test.go compares these with what each function calls."""
        rights = {"CreateEvent": "PutItem", "GetEvent": "Query", "CancelEvent": "GetItem UpdateItem", "ListAttendees": "Query",
                  "CreateRsvp": "GetItem PutItem UpdateItem", "CancelRsvp": "GetItem UpdateItem", "Health": "GetItem", "EventPage": "Query",
                  "EventCard": "Query", "NotFound": ""}
        found = {name.removesuffix("Role"): " ".join(a.removeprefix("dynamodb:") for p in r["Properties"]["Policies"] if p["PolicyName"] == "table"
                                                     for s in p["PolicyDocument"]["Statement"] for a in s["Action"])
                 for name, r in STACK.items() if r["Type"] == "AWS::IAM::Role"}
        self.assertEqual(found, rights)
        for name, r in STACK.items():
            if r["Type"] == "AWS::IAM::Role":
                (log,) = [p["PolicyDocument"]["Statement"] for p in r["Properties"]["Policies"] if p["PolicyName"] == "log"]
                self.assertEqual(log[0]["Action"], ["logs:CreateLogStream", "logs:PutLogEvents"], name)


if __name__ == "__main__":
    unittest.main()
