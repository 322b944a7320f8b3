"""Compares the rights of infra/deployer.yaml with the calls that are made: by CloudFormation for the resources of the
stack, by SAM, by the programs of infra/deploy, and by operators.

CloudFormation publishes, for each type of resource, the actions that it calls to create, read, update and
delete one, and IAM the resources that each action takes; cfn-lint includes both lists.
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

from templates import ACCOUNT, REGION, STACK as NAME, VALUES, Resolved, read, transform

DATA = Path(cfnlint.__file__).parent / "data"
ACTIONS = json.loads((DATA / "AdditionalSpecs/Policies.json").read_text(encoding="utf-8"))

# Called only for what the template does not use, or refused on purpose: the table is retained, and a role keeps
# its boundary and its trust policy.
NOT_USED = """
    ec2:* elasticfilesystem:* firehose:* kinesis:* kms:* s3files:* s3tables:* cloudfront:CreateConnectionGroup cloudfront:UpdateDistributionWithStagingConfig
    dynamodb:DeleteTable dynamodb:*Replica dynamodb:*Item dynamodb:Query dynamodb:Scan dynamodb:*Import* dynamodb:UpdateContributorInsights
    dynamodb:*KinesisStreamingDestination dynamodb:PutResourcePolicy dynamodb:DeleteResourcePolicy
    iam:CreateServiceLinkedRole iam:AttachRolePolicy iam:DetachRolePolicy iam:DeleteRolePermissionsBoundary iam:UpdateAssumeRolePolicy
    cloudfront:GetConnectionGroup cloudfront:GetVpcOrigin lambda:GetLayerVersion lambda:AssociateRuntimeAlias lambda:*CodeSigningConfig lambda:PassCapacityProvider
    lambda:PublishVersion lambda:PutFunctionRecursionConfig lambda:PutFunctionScalingConfig lambda:PutRuntimeManagementConfig
    logs:*KmsKey logs:*ataProtectionPolicy logs:*IndexPolicy logs:DeleteResourcePolicy logs:CreateLogStream
    logs:DescribeLogStreams logs:PutLogEvents logs:PutBearerTokenAuthentication logs:PutLogGroupDeletionProtection
    s3:*Metadata* s3:*Analytics* s3:*Cors s3:*Replication* s3:*Website s3:*Metrics* s3:*Accelerate* s3:*Abac s3:*Acl s3:*Logging s3:*Notification s3:*ObjectLock*
    s3:*IntelligentTiering* s3:*Inventory* s3:DeleteBucketEncryption s3:DeleteBucketLifecycle
    secretsmanager:*Replic* sns:PutDataProtectionPolicy
""".split()

# In CloudFormation's lists, but not actions of IAM (the first is CreateDistribution and TagResource).
NO_ACTIONS = {
    "cloudfront:CreateDistributionWithTags",
    "apigateway:TagResource",
    "apigateway:UntagResource",
    "s3:REST.PUT.OBJECT",
    "s3:GetObjectMetadata",
}

# What SAM calls, to deploy and to delete, and what the runbook has people call.
BY_SAM = """
    CreateChangeSet DescribeChangeSet ExecuteChangeSet DescribeStacks DescribeStackEvents GetTemplate GetTemplateSummary RollbackStack DeleteStack
    ContinueUpdateRollback DescribeStackResource UpdateTerminationProtection
""".split()

# What a call needs where that is no action of its name. Without ListBucket a missing file is a 403.
NEEDS = {
    "s3:HeadObject": ["s3:GetObject", "s3:ListBucket"],
    "s3:CopyObject": ["s3:GetObjectVersion", "s3:PutObject"],
    "s3:ListObjectVersions": ["s3:ListBucketVersions"],
    "sts:GetCallerIdentity": [],
}

# Granted beside what is called: CloudFormation's own ways to the same resources, reading for those who look, and what
# the runbook's command to empty the bucket calls.
ALSO = """
    cloudformation:DescribeStackResources cloudformation:ListStackResources cloudformation:TagResource cloudwatch:DeleteDashboards
    dynamodb:ListTables iam:UpdateRoleDescription lambda:ListTags logs:*LogDelivery logs:ListLogDeliveries logs:GetDataProtectionPolicy s3:DeleteObjectVersion
