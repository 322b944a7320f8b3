"""Compares the permissions in infra/deployer.yaml with the calls that are made: by CloudFormation
for the resources of the stack, by SAM, by the programs of infra/deploy, and by operators.

CloudFormation publishes the actions that it calls to create, read, update and delete a resource of
each type. IAM publishes the resources that each action takes. cfn-lint includes both lists.
"""

import json
import re
import unittest
from fnmatch import fnmatchcase
from pathlib import Path

import boto3
import cfnlint
from botocore import xform_name

from infra.deploy import preflight, release, upload
from infra.validate.policies import allows, as_list, holds
from infra.validate.templates import ACCOUNT, REGION, VALUES, Resolved, read, transform
from infra.validate.templates import STACK as NAME

DATA = Path(cfnlint.__file__).parent / "data"
ACTIONS = json.loads((DATA / "AdditionalSpecs/Policies.json").read_text(encoding="utf-8"))

# The next tables are the exceptions to both lists. A row that contradicts a list cites a document
# or an issue.

# Actions that CloudFormation calls only for one property, by type and property. A test checks that
# the type has the property, and that the template does not use it.
NOT_USED = {
    "AWS::CloudFront::Distribution": {
        "ConnectionMode": "cloudfront:*ConnectionGroup",
        "Staging": "cloudfront:UpdateDistributionWithStagingConfig",
        "VpcOriginConfig": "cloudfront:GetVpcOrigin",
    },
    "AWS::DynamoDB::Table": {
        "ContributorInsightsSpecification": "dynamodb:UpdateContributorInsights",
        "ImportSourceSpecification": """
            dynamodb:*Import* logs:CreateLogStream logs:DescribeLogStreams logs:PutLogEvents
            s3:GetObjectMetadata
        """,
        "KinesisStreamSpecification": """
            dynamodb:*KinesisStreamingDestination kinesis:* iam:CreateServiceLinkedRole
        """,
        "ResourcePolicy": "dynamodb:DeleteResourcePolicy dynamodb:PutResourcePolicy",
        "SSESpecification": "kms:*",
    },
    "AWS::IAM::Role": {"ManagedPolicyArns": "iam:AttachRolePolicy iam:DetachRolePolicy"},
    "AWS::Lambda::Function": {
        "CapacityProviderConfig": "lambda:PassCapacityProvider",
        "CodeSigningConfigArn": """
            lambda:DeleteFunctionCodeSigningConfig lambda:GetCodeSigningConfig
            lambda:PutFunctionCodeSigningConfig
        """,
        "FileSystemConfigs": "elasticfilesystem:* s3files:*",
        "FunctionScalingConfig": "lambda:PutFunctionScalingConfig",
        "KmsKeyArn": "kms:*",
        "Layers": "lambda:GetLayerVersion",
        "PublishToLatestPublished": "lambda:PublishVersion",
        "RecursiveLoop": "lambda:PutFunctionRecursionConfig",
        "RuntimeManagementConfig": """
            lambda:AssociateRuntimeAlias lambda:PutRuntimeManagementConfig
        """,
        "VpcConfig": "ec2:*",
    },
    "AWS::Logs::LogGroup": {
        "BearerTokenAuthenticationEnabled": "logs:PutBearerTokenAuthentication",
        "DataProtectionPolicy": """
            firehose:TagDeliveryStream logs:PutDataProtectionPolicy s3:REST.PUT.OBJECT
        """,
        "DeletionProtectionEnabled": "logs:PutLogGroupDeletionProtection",
        "FieldIndexPolicies": "logs:DeleteIndexPolicy logs:PutIndexPolicy",
        "KmsKeyId": "logs:AssociateKmsKey logs:DisassociateKmsKey",
        "ResourcePolicyDocument": "logs:DeleteResourcePolicy",
    },
    "AWS::S3::Bucket": {
        "AbacStatus": "s3:PutBucketAbac",
        "AccelerateConfiguration": "s3:PutAccelerateConfiguration",
        "AccessControl": "s3:PutBucketAcl s3:PutObjectAcl",
        "AnalyticsConfigurations": "s3:*AnalyticsConfiguration",
        "CorsConfiguration": "s3:*BucketCors",
        "IntelligentTieringConfigurations": "s3:*IntelligentTieringConfiguration",
        "InventoryConfigurations": "s3:*InventoryConfiguration",
        "LoggingConfiguration": "s3:PutBucketLogging",
        "MetadataTableConfiguration": "s3:*BucketMetadata*Configuration s3tables:*",
        "MetricsConfigurations": "s3:*MetricsConfiguration",
        "NotificationConfiguration": "s3:PutBucketNotification",
        "ObjectLockConfiguration": "s3:Put*ObjectLockConfiguration",
        "ReplicationConfiguration": "s3:*Replication s3:*ReplicationConfiguration",
        "WebsiteConfiguration": "s3:*BucketWebsite",
    },
    "AWS::SecretsManager::Secret": {
        "ReplicaRegions": "secretsmanager:ReplicateSecretToRegions",
    },
    "AWS::SNS::Topic": {"DataProtectionPolicy": "sns:PutDataProtectionPolicy"},
}

