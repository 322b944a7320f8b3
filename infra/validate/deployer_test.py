"""Compares who may deploy (infra/deployer.yaml) with the resources of the stack.

CloudFormation publishes with each type of resource what it calls to make, read, change and delete one;
cfn-lint brings that along.
"""

import json
import re
import unittest
from fnmatch import fnmatchcase
from pathlib import Path

import cfnlint
from samtranslator.yaml_helper import yaml_parse

from transform import transform

SCHEMAS = Path(cfnlint.__file__).parent / "data/schemas/resources"

# Called only for what the template does not use.
NOT_USED = """
    ec2:* elasticfilesystem:* firehose:* kinesis:* s3files:* s3tables:*
    kms:Decrypt kms:Encrypt kms:GenerateDataKey kms:ListAliases kms:RevokeGrant
    cloudfront:CreateConnectionGroup cloudfront:UpdateDistributionWithStagingConfig
    dynamodb:*Replica dynamodb:*Item dynamodb:Query dynamodb:Scan dynamodb:ImportTable dynamodb:UpdateContributorInsights
    dynamodb:*KinesisStreamingDestination dynamodb:PutResourcePolicy dynamodb:DeleteResourcePolicy
    iam:CreateServiceLinkedRole iam:AttachRolePolicy iam:DetachRolePolicy iam:*RolePermissionsBoundary
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

# In CloudFormation's lists, but no actions of IAM (the first is CreateDistribution and TagResource).
NO_ACTIONS = {"cloudfront:CreateDistributionWithTags", "apigateway:TagResource", "apigateway:UntagResource", "s3:REST.PUT.OBJECT", "s3:GetObjectMetadata"}

# What runs before and after CloudFormation: SAM, infra/deploy and the access log of API Gateway.
BESIDES = {
    "cloudformation:CreateChangeSet", "cloudformation:DescribeChangeSet", "cloudformation:DescribeStacks", "cloudformation:DescribeStackEvents", "cloudformation:ExecuteChangeSet",
    "cloudformation:DeleteStack", "dynamodb:DescribeTable", "dynamodb:DescribeTimeToLive", "dynamodb:DescribeContinuousBackups", "s3:PutObject", "s3:DeleteObject", "cloudfront:CreateInvalidation", "lambda:GetAccountSettings", "iam:PassRole",
    "logs:CreateLogDelivery", "logs:PutResourcePolicy", "logs:DescribeResourcePolicies", "logs:ListLogDeliveries", "wafv2:GetWebACL",
}


def called_for(types):
    """What CloudFormation calls for resources of these types."""
    found, actions = set(), set()
    for path in SCHEMAS.glob("*.json"):
        schema = json.loads(path.read_text(encoding="utf-8"))
        if schema.get("typeName") in types:
            found.add(schema["typeName"])
            actions |= {a for name, handler in schema.get("handlers", {}).items() if name != "list" for a in handler.get("permissions", [])}
    assert found == types, types - found
    return actions


class Deployer(unittest.TestCase):
    template = yaml_parse(Path("infra/deployer.yaml").read_text(encoding="utf-8"))
    statements = template["Resources"]["Policy"]["Properties"]["PolicyDocument"]["Statement"]

    def granted(self):
        return [a for s in self.statements for a in (s["Action"] if isinstance(s["Action"], list) else [s["Action"]])]

    def test_may_do_what_the_stack_needs(self):
        types = {r["Type"] for r in transform("template.yaml")["Resources"].values()}
        needed = BESIDES | called_for(types) - NO_ACTIONS
        granted = [action.lower() for action in self.granted()]
        missing = [action for action in needed
                   if not any(fnmatchcase(action.lower(), g) for g in granted)
                   and not any(fnmatchcase(action.lower(), unused.lower()) for unused in NOT_USED)]
        self.assertEqual(sorted(missing), [])

    def test_may_do_no_more(self):
        for statement in self.statements:
            self.assertEqual(statement["Effect"], "Allow")
        for action in self.granted():
            service, name = action.split(":")
            # Of whole families only those that read, or that are about one type of resource in CloudFront.
            self.assertTrue("*" not in name or name in ("Get*", "Describe*") or service == "cloudfront" and name[0] == "*", action)
        data = ("dynamodb:GetItem", "dynamodb:Query", "dynamodb:Scan", "dynamodb:PutItem", "dynamodb:RestoreTableToPointInTime",
                "logs:GetLogEvents", "logs:FilterLogEvents", "logs:StartQuery", "lambda:InvokeFunction", "iam:AttachRolePolicy", "iam:CreateUser")
        for action in data:
            self.assertFalse([g for g in self.granted() if fnmatchcase(action, g)], action)

    def test_reaches_this_stack_only(self):
        for statement in self.statements:
            resources = statement["Resource"] if isinstance(statement["Resource"], list) else [statement["Resource"]]
            for resource in resources:
                if resource == "*":
                    self.assertEqual(statement["Sid"], "WithoutAName")
                elif "${StackName}" not in resource["Fn::Sub"]:
                    self.assertRegex(resource["Fn::Sub"], r"aws-sam-cli-managed-default|transform/Serverless|:apigateway:|:kms:")

    def test_fits_into_a_managed_policy(self):
        """IAM takes 6,144 characters, white space aside."""
        def resolved(value):
            if isinstance(value, dict):
                if "Fn::Sub" in value:
                    names = {"StackName": "turnout-" + "x" * 20, "AWS::Partition": "aws", "AWS::AccountId": "1" * 12}
                    return re.sub(r"\$\{([\w:]+)\}", lambda m: names[m[1]], value["Fn::Sub"])
                return {key: resolved(part) for key, part in value.items()}
            return [resolved(part) for part in value] if isinstance(value, list) else value

        document = resolved(self.template["Resources"]["Policy"]["Properties"]["PolicyDocument"])
        self.assertLessEqual(len(json.dumps(document, separators=(",", ":"))), 6144)

    def test_trusts_one_environment_of_one_repository(self):
        (trust,) = self.template["Resources"]["Role"]["Properties"]["AssumeRolePolicyDocument"]["Statement"]
        self.assertEqual(trust["Action"], "sts:AssumeRoleWithWebIdentity")
        self.assertEqual(trust["Condition"], {"StringEquals": {
            "token.actions.githubusercontent.com:aud": "sts.amazonaws.com",
            "token.actions.githubusercontent.com:sub": {"Fn::Sub": "repo:${Repository}:environment:${Environment}"},
        }})


class Workflow(unittest.TestCase):
    def test_staging_first_and_each_stage_checked(self):
        jobs = yaml_parse(Path(".github/workflows/deploy.yml").read_text(encoding="utf-8"))["jobs"]
        self.assertEqual({name: (job.get("needs"), job["with"]["stage"]) for name, job in jobs.items()},
                         {"staging": (None, "staging"), "production": ("staging", "production")})
        (job,) = yaml_parse(Path(".github/workflows/deploy-stage.yml").read_text(encoding="utf-8"))["jobs"].values()
        self.assertEqual(job["environment"], "${{ inputs.stage }}")  # where GitHub asks for approval
        self.assertEqual(job["permissions"], {"contents": "read", "id-token": "write"})
        self.assertIn("make deploy STAGE", " ".join(step.get("run", "") for step in job["steps"]))


if __name__ == "__main__":
    unittest.main()