""".split()


def as_list(value):
    return value if isinstance(value, list) else [value]


def stack(name):
    return Resolved(transform("template.yaml"), name, **VALUES["template.yaml"])


def deployer(name=NAME):
    return Resolved(
        read("infra/deployer.yaml"),
        f"deployer-{name}",
        **VALUES["infra/deployer.yaml"],
        StackName=name,
    )


STACK, DEPLOYER, LONGEST, OTHER = stack(NAME), deployer(), "turnout-" + "x" * 21, NAME + "2"
SLR = f"arn:aws:iam::{ACCOUNT}:role/aws-service-role/ops.apigateway.amazonaws.com/AWSServiceRoleForAPIGateway"
SAM_STACK = f"arn:aws:cloudformation:{REGION}:{ACCOUNT}:stack/aws-sam-cli-managed-default/ID"
PROGRAMS = [
    DEPLOYER.arn("Programs"),
    "arn:aws:s3:::aws-sam-cli-managed-default-samclisourcebucket-x",
]


def statements(*names):
    return [s for name in names for s in DEPLOYER.resources[name]["PolicyDocument"]["Statement"]]


def used(made):
    """The ARNs of a stack, by service and type of resource."""

    def arns(kind):
        return [made.arn(name) for name in made.of_type(kind)]

    (bucket,) = arns("AWS::S3::Bucket")
    logs = arns("AWS::Logs::LogGroup")
    api = f"arn:aws:apigateway:{REGION}::"
    return {
        "acm:certificate": [VALUES["template.yaml"]["CertificateArn"]],
        "wafv2:webacl": [VALUES["template.yaml"]["WebAclArn"]],
        "apigateway:apis": [f"{api}/apis"],
        "apigateway:routes": [f"{api}/apis/ID/routes"],
        "apigateway:api": [f"{api}/apis/ID"],
        "cloudformation:stack": [
            f"arn:aws:cloudformation:{REGION}:{ACCOUNT}:stack/{made.stack}/ID"
        ],
        **dict.fromkeys(
            (
                f"cloudfront:{kind}"
                for kind in ("cache-policy", "response-headers-policy", "origin-access-control")
            ),
            ["*"],
        ),
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
    return {
        f"{service}:{kind.lower()}"
        for name, a in ACTIONS[service]["Actions"].items()
        if fnmatchcase(name, pattern.lower())
        for kind in a.get("Resources", [])
    }


def targets(action, arns):
    """The resources with which an action is called: those of its types, or * where it takes none."""
    found = [arn for kind in kinds_of(action) for arn in arns.get(kind, [])]
    assert found or not kinds_of(action), (
        f"{action}: no resource of this stack is one of {kinds_of(action)}"
    )
    return found or ["*"]


RESOURCE_TAG, REQUEST_TAG = "aws:ResourceTag/stack", "aws:RequestTag/stack"
VIA, IMPORTED = "aws:CalledVia", "cloudformation:ImportResourceTypes"
CONTEXT = {
    VIA: ["cloudformation.amazonaws.com"],
    RESOURCE_TAG: NAME,
    REQUEST_TAG: NAME,
    "iam:PermissionsBoundary": DEPLOYER.arn("Boundary"),
    "iam:PassedToService": "lambda.amazonaws.com",
    "iam:AWSServiceName": "ops.apigateway.amazonaws.com",
}


def holds(operator, value, wanted):
    """Whether a condition holds for the value of a key, or for None where a request has none."""
    if operator.startswith("ForAnyValue:"):
        each = operator.removeprefix("ForAnyValue:")
        return any(holds(each, one, wanted) for one in value or [])
    compare = operator.removesuffix("IfExists")
    if compare == "Null":
        return (value is None) == (wanted == "true")
    matches = {"StringEquals": str.__eq__, "StringLike": fnmatchcase}[compare]
    return compare != operator if value is None else matches(value, wanted)


def allows(policy, action, arn, **context):
    """Whether statements allow an action, as IAM decides."""
    known = CONTEXT | context

    def matches(s):
        return (
            any(fnmatchcase(action.lower(), a.lower()) for a in as_list(s["Action"]))
            and any(r == "*" or fnmatchcase(arn, r) for r in as_list(s["Resource"]))
            and all(
                holds(operator, known.get(key), value)
                for operator, test in s.get("Condition", {}).items()
                for key, value in test.items()
            )
        )

    return {s["Effect"] for s in policy if matches(s)} == {"Allow"}


def called_by_cloudformation(types):
    """The actions that CloudFormation calls for resources of these types."""
    found, actions = set(), set()
    for path in DATA.glob("schemas/resources/*.json"):
        schema = json.loads(path.read_text(encoding="utf-8"))
        if schema.get("typeName") in types:
            found.add(schema["typeName"])
            actions |= {
                a
                for name, handler in schema.get("handlers", {}).items()
                if name != "list"
                for a in handler.get("permissions", [])
            }
    assert found == types, types - found
    return {
        a
        for a in actions - NO_ACTIONS
        if not any(fnmatchcase(a.lower(), unused.lower()) for unused in NOT_USED)
    }


def called_by_programs():
    """The actions that the programs of infra/deploy call, read from their text."""
    for path in Path("infra/deploy").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        for service in set(re.findall(r'client\("(\w+)"', text)):
            client = boto3.client(service, region_name=REGION)
            operations = {xform_name(o): o for o in client.meta.service_model.operation_names}
            called = {*re.findall(r"\.(\w+)\(", text), *re.findall(r'paginator\("(\w+)"', text)}
            called |= {
                xform_name(client.get_waiter(name).config.operation)
                for name in re.findall(r'waiter\("(\w+)"', text)
                if name in client.waiter_names
            }
            for name in called & operations.keys():
                call = f"{service}:{operations[name]}"
                yield from NEEDS.get(call, [call])


class Deployer(unittest.TestCase):
    policy = statements("Policy", "RolesPolicy")
    granted = {a for s in policy if s["Effect"] == "Allow" for a in as_list(s["Action"])}

    def called_by_hand(self):
        """The actions that are called without CloudFormation."""
        return {*called_by_programs(), *(f"cloudformation:{name}" for name in BY_SAM)}

    def needed(self):
        """Each call that a deployment makes, with its resource."""
        arns = used(STACK)
        programs = {**arns, "s3:object": [f"{bucket}/{NAME}/0a1b" for bucket in PROGRAMS]}
        for action in called_by_cloudformation({r["Type"] for r in STACK.made.values()}):
            yield from (
                (action, arn)
                for arn in targets(action, programs if action.startswith("s3:GetObject") else arns)
            )
        for action in self.called_by_hand():
            yield from ((action, arn) for arn in targets(action, arns))
        for action in ("s3:GetObject", "s3:PutObject", "s3:DeleteObject"):
            yield from ((action, arn) for arn in targets(action, programs))
        yield "cloudformation:DescribeStacks", SAM_STACK
        yield (
            "cloudformation:CreateChangeSet",
            f"arn:aws:cloudformation:{REGION}:aws:transform/Serverless-2016-10-31",
        )
        yield "iam:CreateServiceLinkedRole", SLR
        yield from (
            ("iam:GetRole", arn.replace(f"/{NAME}/", "/")) for arn in arns["iam:role"]
        )  # before it exists, without its path

    def test_may_do_what_a_deployment_needs(self):
        by_hand = self.called_by_hand()
        self.assertEqual(
            sorted(
                {
                    (action, arn)
                    for action, arn in self.needed()
                    if not allows(self.policy, action, arn)
                    or (action in by_hand and not allows(self.policy, action, arn, **{VIA: None}))
                }
            ),
            [],
        )

    def test_may_do_no_more(self):
        called = {action.lower() for action, _ in self.needed()} | {a.lower() for a in ALSO}
        self.assertEqual(
            [
                g
                for g in self.granted
                if not any(fnmatchcase(a, g.lower()) or fnmatchcase(g.lower(), a) for a in called)
            ],
            [],
        )
        for action in self.granted:
            service, name = action.split(":")
            # Wildcards are allowed only for reading, and for one type of resource in CloudFront.
            self.assertTrue(
                "*" not in name
                or name in ("Get*", "Describe*")
                or service == "cloudfront"
                and name[0] == "*",
                action,
            )
            self.assertTrue("*" in name or name.lower() in ACTIONS[service]["Actions"], action)

    def test_reaches_this_stack_only_where_names_allow_it(self):
        """Nothing of another stage or of the alarms that watch from outside, but what has no name; and of no name only that."""
        other, text = used(stack(OTHER)), Path("infra/RUNBOOK.md").read_text(encoding="utf-8")
        outside = Resolved(
            read("infra/global.yaml"),
            re.search(r"global.yaml --stack-name (\S+)", text)[1].replace("STACK", NAME),
            **VALUES["infra/global.yaml"],
        )
        other["cloudwatch:alarm"] += [
            outside.arn(name) for name in outside.of_type("AWS::CloudWatch::Alarm")
        ]
        other |= {
            "cloudformation:stack": [*other["cloudformation:stack"], SAM_STACK],
            "s3:bucket": [*other["s3:bucket"], *PROGRAMS],
            "s3:object": [
                *other["s3:object"],
                *(f"{bucket}/{key}" for bucket in PROGRAMS for key in (f"{OTHER}/0a1b", "0a1b")),
            ],
            "iam:role": [*other["iam:role"], DEPLOYER.arn("Role")],
            "apigateway:apis": [],
        }  # where all stages create theirs
        named = [
            s
            for s in self.policy
            if s["Effect"] == "Deny"
            or s["Sid"] not in ("WithoutAName", "WithoutANameInTheStack", "Certificate")
        ]
        for policy in (
            named,
            statements("Boundary"),
            [
                s
                for s in statements("OperatorPolicy")
                if s["Sid"] not in ("List", "KeyOfOlderTables")
            ],
        ):
            reached = {
                (a, kind)
                for s in policy
                if s["Effect"] == "Allow"
                for a in as_list(s["Action"])
                for kind, arns in other.items()
                if kind in kinds_of(a)
                for arn in arns
                if allows(policy, a, arn, **{RESOURCE_TAG: OTHER})
            }
            self.assertLessEqual(
                reached,
                {
                    ("iam:GetRole", "iam:role"),
                    ("cloudformation:DescribeStacks", "cloudformation:stack"),
                },
            )
        self.assertEqual(
            {
                r
                for s in named
                if s["Effect"] == "Allow"
                for r in as_list(s["Resource"])
                if not re.search(rf"[:/]{NAME}[-/]|[:/]{NAME}$", r)
            }
            - {SLR},
            {
                "arn:aws:cloudformation:*:aws:transform/Serverless-2016-10-31",
                f"arn:aws:cloudformation:*:{ACCOUNT}:stack/aws-sam-cli-managed-default/*",
                f"arn:aws:logs:*:{ACCOUNT}:log-group:/aws/lambda/{NAME}:*",
                "*",
                f"arn:aws:cloudfront::{ACCOUNT}:distribution/*",
                *(f"arn:aws:apigateway:*::/{kind}" for kind in ("apis", "apis/*", "tags/*")),
            },
        )
        self.assertEqual(
            [s["Sid"] for s in self.policy if "*" in as_list(s["Resource"])],
            ["WithoutAName", "WithoutANameInTheStack", "NoImports", "NewDistribution"],
        )
        named_in_iam = [
            a
            for s in self.policy
            if s["Sid"] == "WithoutAName"
            for a in s["Action"]
            if "*" not in a
            and not a.startswith(("cloudfront:", "wafv2:"))
            and kinds_of(a) & other.keys()
        ]
        self.assertEqual(
            sorted(named_in_iam),
            [
                "cloudformation:GetTemplateSummary",
                "cloudwatch:DescribeAlarms",
                "sns:GetSubscriptionAttributes",
            ],
        )

    def test_distributions_and_apis_are_told_apart_by_their_tag(self):
        """They get it when they are created. Those of another stack, or without it, cannot be changed, nor tagged as one's own."""
        distribution, api = STACK.arn("Distribution"), f"arn:aws:apigateway:{REGION}::"
        for key, wanted, calls in [
            (
                RESOURCE_TAG,
                [True, False, False],
                [
                    *(
                        (f"cloudfront:{name}", distribution)
                        for name in (
                            "UpdateDistribution",
                            "DeleteDistribution",
                            "CreateInvalidation",
                            "UntagResource",
                        )
                    ),
                    *(
                        (f"apigateway:{verb}", f"{api}/apis/ID{below}")
                        for verb in ("GET", "PATCH", "POST", "PUT", "DELETE")
                        for below in ("", "/routes")
                    ),
                ],
            ),
            (RESOURCE_TAG, [True, False, True], [("cloudfront:TagResource", distribution)]),
            (
                REQUEST_TAG,
                [True, False, False],
                [
                    ("cloudfront:TagResource", distribution),
                    ("cloudfront:CreateDistribution", "*"),
                    ("apigateway:POST", f"{api}/apis"),
                    ("apigateway:PUT", f"{api}/apis"),
                ],
            ),
            (
                RESOURCE_TAG,
                [False] * 3,
                [
                    (f"apigateway:{verb}", f"{api}/tags/ID")
                    for verb in ("PATCH", "POST", "PUT", "DELETE")
                ],
            ),
        ]:
            for action, arn in calls:
                self.assertEqual(
                    [
                        allows(self.policy, action, arn, **{key: name})
                        for name in (NAME, OTHER, None)
                    ],
                    wanted,
                    (action, arn),
                )
        self.assertIn(
            {"name": "stack", "x-amazon-apigateway-tag-value": NAME},
            STACK.resources["Api"]["Body"]["tags"],
        )

    def test_nothing_foreign_becomes_the_stacks_own(self):
        """By hand nothing without a name of the stack is tagged or changed, and nothing is imported."""
        distribution, untagged = STACK.arn("Distribution"), {RESOURCE_TAG: None}
        for action, arn in [
            ("cloudfront:TagResource", distribution),
            *(
                (f"cloudfront:{verb}{kind}", "*")
                for verb in ("Create", "Update", "Delete")
                for kind in ("CachePolicy", "OriginAccessControl", "ResponseHeadersPolicy")
            ),
            ("cloudfront:CreateFunction", "*"),
            ("sns:SetSubscriptionAttributes", "*"),
            ("sns:Unsubscribe", "*"),
        ]:
            self.assertEqual(
                [
                    allows(self.policy, action, arn, **untagged, **{VIA: via})
                    for via in (CONTEXT[VIA], ["dynamodb.amazonaws.com"], None)
                ],
                [True, False, False],
                action,
            )
        (stack_arn,) = used(STACK)["cloudformation:stack"]
        for imported, allowed in [(None, True), (["AWS::CloudFront::Distribution"], False)]:
            self.assertEqual(
                allows(
                    self.policy,
                    "cloudformation:CreateChangeSet",
                    stack_arn,
                    **{IMPORTED: imported},
                ),
                allowed,
                imported,
            )

    def test_a_deleted_program_can_be_recovered(self):
        """Otherwise a deployer could delete for good what a release is rolled back to."""
        program = f"{DEPLOYER.arn('Programs')}/{NAME}/0a1b"
        self.assertFalse(allows(self.policy, "s3:DeleteObjectVersion", program))
        self.assertFalse(allows(self.policy, "s3:PutBucketVersioning", DEPLOYER.arn("Programs")))
        self.assertEqual(
            DEPLOYER.resources["Programs"]["VersioningConfiguration"], {"Status": "Enabled"}
        )

    def test_conditions_are_those_of_iam(self):
        """A key that is missing from a request fails, but for IfExists and Null."""
        for operator, wanted, holding in [
            ("StringEquals", "ab", [True, False, False]),
            ("StringEquals", "a*", [False, False, False]),
            ("StringLike", "a*", [True, False, False]),
            ("StringEqualsIfExists", "ab", [True, False, True]),
            ("Null", "true", [False, False, True]),
            ("Null", "false", [True, True, False]),
        ]:
            self.assertEqual(
                [holds(operator, value, wanted) for value in ("ab", "c", None)], holding, operator
            )
        self.assertEqual(
            [holds("ForAnyValue:StringEquals", v, "ab") for v in (["c", "ab"], ["c"], None)],
            [True, False, False],
        )

    def test_roles_are_within_the_boundary(self):
        """The boundary allows what the functions may do, and no more. Whoever deploys must set it."""
        role = STACK.arn("HealthRole")
        for action in ("iam:CreateRole", "iam:PutRolePolicy", "iam:PutRolePermissionsBoundary"):
            self.assertFalse(
                allows(self.policy, action, role, **{"iam:PermissionsBoundary": ""}), action
            )
        self.assertFalse(
            allows(
                self.policy, "iam:PassRole", role, **{"iam:PassedToService": "ec2.amazonaws.com"}
            )
        )
        given = {
            (a, s["Resource"])
            for r in STACK.of_type("AWS::IAM::Role").values()
            for p in r["Policies"]
            for s in p["PolicyDocument"]["Statement"]
            for a in s["Action"]
        }
        self.assertEqual([g for g in given if not allows(statements("Boundary"), *g)], [])
        self.assertEqual(
            {a for s in statements("Boundary") for a in s["Action"]},
            {action for action, _ in given},
        )
        for name, r in STACK.of_type("AWS::IAM::Role").items():
            self.assertEqual(
                (r["PermissionsBoundary"], r["Path"]),
                (VALUES["template.yaml"]["PermissionsBoundary"], f"/{NAME}/"),
                name,
            )

    def test_deployer_stays_what_it_is(self):
        """It never changes its own role or policies, whatever other policies allow."""
        for action, arn in [
            *(
                (f"iam:{name}PolicyVersion", DEPLOYER.arn("Policy"))
                for name in ("Create", "SetDefault")
            ),
            ("iam:AttachRolePolicy", DEPLOYER.arn("Role")),
        ]:
            self.assertFalse(
                allows(
                    [{"Effect": "Allow", "Action": "*", "Resource": "*"}, *self.policy], action, arn
                ),
                action,
            )

    def test_names_and_policies_fit(self):
        """A name with a logical id has 64 characters, or CloudFormation shortens it; IAM allows 6,144 per policy, without white space."""
        for name in (*STACK.of_type("AWS::IAM::Role"), *STACK.of_type("AWS::Lambda::Function")):
            self.assertLessEqual(len(stack(LONGEST).name(name)), 64)
        for name, r in deployer(LONGEST).of_type("AWS::IAM::ManagedPolicy").items():
            self.assertLessEqual(
                len(json.dumps(r["PolicyDocument"], separators=(",", ":"))), 6144, name
            )
        for name in (LONGEST + "x", "turnout-a-b"):
            self.assertRaises(AssertionError, deployer, name)
            self.assertIsNone(preflight.STACK.fullmatch(name))
        self.assertTrue(preflight.STACK.fullmatch(LONGEST))

    def test_trust(self):
        """One environment of one repository, by its numbers where GitHub sends them, and one operator."""

        def trust(role, **values):
            made = Resolved(
                read("infra/deployer.yaml"),
                "turnout-deployer",
                **VALUES["infra/deployer.yaml"] | values,
            )
            (statement,) = made.resources[role]["AssumeRolePolicyDocument"]["Statement"]
            return statement

        host = "token.actions.githubusercontent.com"
        for values, subject in [
            ({}, "repo:someone@1/turnout@2:environment:production"),
            (
                {"OwnerId": "", "RepositoryId": "", "Environment": "staging"},
                "repo:someone/turnout:environment:staging",
            ),
        ]:
            self.assertEqual(
                trust("Role", **values),
                {
                    "Effect": "Allow",
                    "Action": "sts:AssumeRoleWithWebIdentity",
                    "Principal": {"Federated": f"arn:aws:iam::{ACCOUNT}:oidc-provider/{host}"},
                    "Condition": {
                        "StringEquals": {f"{host}:aud": "sts.amazonaws.com", f"{host}:sub": subject}
                    },
                },
            )
        self.assertEqual(
            trust("OperatorRole"),
            {
                "Effect": "Allow",
                "Action": "sts:AssumeRole",
                "Principal": {"AWS": VALUES["infra/deployer.yaml"]["Operator"]},
            },
        )
        for role, names in (
            ("Role", ["Policy", "RolesPolicy"]),
            ("OperatorRole", ["OperatorPolicy"]),
        ):
            self.assertEqual(
                DEPLOYER.resources[role]["ManagedPolicyArns"],
                [DEPLOYER.arn(name) for name in names],
            )
        provider = DEPLOYER.made["Provider"]
        self.assertEqual(
            (provider["DeletionPolicy"], provider["UpdateReplacePolicy"]), ("Retain", "Retain")
        )
        self.assertEqual(
            DEPLOYER.resources["Provider"],
            {"Url": f"https://{host}", "ClientIdList": ["sts.amazonaws.com"]},
        )
        self.assertEqual(
            (
                DEPLOYER.resources["Role"]["MaxSessionDuration"],
                DEPLOYER.resources["OperatorRole"]["MaxSessionDuration"],
            ),
            (7200, 14400),
        )

    def test_operator_changes_restored_tables_only(self):
        policy, own, restored = (
            statements("OperatorPolicy"),
            STACK.arn("Table"),
            STACK.arn("Table") + "-restored",
        )
        for action in (
            "dynamodb:UpdateTable",
            "dynamodb:UpdateTimeToLive",
            "dynamodb:UpdateContinuousBackups",
        ):
            self.assertEqual(
                (allows(policy, action, own), allows(policy, action, restored)),
                (False, True),
                action,
            )
        self.assertEqual(
            {a for s in policy if s["Sid"] == "KeyOfOlderTables" for a in s["Action"]},
            {"kms:CreateGrant", "kms:Decrypt", "kms:DescribeKey"},
        )
        self.assertEqual([s["Sid"] for s in policy if s["Resource"] == "*"], ["List"])


class Updates(unittest.TestCase):
    def test_all_is_looked_after(self):
        updates = read(".github/dependabot.yml")["updates"]
        looked_at = {
            (u["package-ecosystem"], folder)
            for u in updates
            for folder in u.get("directories", [u.get("directory")])
        }
        there = {("gomod", "/"), ("github-actions", "/")}
        there |= {
            ("pip", f"/{path.parent}")
            for path in [*Path("infra").rglob("*.in"), *Path("internal").rglob("*.in")]
        }
        there |= {("gomod", f"/{path.parent}") for path in Path("infra").rglob("go.mod")}
        there |= {("npm", f"/{path.parent}") for path in Path("infra").rglob("package.json")}
        there.remove(("npm", "/infra/tools/old-chromium"))  # old on purpose
        there |= {("maven", f"/{path.parent}") for path in Path("internal").rglob("pom.xml")}
        there |= {("docker", f"/{path.parent}") for path in Path("infra").rglob("Dockerfile")}
        there |= {
            ("docker-compose", f"/{path.parent}") for path in Path("infra").rglob("compose.yaml")
        }
        self.assertEqual(looked_at, there)