# Actions that CloudFormation lists, and that are refused on purpose.
REFUSED = [
    # CloudFormation never deletes the table, because the template retains it.
    "dynamodb:DeleteTable",
    # Only replicas need these, which this type of table cannot have:
    # docs.aws.amazon.com/amazondynamodb/latest/developerguide/V2gt_IAM.html
    *("dynamodb:*TableReplica", "dynamodb:*Item", "dynamodb:Query", "dynamodb:Scan"),
    # A role keeps its boundary and its trust policy.
    *("iam:DeleteRolePermissionsBoundary", "iam:UpdateAssumeRolePolicy"),
]

# The actions that a call needs if no action has the name of the call.
INSTEAD = {
    # docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cf-api-permissions-ref.html
    "cloudfront:CreateDistributionWithTags": [
        "cloudfront:CreateDistribution",
        "cloudfront:TagResource",
    ],
    # docs.aws.amazon.com/AmazonS3/latest/API/API_<name of the call>.html has the permissions.
    # Without ListBucket, HeadObject gets a 403 for a missing file.
    "s3:CopyObject": ["s3:GetObjectVersion", "s3:PutObject"],
    "s3:DeleteBucketEncryption": ["s3:PutEncryptionConfiguration"],
    "s3:DeleteBucketLifecycle": ["s3:PutLifecycleConfiguration"],
    "s3:HeadObject": ["s3:GetObject", "s3:ListBucket"],
    "s3:ListObjectVersions": ["s3:ListBucketVersions"],
    # docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html
    "sts:GetCallerIdentity": [],
}

# Actions that IAM's list lacks, with the types of resources that they take. AWS refused one:
# github.com/aws-amplify/amplify-cli/issues/12316
UNLISTED = {
    "apigateway:TagResource": ["apigateway:stages"],
    "apigateway:UntagResource": ["apigateway:stages"],
}

# The calls that SAM makes in samcli/lib/deploy/deployer.py and samcli/lib/delete/cfn_utils.py, and
# the calls that people make who follow the runbook.
BY_SAM = """
    ContinueUpdateRollback CreateChangeSet DeleteStack DescribeChangeSet DescribeStackEvents
    DescribeStackResource DescribeStacks ExecuteChangeSet GetTemplate GetTemplateSummary
    RollbackStack UpdateTerminationProtection
""".split()

# Permissions for calls that are in no list.
ALSO = {
    # SAM gives CreateChangeSet the tag of the stack.
    "cloudformation:TagResource",
    # Both actions find the reason of a refusal: github.com/aws/aws-sam-cli/issues/9154
    "cloudformation:DescribeEvents",
    "cloudformation:ListChangeSets",
    # Without this permission, GetFunction returns no tags:
    # docs.aws.amazon.com/lambda/latest/api/API_GetFunction.html
    "lambda:ListTags",
    # API Gateway calls these for the access log:
    # docs.aws.amazon.com/apigateway/latest/developerguide/http-api-logging.html
    "logs:*LogDelivery",
    "logs:ListLogDeliveries",
    # The runbook's command that empties the site's bucket.
    "s3:DeleteObjectVersion",
}


def stack(name):
    return Resolved(transform("template.yaml"), name, **VALUES["template.yaml"])


