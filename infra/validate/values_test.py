"""Tests the values on which money, safety or a promise depends.

Each row says what happens otherwise. Its place is a JMESPath in a template's resources, by logical
id, or in each resource of a type. The wanted value may be a function of CloudFormation. Each
template is resolved twice: with as few parameters as possible, and with another value for each.

A mistake has a row if nothing else names it: neither cfn-lint, nor the tests of permissions and
properties, nor the smoke test that ends a deployment, nor CloudFormation.
"""

import math
import unittest

from infra.validate.templates import STACK, VALUES, Resolved, broken, read, transform

CONFIG = "Distribution.DistributionConfig"
VIEWERS = f"{CONFIG}.[[DefaultCacheBehavior], CacheBehaviors][][]"
OF_API = f"{CONFIG}.CacheBehaviors[?TargetOriginId=='api' && contains(AllowedMethods, 'POST')]"
OF_PAGES = f"({CONFIG}.CacheBehaviors[?PathPattern=='/e/?*'] | [0])"
API = f"{CONFIG}.Origins[?Id=='api'] | [0]"
PUBLIC = [
    "BlockPublicAcls",
    "BlockPublicPolicy",
    "IgnorePublicAcls",
    "RestrictPublicBuckets",
]
OF_DISTRIBUTION = {
    "StringEquals": {
        "AWS:SourceArn": {
            "Fn::Sub": (
                "arn:${AWS::Partition}:cloudfront::${AWS::AccountId}:distribution/${Distribution}"
            )
        }
    }
}


def ref(name):
    return {"Ref": name}


def attribute(name):
    return {"Fn::GetAtt": name}


def if_domain(value):
    return {"Fn::If": ["OwnDomain", value, None]}


# The limits of routes, by the parameters. A list costs as much as a thousand reads. CloudFront
# answers most requests for pages. Any other route has the limits of organizers, the lowest but
# one: what organizers send is stored, and paid for. A new route begins with them.
LIMITS = {
    "GET /api/events/{eventToken}": "Guest",
    "POST /api/events/{eventToken}/rsvps": "Guest",
    "GET /api/events/{eventToken}/rsvps/{rsvpToken}": "Guest",
    "DELETE /api/events/{eventToken}/rsvps/{rsvpToken}": "Guest",
    "ANY /e/{eventToken}/card.png": "Guest",
    "GET /api/health": "Guest",
    "ANY /e/{proxy+}": "Page",
    "GET /api/events/{eventToken}/attendees": "List",
}

BUCKETS = [
    (
        "AWS::S3::Bucket.PublicAccessBlockConfiguration",
        dict.fromkeys(PUBLIC, True),
        "a bucket can be made public",
    ),
    (
        "AWS::S3::Bucket.VersioningConfiguration.Status",
        "Enabled",
        "what is overwritten or deleted in a bucket cannot be brought back",
    ),
    (
        "AWS::S3::BucketPolicy.PolicyDocument.Statement[?Effect=='Deny']"
        ".[Principal, Action, Condition]",
        [["*", "s3:*", {"Bool": {"aws:SecureTransport": "false"}}]],
        "a bucket answers without TLS, or nobody at all",
    ),
    (
        "AWS::S3::BucketPolicy.PolicyDocument.Statement[?Effect=='Deny'].Resource[]"
        " | [?ends_with(@, '/*')] | length(@)",
        1,
        "a bucket sends and takes its files without TLS",
    ),
]

