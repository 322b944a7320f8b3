"""Holds the words of the templates on which promises depend, and which CloudFormation takes in any spelling.

The templates are resolved twice: with the defaults, and with all parameters set.
"""

import json
import re
import unittest
from pathlib import Path

import jmespath
import names

from templates import ACCOUNT, REGION, STACK, VALUES, Resolved, read, transform

TEMPLATE = transform("template.yaml")
PLAIN, FULL = Resolved(TEMPLATE, STACK), Resolved(TEMPLATE, STACK, **VALUES["template.yaml"])
NEEDED = {name: value for name, value in VALUES["infra/global.yaml"].items() if "Default" not in read("infra/global.yaml")["Parameters"][name]}
GLOBAL = Resolved(read("infra/global.yaml"), "turnout-global", **VALUES["infra/global.yaml"])
WAF = Resolved(read("infra/waf.yaml"), "turnout-waf")
BUDGET = Resolved(read("infra/budget.yaml"), "turnout-budget", Email="ops@example.org")
RULES = {rule["Name"]: rule for rule in WAF.resources["WebAcl"]["Rules"]}
RUNBOOK, COSTS = (Path("infra", name).read_text(encoding="utf-8") for name in ("RUNBOOK.md", "COSTS.md"))


class Resolving(unittest.TestCase):
    def test_conditional_parts_come_and_go(self):
        watching = {"AWS::CloudWatch::Alarm", "AWS::CloudWatch::Dashboard", "AWS::Logs::MetricFilter", "AWS::SNS::Topic", "AWS::SNS::Subscription"}
        self.assertEqual(FULL.resources.keys() - PLAIN.resources.keys(), {name for name, r in TEMPLATE["Resources"].items() if r["Type"] in watching})
        plain, full = (made.resources["Distribution"]["DistributionConfig"] for made in (PLAIN, FULL))
        certificate = {"AcmCertificateArn": FULL.values["CertificateArn"], "SslSupportMethod": "sni-only", "MinimumProtocolVersion": "TLSv1.2_2021"}
        for key, left_out, there in [
            ("Aliases", None, ["turnout.example.org"]),
            ("ViewerCertificate", {"CloudFrontDefaultCertificate": True}, certificate),
            ("WebACLId", None, FULL.values["WebAclArn"]),
        ]:
            self.assertEqual((plain.get(key), full.get(key)), (left_out, there), key)
        self.assertEqual(FULL.outputs["SiteUrl"], "https://turnout.example.org")
        self.assertEqual(PLAIN.outputs["SiteUrl"], "https://Distribution.DomainName")
        self.assertEqual([PLAIN.outputs[key] for key in ("DistributionId", "SiteBucketName")], [PLAIN.name(name) for name in ("Distribution", "SiteBucket")])
        for name, role in PLAIN.of_type("AWS::IAM::Role").items():
            self.assertNotIn("PermissionsBoundary", role, name)
        for made, letter in ((PLAIN, "A"), (FULL, "B")):
            secrets = [f"{{{{resolve:secretsmanager:{made.arn(name)}:SecretString}}}}" for name in ("SecretA", "SecretB")]
            origins = made.resources["Distribution"]["DistributionConfig"]["Origins"]
            self.assertEqual({o["Id"]: o.get("OriginCustomHeaders") for o in origins},
                             {"site": None, "api": [{"HeaderName": "X-Origin-Secret", "HeaderValue": secrets["AB".index(letter)]}]})
            for name, function in made.of_type("AWS::Lambda::Function").items():
                self.assertEqual(function["Environment"]["Variables"]["ORIGIN_SECRETS"], ",".join(secrets), name)
        self.assertNotIn("secret", json.dumps(FULL.outputs))

    def test_all_use_one_table(self):
        """With RestoredTable, nothing but the stack's own table has its name."""
        own = FULL.name("Table")
        self.assertEqual([name for name, p in FULL.resources.items() if own in json.dumps(p)], [])
        self.assertEqual((PLAIN.outputs["TableName"], FULL.outputs["TableName"]), (own, FULL.values["RestoredTable"]))

    def test_parameters_go_together(self):
        for path, values in [("template.yaml", {"DomainName": "turnout.example.org"}), ("template.yaml", {"CertificateArn": FULL.values["CertificateArn"]}),
                             ("infra/deployer.yaml", {"OwnerId": "1"}), ("infra/deployer.yaml", {"RepositoryId": "1"})]:
            template = TEMPLATE if path == "template.yaml" else read(path)
            self.assertRaises(AssertionError, Resolved, template, STACK, **values)
        for name in ("CertificateArn", "WebAclArn"):  # CloudFront takes both from one region only
            self.assertRaises(AssertionError, Resolved, TEMPLATE, STACK, **{name: FULL.values[name].replace("us-east-1", REGION)}, DomainName="x.example.org")

    def test_deployer_and_global(self):
        always = (policies := {"Boundary", "Policy", "RolesPolicy", "OperatorPolicy"}) | {"Programs", "ProgramsPolicy"}
        for values, resources in [
            ({}, set()),
            ({"Repository": "someone/turnout"}, {"Role", "Provider"}),
            ({"Repository": "someone/turnout", "GitHubProvider": "false"}, {"Role"}),
            ({"Operator": f"arn:aws:iam::{ACCOUNT}:role/ops"}, {"OperatorRole"}),
        ]:
            made = Resolved(read("infra/deployer.yaml"), "turnout-deployer", **values)
            outputs = {f"{name}Arn": made.arn(name) for name in policies | resources - {"Provider", "OperatorRole"}} | {"Programs": made.name("Programs")}
            self.assertEqual((made.resources.keys(), made.outputs), (always | resources, outputs), values)
        self.assertEqual([made.made[name][policy] for name in ("Programs", "ProgramsPolicy") for policy in ("DeletionPolicy", "UpdateReplacePolicy")], ["Retain"] * 4)
        self.assertEqual(made.resources["Programs"], {key: FULL.resources["SiteBucket"][key] for key in ("PublicAccessBlockConfiguration", "OwnershipControls")})
        bucket = made.arn("Programs")
        self.assertEqual(made.resources["ProgramsPolicy"]["PolicyDocument"]["Statement"], [
            {"Effect": "Deny", "Principal": "*", "Action": "s3:*", "Resource": [bucket, f"{bucket}/*"], "Condition": {"Bool": {"aws:SecureTransport": "false"}}}])
        plain = Resolved(GLOBAL.template, "turnout-global", **NEEDED)
        self.assertEqual(GLOBAL.resources.keys() - plain.resources.keys(), {"SiteCheck", "SiteDownAlarm", "CertificateAlarm"})

    def test_names_are_unique(self):
        """Within a type, and of two stacks and two regions where the type is global."""
        seen = set()
        for name, p in FULL.resources.items():
            kind = FULL.made[name]["Type"]
            if kind in ("AWS::CloudWatch::Alarm", "AWS::Lambda::Permission"):
                continue  # their names refer to other resources
            named = [part[key] for part in (p, *(v for v in p.values() if isinstance(v, dict))) for key in ("Name", "DashboardName", "LogGroupName", "MetricName") if key in part]
            named = [t["MetricName"] for t in p["MetricTransformations"]] if kind == "AWS::Logs::MetricFilter" else named
            for value in named:
                self.assertNotIn((kind, value), seen)
                seen.add((kind, value))
                self.assertTrue("turnout" in value or kind == "AWS::Logs::MetricFilter", name)
                self.assertTrue(REGION in value or not kind.startswith("AWS::CloudFront") and kind != "AWS::CloudWatch::Dashboard", name)
        for key in ("Name", "Priority"):
            self.assertEqual(len({str(rule[key]) for rule in WAF.resources["WebAcl"]["Rules"]}), 5, key)