def deployer(name=NAME, **values):
    values = VALUES["infra/deployer.yaml"] | {"StackName": name} | values
    return Resolved(read("infra/deployer.yaml"), f"deployer-{name}", **values)


STACK, DEPLOYER = stack(NAME), deployer()
LONGEST, OTHER = "turnout-" + "x" * 12, NAME + "2"
TRANSFORM = f"arn:aws:cloudformation:{REGION}:aws:transform/Serverless-2016-10-31"
SAM_BUCKET = "arn:aws:s3:::aws-sam-cli-managed-default-samclisourcebucket-x"
PROGRAMS = DEPLOYER.arn("Programs")
APIS = f"arn:aws:apigateway:{REGION}::/apis"
ROLE_OF_API_GATEWAY = (
    f"arn:aws:iam::{ACCOUNT}:role/aws-service-role/ops.apigateway.amazonaws.com/"
    "AWSServiceRoleForAPIGateway"
)

VIA, VIA_A_SERVICE = "aws:CalledVia", "aws:ViaAWSService"
IMPORTED = "cloudformation:ImportResourceTypes"
BOUNDARY, PASSED_TO = "iam:PermissionsBoundary", "iam:PassedToService"

# The context of each request that CloudFormation makes. It has no tags: a resource that is being
# created has none, and neither has the stage of an HTTP API.
# docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/fas-requests-and-permission-evaluation.html
BY_CLOUDFORMATION = {VIA: ["cloudformation.amazonaws.com"], VIA_A_SERVICE: "true"}
BY_HAND = {VIA: None, VIA_A_SERVICE: "false"}

# The context that single actions add. A role has its boundary from CreateRole on.
OF_ACTIONS = {
    "iam:CreateRole": {BOUNDARY: DEPLOYER.arn("Boundary")},
    "iam:PutRolePolicy": {BOUNDARY: DEPLOYER.arn("Boundary")},
    "iam:PutRolePermissionsBoundary": {BOUNDARY: DEPLOYER.arn("Boundary")},
    "iam:PassRole": {PASSED_TO: "lambda.amazonaws.com"},
    "iam:CreateServiceLinkedRole": {"iam:AWSServiceName": "ops.apigateway.amazonaws.com"},
}


def context(action):
    return BY_CLOUDFORMATION | OF_ACTIONS.get(action, {})


def statements(*names):
    return [s for name in names for s in DEPLOYER.resources[name]["PolicyDocument"]["Statement"]]


def each(part, policy):
    """Yields each action, or each resource, of the statements that allow something."""
    for statement in policy:
        if statement["Effect"] == "Allow":
            yield from as_list(statement[part])


def used(made):
    """Returns the ARNs of a stack, by service and type of resource."""

    def arns(kind):
        return [made.arn(name) for name in made.of_type(kind)]

    (bucket,) = arns("AWS::S3::Bucket")
    logs = arns("AWS::Logs::LogGroup")
    return {
        "acm:certificate": [VALUES["template.yaml"]["CertificateArn"]],
        "wafv2:webacl": [VALUES["template.yaml"]["WebAclArn"]],
        "apigateway:apis": [APIS],
        "apigateway:api": [f"{APIS}/ID"],
        "apigateway:routes": [f"{APIS}/ID/routes"],
        "apigateway:stages": [f"{APIS}/ID/stages"],
        "apigateway:stage": [f"{APIS}/ID/stages/$default"],
        "apigateway:tags": [f"{APIS.replace('/apis', '/tags')}/arn%3Aaws%3Aapigateway"],
        "cloudformation:stack": [
            f"arn:aws:cloudformation:{REGION}:{ACCOUNT}:stack/{made.stack}/ID"
        ],
        "cloudfront:cache-policy": ["*"],
        "cloudfront:response-headers-policy": ["*"],
        "cloudfront:origin-access-control": ["*"],
        "cloudfront:distribution": arns("AWS::CloudFront::Distribution"),
        "cloudfront:function": arns("AWS::CloudFront::Function"),
        "cloudwatch:alarm": arns("AWS::CloudWatch::Alarm"),
        "cloudwatch:dashboard": arns("AWS::CloudWatch::Dashboard"),
        "dynamodb:table": arns("AWS::DynamoDB::Table"),
        "iam:role": arns("AWS::IAM::Role"),
        "lambda:function": arns("AWS::Lambda::Function"),
        "logs:log-group": [*logs, *(arn.removesuffix(":*") for arn in logs)],
        "s3:bucket": [bucket],
        "s3:object": [f"{bucket}/index.html"],
        "secretsmanager:secret": arns("AWS::SecretsManager::Secret"),
        "sns:topic": arns("AWS::SNS::Topic"),
    }


