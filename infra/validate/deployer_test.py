"""Compares the rights to deploy (infra/deployer.yaml) with the resources of the stack.

CloudFormation publishes, for each type of resource, the actions that it calls to create, read, update and
delete one; cfn-lint includes these lists.
"""

import json
import re
import sys
import unittest
from fnmatch import fnmatchcase
from pathlib import Path

import boto3
import cfnlint
from botocore.exceptions import ClientError
from moto import mock_aws
from moto.core import set_initial_no_auth_action_count
from samtranslator.yaml_helper import yaml_parse

from transform import transform

sys.path.insert(0, "infra/deploy")
import preflight  # noqa: E402

SCHEMAS = Path(cfnlint.__file__).parent / "data/schemas/resources"

# Called only for what the template does not use, or refused on purpose: the table is retained, and a role keeps
# its boundary and its trust policy.
NOT_USED = """
    ec2:* elasticfilesystem:* firehose:* kinesis:* s3files:* s3tables:*
    kms:Decrypt kms:Encrypt kms:GenerateDataKey kms:ListAliases kms:RevokeGrant
    cloudfront:CreateConnectionGroup cloudfront:UpdateDistributionWithStagingConfig
    dynamodb:DeleteTable dynamodb:*Replica dynamodb:*Item dynamodb:Query dynamodb:Scan dynamodb:ImportTable dynamodb:UpdateContributorInsights
    dynamodb:*KinesisStreamingDestination dynamodb:PutResourcePolicy dynamodb:DeleteResourcePolicy
    iam:CreateServiceLinkedRole iam:AttachRolePolicy iam:DetachRolePolicy iam:DeleteRolePermissionsBoundary iam:UpdateAssumeRolePolicy
    lambda:AssociateRuntimeAlias lambda:*CodeSigningConfig lambda:*FunctionConcurrency lambda:PassCapacityProvider
    lambda:PublishVersion lambda:PutFunctionRecursionConfig lambda:PutFunctionScalingConfig lambda:PutRuntimeManagementConfig
    logs:*KmsKey logs:*ataProtectionPolicy logs:*IndexPolicy logs:DeleteResourcePolicy logs:CreateLogStream
    logs:DescribeLogStreams logs:PutLogEvents logs:PutBearerTokenAuthentication logs:PutLogGroupDeletionProtection
    s3:*MetadataTableConfiguration s3:UpdateBucketMetadata* s3:*AnalyticsConfiguration s3:*BucketCors s3:*BucketCORS s3:*Replication*
    s3:*BucketWebsite s3:*MetricsConfiguration s3:PutAccelerateConfiguration s3:PutBucketAbac s3:PutBucketAcl s3:PutBucketLogging
    s3:PutBucketNotification s3:*ObjectLockConfiguration s3:PutIntelligentTieringConfiguration s3:PutInventoryConfiguration
    s3:PutObjectAcl s3:DeleteBucketEncryption s3:DeleteBucketLifecycle
    secretsmanager:*Replic* sns:PutDataProtectionPolicy
""".split()

# In CloudFormation's lists, but not actions of IAM (the first is CreateDistribution and TagResource).
NO_ACTIONS = {"cloudfront:CreateDistributionWithTags", "apigateway:TagResource", "apigateway:UntagResource", "s3:REST.PUT.OBJECT", "s3:GetObjectMetadata"}

# Called before and after CloudFormation: by SAM, by infra/deploy and for the access log of API Gateway.
BESIDES = {
    "cloudformation:CreateChangeSet", "cloudformation:DescribeChangeSet", "cloudformation:DescribeStacks", "cloudformation:DescribeStackEvents", "cloudformation:ExecuteChangeSet",
    "cloudformation:DeleteStack", "cloudformation:ContinueUpdateRollback", "cloudformation:SetStackPolicy", "cloudformation:UpdateTerminationProtection",
    "acm:DescribeCertificate", "dynamodb:ListTables", "dynamodb:DescribeTable", "dynamodb:DescribeTimeToLive", "dynamodb:DescribeContinuousBackups", "s3:PutObject", "s3:DeleteObject", "cloudfront:CreateInvalidation", "lambda:GetAccountSettings", "iam:PassRole",
    "logs:CreateLogDelivery", "logs:PutResourcePolicy", "logs:DescribeResourcePolicies", "logs:ListLogDeliveries", "wafv2:GetWebACL",
}