ROWS = {
    "template.yaml": [
        *BUCKETS,
        # The rows for CloudFront. The smoke test finds a wrong origin, path or certificate.
        (
            f"{CONFIG}.ViewerCertificate.MinimumProtocolVersion",
            if_domain("TLSv1.2_2021"),
            "tokens are sent with ciphers that can be broken",
        ),
        (
            f"{CONFIG}.ViewerCertificate.SslSupportMethod",
            if_domain("sni-only"),
            "addresses of one's own cost 600 dollars a month",
        ),
        (f"{CONFIG}.IPV6Enabled", True, "networks without IPv4 do not reach the site"),
        (
            f"{API}.CustomOriginConfig.OriginSSLProtocols",
            ["TLSv1.2"],
            "tokens and the origin secret are sent over a broken version of TLS",
        ),
        (
            f"{VIEWERS}.ViewerProtocolPolicy",
            ["redirect-to-https", "https-only", "https-only", "redirect-to-https"],
            "a token is sent in the clear, or an address without https:// does not open",
        ),
        (
            f"{OF_API}.CachePolicyId",
            ["4135ea2d-6df8-44a3-9df3-4b5a84be39ad"] * 2,
            "responses are cached: one visitor gets what another may see",
        ),
        (
            f"[{CONFIG}.DefaultCacheBehavior, {OF_PAGES}][].AllowedMethods",
            [["GET", "HEAD"]] * 2,
            "bodies of any size are sent to the bucket and to pages, and paid for",
        ),
        (
            f"[{CONFIG}.DefaultCacheBehavior, {OF_PAGES}][].Compress",
            [True, True],
            "pages and files need three times the traffic",
        ),
        (
            f"{CONFIG}.DefaultCacheBehavior.CachePolicyId",
            "658327ea-f89d-4fab-a63d-7e88639e58f6",
            "each file is fetched from the bucket, or each query has a copy of its own",
        ),
        (
            f"{OF_PAGES}.CachePolicyId",
            ref("EventPageCache"),
            "a page is served in another visitor's language, or each is computed",
        ),
        (f"{OF_PAGES}.OriginRequestPolicyId", None, "headers of a visitor reach cached pages"),
        (
            f"{VIEWERS}.ResponseHeadersPolicyId",
            [*[ref("SiteHeaders")] * 3, ref("EventPageHeaders")],
            "responses lack the headers that protect visitors",
        ),
        (
            f"{VIEWERS}.FunctionAssociations[].[EventType, FunctionARN]",
            [
                ["viewer-request", attribute("SiteFallback.FunctionMetadata.FunctionARN")],
                ["viewer-request", attribute("EventPageRequest.FunctionMetadata.FunctionARN")],
            ],
            "an address inside the site is a 404, or a visitor's own headers decide what "
            "CloudFront caches for others",
        ),
        (
            f"{CONFIG}.CustomErrorResponses[].[ErrorCode, ErrorCachingMinTTL]",
            [[code, 0] for code in (404, 405, 414, 500, 502, 503, 504)],
            "an error is cached, such as the 404 of an event that is created meanwhile",
        ),
        (
            "EventPageCache.CachePolicyConfig.[MinTTL, DefaultTTL, MaxTTL]",
            [0, 0, 86400],
            "what says no-store is cached, or an erased event is served for more than a day",
        ),
        (
            "EventPageCache.CachePolicyConfig.ParametersInCacheKeyAndForwardedToOrigin",
            {
                "EnableAcceptEncodingGzip": True,
                "EnableAcceptEncodingBrotli": True,
                "CookiesConfig": {"CookieBehavior": "none"},
                "HeadersConfig": {
                    "HeaderBehavior": "whitelist",
                    "Headers": ["X-Site-Origin", "X-Site-Language"],
                },
                "QueryStringsConfig": {
                    "QueryStringBehavior": "whitelist",
                    "QueryStrings": ["cancelled"],
                },
            },
            "a page is cached in one language for all, or each visitor's page is computed",
        ),
        ("AWS::CloudFront::Function.AutoPublish", True, "a change of the function stays a draft"),
        (
            "AWS::SecretsManager::Secret.GenerateSecretString.[PasswordLength, ExcludePunctuation]",
            [64, True],
            "the origin secret can be guessed, or a comma splits it: then nobody is served",
        ),
        # The rows for the bucket of the site.
        (
            "SiteBucket.LifecycleConfiguration.Rules[?Status=='Enabled']."
            "NoncurrentVersionExpiration.NoncurrentDays | [0] | @ >= `30` && @ <= `90`",
            True,
            "former files are kept for ever, or go while cached pages name them",
        ),
        (
            "SiteBucket.LifecycleConfiguration.Rules[].AbortIncompleteMultipartUpload",
            [{"DaysAfterInitiation": 1}],
            "parts of failed uploads are paid for, for ever",
        ),
        (
            "SiteBucketPolicy.PolicyDocument.Statement[?Effect=='Allow']."
            "[Principal, Action, Resource, Condition]",
            [
                [
                    {"Service": "cloudfront.amazonaws.com"},
                    "s3:GetObject",
                    {"Fn::Sub": "${SiteBucket.Arn}/*"},
                    OF_DISTRIBUTION,
                ],
                [
                    {"Service": "cloudfront.amazonaws.com"},
                    "s3:ListBucket",
                    attribute("SiteBucket.Arn"),
                    OF_DISTRIBUTION,
                ],
            ],
            "others than this distribution read or write the site's files",
        ),
        # The rows for the API.
        (
            "Api.Body.keys(@) | sort(@)",
            ["info", "openapi", "paths", "tags"],
            "pages of others use the API, or nobody does",
        ),
        (
            "ApiApiGatewayDefaultStage.AccessLogSettings.DestinationArn",
            attribute("AccessLogGroup.Arn"),
            "there is no access log, and no alarm counts its errors",
        ),
        (
            "AWS::Logs::LogGroup.RetentionInDays",
            ref("LogRetentionDays"),
            "log lines are kept, and paid for, longer than the parameter says",
        ),
        # The rows for the table.
        (
            "AWS::DynamoDB::Table.[DeletionPolicy, UpdateReplacePolicy]",
            ["Retain", "Retain"],
            "all events are deleted with the stack, or when the table is replaced",
        ),
        (
            "Table.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled",
            True,
            "a mistake of an operator cannot be undone for 35 days",
        ),
        (
            "Table.TimeToLiveSpecification",
            {"AttributeName": "expiresAt", "Enabled": True},
            "names of guests are kept for ever, although the site promises to delete them",
        ),
        ("Table.BillingMode", "PAY_PER_REQUEST", "idle capacity is paid for, or guests wait"),
        # The rows for the functions.
        (
            "AWS::Lambda::Function.MemorySize <= `3008`",
            True,
            "a call costs six times what COSTS.md says",
        ),
        (
            "AWS::Lambda::Function.LoggingConfig.[LogFormat, LogGroup]",
            ["JSON", ref("FunctionLogGroup")],
            "no alarm counts crashes, or lines are in a log group that is kept for ever",
        ),
        (
            "AWS::Lambda::Function.LoggingConfig.SystemLogLevel",
            (None, "INFO", "WARN"),
            "logs cost more, or no alarm counts crashes",
        ),
        (
            "AWS::Lambda::Function.ReservedConcurrentExecutions",
            (None, {"Fn::If": ["Writes", None, 0]}),
            "more guests at once than that get 503, and other functions have less",
        ),
        (
            "AWS::IAM::Role.AssumeRolePolicyDocument.Statement[].[Effect, Principal, Action]",
            [["Allow", {"Service": "lambda.amazonaws.com"}, "sts:AssumeRole"]],
            "others than functions read and write events",
        ),
        (
            "AWS::IAM::Role.ManagedPolicyArns",
            None,
            "a function, and an intruder in it, may do more than its work",
        ),
        # The rows for the filters behind the alarms.
        (
            "RequestFilter.FilterPattern",
            '{ $.route != "GET /api/health" }',
            "health checks dilute the errors of guests, and the alarms stay silent",
        ),
        (
            "ServerErrorFilter.FilterPattern",
            '{ $.status = "5*" && $.route != "GET /api/health" }',
            "errors are not counted, and the alarms stay silent",
        ),
        (
            "ThrottledFilter.FilterPattern",
            '{ $.status = "429" && $.route != "GET /api/health" }',
            "refused guests are not counted, and ThrottledAlarm stays silent",
        ),
        (
            "FunctionErrorFilter.FilterPattern",
            '{ $.type = "platform.report" && $.record.status != "success" }',
            "crashes and timeouts are not counted, and FunctionErrorAlarm stays silent",
        ),
        (
            "RefusalFilter.FilterPattern",
            '{ $.endpoint = "refused" }',
            "attempts to bypass CloudFront are not counted, and RefusalAlarm stays silent",
        ),
        # The rows for default values.
        (
            "Parameters.[DeletionProtection.Default, RecoveryPeriodInDays.Default]",
            ["true", 35],
            "one call deletes all events, or a mistake is found after its backup is gone",
        ),
        (
            "Parameters.LogRetentionDays.Default <= `30`",
            True,
            "log lines are kept, and paid for, longer than COSTS.md says",
        ),
        (
            "Parameters.HstsIncludeSubDomains.Default",
            "false",
            "other sites under the domain cannot be reached without TLS for a year",
        ),
        (
            "Parameters.[GuestBurst, PageBurst, OrganizerBurst, ListBurst][].Default",
            [500, 1000, 50, 30],
            "guests of one invitation, who come at once, are refused, or use all the concurrency",
        ),
    ],
    "infra/waf.yaml": [
        ("WebAcl.DefaultAction", {"Allow": {}}, "the web ACL refuses everybody"),
        (
            "WebAcl.sort_by(Rules, &Priority)[].Name",
            [
                "writes-of-one-address",
                "lists-of-one-address",
                "requests-of-one-address",
                "addresses-known-for-abuse",
                "common",
                "large-bodies",
            ],
            "visitors are refused, or a flood is not; and each rule costs a dollar a month",
        ),
        (
            "WebAcl.Rules[].Action.Block.CustomResponse.[ResponseCode, CustomResponseBodyKey]",
            [[429, "TooMany"]] * 3 + [[413, "TooLarge"]],
            "a rule blocks nothing, or its refusals are HTML, which the site does not understand",
        ),
        (
            "WebAcl.Rules[].OverrideAction",
            [{"None": {}}] * 2,
            "AWS's rules only count, and are paid for",
        ),
        (
            "WebAcl.CustomResponseBodies.[TooMany, TooLarge][].[ContentType, Content]",
            [
                ["APPLICATION_JSON", '{"message":"Too Many Requests"}'],
                ["APPLICATION_JSON", '{"message":"Request Entity Too Large"}'],
            ],
            "the site does not understand the web ACL's refusals",
        ),
        (
            "WebAcl.[VisibilityConfig, Rules[].VisibilityConfig][].SampledRequestsEnabled"
            " | contains(@, `true`)",
            False,
            "samples have paths, and so tokens",
        ),
        (
            "WebAcl.VisibilityConfig.CloudWatchMetricsEnabled",
            True,
            "WebAclAlarm never rings",
        ),
        (
            "WebAcl.Rules[0].Statement.RateBasedStatement",
            {
                "AggregateKeyType": "IP",
                "Limit": ref("WriteLimit"),
                "ScopeDownStatement": {
                    "ByteMatchStatement": {
                        "FieldToMatch": {"Method": {}},
                        "PositionalConstraint": "EXACTLY",
                        "SearchString": "POST",
                        "TextTransformations": [{"Priority": 0, "Type": "NONE"}],
                    }
                },
            },
            "one address creates events without end, or readers are refused",
        ),
        (
            "WebAcl.Rules[1].Statement.RateBasedStatement",
            {
                "AggregateKeyType": "IP",
                "Limit": ref("ListLimit"),
                "ScopeDownStatement": {
                    "ByteMatchStatement": {
                        "FieldToMatch": {"UriPath": {}},
                        "PositionalConstraint": "ENDS_WITH",
                        "SearchString": "/attendees",
                        "TextTransformations": [{"Priority": 0, "Type": "URL_DECODE"}],
                    }
                },
            },
            "one address reads lists without end, or others are refused",
        ),
        (
            "WebAcl.Rules[2].Statement.RateBasedStatement",
            {"AggregateKeyType": "IP", "Limit": ref("RequestLimit")},
            "one address floods the site, or all addresses share a limit",
        ),
        (
            "WebAcl.Rules[].Statement.ManagedRuleGroupStatement.Name",
            ["AWSManagedRulesAmazonIpReputationList", "AWSManagedRulesCommonRuleSet"],
            "visitors are refused for reasons that nobody has looked at",
        ),
        (
            "WebAcl.Rules[].Statement.ManagedRuleGroupStatement.RuleActionOverrides[]."
            "[Name, ActionToUse]",
            [
                [name, {"Count": {}}]
                for name in (
                    "SizeRestrictions_BODY",
                    "CrossSiteScripting_BODY",
                    "GenericLFI_BODY",
                    "GenericRFI_BODY",
                    "EC2MetaDataSSRF_BODY",
                    "NoUserAgent_HEADER",
                )
            ],
            "an event whose text has markup, a link or a path cannot be created",
        ),
        (
            "WebAcl.Rules[5].Statement.SizeConstraintStatement."
            "[FieldToMatch, ComparisonOperator, Size]",
            [{"Body": {"OversizeHandling": "MATCH"}}, "GT", 65536],
            "bodies of 6 MB are paid for, or a long event is refused",
        ),
        (
            "WebAcl.AssociationConfig.RequestBody.CLOUDFRONT.DefaultSizeInspectionLimit",
            "KB_64",
            "an event of more than 16 KB is refused",
        ),
    ],
    "infra/global.yaml": [
        (
            "AlarmTopic.Subscription",
            [{"Protocol": "email", "Endpoint": ref("Email")}],
            "alarms reach nobody",
        ),
        (
            "ApiCheck.HealthCheckConfig.[Type, FullyQualifiedDomainName, ResourcePath, EnableSNI]",
            ["HTTPS", ref("Host"), "/api/health", True],
            "an outage of the API or the table is not seen, or the alarm rings for ever",
        ),
        (
            "ApiCheck.HealthCheckConfig.[RequestInterval, FailureThreshold, length(Regions)]",
            [30, 3, 3],
            "an outage is seen minutes later, or one region that loses its way rings",
        ),
        (
            "EdgeLogDelivery.RecordFields",
            [
                *("date", "time", "x-edge-location", "sc-bytes", "cs-method", "sc-status"),
                *("x-edge-result-type", "x-edge-response-result-type", "time-taken"),
            ],
            "log lines have paths, queries or addresses, and so tokens or who used them (P5)",
        ),
        ("Parameters.EdgeLogDays.Default", 0, "each request is logged, and paid for"),
    ],
    "infra/budget.yaml": [
        (
            "Budget.Budget.[BudgetType, TimeUnit, BudgetLimit]",
            ["COST", "MONTHLY", {"Amount": ref("Dollars"), "Unit": "USD"}],
            "costs beyond the budget send no email",
        ),
        (
            "Budget.NotificationsWithSubscribers[].Notification."
            "[NotificationType, ComparisonOperator, Threshold, ThresholdType]",
            [
                ["ACTUAL", "GREATER_THAN", 80, "PERCENTAGE"],
                ["FORECASTED", "GREATER_THAN", 100, "PERCENTAGE"],
            ],
            "the email comes when the budget is long spent, or never",
        ),
        (
            "Budget.NotificationsWithSubscribers[].Subscribers[]",
            [{"SubscriptionType": "EMAIL", "Address": ref("Email")}] * 2,
            "costs beyond the budget send no email",
        ),
        (
            "Parameters.Dollars.Default <= `50`",
            True,
            "the email comes when a flood has cost three times what COSTS.md says of a month",
        ),
    ],
    "infra/deployer.yaml": [
        *BUCKETS,
        (
            "AWS::S3::BucketPolicy.PolicyDocument.Statement[?Effect=='Allow']",
            [],
            "others read or replace the programs that are deployed",
        ),
        (
            "[Programs, ProgramsPolicy][].[DeletionPolicy, UpdateReplacePolicy]",
            [["Retain", "Retain"]] * 2,
            "no release can be undone: its programs are deleted with the stack",
        ),
        (
            "Programs.LifecycleConfiguration",
            None,
            "no release is undone or rolled back to once its programs are deleted",
        ),
        (
            "OperatorPolicy.PolicyDocument.Statement[?Resource=='*'].[Effect, Action]",
            [["Allow", ["dynamodb:ListBackups", "dynamodb:ListTables"]]],
            "an operator who restores and erases reaches other tables of the account",
        ),
        (
            "Parameters.[StackName.Default, Environment.Default]",
            ["turnout-production", "production"],
            "an environment without approval may deploy to production",
        ),
    ],
}