def new(arns):
    """Returns the ARNs that a request has before the resources exist.

    These ARNs lack the ids that AWS gives.
    """
    return arns | {
        "cloudfront:distribution": ["*"],
        "secretsmanager:secret": [re.sub("-......$", "", a) for a in arns["secretsmanager:secret"]],
    }


def kinds_of(action):
    """Returns the types of resources that an action takes."""
    if action in UNLISTED:
        return set(UNLISTED[action])
    service, pattern = action.split(":")
    kinds = set()
    for name, known in ACTIONS[service]["Actions"].items():
        if fnmatchcase(name, pattern.lower()):
            kinds |= {f"{service}:{kind.lower()}" for kind in known.get("Resources", [])}
    return kinds


def targets(action, arns):
    """Returns the resources that an action is called with, or * if it takes none."""
    kinds = kinds_of(action)
    found = [arn for kind in kinds for arn in arns.get(kind, [])]
    assert found or not kinds, f"{action}: no resource of this stack is one of {kinds}"
    return found or ["*"]


def schemas():
    """Yields CloudFormation's schema of each type of resource in the stack."""
    types = {resource["Type"] for resource in STACK.made.values()}
    for path in DATA.glob("schemas/resources/*.json"):
        schema = json.loads(path.read_text(encoding="utf-8"))
        if schema.get("typeName") in types:
            types.remove(schema["typeName"])
            yield schema
    assert not types, types


def called_by_cloudformation():
    """Returns the actions that CloudFormation calls for the resources of the stack.

    Each comes with a bool: whether CloudFormation calls it to create a resource.
    """
    actions = set()
    for schema in schemas():
        unused = " ".join(NOT_USED.get(schema["typeName"], {}).values()).split()
        for name, handler in schema["handlers"].items():
            for call in handler["permissions"] if name != "list" else ():
                if not matches_one(call, unused + REFUSED):
                    actions |= {(one, name == "create") for one in INSTEAD.get(call, [call])}
    return actions


def matches_one(action, patterns):
    return any(fnmatchcase(action.lower(), pattern.lower()) for pattern in patterns)


def called_by_programs():
    """Yields the actions that the programs of infra/deploy call, read from their source."""
    for program in (preflight, release, upload):
        text = Path(program.__file__).read_text(encoding="utf-8")
        for service in set(re.findall(r'client\("(\w+)"', text)):
            client = boto3.client(service, region_name=REGION)
            operations = {xform_name(o): o for o in client.meta.service_model.operation_names}
            called = {*re.findall(r"\.(\w+)\(", text), *re.findall(r'paginator\("(\w+)"', text)}
            for name in re.findall(r'waiter\("(\w+)"', text):
                if name in client.waiter_names:
                    called.add(xform_name(client.get_waiter(name).config.operation))
            for name in called & operations.keys():
                call = f"{service}:{operations[name]}"
                yield from INSTEAD.get(call, [call])


def called_by_hand():
    """Returns the actions that are called without CloudFormation."""
    return {*called_by_programs(), *(f"cloudformation:{name}" for name in BY_SAM)}


def needed():
    """Yields each call of a deployment, with its resource."""
    arns = used(STACK)
    programs = arns | {"s3:object": [f"{PROGRAMS}/{NAME}/0a1b"]}
    for action, creates in called_by_cloudformation():
        read_from = programs if action.lower().startswith("s3:getobject") else arns
        for arn in targets(action, new(read_from) if creates else read_from):
            yield action, arn
    for action in called_by_hand():
        for arn in targets(action, arns):
            yield action, arn
    for action in ("s3:GetObject", "s3:PutObject", "s3:DeleteObject"):
        for arn in targets(action, programs):
            yield action, arn
    for arn in arns["iam:role"]:
        # Before the role exists, CloudFormation leaves out its path.
        yield "iam:GetRole", arn.replace(f"/{NAME}/", "/")
    (own,) = arns["cloudformation:stack"]
    for arn in (own, own.replace(f"stack/{NAME}", "changeSet/samcli-deploy1")):
        yield "cloudformation:DescribeEvents", arn
    yield "cloudformation:CreateChangeSet", TRANSFORM
    # docs.aws.amazon.com/apigateway/latest/developerguide/using-service-linked-roles.html
    yield "iam:CreateServiceLinkedRole", ROLE_OF_API_GATEWAY