def called_for(types):
    """The actions that CloudFormation calls for resources of these types."""
    found, actions = set(), set()
    for path in SCHEMAS.glob("*.json"):
        schema = json.loads(path.read_text(encoding="utf-8"))
        if schema.get("typeName") in types:
            found.add(schema["typeName"])
            actions |= {a for name, handler in schema.get("handlers", {}).items() if name != "list" for a in handler.get("permissions", [])}
    assert found == types, types - found
    return actions


ACCOUNT, STACK = "123456789012", "turnout"
TEMPLATE = yaml_parse(Path("infra/deployer.yaml").read_text(encoding="utf-8"))
STACK_RESOURCES = transform("template.yaml")["Resources"]
LONGEST_STACK = "turnout-" + "x" * 21


def resolved(value, stack=STACK):
    """A part of the template, as CloudFormation would make it in the stack <stack>-deployer."""
    names = {"StackName": stack, "AWS::StackName": f"{stack}-deployer", "AWS::Partition": "aws", "AWS::AccountId": ACCOUNT}
    if isinstance(value, dict):
        if "Fn::Sub" in value:
            return re.sub(r"\$\{([\w:]+)\}", lambda m: names[m[1]], value["Fn::Sub"])
        if "Ref" in value:
            return f"arn:aws:iam::{ACCOUNT}:policy/{stack}-deployer-{value['Ref']}-{'X' * 12}"
        return {key: resolved(part, stack) for key, part in value.items()}
    return [resolved(part, stack) for part in value] if isinstance(value, list) else value


def policies(stack=STACK):
    return {name: resolved(r["Properties"]["PolicyDocument"], stack) for name, r in TEMPLATE["Resources"].items() if r["Type"] == "AWS::IAM::ManagedPolicy"}


def as_list(value):
    return value if isinstance(value, list) else [value]


def made(logical_id, stack=STACK):
    """The name that CloudFormation gives to a resource of the stack."""
    return f"{stack}-{logical_id}-{'X' * 12}"


def of_type(kind):
    return [name for name, r in STACK_RESOURCES.items() if r["Type"] == kind]


