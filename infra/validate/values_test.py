"""Holds the values on which money, safety or a promise depends.

Each row says what happens otherwise. Its place is a JMESPath in a template's resources, by logical
id, or in each resource of a type. What is wanted may be a function of CloudFormation. Each template
is resolved twice: with as few parameters as possible, and with another value for each.
"""

import math
import unittest

from templates import STACK, VALUES, Resolved, broken, read, transform

CONFIG = "Distribution.DistributionConfig"
VIEWERS = f"{CONFIG}.[[DefaultCacheBehavior], CacheBehaviors][][]"
OF_API = f"{CONFIG}.CacheBehaviors[?TargetOriginId=='api' && contains(AllowedMethods, 'POST')]"
OF_PAGES = f"{CONFIG}.CacheBehaviors[?PathPattern=='/e/?*'] | [0]"
SITE, API = (f"{CONFIG}.Origins[?Id=='{origin}'] | [0]" for origin in ("site", "api"))
ROUTES = "Api.Body.paths.values(@)[].values(@)[]"
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


def limits(kind):
    return {
        "ThrottlingRateLimit": ref(f"{kind}Rate"),
        "ThrottlingBurstLimit": ref(f"{kind}Burst"),
    }


def limits_of(route):
    return f'ApiApiGatewayDefaultStage.RouteSettings."{route}"'


def if_domain(value):
    return {"Fn::If": ["OwnDomain", value, None]}


def notification(kind):
    """When a budget sends its first notification of a kind."""
    of_kind = f"Budget.NotificationsWithSubscribers[?Notification.NotificationType=='{kind}']"
    return f"{of_kind}.Notification | [0].[ComparisonOperator, Threshold, ThresholdType]"