def foreign():
    """Returns the ARNs of another stage, and of the alarms that watch this stage from outside."""
    text = Path("infra/global.yaml").read_text(encoding="utf-8")
    name = re.search(r"--stack-name (\S+)", text)[1]
    outside = Resolved(read("infra/global.yaml"), name, **VALUES["infra/global.yaml"])
    arns = used(stack(OTHER))
    arns["cloudwatch:alarm"] += map(outside.arn, outside.of_type("AWS::CloudWatch::Alarm"))
    arns["dynamodb:backup"] = [f"{table}/backup/0a1b" for table in arns["dynamodb:table"]]
    for bucket in (PROGRAMS, SAM_BUCKET):
        arns["s3:bucket"].append(bucket)
        arns["s3:object"] += [f"{bucket}/{OTHER}/0a1b", f"{bucket}/0a1b"]
    arns["iam:role"].append(DEPLOYER.arn("Role"))
    return arns


class Deployer(unittest.TestCase):
    policy = statements("Policy", "RolesPolicy")
    granted = set(each("Action", policy))

    def may(self, action, arn, **others):
        """Returns whether a deployer may do something, in a deployment or in another context."""
        return allows(self.policy, action, arn, context(action) | others)

    def test_may_do_what_a_deployment_needs(self):
        by_hand = called_by_hand()
        for action, arn in sorted(needed()):
            with self.subTest(action, arn=arn):
                self.assertTrue(self.may(action, arn), "a deployment is denied")
                if action in by_hand:
                    self.assertTrue(self.may(action, arn, **BY_HAND), "make deploy is denied")

    def test_may_do_no_more(self):
        called = {action for action, _ in needed()} | ALSO
        for action in sorted(self.granted):
            with self.subTest(action):
                used_by_one = matches_one(action, called) or any(
                    matches_one(one, [action]) for one in called
                )
                self.assertTrue(used_by_one, "a permission that no deployment needs")
                service, name = action.split(":")
                if "*" not in name and action not in UNLISTED:
                    self.assertIn(name.lower(), ACTIONS[service]["Actions"])
                elif "*" in name and name not in ("Get*", "Describe*"):
                    # Other wildcards stand for the actions on one type of resource in CloudFront.
                    self.assertEqual((service, name[0]), ("cloudfront", "*"))

    def test_exceptions_are_those_of_the_lists(self):
        """The template uses no property of NOT_USED. Other rows are about calls in the lists."""
        calls = {}
        for schema in schemas():
            handlers = schema["handlers"].values()
            calls[schema["typeName"]] = {c for handler in handlers for c in handler["permissions"]}
            for name, patterns in NOT_USED.get(schema["typeName"], {}).items():
                self.assertIn(f'"{name}"', json.dumps(schema))
                used_by = STACK.of_type(schema["typeName"])
                self.assertNotIn(f'"{name}"', json.dumps(used_by), f"{patterns}: is denied")
                for pattern in patterns.split():
                    with self.subTest(name, pattern=pattern):
                        self.assertTrue(
                            any(matches_one(call, [pattern]) for call in calls[schema["typeName"]]),
                            "CloudFormation does not call it",
                        )
        self.assertLessEqual(NOT_USED.keys(), calls.keys())
        every = set().union(*calls.values())
        self.assertLess(UNLISTED.keys(), every)
        for pattern in REFUSED:
            self.assertTrue(any(matches_one(call, [pattern]) for call in every), pattern)

    def named(self):
        """Returns the statements for resources with the stack's name, and all denials."""
        unnamed = (
            *("WithoutAName", "WithoutANameInTheStack", "ApiInTheStack"),
            *("LogDeliveries", "Certificate", "Refusals"),
        )
        return [s for s in self.policy if s["Effect"] == "Deny" or s["Sid"] not in unnamed]

    def test_reaches_this_stack_only_where_names_allow_it(self):
        """A deployer reaches neither another stage nor the alarms that watch from outside."""
        operator = [s for s in statements("OperatorPolicy") if s["Sid"] != "List"]
        known = {("iam:GetRole", "iam:role")}
        arns = foreign()
        for policy in (self.named(), statements("Boundary"), operator):
            for action in each("Action", policy):
                for kind in kinds_of(action) & arns.keys():
                    for arn in arns[kind]:
                        allowed = allows(policy, action, arn, context(action))
                        self.assertFalse(
                            allowed and (action, kind) not in known,
                            f"who deploys or restores {NAME} may {action} {arn}",
                        )

    def test_resources_begin_with_the_name_of_the_stack(self):
        """The actions without a stack's name in the resource are bound by conditions."""
        self.assertEqual(
            {r for r in each("Resource", self.named()) if not re.search(rf"[:/]{NAME}([-/]|$)", r)},
            {
                "arn:aws:cloudformation:*:aws:transform/Serverless-2016-10-31",
                f"arn:aws:logs:*:{ACCOUNT}:log-group:/aws/lambda/{NAME}:*",
                ROLE_OF_API_GATEWAY,
            },
            "who deploys reaches what is not of this stack",
        )
        self.assertEqual(
            [s["Sid"] for s in self.policy if "*" in as_list(s["Resource"])],
            ["WithoutAName", "WithoutANameInTheStack", "LogDeliveries", "NoImports"],
            "who deploys reaches what is not of this stack",
        )

    def test_actions_on_everything_take_no_resource_of_a_stack(self):
        """Actions on all resources take no resource of a stack.

        The exceptions are CloudFront, whose resources do not have the stack's name, and four
        actions that only read.
        """
        (unnamed,) = (s for s in self.policy if s["Sid"] == "WithoutAName")
        of_stacks = used(STACK).keys()
        self.assertEqual(
            sorted(
                action
                for action in unnamed["Action"]
                if not action.startswith("cloudfront:") and kinds_of(action) & of_stacks
            ),
            [
                "cloudformation:GetTemplateSummary",
                "cloudwatch:DescribeAlarms",
                "sns:GetSubscriptionAttributes",
                "wafv2:GetWebACL",
            ],
            "a deployer reaches resources of other stages",
        )

    def test_nothing_foreign_becomes_the_stacks_own(self):
        """By hand, nobody changes a resource without the stack's name. Nobody imports one."""
        distribution = STACK.arn("Distribution")
        unnamed = ("CachePolicy", "OriginAccessControl", "ResponseHeadersPolicy")
        verbs = ("DELETE", "GET", "PATCH", "POST", "PUT")
        for action, arn in [
            ("cloudfront:CreateDistribution", "*"),
            ("cloudfront:UpdateDistribution", distribution),
            ("cloudfront:DeleteDistribution", distribution),
            ("cloudfront:TagResource", distribution),
            *((f"cloudfront:Create{kind}", "*") for kind in unnamed),
            *((f"cloudfront:Update{kind}", "*") for kind in unnamed),
            *((f"cloudfront:Delete{kind}", "*") for kind in unnamed),
            ("cloudfront:CreateFunction", "*"),
            *((f"apigateway:{verb}", f"{APIS}/ID") for verb in verbs),
            ("apigateway:POST", APIS),
            ("apigateway:TagResource", f"{APIS}/ID/stages"),
            ("sns:SetSubscriptionAttributes", "*"),
            ("sns:Unsubscribe", "*"),
        ]:
            allowed = [
                self.may(action, arn, **via)
                for via in ({}, {VIA: ["dynamodb.amazonaws.com"]}, BY_HAND)
            ]
            self.assertEqual(
                allowed,
                [True, False, False],
                f"{action}: by hand, what is not the stack's is changed or made its own",
            )
        (own,) = used(STACK)["cloudformation:stack"]
        imports = {IMPORTED: ["AWS::CloudFront::Distribution"]}
        self.assertTrue(self.may("cloudformation:CreateChangeSet", own))
        self.assertFalse(
            self.may("cloudformation:CreateChangeSet", own, **imports),
            "a foreign resource is imported, then changed or deleted with the stack",
        )

    def test_log_deliveries_are_those_of_api_gateway(self):
        """By hand, nobody changes the policies by which services write to the account's logs."""
        for name in (
            *("CreateLogDelivery", "DeleteLogDelivery", "UpdateLogDelivery"),
            "PutResourcePolicy",
        ):
            self.assertTrue(self.may(f"logs:{name}", "*"), f"{name}: there is no access log")
            self.assertFalse(
                self.may(f"logs:{name}", "*", **BY_HAND), f"{name}: others have no logs any more"
            )

    def test_a_deleted_program_can_be_recovered(self):
        """A deployer cannot delete the code of a release for good."""
        for call in [
            ("s3:DeleteObjectVersion", f"{PROGRAMS}/{NAME}/0a1b"),
            ("s3:PutBucketVersioning", PROGRAMS),
            ("s3:PutLifecycleConfiguration", PROGRAMS),
        ]:
            self.assertFalse(self.may(*call), f"{call}: a program is deleted for good")

    def test_roles_are_within_the_boundary(self):
        """The boundary allows what the functions may do, and no more."""
        boundary, given = statements("Boundary"), set()
        for name, role in STACK.of_type("AWS::IAM::Role").items():
            wanted = VALUES["template.yaml"]["PermissionsBoundary"]
            self.assertEqual(
                role["PermissionsBoundary"], wanted, f"{name} can be given any permission"
            )
            self.assertEqual(role["Path"], f"/{NAME}/", f"{name} is reached by another deployer")
            for policy in role["Policies"]:
                for statement in policy["PolicyDocument"]["Statement"]:
                    given |= {(action, statement["Resource"]) for action in statement["Action"]}
        for action, arn in given:
            self.assertTrue(
                allows(boundary, action, arn, context(action)),
                f"a function, and an intruder in it, may {action} more than its work needs, "
                f"or is denied its work: {arn}",
            )
        self.assertEqual(
            set(each("Action", boundary)),
            {action for action, _ in given},
            "a deployer can make a role that does more than functions need",
        )

    def test_who_deploys_must_set_the_boundary(self):
        role = STACK.arn("ReadItemRole")
        for action in ("iam:CreateRole", "iam:PutRolePolicy", "iam:PutRolePermissionsBoundary"):
            self.assertFalse(
                self.may(action, role, **{BOUNDARY: ""}),
                f"{action}: who deploys makes a role with every permission, and uses it",
            )
        self.assertFalse(
            self.may("iam:PassRole", role, **{PASSED_TO: "ec2.amazonaws.com"}),
            "a role of functions is given to a machine that somebody starts",
        )

    def test_deployer_stays_what_it_is(self):
        """A deployer never changes its own role or policies, whatever other policies allow."""
        everything = {"Effect": "Allow", "Action": "*", "Resource": "*"}
        for action, arn in [
            ("iam:CreatePolicyVersion", DEPLOYER.arn("Policy")),
            ("iam:SetDefaultPolicyVersion", DEPLOYER.arn("Policy")),
            ("iam:AttachRolePolicy", DEPLOYER.arn("Role")),
        ]:
            self.assertFalse(
                allows([everything, *self.policy], action, arn, context(action)),
                f"{action}: who deploys gives itself more permissions",
            )

    def test_names_and_policies_fit(self):
        """A policy has at most 6,144 characters without white space, and a name 64.

        CloudFormation shortens a longer name.
        """
        made = stack(LONGEST)
        for name in (*STACK.of_type("AWS::IAM::Role"), *STACK.of_type("AWS::Lambda::Function")):
            self.assertLessEqual(len(made.name(name)), 64, "its deployer is denied: no such name")
        for name, policy in deployer(LONGEST).of_type("AWS::IAM::ManagedPolicy").items():
            document = json.dumps(policy["PolicyDocument"], separators=(",", ":"))
            self.assertLessEqual(len(document), 6144, f"IAM refuses {name}")
        for name in (LONGEST + "x", "turnout-a-b", "turnout"):
            self.assertRaises(AssertionError, deployer, name)
            self.assertIsNone(preflight.STACK.fullmatch(name))
        self.assertTrue(preflight.STACK.fullmatch(LONGEST))


