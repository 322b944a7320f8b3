"""Lists the properties that each type of resource has here.

A new property is a decision: what it costs, what it stores or shows of events, and which permission
the deployer needs. After the decision, add the property to the row of its type.
"""

import unittest

from infra.validate.templates import STACK, VALUES, Resolved, read, transform

# Properties that any type may have. They cost nothing and show no event, and the deployer has the
# permissions.
HARMLESS = {"Comment", "Description", "Tags"}

# Below these, the names are no properties, but routes, variables, tags and conditions.
FREE = {"Body", "Condition", "CustomResponseBodies", "RouteSettings", "Tags", "Variables"}

PROPERTIES = {
    "AWS::ApiGatewayV2::Api": "Body",
    "AWS::ApiGatewayV2::Stage": """
        AccessLogSettings ApiId AutoDeploy DefaultRouteSettings DestinationArn Format
        RouteSettings StageName ThrottlingBurstLimit ThrottlingRateLimit
    """,
    "AWS::Budgets::Budget": """
        Address Amount Budget BudgetLimit BudgetName BudgetType ComparisonOperator Notification
        NotificationType NotificationsWithSubscribers Subscribers SubscriptionType Threshold
        ThresholdType TimeUnit Unit
    """,
    "AWS::CloudFront::CachePolicy": """
        CachePolicyConfig CookieBehavior CookiesConfig DefaultTTL EnableAcceptEncodingBrotli
        EnableAcceptEncodingGzip HeaderBehavior Headers HeadersConfig MaxTTL MinTTL Name
        ParametersInCacheKeyAndForwardedToOrigin QueryStringBehavior QueryStrings
        QueryStringsConfig
    """,
    "AWS::CloudFront::Distribution": """
        AcmCertificateArn Aliases AllowedMethods CacheBehaviors CachePolicyId
        CloudFrontDefaultCertificate Compress CustomErrorResponses CustomOriginConfig
        DefaultCacheBehavior DefaultRootObject DistributionConfig DomainName Enabled
        ErrorCachingMinTTL ErrorCode EventType FunctionARN FunctionAssociations HeaderName
        HeaderValue HttpVersion IPV6Enabled Id MinimumProtocolVersion OriginAccessControlId
        OriginCustomHeaders OriginProtocolPolicy OriginRequestPolicyId OriginSSLProtocols
        Origins PathPattern PriceClass ResponseHeadersPolicyId S3OriginConfig SslSupportMethod
        TargetOriginId ViewerCertificate ViewerProtocolPolicy WebACLId
    """,
    "AWS::CloudFront::Function": "AutoPublish FunctionCode FunctionConfig Name Runtime",
    "AWS::CloudFront::OriginAccessControl": """
        Name OriginAccessControlConfig OriginAccessControlOriginType SigningBehavior
        SigningProtocol
    """,
    "AWS::CloudFront::ResponseHeadersPolicy": """
        AccessControlMaxAgeSec ContentSecurityPolicy ContentTypeOptions CustomHeadersConfig
        FrameOption FrameOptions Header IncludeSubdomains Items Name Override ReferrerPolicy
        ResponseHeadersPolicyConfig SecurityHeadersConfig StrictTransportSecurity Value
    """,
    "AWS::CloudWatch::Alarm": """
        AlarmActions AlarmDescription ComparisonOperator DatapointsToAlarm Dimensions
        EvaluateLowSampleCountPercentile EvaluationPeriods Expression ExtendedStatistic Id Label
        Metric MetricName MetricStat Metrics Name Namespace OKActions Period ReturnData Stat
        Statistic Threshold TreatMissingData Value
    """,
    "AWS::CloudWatch::Dashboard": "DashboardBody DashboardName",
    "AWS::DynamoDB::Table": """
        AttributeDefinitions AttributeName AttributeType BillingMode DeletionProtectionEnabled
        Enabled KeySchema KeyType PointInTimeRecoveryEnabled PointInTimeRecoverySpecification
        RecoveryPeriodInDays TimeToLiveSpecification
    """,
    "AWS::IAM::ManagedPolicy": """
        Action Condition Effect PolicyDocument Resource Sid Statement Version
    """,
    "AWS::IAM::OIDCProvider": "ClientIdList Url",
    "AWS::IAM::Role": """
        AWS Action AssumeRolePolicyDocument Condition Effect Federated ManagedPolicyArns
        MaxSessionDuration Path PermissionsBoundary Policies PolicyDocument PolicyName Principal
        Resource Service Statement Version
    """,
    "AWS::Lambda::Function": """
        Architectures Code Environment Handler LogFormat LogGroup LoggingConfig MemorySize
        ReservedConcurrentExecutions Role Runtime S3Bucket S3Key SystemLogLevel Timeout
        Variables
    """,
    "AWS::Lambda::Permission": "Action FunctionName Principal SourceArn",
    "AWS::Logs::Delivery": "DeliveryDestinationArn DeliverySourceName RecordFields",
    "AWS::Logs::DeliveryDestination": "DestinationResourceArn Name OutputFormat",
    "AWS::Logs::DeliverySource": "LogType Name ResourceArn",
    "AWS::Logs::LogGroup": "LogGroupName RetentionInDays",
    "AWS::Logs::MetricFilter": """
        DefaultValue FilterPattern LogGroupName MetricName MetricNamespace MetricTransformations
        MetricValue
    """,
    "AWS::Route53::HealthCheck": """
        EnableSNI FailureThreshold FullyQualifiedDomainName HealthCheckConfig Regions
        RequestInterval ResourcePath Type
    """,
    "AWS::S3::Bucket": """
        AbortIncompleteMultipartUpload BlockPublicAcls BlockPublicPolicy BucketEncryption
        DaysAfterInitiation Id IgnorePublicAcls LifecycleConfiguration NoncurrentDays
        NoncurrentVersionExpiration ObjectOwnership OwnershipControls
        PublicAccessBlockConfiguration RestrictPublicBuckets Rules SSEAlgorithm
        ServerSideEncryptionByDefault ServerSideEncryptionConfiguration Status
        VersioningConfiguration
    """,
    "AWS::S3::BucketPolicy": """
        Action Bucket Condition Effect PolicyDocument Principal Resource Service Statement
        Version
    """,
    "AWS::SNS::Subscription": "Endpoint Protocol TopicArn",
    "AWS::SNS::Topic": "Endpoint Protocol Subscription",
    "AWS::SecretsManager::Secret": """
        ExcludePunctuation GenerateSecretString Name PasswordLength
    """,
    "AWS::WAFv2::WebACL": """
        Action ActionToUse AggregateKeyType Allow AssociationConfig Block Body ByteMatchStatement
        CLOUDFRONT CloudWatchMetricsEnabled ComparisonOperator Count CustomResponse
        CustomResponseBodies CustomResponseBodyKey DefaultAction DefaultSizeInspectionLimit
        FieldToMatch Limit ManagedRuleGroupStatement Method MetricName Name None OverrideAction
        OversizeHandling PositionalConstraint Priority RateBasedStatement RequestBody ResponseCode
        RuleActionOverrides Rules SampledRequestsEnabled Scope ScopeDownStatement SearchString Size
        SizeConstraintStatement Statement TextTransformations Type UriPath VendorName
        VisibilityConfig
    """,
}


def names(part):
    """Yields the names of all properties in a part of a resource."""
    if isinstance(part, list):
        for one in part:
            yield from names(one)
    if isinstance(part, dict):
        for name, value in part.items():
            yield name
            if name not in FREE:
                yield from names(value)


class Properties(unittest.TestCase):
    def test_each_was_decided(self):
        for path in VALUES:
            template = transform(path) if path == "template.yaml" else read(path)
            made = Resolved(template, STACK, **VALUES[path])
            for name, properties in made.resources.items():
                kind = made.made[name]["Type"]
                known = HARMLESS | set(PROPERTIES.get(kind, "").split())
                for new in sorted(set(names(properties)) - known):
                    with self.subTest(f"{name} {new}"):
                        self.fail(
                            f"{path}: no {kind} had {new} before {name}. What does it cost, what "
                            "does it store or show of events, and which permission does "
                            "infra/deployer.yaml need? Then add it to the row of its type."
                        )
