"""Compares the rights of infra/deployer.yaml with the calls that are made.

By CloudFormation for the resources of the stack, by SAM, by the programs of infra/deploy, and by
operators.

CloudFormation publishes, for each type of resource, the actions that it calls to create, read,
update and delete one, and IAM the resources that each action takes; cfn-lint includes both lists.
"""

import json
import re
import unittest
from fnmatch import fnmatchcase
from pathlib import Path

import boto3
import cfnlint
import preflight
from botocore import xform_name

from policies import allows, as_list, holds
from templates import ACCOUNT, REGION, STACK as NAME, VALUES, Resolved, read, transform

DATA = Path(cfnlint.__file__).parent / "data"
ACTIONS = json.loads((DATA / "AdditionalSpecs/Policies.json").read_text(encoding="utf-8"))

# Called only for what the template does not use, or refused on purpose: the table is retained, and
# a role keeps its boundary and its trust policy.
NOT_USED = """
    cloudfront:CreateConnectionGroup cloudfront:GetConnectionGroup cloudfront:GetVpcOrigin
    cloudfront:UpdateDistributionWithStagingConfig
    dynamodb:*Import* dynamodb:*Item dynamodb:*KinesisStreamingDestination dynamodb:*Replica
    dynamodb:DeleteResourcePolicy dynamodb:DeleteTable dynamodb:PutResourcePolicy dynamodb:Query
    dynamodb:Scan dynamodb:UpdateContributorInsights
    ec2:* elasticfilesystem:* firehose:*
    iam:AttachRolePolicy iam:CreateServiceLinkedRole iam:DeleteRolePermissionsBoundary
    iam:DetachRolePolicy iam:UpdateAssumeRolePolicy
    kinesis:* kms:*
    lambda:*CodeSigningConfig lambda:AssociateRuntimeAlias lambda:GetLayerVersion
    lambda:PassCapacityProvider lambda:PublishVersion lambda:PutFunctionRecursionConfig
    lambda:PutFunctionScalingConfig lambda:PutRuntimeManagementConfig
    logs:*IndexPolicy logs:*KmsKey logs:*ataProtectionPolicy logs:CreateLogStream
    logs:DeleteResourcePolicy logs:DescribeLogStreams logs:PutBearerTokenAuthentication
    logs:PutLogEvents logs:PutLogGroupDeletionProtection
    s3:*Abac s3:*Accelerate* s3:*Acl s3:*Analytics* s3:*Cors s3:*IntelligentTiering* s3:*Inventory*
    s3:*Logging s3:*Metadata* s3:*Metrics* s3:*Notification s3:*ObjectLock* s3:*Replication*
    s3:*Website s3:DeleteBucketEncryption s3:DeleteBucketLifecycle
    s3files:* s3tables:* secretsmanager:*Replic* sns:PutDataProtectionPolicy
""".split()

# In CloudFormation's lists, but not actions of IAM.
NO_ACTIONS = {
    "cloudfront:CreateDistributionWithTags",  # CreateDistribution and TagResource
    "apigateway:TagResource",
    "apigateway:UntagResource",
    "s3:REST.PUT.OBJECT",
    "s3:GetObjectMetadata",
}

# What SAM calls, to deploy and to delete, and what the runbook has people call.
BY_SAM = """
    ContinueUpdateRollback CreateChangeSet DeleteStack DescribeChangeSet DescribeStackEvents
    DescribeStackResource DescribeStacks ExecuteChangeSet GetTemplate GetTemplateSummary
    RollbackStack UpdateTerminationProtection
""".split()

# What a call needs where that is no action of its name. Without ListBucket a missing file is a 403.
NEEDS = {
    "s3:HeadObject": ["s3:GetObject", "s3:ListBucket"],
    "s3:CopyObject": ["s3:GetObjectVersion", "s3:PutObject"],
    "s3:ListObjectVersions": ["s3:ListBucketVersions"],
    "sts:GetCallerIdentity": [],
}

