"""Tests the values on which data, secrets or money depend.

Each row says what happens otherwise. Its place is a JMESPath in a template's resources, by logical
id, or in each resource of a type. The wanted value may be a function of CloudFormation. Each
template is resolved twice: with as few parameters as possible, and with another value for each.

A mistake has a row if it cannot be undone, shows a secret or costs money, and if nothing else names
it: neither cfn-lint, nor the tests of permissions, nor the smoke test that ends a deployment.
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
        (
            f"{API}.CustomOriginConfig.OriginSSLProtocols",
            ["TLSv1.2"],
            "tokens and the origin secret are sent over a broken version of TLS",
        ),
        (
            f"[{VIEWERS} | [?ViewerProtocolPolicy == 'allow-all'],"
            f" {OF_API} | [?ViewerProtocolPolicy != 'https-only']][]",
            [],
            "a token is sent in the clear",
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
            f"{OF_PAGES}.CachePolicyId",
            ref("EventPageCache"),
            "a page is served in another visitor's language, or each is computed",
        ),
        (f"{OF_PAGES}.OriginRequestPolicyId", None, "headers of a visitor reach cached pages"),
        (
            "EventPageCache.CachePolicyConfig.[MinTTL, DefaultTTL, MaxTTL <= `86400`]",
            [0, 0, True],
            "what says no-store is cached, or an erased event is served for more than a day",
        ),
        (
            "AWS::SecretsManager::Secret.GenerateSecretString"
            ".[PasswordLength >= `32`, ExcludePunctuation]",
            [True, True],
            "the origin secret can be guessed, or a comma splits it: then nobody is served",
        ),
        (
            f"{VIEWERS} | [?!ResponseHeadersPolicyId]",
            [],
            "responses lack the headers that protect visitors",
        ),
        (
            f"{OF_PAGES}.FunctionAssociations[].[EventType, FunctionARN]",
            [["viewer-request", attribute("EventPageRequest.FunctionMetadata.FunctionARN")]],
            "a visitor's own headers decide what CloudFront caches for others",
        ),
        (
            f"{CONFIG}.CustomErrorResponses"
            " | [contains([].ErrorCode, `404`), [?ErrorCachingMinTTL != `0`]]",
            [True, []],
            "an error is cached, such as the 404 of an event that is created meanwhile",
        ),
        (
            f"[{CONFIG}.Logging, {VIEWERS}.RealtimeLogConfigArn[]][]",
            [],
            "log lines have paths and queries, and so tokens (P5)",
        ),
        # The rows for the bucket of the site.
        (
            "SiteBucket.LifecycleConfiguration.Rules[?Status=='Enabled']."
            "NoncurrentVersionExpiration.NoncurrentDays | [0] | @ >= `30` && @ <= `90`",
            True,
            "former files are kept for ever, or go while cached pages name them",
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
        ('Api.Body."x-amazon-apigateway-cors"', None, "pages of others use the API"),
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
            "AWS::IAM::Role.AssumeRolePolicyDocument.Statement[].[Effect, Principal, Action]",
            [["Allow", {"Service": "lambda.amazonaws.com"}, "sts:AssumeRole"]],
            "others than functions read and write events",
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
    ],
    "infra/waf.yaml": [
        (
            "WebAcl.Rules[?Action.Count != `null` || OverrideAction.Count != `null`].Name",
            [],
            "a rule counts what it should block, and is paid for",
        ),
        (
            "WebAcl.Rules[].Statement.RateBasedStatement.[AggregateKeyType, Limit]",
            [["IP", ref(f"{kind}Limit")] for kind in ("Write", "List", "Request")],
            "one address creates events, reads lists or floods the site without end",
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
    ],
    "infra/global.yaml": [
        (
            "ApiCheck.HealthCheckConfig.[Type, FullyQualifiedDomainName, ResourcePath, EnableSNI]",
            ["HTTPS", ref("Host"), "/api/health", True],
            "an outage of the API or the table is not seen, or the alarm rings for ever",
        ),
        (
            "ApiCheck.HealthCheckConfig.[RequestInterval, FailureThreshold, length(Regions)]",
            [30, 3, 3],
            "an outage is reported late, or checks cost more than COSTS.md says",
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
            "Budget.NotificationsWithSubscribers[].Notification."
            "[ComparisonOperator, ThresholdType, Threshold <= `100`]",
            [["GREATER_THAN", "PERCENTAGE", True]] * 2,
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