def errors(floor):
    """Returns the expression for a rate of errors. Fewer errors than the floor count as none."""
    return f"IF(requests * rate / 100 >= {floor}, rate, 0)"


BURN = "IF(errors >= 5, 100 * errors / requests, 0)"
REFUSED = "IF(throttled >= 20, 100 * throttled / requests, 0)"
BLOCKED = "IF(blocked >= 50, 100 * blocked / requests, 0)"
REPORTED = "FILL(reported, 0)"
DOLLARS = "bytes * 0.085 / 1000000000 + uploads * 0.022 / 1000000000 + requests / 1000000"

# Each alarm with its threshold, its periods (N of M of so many seconds), its expression, and what
# nobody hears of otherwise.
# fmt: off
ALARMS = [
    ("FastBurnAlarm", "> 1.44", "2 of 3 of 300", BURN, "an outage"),
    ("SlowBurnAlarm", "> 0.6", "1 of 1 of 21600", BURN, "errors that spend the error budget"),
    ("ThrottledAlarm", "> 10", "2 of 3 of 300", REFUSED, "guests who are refused"),
    ("LatencyAlarm", "> 2000", "3 of 12 of 300", None, "guests who wait for two seconds"),
    ("FunctionErrorAlarm", ">= 1", "1 of 1 of 3600", None, "a function that crashes"),
    ("RefusalAlarm", ">= 5", "1 of 1 of 900", None, "requests that bypass CloudFront"),
    ("FunctionThrottleAlarm", ">= 5", "1 of 1 of 300", None, "calls that Lambda refuses"),
    ("TableReadThrottleAlarm", ">= 100", "1 of 3 of 300", REPORTED, "reads that are refused"),
    ("TableWriteThrottleAlarm", ">= 100", "1 of 3 of 300", REPORTED, "writes that are refused"),
    ("ApiDownAlarm", "< 1", "2 of 2 of 60", None, "an outage of the API"),
    ("CloudFrontServerErrorAlarm", "> 5", "2 of 3 of 300", errors(5), "errors of origins"),
    ("CloudFrontRefusalAlarm", "> 30", "2 of 3 of 300", errors(50), "files that are missing"),
    ("FloodAlarm", "> 1", "2 of 3 of 300", DOLLARS, "a flood that costs 12 dollars an hour"),
    ("WebAclAlarm", "> 5", "2 of 3 of 300", BLOCKED, "visitors whom the web ACL refuses"),
    ("CertificateAlarm", "< 35", "1 of 1 of 86400", None, "a certificate that is not renewed"),
]
# fmt: on
SIGNS = {
    "GreaterThanThreshold": ">",
    "GreaterThanOrEqualToThreshold": ">=",
    "LessThanThreshold": "<",
}