class Names(unittest.TestCase):
    maxDiff = None

    def test_nothing_is_added_in_silence(self):
        """names.py says what to do after a change on purpose."""
        self.assertEqual("\n".join(names.text()) + "\n", Path("infra/validate/names.txt").read_text(encoding="utf-8"))


class Literals(unittest.TestCase):
    def test_words(self):
        bucket, source = FULL.arn("SiteBucket"), {"StringEquals": {"AWS:SourceArn": FULL.arn("Distribution")}}
        reads = {"Effect": "Allow", "Principal": {"Service": "cloudfront.amazonaws.com"}, "Condition": source}
        checks = {"Type": "HTTPS", "FullyQualifiedDomainName": GLOBAL.values["Host"], "RequestInterval": 30, "FailureThreshold": 3,
                  "Regions": ["us-east-1", "eu-west-1", "ap-southeast-1"], "EnableSNI": True}
        for made, path, wanted in [
            *((FULL, f"Secret{letter}.GenerateSecretString", {"PasswordLength": 64, "ExcludePunctuation": True}) for letter in "AB"),
            *((FULL, f"{name}.AutoPublish", True) for name in ("SiteFallback", "EventPageRequest")),
            (PLAIN, "Distribution.DistributionConfig.Enabled", "true"), (FULL, "Distribution.DistributionConfig.Enabled", "false"),
            (FULL, "Distribution.DistributionConfig.DefaultRootObject", "index.html"),
            (FULL, "Distribution.DistributionConfig.Origins[0].DomainName", "SiteBucket.RegionalDomainName"),
            (FULL, "Distribution.DistributionConfig.Origins[0].OriginAccessControlId", "SiteAccess.Id"),
            (FULL, "Distribution.DistributionConfig.Origins[1].DomainName", f"{FULL.name('Api')}.execute-api.{REGION}.amazonaws.com"),
            (FULL, "Distribution.DistributionConfig.Origins[1].CustomOriginConfig", {"OriginProtocolPolicy": "https-only", "OriginSSLProtocols": ["TLSv1.2"]}),
            *((PLAIN, f"{name}.ResponseHeadersPolicyConfig.SecurityHeadersConfig.StrictTransportSecurity.IncludeSubdomains", "false") for name in ("SiteHeaders", "EventPageHeaders")),
            (FULL, "SiteAccess.OriginAccessControlConfig.SigningBehavior", "always"),
            (FULL, "SiteAccess.OriginAccessControlConfig.OriginAccessControlOriginType", "s3"),
            (FULL, "SiteBucket.VersioningConfiguration", {"Status": "Enabled"}),
            (FULL, "SiteBucket.PublicAccessBlockConfiguration", dict.fromkeys(("BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets"), True)),
            # Access control of an origin works with a key of KMS only if that key names the distribution.
            (FULL, "SiteBucket.BucketEncryption.ServerSideEncryptionConfiguration[0].ServerSideEncryptionByDefault", {"SSEAlgorithm": "AES256"}),
            (FULL, "SiteBucket.OwnershipControls", {"Rules": [{"ObjectOwnership": "BucketOwnerEnforced"}]}),
            # Only the distribution reads the bucket, and nobody without TLS.
            (FULL, "SiteBucketPolicy.PolicyDocument.Statement", [
                reads | {"Action": "s3:GetObject", "Resource": f"{bucket}/*"}, reads | {"Action": "s3:ListBucket", "Resource": bucket},
                {"Effect": "Deny", "Principal": "*", "Action": "s3:*", "Resource": [bucket, f"{bucket}/*"], "Condition": {"Bool": {"aws:SecureTransport": "false"}}}]),
            # No expiry of current files. Former ones last as long as a page that names them is cached, and an undo may take.
            (FULL, "SiteBucket.LifecycleConfiguration.Rules", [{"Id": "delete-old-versions", "Status": "Enabled", "NoncurrentVersionExpiration": {"NoncurrentDays": 30},
                                                               "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": 1}}]),
            (FULL, "Table.BillingMode", "PAY_PER_REQUEST"),
            (FULL, "Table.TimeToLiveSpecification", {"AttributeName": "expiresAt", "Enabled": True}),
            (FULL, "Table.PointInTimeRecoverySpecification", {"PointInTimeRecoveryEnabled": True, "RecoveryPeriodInDays": 35}),
            (FULL, "Table.DeletionProtectionEnabled", "true"),
            (FULL, "AlarmSubscription", {"TopicArn": FULL.arn("AlarmTopic"), "Protocol": "email", "Endpoint": "ops@example.org"}),
            (GLOBAL, "AlarmTopic.Subscription", [{"Protocol": "email", "Endpoint": "ops@example.org"}]),
            (WAF, "WebAcl.Scope", "CLOUDFRONT"), (WAF, "WebAcl.DefaultAction", {"Allow": {}}),
            (BUDGET, "Budget.Budget.BudgetType", "COST"),
            (BUDGET, "Budget.NotificationsWithSubscribers", [
                {"Notification": {"NotificationType": kind, "ComparisonOperator": "GREATER_THAN", "Threshold": percent, "ThresholdType": "PERCENTAGE"},
                 "Subscribers": [{"SubscriptionType": "EMAIL", "Address": "ops@example.org"}]} for kind, percent in (("ACTUAL", 80), ("FORECASTED", 100))]),
            *((GLOBAL, f"{name}.HealthCheckConfig", checks | {"ResourcePath": path}) for name, path in (("ApiCheck", "/api/health"), ("SiteCheck", "/"))),
            *((FULL, f"{name}.RetentionInDays", 30) for name in FULL.of_type("AWS::Logs::LogGroup")),
        ]:
            self.assertEqual(jmespath.search(path, made.resources), wanted, path)
        table = TEMPLATE["Resources"]["Table"]
        self.assertEqual((table["DeletionPolicy"], table["UpdateReplacePolicy"]), ("Retain", "Retain"))

    def test_functions(self):
        """They write JSON to one log, share the account's concurrency, and end after the request's own deadline. Each has its rights on the table
        in use and on the log. With DynamoDB Local, functions_test.go compares these with what each function calls."""
        rights = {"CreateEvent": "PutItem", "GetEvent": "Query", "CancelEvent": "GetItem UpdateItem", "ListAttendees": "Query",
                  "CreateRsvp": "GetItem PutItem UpdateItem", "GetRsvp": "GetItem", "CancelRsvp": "GetItem UpdateItem", "Health": "GetItem", "EventPage": "Query",
                  "EventCard": "Query", "NotFound": ""}
        deadline = re.search(r"timeout = (\d+) \* time.Second", Path("internal/request/request.go").read_text(encoding="utf-8"))
        memory, roles, table = {"ListAttendees": 1769, "EventCard": 1024}, FULL.of_type("AWS::IAM::Role"), FULL.values["RestoredTable"]
        self.assertEqual((FULL.of_type("AWS::Lambda::Function").keys(), roles.keys()), ({f"{name}Function" for name in rights}, {f"{name}Role" for name in rights}))
        for name, actions in rights.items():
            function, role = FULL.resources[f"{name}Function"], roles[f"{name}Role"]
            logging = {"LogFormat": "JSON", "LogGroup": f"/aws/lambda/{STACK}"}
            self.assertIn(function["LoggingConfig"], (logging, logging | {"SystemLogLevel": "WARN"}), name)  # which COSTS.md allows
            self.assertEqual((function["Runtime"], function["Handler"], function["Architectures"]), ("provided.al2023", "bootstrap", ["arm64"]), name)
            self.assertEqual(function["MemorySize"], memory.get(name, 512), name)
            self.assertTrue(int(deadline[1]) < function["Timeout"] < 30, name)  # API Gateway and CloudFront wait 30 s
            self.assertEqual(function["Environment"]["Variables"].get("TABLE_NAME"), table if actions else None, name)
            self.assertEqual(function["Role"], FULL.arn(f"{name}Role"))
            self.assertEqual([s["Principal"] for s in role["AssumeRolePolicyDocument"]["Statement"]], [{"Service": "lambda.amazonaws.com"}], name)
            wanted = [{"Effect": "Allow", "Action": ["logs:CreateLogStream", "logs:PutLogEvents"], "Resource": FULL.arn("FunctionLogGroup")},
                      {"Effect": "Allow", "Action": [f"dynamodb:{action}" for action in actions.split()],
                       "Resource": f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/{table}"}]
            self.assertEqual([s for p in role["Policies"] for s in p["PolicyDocument"]["Statement"]], wanted if actions else wanted[:1], name)
        for name, permission in FULL.of_type("AWS::Lambda::Permission").items():
            self.assertEqual((permission["Principal"], FULL.name("Api") in permission["SourceArn"]), ("apigateway.amazonaws.com", True), name)

    def test_a_new_generation_is_a_new_secret(self):
        """CloudFormation generates a new secret when its name changes."""
        again = Resolved(TEMPLATE, STACK, OriginSecretA=2)
        self.assertEqual([again.name(name) == PLAIN.name(name) for name in ("SecretA", "SecretB")], [False, True])

    def test_logs_hold_no_paths(self):
        (stage,) = FULL.of_type("AWS::ApiGatewayV2::Stage").values()
        used = set(re.findall(r"\$context\.([\w.]+)", stage["AccessLogSettings"]["Format"]))
        self.assertFalse(used & {"path", "rawPath", "identity.sourceIp", "identity.userAgent", "error.message"})
        self.assertLessEqual({"requestId", "integration.requestId", "routeKey", "status"}, used)
        json.loads(re.sub(r"\$context\.[\w.]+", "x", stage["AccessLogSettings"]["Format"]))

    def test_routes_are_throttled_each_for_what_it_costs(self):
        (stage,) = FULL.of_type("AWS::ApiGatewayV2::Stage").values()
        def limits(rate, burst):
            return {"ThrottlingRateLimit": rate, "ThrottlingBurstLimit": burst}

        guests, settings = limits(50, 500), stage["RouteSettings"]
        body = FULL.resources["Api"]["Body"]
        routes = {f"{method.replace('x-amazon-apigateway-any-method', 'any').upper()} {path}" for path, methods in body["paths"].items() for method in methods}
        by_default = {"GET /api/health", "POST /api/events", "PATCH /api/events/{eventToken}", "ANY /api", "ANY /api/{proxy+}"}
        self.assertEqual(set(settings) | by_default, routes, "each route has a row in RouteSettings, or is known to have the default")
        self.assertNotIn("disableexecuteapiendpoint", json.dumps(body).lower())  # CloudFront calls the API by that address
        self.assertEqual(settings, {
            "GET /api/events/{eventToken}": guests,
            "POST /api/events/{eventToken}/rsvps": guests,
            "GET /api/events/{eventToken}/rsvps/{rsvpToken}": guests,
            "DELETE /api/events/{eventToken}/rsvps/{rsvpToken}": guests,
            "ANY /e/{proxy+}": limits(200, 1000),
            "GET /e/{eventToken}/card.png": guests,
            "GET /api/events/{eventToken}/attendees": limits(1, 30),
        })
        self.assertEqual((stage["DefaultRouteSettings"], stage["StageName"], stage["AutoDeploy"]), (limits(5, 50), "$default", True))

    def test_web_acl(self):
        """Limits for POST requests, for lists, which cost the most, and for all requests of an address; texts of events may contain anything."""
        def limit(requests, field=None, constraint=None, text=None, transformation=None):
            match = {"FieldToMatch": field, "PositionalConstraint": constraint, "SearchString": text, "TextTransformations": [{"Priority": 0, "Type": transformation}]}
            return {"AggregateKeyType": "IP", "Limit": requests} | ({"ScopeDownStatement": {"ByteMatchStatement": match}} if field else {})

        for name, wanted in {"writes": limit(300, {"Method": {}}, "EXACTLY", "POST", "NONE"),
                             "lists": limit(100, {"UriPath": {}}, "ENDS_WITH", "/attendees", "URL_DECODE"), "requests": limit(3000)}.items():
            rule = RULES[f"{name}-of-one-address"]
            self.assertEqual((rule["Statement"]["RateBasedStatement"], rule["Action"]["Block"]["CustomResponse"]["ResponseCode"]), (wanted, 429), name)
        reputation, common = RULES["addresses-known-for-abuse"], RULES["common"]
        self.assertEqual((reputation["OverrideAction"], common["OverrideAction"]), ({"None": {}}, {"None": {}}))
        self.assertEqual(reputation["Statement"], {"ManagedRuleGroupStatement": {"VendorName": "AWS", "Name": "AWSManagedRulesAmazonIpReputationList"}})
        counted = {o["Name"] for o in common["Statement"]["ManagedRuleGroupStatement"]["RuleActionOverrides"] if o["ActionToUse"] == {"Count": {}}}
        self.assertLessEqual({"SizeRestrictions_BODY", "CrossSiteScripting_BODY", "GenericLFI_BODY", "GenericRFI_BODY", "EC2MetaDataSSRF_BODY"}, counted)

    def test_costs_are_those_of_the_defaults(self):
        self.assertEqual({name: int(rate) for rate, name in re.findall(r"\| (\d+) \(`(\w+Rate)`\) \|", COSTS)},
                         {name: value for name, value in PLAIN.values.items() if name.endswith("Rate")})
        self.assertIn("{WriteLimit} POST requests, {ListLimit} lists and {RequestLimit:,} requests of any kind".format_map(WAF.values), " ".join(COSTS.split()))


# The dimensions of metrics. CloudFormation accepts an alarm on a metric that does not exist; it never rings.
METRICS = {
    ("AWS/ApiGateway", "Latency"): {"ApiId": FULL.name("Api")},
    ("AWS/Lambda", "Throttles"): {},
    **{("AWS/DynamoDB", f"{kind}ThrottleEvents"): {"TableName": FULL.values["RestoredTable"]} for kind in ("Read", "Write")},
    **{("AWS/CloudFront", name): {"DistributionId": "EDFDVBD6EXAMPLE", "Region": "Global"} for name in ("4xxErrorRate", "5xxErrorRate", "Requests", "BytesDownloaded")},
    ("AWS/WAFV2", "BlockedRequests"): {"WebACL": WAF.resources["WebAcl"]["VisibilityConfig"]["MetricName"], "Rule": "ALL"},
    ("AWS/CertificateManager", "DaysToExpiry"): {"CertificateArn": GLOBAL.values["CertificateArn"]},
    **{(f"Turnout/{STACK}", t["MetricName"]): {} for p in FULL.of_type("AWS::Logs::MetricFilter").values() for t in p["MetricTransformations"]},
}
ENDING = {"AWS/Route53": "HealthCheckId", "AWS/CertificateManager": "CertificateArn"}  # no metric when what it is about is gone


class Alarms(unittest.TestCase):
    alarms = {name: (made, p) for made in (FULL, GLOBAL) for name, p in made.of_type("AWS::CloudWatch::Alarm").items()}

    def metrics(self, a):
        """Namespace, name, dimensions, statistic and period of each metric of an alarm."""
        for m in [m["MetricStat"] for m in a["Metrics"] if "MetricStat" in m] if "Metrics" in a else [{"Metric": a, "Stat": a.get("Statistic") or a["ExtendedStatistic"], **a}]:
            yield m["Metric"]["Namespace"], m["Metric"]["MetricName"], {d["Name"]: d["Value"] for d in m["Metric"].get("Dimensions", [])}, m["Stat"], m["Period"]

    def test_metrics_exist(self):
        for name, (made, a) in self.alarms.items():
            self.assertEqual(len({period for *_, period in self.metrics(a)}), 1, name)
            for namespace, metric, dimensions, stat, period in self.metrics(a):
                check = {"HealthCheckId": made.name(name.replace("DownAlarm", "Check"))} if namespace == "AWS/Route53" else None
                self.assertEqual(dimensions, check or METRICS[namespace, metric], name)
                rate = "Average" if metric.endswith("Rate") else "p99" if metric == "Latency" else "Minimum" if namespace in ENDING else "Sum"
                self.assertEqual(stat, rate, name)
                # All periods together are at most a day for periods below an hour, otherwise at most a week.
                self.assertLessEqual(period * a["EvaluationPeriods"], 86400 if period < 3600 else 604800, name)

    def test_expressions_name_their_metrics_and_have_a_floor(self):
        """Otherwise one error among few requests would ring. DynamoDB reports throttles only while there are some."""
        for name, (_, a) in self.alarms.items():
            for m in (m for m in a.get("Metrics", []) if "Expression" in m):
                self.assertEqual(set(re.findall(r"\b[a-z]\w*", m["Expression"])), {m["Id"] for m in a["Metrics"] if "MetricStat" in m}, name)
                self.assertTrue(m.get("ReturnData", True), name)
                floor = r"FILL\(\w+, 0\)" if name.startswith("Table") else r"bytes \* 0\.085 / 10{9} \+ requests / 10{6}" if name == "FloodAlarm" else r"IF\(((\w+) >= ([5-9]|\d\d+), 100 \* \2 / requests|requests \* rate / 100 >= ([5-9]|\d\d+), rate), 0\)"
                self.assertRegex(m["Expression"], f"^{floor}$", name)
            self.assertEqual([m["Id"] for m in a.get("Metrics", []) if m.get("ReturnData", True) and "MetricStat" in m], [], name)

    def test_each_rings(self):
        for name, (made, a) in self.alarms.items():
            self.assertEqual((a["AlarmActions"], a["OKActions"]), ([made.arn("AlarmTopic")],) * 2, name)
            ending = a.get("Namespace") in ENDING
            self.assertEqual(a["TreatMissingData"], "breaching" if ending else "notBreaching", name)
            if not ending and a["EvaluationPeriods"] > 1:  # the last period may come late
                self.assertLess(a["DatapointsToAlarm"], a["EvaluationPeriods"], name)
            # With ignore, CloudWatch evaluates a p99 only from 1,000 requests a period on.
            self.assertNotEqual(a.get("EvaluateLowSampleCountPercentile"), "ignore", name)
        signs = {"LessThanThreshold": "<", "GreaterThanThreshold": ">", "GreaterThanOrEqualToThreshold": ">="}
        self.assertEqual({name[:-5]: f"{signs.get(a['ComparisonOperator'])} {a['Threshold']} in {a['EvaluationPeriods']}" for name, (_, a) in self.alarms.items()}, {
            "FastBurn": "> 1.44 in 3", "SlowBurn": "> 0.6 in 1", "Throttled": "> 10 in 3", "Latency": "> 2000 in 12", "FunctionError": ">= 1 in 1", "Certificate": "< 30 in 1",
            **dict.fromkeys(("Refusal", "FunctionThrottle"), ">= 5 in 1"), **dict.fromkeys(("TableReadThrottle", "TableWriteThrottle"), ">= 100 in 3"),
            **dict.fromkeys(("ApiDown", "SiteDown"), "< 1 in 2"), **dict.fromkeys(("CloudFrontServerError", "WebAcl"), "> 5 in 3"), "Flood": "> 3 in 3", "CloudFrontRefusal": "> 30 in 3"})

    def test_filters_count_what_alarms_watch(self):
        """Each has a default, so that an alarm can end; a filter with dimensions cannot have one."""
        counted = {}
        for name, p in FULL.of_type("AWS::Logs::MetricFilter").items():
            (m,) = p["MetricTransformations"]
            self.assertEqual((m["DefaultValue"], m["MetricValue"], "Dimensions" in m, m["MetricNamespace"]), (0, "1", False, f"Turnout/{STACK}"), name)
            counted[m["MetricName"]] = p["LogGroupName"]
        access = dict.fromkeys(("Requests", "ServerErrors", "Throttled"), f"/aws/vendedlogs/{STACK}/access")
        self.assertEqual(counted, access | dict.fromkeys(("FunctionErrors", "Refusals"), f"/aws/lambda/{STACK}"))
        self.assertEqual({m for _, a in self.alarms.values() for namespace, m, *_ in self.metrics(a) if namespace == f"Turnout/{STACK}"}, counted.keys())

    def test_runbook_explains_each(self):
        self.assertEqual(set(re.findall(r"^\| (\w+Alarm) \|", RUNBOOK, re.M)), self.alarms.keys())

    def test_dashboard_shows_each_function_alarm_and_metric(self):
        """Including conflicts, which raise no alarm."""
        body = FULL.resources["Dashboard"]["DashboardBody"]
        self.assertTrue(json.loads(body)["widgets"])
        shown = [*FULL.of_type("AWS::Lambda::Function"), *FULL.of_type("AWS::CloudWatch::Alarm")]
        for text in (*(FULL.name(name) for name in shown), "TransactionConflict",
                     *(m for made, a in self.alarms.values() if made is FULL for _, m, *_ in self.metrics(a))):
            self.assertIn(text, body)