class Trust(unittest.TestCase):
    """The deployer's role trusts one environment of one repository, the other role an operator."""

    host = "token.actions.githubusercontent.com"

    def trust(self, role, **values):
        made = deployer(**values)
        (statement,) = made.resources[role]["AssumeRolePolicyDocument"]["Statement"]
        return statement

    def test_deployer(self):
        without_numbers = {"OwnerId": "", "RepositoryId": "", "Environment": "staging"}
        for values, subject in [
            ({}, "repo:someone@1/turnout@2:environment:production"),
            (without_numbers, "repo:someone/turnout:environment:staging"),
        ]:
            claims = {f"{self.host}:aud": "sts.amazonaws.com", f"{self.host}:sub": subject}
            provider = f"arn:aws:iam::{ACCOUNT}:oidc-provider/{self.host}"
            self.assertEqual(
                self.trust("Role", **values),
                {
                    "Effect": "Allow",
                    "Action": "sts:AssumeRoleWithWebIdentity",
                    "Principal": {"Federated": provider},
                    "Condition": {"StringEquals": claims},
                },
                "a workflow that nobody approves, or of another repository, may deploy, or none",
            )

    def test_operator(self):
        self.assertEqual(
            self.trust("OperatorRole"),
            {
                "Effect": "Allow",
                "Action": "sts:AssumeRole",
                "Principal": {"AWS": VALUES["infra/deployer.yaml"]["Operator"]},
            },
            "others than the operator read and erase events, or nobody restores them",
        )

    def test_roles_have_their_policies_for_as_long_as_they_need(self):
        for name, policies, seconds in [
            ("Role", ["Policy", "RolesPolicy"], 7200),
            ("OperatorRole", ["OperatorPolicy"], 14400),
        ]:
            role = DEPLOYER.resources[name]
            self.assertEqual(
                role["ManagedPolicyArns"],
                [DEPLOYER.arn(one) for one in policies],
                f"{name} may do more than its work, or less",
            )
            self.assertEqual(
                role["MaxSessionDuration"],
                seconds,
                f"{name}: what is stolen works for longer, or work ends halfway",
            )

    def test_provider_is_githubs_and_stays(self):
        """The stack keeps the provider when it is deleted, because other roles may use it."""
        provider = DEPLOYER.made["Provider"]
        for policy in ("DeletionPolicy", "UpdateReplacePolicy"):
            self.assertEqual(provider[policy], "Retain", "other roles of the account lose it")
        self.assertEqual(
            DEPLOYER.resources["Provider"],
            {"Url": f"https://{self.host}", "ClientIdList": ["sts.amazonaws.com"]},
            "somebody else's tokens are trusted, or GitHub's are not",
        )