class Deployer(unittest.TestCase):
    statements = [s for name in ("Policy", "RolesPolicy") for s in policies()[name]["Statement"]]
    allowed = [s for s in statements if s["Effect"] == "Allow"]
    granted = [action for s in allowed for action in as_list(s["Action"])]

    def statement(self, sid):
        (found,) = [s for s in self.statements if s["Sid"] == sid]
        return found

    def test_may_do_what_the_stack_needs(self):
        types = {r["Type"] for r in STACK_RESOURCES.values()}
        needed = BESIDES | called_for(types) - NO_ACTIONS
        granted = [action.lower() for action in self.granted]
        missing = [action for action in needed
                   if not any(fnmatchcase(action.lower(), g) for g in granted)
                   and not any(fnmatchcase(action.lower(), unused.lower()) for unused in NOT_USED)]
        self.assertEqual(sorted(missing), [])

    def test_may_do_no_more(self):
        for action in self.granted:
            service, name = action.split(":")
            # Wildcards are allowed only for reading, and for one type of resource in CloudFront.
            self.assertTrue("*" not in name or name in ("Get*", "Describe*") or service == "cloudfront" and name[0] == "*", action)
        refused = ("dynamodb:GetItem", "dynamodb:Query", "dynamodb:Scan", "dynamodb:PutItem", "dynamodb:RestoreTableToPointInTime", "dynamodb:DeleteTable",
                   "logs:GetLogEvents", "logs:FilterLogEvents", "logs:StartQuery", "lambda:InvokeFunction", "iam:AttachRolePolicy", "iam:CreateUser",
                   "iam:CreatePolicyVersion", "iam:SetDefaultPolicyVersion", "iam:DeleteRolePermissionsBoundary", "iam:UpdateAssumeRolePolicy")
        for action in refused:
            self.assertFalse([g for g in self.granted if fnmatchcase(action, g)], action)

    def test_reaches_this_stack_only_where_names_allow_it(self):
        for s in self.allowed:
            for resource in as_list(s["Resource"]):
                if resource == "*":
                    self.assertEqual(s["Sid"], "WithoutAName")
                elif f"{STACK}-" not in resource and f"/{STACK}" not in resource and f":{STACK}" not in resource:
                    self.assertRegex(resource, r"aws-sam-cli-managed-default|transform/Serverless|:apigateway:|:kms:|:acm:")

    def test_roles_and_functions_are_those_of_the_template(self):
        """Each by its own name, and not those of turnout-deployer or of turnout-staging."""
        for kind, sids, resources in [("AWS::IAM::Role", ("Roles", "RolesWithinTheBoundary", "RolesForFunctionsOnly"), "arn:aws:iam::%s:role/" % ACCOUNT),
                                      ("AWS::Lambda::Function", ("Functions",), "arn:aws:lambda:*:%s:function:" % ACCOUNT)]:
            for sid in sids:
                self.assertEqual(sorted(self.statement(sid)["Resource"]), sorted(f"{resources}{STACK}-{name}-*" for name in of_type(kind)), sid)
            for name in of_type(kind):
                self.assertLessEqual(len(made(name, LONGEST_STACK)), 64)  # or CloudFormation shortens it, and no pattern fits
        pattern = TEMPLATE["Parameters"]["StackName"]["AllowedPattern"]
        self.assertTrue(re.fullmatch(pattern, LONGEST_STACK))
        self.assertFalse(re.fullmatch(pattern, LONGEST_STACK + "x"))
        self.assertEqual(preflight.LONGEST_STACK, len(LONGEST_STACK))

    def test_roles_are_within_the_boundary(self):
        """Moto ignores the boundary: this compares it with the functions' rights. Whoever deploys must set it."""
        within = self.statement("RolesWithinTheBoundary")
        self.assertEqual(within["Condition"], {"StringEquals": {"iam:PermissionsBoundary": resolved({"Ref": "Boundary"})}})
        for action in ("iam:CreateRole", "iam:PutRolePolicy", "iam:PutRolePermissionsBoundary"):
            self.assertEqual([s["Sid"] for s in self.allowed if action in as_list(s["Action"])], ["RolesWithinTheBoundary"])
        boundary = [action for s in policies()["Boundary"]["Statement"] for action in s["Action"]]
        given = {a for name in of_type("AWS::IAM::Role") for p in STACK_RESOURCES[name]["Properties"]["Policies"]
                 for s in p["PolicyDocument"]["Statement"] for a in s["Action"]}
        self.assertEqual(sorted(boundary), sorted(given))
        for s in policies()["Boundary"]["Statement"]:
            self.assertIn(s["Resource"], (f"arn:aws:logs:*:{ACCOUNT}:log-group:/aws/lambda/{STACK}:*", f"arn:aws:dynamodb:*:{ACCOUNT}:table/{STACK}-Table-*"))
        for name in of_type("AWS::IAM::Role"):
            self.assertEqual(STACK_RESOURCES[name]["Properties"]["PermissionsBoundary"],
                             {"Fn::If": ["Bounded", {"Ref": "PermissionsBoundary"}, {"Ref": "AWS::NoValue"}]}, name)

    def test_policies_fit(self):
        """IAM allows 6,144 characters per policy, not counting white space."""
        for name, document in policies(LONGEST_STACK).items():
            self.assertLessEqual(len(json.dumps(document, separators=(",", ":"))), 6144, name)

    def test_trusts_one_environment_of_one_repository(self):
        (trust,) = TEMPLATE["Resources"]["Role"]["Properties"]["AssumeRolePolicyDocument"]["Statement"]
        self.assertEqual(trust["Action"], "sts:AssumeRoleWithWebIdentity")
        self.assertEqual(trust["Condition"], {"StringEquals": {
            "token.actions.githubusercontent.com:aud": "sts.amazonaws.com",
            "token.actions.githubusercontent.com:sub": {"Fn::If": [
                "ById",
                {"Fn::Sub": ["repo:${Owner}@${OwnerId}/${Name}@${RepositoryId}:environment:${Environment}", {
                    "Owner": {"Fn::Select": [0, {"Fn::Split": ["/", {"Ref": "Repository"}]}]},
                    "Name": {"Fn::Select": [1, {"Fn::Split": ["/", {"Ref": "Repository"}]}]}}]},
                {"Fn::Sub": "repo:${Repository}:environment:${Environment}"},
            ]},
        }})
        self.assertEqual(TEMPLATE["Conditions"]["ById"], {"Fn::Not": [{"Fn::Or": [
            {"Fn::Equals": [{"Ref": "OwnerId"}, ""]}, {"Fn::Equals": [{"Ref": "RepositoryId"}, ""]}]}]})

    def test_operator_restores_and_erases_and_changes_restored_tables_only(self):
        statements = policies()["OperatorPolicy"]["Statement"]
        changed = {r for s in statements for r in as_list(s["Resource"]) if any(":Update" in a and a != "dynamodb:UpdateItem" for a in as_list(s["Action"]))}
        self.assertEqual(changed, {f"arn:aws:dynamodb:*:{ACCOUNT}:table/{STACK}-Table-*-restored"})
        self.assertNotIn("dynamodb:DeleteTable", [a for s in statements for a in as_list(s["Action"])])
        self.assertEqual([s["Sid"] for s in statements if s["Resource"] == "*"], ["List"])