def another(parameter):
    """Returns a value other than the default, for a number or a list of allowed values."""
    default = parameter.get("Default")
    if "AllowedValues" in parameter:
        return next(value for value in parameter["AllowedValues"] if value != default)
    if parameter["Type"] == "Number":
        return default + (1 if default < parameter.get("MaxValue", math.inf) else -1)
    return default


def situations(path):
    """Yields a template with as few parameters as possible, and with another value for each."""
    template = transform(path) if path == "template.yaml" else read(path)
    parameters = template.get("Parameters", {})
    needed = {name for name, p in parameters.items() if "Default" not in p}
    few = {name: VALUES[path][name] for name in needed}
    all_others = {name: another(p) for name, p in parameters.items()} | VALUES[path]
    yield Resolved(template, STACK, **few)
    yield Resolved(template, STACK, **all_others)


def document(made):
    """Returns the document of the rows: each resource, the outputs, and the parameters."""
    resources = {
        name: {
            **properties,
            "DeletionPolicy": made.made[name].get("DeletionPolicy"),
            "UpdateReplacePolicy": made.made[name].get("UpdateReplacePolicy"),
        }
        for name, properties in made.resources.items()
    }
    return {**resources, "Outputs": made.outputs, "Parameters": made.template["Parameters"]}


class Values(unittest.TestCase):
    def test_what_depends_on_them_is_as_promised(self):
        for path, rows in ROWS.items():
            looked_at = set()
            for made in situations(path):
                for row in rows:
                    for where, message in self.broken(made, row):
                        looked_at.add(row[0])
                        with self.subTest(where):
                            if message:
                                self.fail(f"{path}: {message}")
            for where, _, harm in rows:
                with self.subTest(where):
                    if where not in looked_at:
                        self.fail(f"{path}: {harm}: nothing is at {where}")

    def broken(self, made, row):
        """Yields each place of a row in this template, with a message if it does not hold."""
        where, wanted, harm = row
        if where.startswith("AWS::"):
            kind, rest = where.split(".", 1)
            resources = document(made)
            for name in made.of_type(kind):
                rows = [(rest, wanted, f"{harm}: {name}")]
                yield name, next(broken(rows, resources[name], made.resolve), None)
            return
        first = where.split(".")[0].split("[")[0]
        left_out = first in made.template["Resources"] and first not in made.made
        if not left_out:
            yield where, next(broken([row], document(made), made.resolve), None)

    def test_each_route_has_the_limits_that_fit_its_costs(self):
        """A route without settings has the limits of the stage, which are for organizers."""
        *_, made = situations("template.yaml")
        stage = made.resources["ApiApiGatewayDefaultStage"]
        routes = set()
        for path, methods in made.resources["Api"]["Body"]["paths"].items():
            for method in methods:
                verb = "ANY" if method == "x-amazon-apigateway-any-method" else method.upper()
                routes.add(f"{verb} {path}")
        self.assertLessEqual(LIMITS.keys(), routes, "limits of a route that is not there")
        for route in routes:
            kind = LIMITS.get(route, "Organizer")
            self.assertEqual(
                stage["RouteSettings"].get(route, stage["DefaultRouteSettings"]),
                {
                    "ThrottlingRateLimit": made.values[f"{kind}Rate"],
                    "ThrottlingBurstLimit": made.values[f"{kind}Burst"],
                },
                f"{route}: guests are refused, or a flood is paid for",
            )

    def test_alarms_ring_in_time(self):
        alarms = {}
        for path in ("template.yaml", "infra/global.yaml"):
            *_, made = situations(path)
            alarms |= made.of_type("AWS::CloudWatch::Alarm")
        for name, threshold, periods, expression, harm in ALARMS:
            with self.subTest(name):
                if name not in alarms:
                    self.fail(f"nobody hears of {harm}: there is no {name}")
                alarm = alarms[name]
                metrics = alarm.get("Metrics", [{}, {"MetricStat": alarm}])
                found = (
                    f"{SIGNS.get(alarm['ComparisonOperator'])} {alarm['Threshold']}",
                    "{} of {} of {}".format(
                        alarm.get("DatapointsToAlarm", alarm["EvaluationPeriods"]),
                        alarm["EvaluationPeriods"],
                        metrics[1]["MetricStat"]["Period"],
                    ),
                    metrics[0].get("Expression"),
                )
                wanted = (threshold, periods, expression)
                if found != wanted:
                    self.fail(f"nobody hears in time of {harm}: {name} has {found}, not {wanted}")