BUCKETS = [
    (
        "AWS::S3::Bucket.PublicAccessBlockConfiguration",
        dict.fromkeys(PUBLIC, True),
        "a bucket can be made public",
    ),
    (
        "AWS::S3::Bucket.OwnershipControls.Rules",
        [{"ObjectOwnership": "BucketOwnerEnforced"}],
        "an object's own access list can make it public",
    ),
    (
        "AWS::S3::Bucket.VersioningConfiguration.Status",
        "Enabled",
        "what is overwritten or deleted in a bucket cannot be brought back",
    ),
    (
        "AWS::S3::BucketPolicy.PolicyDocument.Statement[?Effect=='Deny'].[Principal, Action]",
        [["*", "s3:*"]],
        "a bucket answers without TLS",
    ),
    (
        "AWS::S3::BucketPolicy.PolicyDocument.Statement[?Effect=='Deny'].Condition",
        [{"Bool": {"aws:SecureTransport": "false"}}],
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
        # Who is served, and over what.
        (f"{CONFIG}.Enabled", ref("Serving"), "the brake does not stop what traffic costs"),
        (f"{CONFIG}.Aliases", if_domain([ref("DomainName")]), "the domain answers with 403"),
        (
            f"{CONFIG}.ViewerCertificate.AcmCertificateArn",
            if_domain(ref("CertificateArn")),
            "browsers warn of the certificate",
        ),
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
        (f"{CONFIG}.PriceClass", ref("PriceClass"), "the cheaper edge locations are not used"),
        (
            f"{CONFIG}.WebACLId",
            {"Fn::If": ["WebAcl", ref("WebAclArn"), None]},
            "the web ACL, which is paid for, is in front of nothing",
        ),
        (f"{CONFIG}.IPV6Enabled", True, "networks without IPv4 do not reach the site"),
        (f"{CONFIG}.DefaultRootObject", "index.html", "the root lists the bucket's files"),
        (f"{CONFIG}.Logging", None, "lines of access logs have paths, and so tokens"),
        # Origins.
        (f"{CONFIG}.Origins[].Id", ["site", "api"], "an origin gets requests with tokens"),
        (f"{SITE}.DomainName", attribute("SiteBucket.RegionalDomainName"), "the site is gone"),
        (f"{SITE}.OriginAccessControlId", attribute("SiteAccess.Id"), "the site is a 403"),
        (
            f"{API}.DomainName",
            {"Fn::Sub": "${Api}.execute-api.${AWS::Region}.${AWS::URLSuffix}"},
            "tokens and the origin secret are sent to somebody else",
        ),
        (
            f"{API}.CustomOriginConfig.OriginProtocolPolicy",
            "https-only",
            "tokens and the origin secret are sent in the clear",
        ),
        (
            f"{API}.CustomOriginConfig.OriginSSLProtocols",
            ["TLSv1.2"],
            "tokens and the origin secret are sent over a broken version of TLS",
        ),
        (
            "SiteAccess.OriginAccessControlConfig.[SigningBehavior, SigningProtocol]",
            ["always", "sigv4"],
            "the bucket refuses CloudFront, or takes what a visitor signs",
        ),
        (
            "SiteAccess.OriginAccessControlConfig.OriginAccessControlOriginType",
            "s3",
            "the bucket refuses CloudFront",
        ),
        # Behaviours of the distribution. The first whose pattern fits has the request.
        (
            f"{CONFIG}.CacheBehaviors[].PathPattern",
            ["/api/*", "/api", "/e/?*"],
            "requests for the API or an event's page are answered from elsewhere",
        ),
        (
            f"{CONFIG}.CacheBehaviors[].TargetOriginId",
            ["api", "api", "api"],
            "the API or an event's page is a page of the site",
        ),
        (f"{CONFIG}.DefaultCacheBehavior.TargetOriginId", "site", "the site is gone"),
        (
            f"{VIEWERS}.ViewerProtocolPolicy | contains(@, 'allow-all')",
            False,
            "tokens are sent in the clear",
        ),
        (
            f"{OF_API}.ViewerProtocolPolicy",
            ["https-only"] * 2,
            "a token is sent in the clear before a redirect asks for TLS",
        ),
        (
            f"{CONFIG}.DefaultCacheBehavior.ViewerProtocolPolicy",
            "redirect-to-https",
            "an address without https:// does not open the site",
        ),
        (
            f"{OF_PAGES}.ViewerProtocolPolicy",
            "redirect-to-https",
            "an address without https:// does not open an event",
        ),
        (
            f"{OF_API}.CachePolicyId",
            ["4135ea2d-6df8-44a3-9df3-4b5a84be39ad"] * 2,
            "answers are cached: one visitor gets what another may see",
        ),
        (
            f"{OF_API}.OriginRequestPolicyId",
            ["b689b0a8-53d0-40ab-baf2-68738e2966ac"] * 2,
            "the API does not get what clients send, or another host than its own",
        ),
        (
            f"{OF_API}.AllowedMethods",
            [["GET", "HEAD", "OPTIONS", "PUT", "POST", "PATCH", "DELETE"]] * 2,
            "clients cannot create, change or cancel",
        ),
        (
            f"{CONFIG}.DefaultCacheBehavior.AllowedMethods",
            ["GET", "HEAD"],
            "bodies of any size are sent to the bucket, and paid for",
        ),
        (
            f"{OF_PAGES}.AllowedMethods",
            ["GET", "HEAD"],
            "bodies of any size are sent to pages, and paid for",
        ),
        (
            f"{CONFIG}.DefaultCacheBehavior.Compress && {OF_PAGES}.Compress",
            True,
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
            "a page of an event is served in another visitor's language, or each is computed",
        ),
        (f"{OF_PAGES}.OriginRequestPolicyId", None, "headers of a visitor reach cached pages"),
        (
            f"{VIEWERS}.ResponseHeadersPolicyId",
            [*[ref("SiteHeaders")] * 3, ref("EventPageHeaders")],
            "answers lack the headers that protect visitors",
        ),
        (
            f"{CONFIG}.DefaultCacheBehavior.FunctionAssociations[].[EventType, FunctionARN]",
            [["viewer-request", attribute("SiteFallback.FunctionMetadata.FunctionARN")]],
            "an address inside the site is a 404",
        ),
        (
            f"{OF_PAGES}.FunctionAssociations[].[EventType, FunctionARN]",
            [["viewer-request", attribute("EventPageRequest.FunctionMetadata.FunctionARN")]],
            "a visitor's own headers decide what CloudFront caches for others",
        ),
        (
            f"{CONFIG}.CustomErrorResponses[].ErrorCode",
            [404, 405, 414, 500, 502, 503, 504],
            "an error is cached, such as the 404 of an event that is created meanwhile",
        ),
        (
            f"{CONFIG}.CustomErrorResponses[].ErrorCachingMinTTL | max(@)",
            0,
            "an error is cached, such as the 404 of an event that is created meanwhile",
        ),
        # Caches.
        (
            "AWS::CloudFront::CachePolicy.CachePolicyConfig.[MinTTL, DefaultTTL]",
            [0, 0],
            "what says no-store, or nothing, is cached: one visitor gets what another may see",
        ),
        (
            "AWS::CloudFront::CachePolicy.CachePolicyConfig.MaxTTL <= `86400`",
            True,
            "a changed or erased event is served for more than a day",
        ),
        (
            "AWS::CloudFront::CachePolicy.CachePolicyConfig."
            "ParametersInCacheKeyAndForwardedToOrigin.CookiesConfig",
            {"CookieBehavior": "none"},
            "cookies of a visitor reach the origin, and each visitor has a cache",
        ),
        (
            "AWS::CloudFront::CachePolicy.CachePolicyConfig."
            "ParametersInCacheKeyAndForwardedToOrigin."
            "[EnableAcceptEncodingGzip, EnableAcceptEncodingBrotli]",
            [True, True],
            "pages and files need three times the traffic",
        ),
        (
            "EventPageCache.CachePolicyConfig.ParametersInCacheKeyAndForwardedToOrigin."
            "HeadersConfig",
            {"HeaderBehavior": "whitelist", "Headers": ["X-Site-Origin", "X-Site-Language"]},
            "a page is cached in one language for all, or each visitor's page is computed",
        ),
        (
            "EventPageCache.CachePolicyConfig.ParametersInCacheKeyAndForwardedToOrigin."
            "QueryStringsConfig",
            {"QueryStringBehavior": "whitelist", "QueryStrings": ["cancelled"]},
            "any query has a page computed, or a cancelled event's calendar entry is the old one",
        ),
        (
            "AWS::CloudFront::ResponseHeadersPolicy.ResponseHeadersPolicyConfig."
            "SecurityHeadersConfig.StrictTransportSecurity.IncludeSubdomains",
            ref("HstsIncludeSubDomains"),
            "other sites under the domain cannot be reached without TLS for a year",
        ),
        ("AWS::CloudFront::Function.AutoPublish", True, "a change of the function stays a draft"),
        (
            "AWS::SecretsManager::Secret.GenerateSecretString.PasswordLength >= `32`",
            True,
            "the origin secret can be guessed, and CloudFront bypassed",
        ),
        (
            "AWS::SecretsManager::Secret.GenerateSecretString.ExcludePunctuation",
            True,
            "a comma splits the secret, and functions refuse every request",
        ),
        # The bucket of the site.
        (
            "SiteBucket.BucketEncryption.ServerSideEncryptionConfiguration[]."
            "ServerSideEncryptionByDefault",
            [{"SSEAlgorithm": "AES256"}],
            "CloudFront cannot read the files: the key would have to name the distribution",
        ),
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
            "[Principal, Action, Resource]",
            [
                [
                    {"Service": "cloudfront.amazonaws.com"},
                    "s3:GetObject",
                    {"Fn::Sub": "${SiteBucket.Arn}/*"},
                ],
                [
                    {"Service": "cloudfront.amazonaws.com"},
                    "s3:ListBucket",
                    attribute("SiteBucket.Arn"),
                ],
            ],
            "others than CloudFront read or write the site's files",
        ),
        (
            "SiteBucketPolicy.PolicyDocument.Statement[?Effect=='Allow'].Condition",
            [OF_DISTRIBUTION] * 2,
            "any account's distribution reads the bucket, or none",
        ),
        # The API.
        (
            "Api.Body.keys(@) | sort(@)",
            ["info", "openapi", "paths", "tags"],
            "pages of others use the API, or nobody does",
        ),
        (
            f'{ROUTES}."x-amazon-apigateway-integration".[type, payloadFormatVersion][]'
            " | [?!contains(['aws_proxy', '2.0'], @)]",
            [],
            "the function does not understand its requests",
        ),
        (
            f"{ROUTES}.keys(@)[]"
            " | [?!contains(['x-amazon-apigateway-integration', 'responses', 'parameters'], @)]",
            [],
            "a route asks for credentials that nobody has",
        ),
        ("ApiApiGatewayDefaultStage.StageName", "$default", "no path of the API is found"),
        ("ApiApiGatewayDefaultStage.AutoDeploy", True, "changed routes are not deployed"),
        (
            "ApiApiGatewayDefaultStage.DefaultRouteSettings",
            limits("Organizer"),
            "the rates that limit the costs of a month do not hold",
        ),
        (
            limits_of("GET /api/events/{eventToken}"),
            limits("Guest"),
            "guests wait for each other, or a flood of reads is paid for",
        ),
        (
            limits_of("GET /api/health"),
            limits("Guest"),
            "anybody makes ApiDownAlarm ring with ten requests a second",
        ),
        (
            limits_of("POST /api/events/{eventToken}/rsvps"),
            limits("Guest"),
            "guests are refused, or a flood of RSVPs is paid for",
        ),
        (
            limits_of("GET /api/events/{eventToken}/rsvps/{rsvpToken}"),
            limits("Guest"),
            "guests are refused, or a flood of reads is paid for",
        ),
        (
            limits_of("DELETE /api/events/{eventToken}/rsvps/{rsvpToken}"),
            limits("Guest"),
            "guests cannot withdraw, or a flood of writes is paid for",
        ),
        (
            limits_of("ANY /e/{proxy+}"),
            limits("Page"),
            "guests see a refusal's JSON instead of a page, or a flood of pages is paid for",
        ),
        (
            limits_of("GET /e/{eventToken}/card.png"),
            limits("Guest"),
            "previews have no picture, or a flood of pictures is drawn and paid for",
        ),
        (
            limits_of("GET /api/events/{eventToken}/attendees"),
            limits("List"),
            "lists that cost as much as a thousand reads are paid for by the flood",
        ),
        (
            limits_of("POST /api/events"),
            None,
            "organizers are refused, or a flood of events is stored and paid for",
        ),
        (
            limits_of("PATCH /api/events/{eventToken}"),
            None,
            "organizers are refused, or a flood of cancels, 34 writes each, is paid for",
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
        # The table.
        (
            "AWS::DynamoDB::Table.[DeletionPolicy, UpdateReplacePolicy]",
            ["Retain", "Retain"],
            "all events are deleted with the stack, or when the table is replaced",
        ),
        (
            "AWS::DynamoDB::Table.DeletionProtectionEnabled",
            ref("DeletionProtection"),
            "one call deletes all events",
        ),
        (
            "AWS::DynamoDB::Table.PointInTimeRecoverySpecification",
            {
                "PointInTimeRecoveryEnabled": True,
                "RecoveryPeriodInDays": ref("RecoveryPeriodInDays"),
            },
            "a mistake of an operator cannot be undone for 35 days",
        ),
        (
            "Table.TimeToLiveSpecification",
            {"AttributeName": "expiresAt", "Enabled": True},
            "names of guests are kept for ever, although the site promises to delete them",
        ),
        (
            "Table.StreamSpecification.StreamViewType",
            (None, "KEYS_ONLY"),
            "names of guests are copied into a stream, which erasing does not reach",
        ),
        ("Table.BillingMode", "PAY_PER_REQUEST", "idle capacity is paid for, or guests wait"),
        (
            "Table.KeySchema",
            [
                {"AttributeName": "pk", "KeyType": "HASH"},
                {"AttributeName": "sk", "KeyType": "RANGE"},
            ],
            "CloudFormation replaces the table by an empty one",
        ),
        (
            "Table.AttributeDefinitions[].AttributeType",
            ["S", "S"],
            "CloudFormation replaces the table by an empty one",
        ),
        # Functions.
        ("AWS::Lambda::Function.Architectures", [ref("Architecture")], "no function starts"),
        (
            "AWS::Lambda::Function.starts_with(Runtime, 'provided.')",
            True,
            "no function starts: they are programs, not scripts",
        ),
        (
            "AWS::Lambda::Function.MemorySize <= `3008`",
            True,
            "a call costs six times what COSTS.md says",
        ),
        (
            "AWS::Lambda::Function.Environment.Variables.AWS_ENDPOINT_URL_DYNAMODB",
            (None, ""),
            "events are sent to somebody else's server",
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
            "AWS::Lambda::Permission.[Action, Principal, type(SourceArn)]",
            ["lambda:InvokeFunction", "apigateway.amazonaws.com", "string"],
            "others than this API call a function, past the throttles",
        ),
        (
            "AWS::IAM::Role.AssumeRolePolicyDocument.Statement[].[Effect, Principal, Action]",
            [["Allow", {"Service": "lambda.amazonaws.com"}, "sts:AssumeRole"]],
            "others than functions read and write events",
        ),
        (
            "AWS::IAM::Role.ManagedPolicyArns",
            None,
            "a function, and whoever breaks into it, may do more than its work",
        ),
        (
            "NotFoundFunction.Role",
            attribute("LogRole.Arn"),
            "the function that anybody reaches with any path has access to events",
        ),
        # What alarms count, and who hears of them.
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
        (
            "AlarmSubscription.[TopicArn, Protocol, Endpoint]",
            [ref("AlarmTopic"), "email", ref("AlarmEmail")],
            "alarms reach nobody",
        ),
        # What the programs of a deployment read, and what a deployment without parameters gets.
        ("Outputs.DistributionId", ref("Distribution"), "visitors get the former site"),
        ("Outputs.SiteBucketName", ref("SiteBucket"), "the site is not uploaded"),
        ("Outputs.Commit", ref("Commit"), "a late approval deploys an older commit"),
        (
            "Outputs.DistributionDomain",
            attribute("Distribution.DomainName"),
            "the domain points elsewhere",
        ),
        ("Parameters.Serving.Default", "true", "a new stack serves nothing"),
        ("Parameters.Writing.Default", "true", "a new stack stores nothing"),
        (
            "Parameters.DeletionProtection.Default",
            "true",
            "one call deletes all events",
        ),
        (
            "Parameters.RecoveryPeriodInDays.Default",
            35,
            "a mistake is found after the backup that would undo it is gone",
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
        ("Parameters.Architecture.Default", "arm64", "no function starts: make builds for arm64"),
        (
            "Parameters.[GuestBurst.Default, PageBurst.Default]",
            [500, 1000],
            "guests of one invitation, who come at once, are refused, or use all the concurrency",
        ),
        (
            "Parameters.[OrganizerBurst.Default, ListBurst.Default]",
            [50, 30],
            "organizers are refused, or a moment's flood is paid for",
        ),
    ],
    "infra/waf.yaml": [
        ("WebAcl.Scope", "CLOUDFRONT", "CloudFront does not take the web ACL"),
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
            "WebAcl.CustomResponseBodies.TooMany",
            {"ContentType": "APPLICATION_JSON", "Content": '{"message":"Too Many Requests"}'},
            "the site does not understand the web ACL's refusals",
        ),
        (
            "WebAcl.CustomResponseBodies.TooLarge",
            {
                "ContentType": "APPLICATION_JSON",
                "Content": '{"message":"Request Entity Too Large"}',
            },
            "the site does not understand the web ACL's refusals",
        ),
        (
            "WebAcl.[VisibilityConfig, Rules[].VisibilityConfig][].SampledRequestsEnabled"
            " | contains(@, `true`)",
            False,
            "samples have paths, and so tokens",
        ),
        (
            "WebAcl.VisibilityConfig.[CloudWatchMetricsEnabled, MetricName]",
            [True, "turnout"],
            "WebAclAlarm never rings",
        ),
        (
            "WebAcl.Rules[0].Statement.RateBasedStatement.[Limit, AggregateKeyType]",
            [ref("WriteLimit"), "IP"],
            "one address creates events without end, or all addresses share a limit",
        ),
        (
            "WebAcl.Rules[0].Statement.RateBasedStatement.ScopeDownStatement.ByteMatchStatement."
            "[FieldToMatch, PositionalConstraint, SearchString]",
            [{"Method": {}}, "EXACTLY", "POST"],
            "one address creates events without end, or readers are refused",
        ),
        (
            "WebAcl.Rules[1].Statement.RateBasedStatement.[Limit, AggregateKeyType]",
            [ref("ListLimit"), "IP"],
            "one address reads lists without end, or all addresses share a limit",
        ),
        (
            "WebAcl.Rules[1].Statement.RateBasedStatement.ScopeDownStatement.ByteMatchStatement",
            {
                "FieldToMatch": {"UriPath": {}},
                "PositionalConstraint": "ENDS_WITH",
                "SearchString": "/attendees",
                "TextTransformations": [{"Priority": 0, "Type": "URL_DECODE"}],
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
            "WebAcl.Rules[].Statement.ManagedRuleGroupStatement.RuleActionOverrides[].Name",
            [
                "SizeRestrictions_BODY",
                "CrossSiteScripting_BODY",
                "GenericLFI_BODY",
                "GenericRFI_BODY",
                "EC2MetaDataSSRF_BODY",
                "NoUserAgent_HEADER",
            ],
            "an event whose text has markup, a link or a path cannot be created",
        ),
        (
            "WebAcl.Rules[].Statement.ManagedRuleGroupStatement.RuleActionOverrides[]."
            "ActionToUse.keys(@)[] | [?@ != 'Count']",
            [],
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
        (
            "Parameters.[RequestLimit.Default, WriteLimit.Default, ListLimit.Default]",
            [3000, 300, 100],
            "an office that shares an address is refused, or a flood is not",
        ),
        ("Outputs.WebAclArn", attribute("WebAcl.Arn"), "the web ACL is in front of nothing"),
    ],
    "infra/global.yaml": [
        (
            "AlarmTopic.Subscription",
            [{"Protocol": "email", "Endpoint": ref("Email")}],
            "alarms reach nobody",
        ),
        (
            "AWS::Route53::HealthCheck.HealthCheckConfig.[Type, FullyQualifiedDomainName]",
            ["HTTPS", ref("Host")],
            "an outage is not seen, or what is checked is not what visitors use",
        ),
        (
            "AWS::Route53::HealthCheck.HealthCheckConfig.[RequestInterval, FailureThreshold]",
            [30, 3],
            "an outage is seen minutes later, or one lost packet rings",
        ),
        (
            "AWS::Route53::HealthCheck.HealthCheckConfig.length(Regions)",
            3,
            "one region that loses its way rings, or each check costs more than COSTS.md says",
        ),
        (
            "AWS::Route53::HealthCheck.HealthCheckConfig.EnableSNI",
            True,
            "CloudFront refuses the check, and the alarm rings for ever",
        ),
        (
            "ApiCheck.HealthCheckConfig.ResourcePath",
            "/api/health",
            "an outage of the API or the table is not seen",
        ),
        ("Parameters.WebAclMetric.Default", "turnout", "WebAclAlarm never rings"),
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
            notification("ACTUAL"),
            ["GREATER_THAN", 80, "PERCENTAGE"],
            "the email comes when the budget is long spent, or never",
        ),
        (
            notification("FORECASTED"),
            ["GREATER_THAN", 100, "PERCENTAGE"],
            "the email comes when the budget is spent, although it was to be foreseen",
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
            "AWS::S3::Bucket.[DeletionPolicy, UpdateReplacePolicy]",
            ["Retain", "Retain"],
            "no release can be undone: its programs are deleted with the stack",
        ),
        (
            "ProgramsPolicy.[DeletionPolicy, UpdateReplacePolicy]",
            ["Retain", "Retain"],
            "the bucket that is kept answers without TLS",
        ),
        (
            "OperatorPolicy.PolicyDocument.Statement[?Resource=='*'].[Effect, Action]",
            [["Allow", ["dynamodb:ListBackups", "dynamodb:ListTables"]]],
            "whoever restores and erases reaches other tables of the account",
        ),
        (
            "OperatorPolicy.PolicyDocument.Statement[?Resource!='*'].Action[] | sort(@)",
            [
                "cloudformation:DescribeStacks",
                "dynamodb:BatchWriteItem",
                "dynamodb:DeleteItem",
                "dynamodb:DescribeContinuousBackups",
                "dynamodb:DescribeTable",
                "dynamodb:DescribeTimeToLive",
                "dynamodb:GetItem",
                "dynamodb:PutItem",
                "dynamodb:Query",
                "dynamodb:RestoreTableFromBackup",
                "dynamodb:RestoreTableToPointInTime",
                "dynamodb:Scan",
                "dynamodb:TagResource",
                "dynamodb:UpdateContinuousBackups",
                "dynamodb:UpdateItem",
                "dynamodb:UpdateTable",
                "dynamodb:UpdateTimeToLive",
            ],
            "whoever restores and erases can also delete or copy all events, or cannot restore",
        ),
        (
            "Programs.LifecycleConfiguration",
            None,
            "no release is undone or rolled back to once its programs are deleted",
        ),
        ("Parameters.StackName.Default", "turnout-production", "the rights reach another stack"),
        (
            "Parameters.Environment.Default",
            "production",
            "an environment without approval may deploy to production",
        ),
    ],
}


def errors(floor):
    """The rate of errors, or none for as few as nobody needs to hear of."""
    return f"IF(requests * rate / 100 >= {floor}, rate, 0)"


BURN = "IF(errors >= 5, 100 * errors / requests, 0)"
REFUSED = "IF(throttled >= 20, 100 * throttled / requests, 0)"
BLOCKED = "IF(blocked >= 50, 100 * blocked / requests, 0)"
REPORTED = "FILL(reported, 0)"
DOLLARS = "bytes * 0.085 / 1000000000 + uploads * 0.022 / 1000000000 + requests / 1000000"

# When each alarm rings, in how many of how many periods of seconds, by which expression, and what
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
    """Another value than the default, where that is a number or one of several."""
    default = parameter.get("Default")
    if "AllowedValues" in parameter:
        return next(value for value in parameter["AllowedValues"] if value != default)
    if parameter["Type"] == "Number":
        return default + (1 if default < parameter.get("MaxValue", math.inf) else -1)
    return default


def situations(path):
    """A template with as few parameters as possible, and with another value for each."""
    template = transform(path) if path == "template.yaml" else read(path)
    parameters = template.get("Parameters", {})
    needed = {name for name, p in parameters.items() if "Default" not in p}
    few = {name: VALUES[path][name] for name in needed}
    all_others = {name: another(p) for name, p in parameters.items()} | VALUES[path]
    yield Resolved(template, STACK, **few)
    yield Resolved(template, STACK, **all_others)


def document(made):
    """What rows look at: properties and policies of each resource, outputs, and parameters."""
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
        """Each place of a row that this template has, with what would happen, or None."""
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