class Escalation(unittest.TestCase):
    """The deployer tries to gain rights in moto, which enforces IAM's actions and resources, but not its conditions."""

    @mock_aws
    def test_deployer_stays_what_it_is(self):
        iam = boto3.client("iam", aws_access_key_id="x", aws_secret_access_key="x")
        trust = json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": "sts:AssumeRole"}]})
        own, of_function, of_staging = f"{STACK}-deployer-Role-A1B2C3D4E5F6", made("CreateEventRole"), made("CreateEventRole", "turnout-staging")
        for role in (own, of_function, of_staging):
            iam.create_role(RoleName=role, AssumeRolePolicyDocument=trust)
        for name in ("Policy", "RolesPolicy"):
            made_policy = iam.create_policy(PolicyName=name, PolicyDocument=json.dumps(policies()[name]))["Policy"]["Arn"]
            iam.attach_role_policy(RoleName=own, PolicyArn=made_policy)
        assumed = boto3.client("sts", aws_access_key_id="x", aws_secret_access_key="x").assume_role(
            RoleArn=f"arn:aws:iam::{ACCOUNT}:role/{own}", RoleSessionName="deploy")["Credentials"]
        deployer = boto3.client("iam", aws_access_key_id=assumed["AccessKeyId"], aws_secret_access_key=assumed["SecretAccessKey"],
                                aws_session_token=assumed["SessionToken"])
        everything = json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]})

        def tries(call, **arguments):
            try:
                getattr(deployer, call)(**arguments)
                return True
            except ClientError as error:
                self.assertEqual(error.response["Error"]["Code"], "AccessDenied")
                return False

        @set_initial_no_auth_action_count(0)
        def attempt():
            written = {role: tries("put_role_policy", RoleName=role, PolicyName="more", PolicyDocument=everything) for role in (own, of_staging, of_function)}
            self.assertEqual(written, {own: False, of_staging: False, of_function: True})  # allowed for its functions' roles, within the boundary
            for role in (own, of_function):
                self.assertFalse(tries("update_assume_role_policy", RoleName=role, PolicyDocument=trust), role)
                self.assertFalse(tries("attach_role_policy", RoleName=role, PolicyArn="arn:aws:iam::aws:policy/AdministratorAccess"), role)
                self.assertFalse(tries("delete_role_permissions_boundary", RoleName=role), role)
            self.assertFalse(tries("create_user", UserName="eve"))

        attempt()