# Granted beside what is called: CloudFormation's own ways to the same resources, reading for those
# who look, and what the runbook's command to empty the bucket calls.
ALSO = """
    cloudformation:DescribeStackResources cloudformation:ListStackResources
    cloudformation:TagResource cloudwatch:DeleteDashboards dynamodb:ListTables
    iam:UpdateRoleDescription lambda:ListTags logs:*LogDelivery logs:GetDataProtectionPolicy
    logs:ListLogDeliveries s3:DeleteObjectVersion
""".split()


def stack(name):
    return Resolved(transform("template.yaml"), name, **VALUES["template.yaml"])


def deployer(name=NAME, **values):
    values = VALUES["infra/deployer.yaml"] | {"StackName": name} | values
    return Resolved(read("infra/deployer.yaml"), f"deployer-{name}", **values)


STACK, DEPLOYER = stack(NAME), deployer()
LONGEST, OTHER = "turnout-" + "x" * 21, NAME + "2"
TRANSFORM = f"arn:aws:cloudformation:{REGION}:aws:transform/Serverless-2016-10-31"
SAM_STACK = f"arn:aws:cloudformation:{REGION}:{ACCOUNT}:stack/aws-sam-cli-managed-default/ID"
SAM_BUCKET = "arn:aws:s3:::aws-sam-cli-managed-default-samclisourcebucket-x"
PROGRAMS = [DEPLOYER.arn("Programs"), SAM_BUCKET]
APIS = f"arn:aws:apigateway:{REGION}::/apis"
ROLE_OF_API_GATEWAY = (
    f"arn:aws:iam::{ACCOUNT}:role/aws-service-role/ops.apigateway.amazonaws.com/"
    "AWSServiceRoleForAPIGateway"
)

RESOURCE_TAG, REQUEST_TAG = "aws:ResourceTag/stack", "aws:RequestTag/stack"
VIA, VIA_A_SERVICE = "aws:CalledVia", "aws:ViaAWSService"
IMPORTED = "cloudformation:ImportResourceTypes"
BOUNDARY, PASSED_TO = "iam:PermissionsBoundary", "iam:PassedToService"

# What a request of a deployment has.
CONTEXT = {
    VIA: ["cloudformation.amazonaws.com"],
    VIA_A_SERVICE: "true",
    RESOURCE_TAG: NAME,
    REQUEST_TAG: NAME,
    BOUNDARY: DEPLOYER.arn("Boundary"),
    PASSED_TO: "lambda.amazonaws.com",
    "iam:AWSServiceName": "ops.apigateway.amazonaws.com",
}
BY_HAND = {VIA: None, VIA_A_SERVICE: "false"}


def statements(*names):
    return [s for name in names for s in DEPLOYER.resources[name]["PolicyDocument"]["Statement"]]


def each(part, policy):
    """Each action, or resource, of the statements that allow something."""
    for statement in policy:
        if statement["Effect"] == "Allow":
            yield from as_list(statement[part])