class Operator(unittest.TestCase):
    policy = statements("OperatorPolicy")

    def test_changes_restored_tables_only(self):
        own = STACK.arn("Table")
        for name in ("UpdateTable", "UpdateTimeToLive", "UpdateContinuousBackups"):
            action = f"dynamodb:{name}"
            self.assertFalse(allows(self.policy, action, own, {}), f"{action}: data is lost")
            self.assertTrue(
                allows(self.policy, action, f"{own}-restored", {}), f"{action}: no restore ends"
            )


class Conditions(unittest.TestCase):
    def test_are_those_of_iam(self):
        """A missing key fails a condition, except with IfExists and Null."""
        for operator, wanted, holding in [
            ("StringEquals", "ab", [True, False, False]),
            ("StringEquals", "a*", [False, False, False]),
            ("StringLike", "a*", [True, False, False]),
            ("Bool", "ab", [True, False, False]),
            ("StringEqualsIfExists", "ab", [True, False, True]),
            ("Null", "true", [False, False, True]),
            ("Null", "false", [True, True, False]),
        ]:
            found = [holds(operator, value, wanted) for value in ("ab", "c", None)]
            self.assertEqual(found, holding, operator)
        of_several = [["c", "ab"], ["c"], None]
        found = [holds("ForAnyValue:StringEquals", values, "ab") for values in of_several]
        self.assertEqual(found, [True, False, False])