class Workflow(unittest.TestCase):
    jobs = {path.stem: yaml_parse(path.read_text(encoding="utf-8"))["jobs"] for path in Path(".github/workflows").glob("*.yml")}

    def test_ci_first_then_staging_then_production(self):
        self.assertEqual({name: (job.get("needs"), job["uses"], job.get("with")) for name, job in self.jobs["deploy"].items()}, {
            "ci": (None, "./.github/workflows/ci.yml", None),
            "staging": ("ci", "./.github/workflows/deploy-stage.yml", {"stage": "staging"}),
            "production": ("staging", "./.github/workflows/deploy-stage.yml", {"stage": "production"}),
        })

    def test_only_the_deployment_itself_may_ask_for_rights(self):
        """Not the job that installs packages."""
        stage = self.jobs["deploy-stage"]
        self.assertEqual({name: job["permissions"] for name, job in stage.items()},
                         {"tools": {"contents": "read"}, "deploy": {"contents": "read", "id-token": "write"}})
        self.assertEqual(stage["deploy"]["needs"], "tools")
        installs = {name: bool(re.search(r"tools/install|apt-get|pip|npm", " ".join(step.get("run", "") for step in job["steps"]))) for name, job in stage.items()}
        self.assertEqual(installs, {"tools": True, "deploy": False})

    def test_stages_wait_apart_and_late_approvals_are_refused(self):
        deploy = self.jobs["deploy-stage"]["deploy"]
        self.assertEqual(deploy["environment"], "${{ inputs.stage }}")  # where GitHub asks for approval
        self.assertEqual(deploy["concurrency"], {"group": "deploy-${{ inputs.stage }}", "cancel-in-progress": False})
        self.assertFalse([path for path in Path(".github/workflows").glob("deploy*.yml") if re.search("^concurrency", path.read_text(encoding="utf-8"), re.M)])
        self.assertEqual(deploy["steps"][0]["with"]["fetch-depth"], 0)
        last = deploy["steps"][-1]
        self.assertIn('make deploy STAGE="$STAGE" COMMIT="$GITHUB_SHA"', last["run"])
        self.assertEqual(last["env"]["ONLY_NEWER"], "true")

    def test_all_is_pinned_and_looked_after(self):
        used = [step["uses"] for jobs in self.jobs.values() for job in jobs.values() for step in job.get("steps", []) if "uses" in step]
        self.assertEqual([u for u in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", u)], [])
        self.assertIn("govulncheck@v", json.dumps(self.jobs["ci"]))
        updates = yaml_parse(Path(".github/dependabot.yml").read_text(encoding="utf-8"))["updates"]
        looked_at = {(u["package-ecosystem"], folder) for u in updates for folder in u.get("directories", [u.get("directory")])}
        there = {("gomod", "/"), ("github-actions", "/")}
        there |= {("pip", f"/{path.parent}") for path in [*Path("infra").rglob("*.in"), *Path("internal").rglob("*.in")]}
        there |= {("maven", f"/{path.parent}") for path in Path("internal").rglob("pom.xml")}
        self.assertEqual(looked_at, there)

    def test_python_packages_have_hashes(self):
        for path in [*Path("infra").rglob("*.in"), *Path("internal").rglob("*.in")]:
            locked = path.with_suffix(".txt").read_text(encoding="utf-8")
            packages = re.findall(r"^([\w.-]+)==(\S+)(?: ;.*)? \\\n    --hash=sha256:", locked, re.M)
            self.assertEqual(len(packages), len(re.findall(r"^\w", locked, re.M)), path)
            for name, version in re.findall(r"^([\w.-]+)(?:\[\w+\])?==(\S+)", path.read_text(encoding="utf-8"), re.M):
                self.assertIn((name, version), packages, f"{path} was changed, and its .txt was not")


if __name__ == "__main__":
    unittest.main()