def used(made):
    """The ARNs of a stack, by service and type of resource."""

    def arns(kind):
        return [made.arn(name) for name in made.of_type(kind)]

    (bucket,) = arns("AWS::S3::Bucket")
    logs = arns("AWS::Logs::LogGroup")
    return {
        "acm:certificate": [VALUES["template.yaml"]["CertificateArn"]],
        "wafv2:webacl": [VALUES["template.yaml"]["WebAclArn"]],
        "apigateway:apis": [APIS],
        "apigateway:routes": [f"{APIS}/ID/routes"],
        "apigateway:api": [f"{APIS}/ID"],
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


def kinds_of(action):
    """The types of resources that an action takes."""
    service, pattern = action.split(":")
    kinds = set()
    for name, known in ACTIONS[service]["Actions"].items():
        if fnmatchcase(name, pattern.lower()):
            kinds |= {f"{service}:{kind.lower()}" for kind in known.get("Resources", [])}
    return kinds


def targets(action, arns):
    """The resources with which an action is called: those of its types, * where it takes none."""
    kinds = kinds_of(action)
    found = [arn for kind in kinds for arn in arns.get(kind, [])]
    assert found or not kinds, f"{action}: no resource of this stack is one of {kinds}"
    return found or ["*"]


def called_by_cloudformation(types):
    """The actions that CloudFormation calls for resources of these types."""
    found, actions = set(), set()
    for path in DATA.glob("schemas/resources/*.json"):
        schema = json.loads(path.read_text(encoding="utf-8"))
        if schema.get("typeName") not in types:
            continue
        found.add(schema["typeName"])
        for name, handler in schema.get("handlers", {}).items():
            if name != "list":
                actions.update(handler.get("permissions", []))
    assert found == types, types - found
    return {action for action in actions - NO_ACTIONS if not matches_one(action, NOT_USED)}


def matches_one(action, patterns):
    return any(fnmatchcase(action.lower(), pattern.lower()) for pattern in patterns)


def called_by_programs():
    """The actions that the programs of infra/deploy call, read from their text."""
    for path in Path("infra/deploy").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        for service in set(re.findall(r'client\("(\w+)"', text)):
            client = boto3.client(service, region_name=REGION)
            operations = {xform_name(o): o for o in client.meta.service_model.operation_names}
            called = {*re.findall(r"\.(\w+)\(", text), *re.findall(r'paginator\("(\w+)"', text)}
            for name in re.findall(r'waiter\("(\w+)"', text):
                if name in client.waiter_names:
                    called.add(xform_name(client.get_waiter(name).config.operation))
            for name in called & operations.keys():
                call = f"{service}:{operations[name]}"
                yield from NEEDS.get(call, [call])


def called_by_hand():
    """The actions that are called without CloudFormation."""
    return {*called_by_programs(), *(f"cloudformation:{name}" for name in BY_SAM)}


def needed():
    """Each call that a deployment makes, with its resource."""
    arns = used(STACK)
    programs = arns | {"s3:object": [f"{bucket}/{NAME}/0a1b" for bucket in PROGRAMS]}
    for action in called_by_cloudformation({r["Type"] for r in STACK.made.values()}):
        read_from = programs if action.startswith("s3:GetObject") else arns
        for arn in targets(action, read_from):
            yield action, arn
    for action in called_by_hand():
        for arn in targets(action, arns):
            yield action, arn
    for action in ("s3:GetObject", "s3:PutObject", "s3:DeleteObject"):
        for arn in targets(action, programs):
            yield action, arn
    for arn in arns["iam:role"]:
        yield "iam:GetRole", arn.replace(f"/{NAME}/", "/")  # before it exists, without its path
    yield "cloudformation:DescribeStacks", SAM_STACK
    yield "cloudformation:CreateChangeSet", TRANSFORM
    yield "iam:CreateServiceLinkedRole", ROLE_OF_API_GATEWAY


def foreign():
    """The ARNs of another stage, and of what watches this one from outside."""
    text = Path("infra/RUNBOOK.md").read_text(encoding="utf-8")
    name = re.search(r"global.yaml --stack-name (\S+)", text)[1].replace("STACK", NAME)
    outside = Resolved(read("infra/global.yaml"), name, **VALUES["infra/global.yaml"])
    arns = used(stack(OTHER))
    arns["cloudwatch:alarm"] += map(outside.arn, outside.of_type("AWS::CloudWatch::Alarm"))
    arns["cloudformation:stack"].append(SAM_STACK)
    arns["dynamodb:backup"] = [f"{table}/backup/0a1b" for table in arns["dynamodb:table"]]
    arns["s3:bucket"] += PROGRAMS
    for bucket in PROGRAMS:
        arns["s3:object"] += [f"{bucket}/{OTHER}/0a1b", f"{bucket}/0a1b"]
    arns["iam:role"].append(DEPLOYER.arn("Role"))
    arns["apigateway:apis"] = []  # where all stages create theirs
    return arns


class Deployer(unittest.TestCase):
    policy = statements("Policy", "RolesPolicy")
    granted = set(each("Action", policy))

    def may(self, action, arn, **context):
        """Whether who deploys may do something, in a deployment or in another context."""
        return allows(self.policy, action, arn, CONTEXT | context)

    def test_may_do_what_a_deployment_needs(self):
        by_hand = called_by_hand()
        for action, arn in sorted(needed()):
            with self.subTest(action, arn=arn):
                self.assertTrue(self.may(action, arn), "a deployment is denied")
                if action in by_hand:
                    self.assertTrue(self.may(action, arn, **BY_HAND), "make deploy is denied")

    def test_may_do_no_more(self):
        called = {action for action, _ in needed()} | set(ALSO)
        for action in sorted(self.granted):
            with self.subTest(action):
                used_by_one = matches_one(action, called) or any(
                    matches_one(one, [action]) for one in called
                )
                self.assertTrue(used_by_one, "a right that no deployment needs")
                service, name = action.split(":")
                if "*" not in name:
                    self.assertIn(name.lower(), ACTIONS[service]["Actions"])
                elif name not in ("Get*", "Describe*"):
                    # Otherwise only for one type of resource in CloudFront.
                    self.assertEqual((service, name[0]), ("cloudfront", "*"))

    def named(self):
        """The statements for what has a name that begins with the stack's, and those that deny."""
        unnamed = ("WithoutAName", "WithoutANameInTheStack", "LogDeliveries", "Certificate")
        return [s for s in self.policy if s["Effect"] == "Deny" or s["Sid"] not in unnamed]

    def test_reaches_this_stack_only_where_names_allow_it(self):
        """Nothing of another stage, or of the alarms that watch from outside."""
        operator = [
            s for s in statements("OperatorPolicy") if s["Sid"] not in ("List", "KeyOfOlderTables")
        ]
        known = {
            ("iam:GetRole", "iam:role"),
            ("cloudformation:DescribeStacks", "cloudformation:stack"),
        }
        arns = foreign()
        for policy in (self.named(), statements("Boundary"), operator):
            for action in each("Action", policy):
                for kind in kinds_of(action) & arns.keys():
                    for arn in arns[kind]:
                        allowed = allows(policy, action, arn, CONTEXT | {RESOURCE_TAG: OTHER})
                        self.assertFalse(
                            allowed and (action, kind) not in known,
                            f"who deploys or restores {NAME} may {action} {arn}",
                        )

    def test_resources_begin_with_the_name_of_the_stack(self):
        """But for these, which conditions bind."""
        self.assertEqual(
            {r for r in each("Resource", self.named()) if not re.search(rf"[:/]{NAME}([-/]|$)", r)},
            {
                "arn:aws:cloudformation:*:aws:transform/Serverless-2016-10-31",
                f"arn:aws:cloudformation:*:{ACCOUNT}:stack/aws-sam-cli-managed-default/*",
                f"arn:aws:logs:*:{ACCOUNT}:log-group:/aws/lambda/{NAME}:*",
                "*",
                f"arn:aws:cloudfront::{ACCOUNT}:distribution/*",
                "arn:aws:apigateway:*::/apis",
                "arn:aws:apigateway:*::/apis/*",
                "arn:aws:apigateway:*::/tags/*",
                ROLE_OF_API_GATEWAY,
            },
            "who deploys reaches what is not of this stack",
        )
        self.assertEqual(
            [s["Sid"] for s in self.policy if "*" in as_list(s["Resource"])],
            [
                "WithoutAName",
                "WithoutANameInTheStack",
                "LogDeliveries",
                "NoImports",
                "NewDistribution",
            ],
            "who deploys reaches what is not of this stack",
        )

    def test_actions_on_everything_take_no_resource_of_a_stack(self):
        """But for those of CloudFront, whose resources have no such name, and four that read."""
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
            "who deploys reaches those of other stages",
        )

    def by_tag(self, key, action, arn):
        """Whether a call is allowed with the stack's tag, with another stack's, and without."""
        return [self.may(action, arn, **{key: tag}) for tag in (NAME, OTHER, None)]

    def test_distributions_and_apis_are_told_apart_by_their_tag(self):
        """They get it when they are created.

        Those of another stack, or without it, cannot be changed, nor tagged as one's own.
        """
        distribution, verbs = STACK.arn("Distribution"), ("PATCH", "POST", "PUT", "DELETE")
        for call in [
            ("cloudfront:UpdateDistribution", distribution),
            ("cloudfront:DeleteDistribution", distribution),
            ("cloudfront:CreateInvalidation", distribution),
            ("cloudfront:UntagResource", distribution),
            *((f"apigateway:{verb}", f"{APIS}/ID") for verb in ("GET", *verbs)),
            *((f"apigateway:{verb}", f"{APIS}/ID/routes") for verb in ("GET", *verbs)),
        ]:
            self.assertEqual(
                self.by_tag(RESOURCE_TAG, *call),
                [True, False, False],
                f"{call}: a distribution or an API of others is changed, or no own one",
            )
        for call in [
            ("cloudfront:TagResource", distribution),
            ("cloudfront:CreateDistribution", "*"),
            ("apigateway:POST", APIS),
            ("apigateway:PUT", APIS),
        ]:
            self.assertEqual(
                self.by_tag(REQUEST_TAG, *call),
                [True, False, False],
                f"{call}: what is made cannot be told from what others have",
            )
        # A new one has no tag yet.
        tagged = self.by_tag(RESOURCE_TAG, "cloudfront:TagResource", distribution)
        self.assertEqual(tagged, [True, False, True], "another stack's becomes the stack's own")
        for verb in verbs:
            tags = APIS.replace("/apis", "/tags/ID")
            self.assertEqual(
                self.by_tag(RESOURCE_TAG, f"apigateway:{verb}", tags),
                [False] * 3,
                f"{verb}: a foreign API is tagged as the stack's own",
            )
        self.assertIn(
            {"name": "stack", "x-amazon-apigateway-tag-value": NAME},
            STACK.resources["Api"]["Body"]["tags"],
            "the API has no tag that its deployer's rights ask for: the next update is denied",
        )

    def test_nothing_foreign_becomes_the_stacks_own(self):
        """By hand nothing without a name of the stack is tagged or changed; nothing is imported."""
        unnamed = ("CachePolicy", "OriginAccessControl", "ResponseHeadersPolicy")
        for action, arn in [
            ("cloudfront:TagResource", STACK.arn("Distribution")),
            *((f"cloudfront:Create{kind}", "*") for kind in unnamed),
            *((f"cloudfront:Update{kind}", "*") for kind in unnamed),
            *((f"cloudfront:Delete{kind}", "*") for kind in unnamed),
            ("cloudfront:CreateFunction", "*"),
            ("sns:SetSubscriptionAttributes", "*"),
            ("sns:Unsubscribe", "*"),
        ]:
            allowed = [
                self.may(action, arn, **{RESOURCE_TAG: None, **via})
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
        """Which services may write to the account's logs is not changed by hand."""
        for name in (
            *("CreateLogDelivery", "DeleteLogDelivery", "UpdateLogDelivery"),
            "PutResourcePolicy",
        ):
            self.assertTrue(self.may(f"logs:{name}", "*"), f"{name}: there is no access log")
            self.assertFalse(
                self.may(f"logs:{name}", "*", **BY_HAND), f"{name}: others have no logs any more"
            )

    def test_a_deleted_program_can_be_recovered(self):
        """Otherwise a deployer could delete for good what a release is rolled back to."""
        program = f"{DEPLOYER.arn('Programs')}/{NAME}/0a1b"
        for call in [
            ("s3:DeleteObjectVersion", program),
            ("s3:PutBucketVersioning", DEPLOYER.arn("Programs")),
            ("s3:PutLifecycleConfiguration", DEPLOYER.arn("Programs")),
        ]:
            self.assertFalse(self.may(*call), f"{call}: a program is deleted for good")

    def test_roles_are_within_the_boundary(self):
        """The boundary allows what the functions may do, and no more."""
        boundary, given = statements("Boundary"), set()
        for name, role in STACK.of_type("AWS::IAM::Role").items():
            wanted = VALUES["template.yaml"]["PermissionsBoundary"]
            self.assertEqual(role["PermissionsBoundary"], wanted, f"{name} can be given any right")
            self.assertEqual(role["Path"], f"/{NAME}/", f"{name} is reached by another deployer")
            for policy in role["Policies"]:
                for statement in policy["PolicyDocument"]["Statement"]:
                    given |= {(action, statement["Resource"]) for action in statement["Action"]}
        for action, arn in given:
            self.assertTrue(
                allows(boundary, action, arn, CONTEXT),
                f"a function, and whoever breaks into it, may {action} more than its work needs, "
                f"or is denied its work: {arn}",
            )
        self.assertEqual(
            set(each("Action", boundary)),
            {action for action, _ in given},
            "whoever deploys can make a role that does more than functions need",
        )

    def test_who_deploys_must_set_the_boundary(self):
        role = STACK.arn("HealthRole")
        for action in ("iam:CreateRole", "iam:PutRolePolicy", "iam:PutRolePermissionsBoundary"):
            self.assertFalse(
                self.may(action, role, **{BOUNDARY: ""}),
                f"{action}: who deploys makes a role with every right, and uses it",
            )
        self.assertFalse(
            self.may("iam:PassRole", role, **{PASSED_TO: "ec2.amazonaws.com"}),
            "a role of functions is given to a machine that somebody starts",
        )

    def test_deployer_stays_what_it_is(self):
        """It never changes its own role or policies, whatever other policies allow."""
        everything = {"Effect": "Allow", "Action": "*", "Resource": "*"}
        for action, arn in [
            ("iam:CreatePolicyVersion", DEPLOYER.arn("Policy")),
            ("iam:SetDefaultPolicyVersion", DEPLOYER.arn("Policy")),
            ("iam:AttachRolePolicy", DEPLOYER.arn("Role")),
        ]:
            self.assertFalse(
                allows([everything, *self.policy], action, arn, CONTEXT),
                f"{action}: who deploys gives itself more rights",
            )

    def test_names_and_policies_fit(self):
        """IAM allows 6,144 characters per policy, without white space.

        CloudFormation shortens a name that has, with its logical id, more than 64.
        """
        made = stack(LONGEST)
        for name in (*STACK.of_type("AWS::IAM::Role"), *STACK.of_type("AWS::Lambda::Function")):
            self.assertLessEqual(len(made.name(name)), 64, "its deployer is denied: no such name")
        for name, policy in deployer(LONGEST).of_type("AWS::IAM::ManagedPolicy").items():
            document = json.dumps(policy["PolicyDocument"], separators=(",", ":"))
            self.assertLessEqual(len(document), 6144, f"IAM refuses {name}")
        for name in (LONGEST + "x", "turnout-a-b"):
            self.assertRaises(AssertionError, deployer, name)
            self.assertIsNone(preflight.STACK.fullmatch(name))
        self.assertTrue(preflight.STACK.fullmatch(LONGEST))


class Trust(unittest.TestCase):
    """One environment of one repository, by its numbers where GitHub sends them; an operator."""

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
        """Other roles of the account share it."""
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

    def test_uses_keys_for_older_tables_only(self):
        key = f"arn:aws:kms:{REGION}:{ACCOUNT}:key/1"
        for service, allowed in (("dynamodb", True), ("s3", False)):
            via = {"kms:ViaService": f"{service}.{REGION}.amazonaws.com"}
            for name in ("CreateGrant", "Decrypt", "DescribeKey"):
                self.assertEqual(
                    allows(self.policy, f"kms:{name}", key, via),
                    allowed,
                    f"operators read what {service} has encrypted, or cannot restore",
                )


class Conditions(unittest.TestCase):
    def test_are_those_of_iam(self):
        """A key that is missing from a request fails, but for IfExists and Null."""
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
