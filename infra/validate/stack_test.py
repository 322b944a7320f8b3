"""Checks the transformed template, creates it in moto, and fills its bucket as make deploy does.

Moto mocks AWS on loopback. It creates the tables, functions, roles, log groups and buckets of a
template; other resources are removed first, and checked in the template. CloudFront is checked by
the tests of package infra.
"""

import ast
import base64
import io
import json
import logging
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
import urllib.request
import zipfile
from pathlib import Path
from unittest import mock

import boto3
from botocore.exceptions import ClientError
from botocore.stub import Stubber
from moto.server import ThreadedMotoServer
from samcli.cli.types import CfnParameterOverridesType
from samtranslator.yaml_helper import yaml_parse

from templates import transform

sys.path.insert(0, "infra/deploy")
import preflight  # noqa: E402
import upload  # noqa: E402

TEMPLATE = transform("template.yaml")
RESOURCES = TEMPLATE["Resources"]
STACK = "turnout"


def of_type(*types):
    return {name: r for name, r in RESOURCES.items() if r["Type"] in types}


def as_list(value):
    return value if isinstance(value, list) else [value]


def properties(name):
    return RESOURCES[name]["Properties"]


class Deployment(unittest.TestCase):
    def test_former_template_can_be_sent_back(self):
        """CloudFormation accepts 51,200 bytes without a bucket. The addresses of the programs are added to the template."""
        template = yaml_parse(Path("template.yaml").read_text(encoding="utf-8"))
        self.assertLess(len(json.dumps(template, separators=(",", ":"))) + 10 * 150, 51200)

    def overrides(self, parameters):
        """The parameters that sam deploy reads from the PARAMETERS of make deploy."""
        lines = subprocess.run(["make", "-n", "deploy", "COMMIT=unknown", f"PARAMETERS={parameters}"], check=True, capture_output=True, text=True).stdout
        (deploy,) = [shlex.split(line) for line in lines.splitlines() if " deploy --stack-name" in line]
        self.assertIn("--stack-name turnout --s3-prefix turnout --", " ".join(deploy))  # by which infra/deployer.yaml tells programs apart
        return CfnParameterOverridesType().convert(tuple(deploy[deploy.index("--parameter-overrides") + 1:]), None, None)

    def test_parameters_can_be_set_and_emptied(self):
        always = {"Stage": "production", "Architecture": "arm64", "Commit": "unknown"}
        self.assertEqual(self.overrides(""), always)
        self.assertEqual(self.overrides("AlarmEmail= DomainName=turnout.example.org WebAclArn="),
                         always | {"AlarmEmail": "", "DomainName": "turnout.example.org", "WebAclArn": ""})

    def test_steps_come_in_the_right_order(self):
        """Preflight comes before the build, what runs is recorded before it changes, assets come before the page that names them, the check last."""
        lines = subprocess.run(["make", "-n", "deploy"], check=True, capture_output=True, text=True).stdout.splitlines()
        steps = ["infra/tools/install", "preflight.py", "sam build", "release.py record", "upload.py --assets", "sam deploy", "upload.py turnout", "release.py verify"]
        found = [next(i for i, line in enumerate(lines) if step in line) for step in steps]
        self.assertEqual(found, sorted(found))

    def test_secrets_are_replaced_in_the_right_order_only(self):
        deployed = {"OriginSecretInUse": "a", "OriginSecretA": "1", "OriginSecretB": "1"}
        for wanted, allowed in [
            ({}, True),
            ({"OriginSecretInUse": "b"}, True),
            ({"OriginSecretA": "1"}, True),
            ({"OriginSecretB": "2"}, True),
            ({"OriginSecretA": "2"}, False),
            ({"OriginSecretInUse": "b", "OriginSecretA": "2"}, False),
            ({"OriginSecretInUse": "b", "OriginSecretB": "2"}, False),
        ]:
            self.assertEqual(preflight.misrotation(deployed, wanted) is None, allowed, wanted)
        self.assertIsNone(preflight.misrotation(deployed | {"OriginSecretInUse": "b"}, {"OriginSecretA": "2"}))

    def test_restored_table_is_not_left_in_silence(self):
        old, restored = {"Stage": "production"}, {"RestoredTable": "turnout-Table-1"}
        for deployed, wanted, leave, told in [
            ({}, restored, "", None),
            (old, {}, "", None),
            (old, restored, "", "RestoredTable is new to this stack"),
            ({"RestoredTable": ""}, restored, "", None),
            (restored, {"ListRate": "2"}, "", None),
            (restored, {"RestoredTable": ""}, "", "this leaves the table turnout-Table-1, with all that was stored in it, for turnout-Table-own:"),
            (restored, {"RestoredTable": "turnout-Table-2"}, "turnout-Table-2", "this leaves the table turnout-Table-1, with all that was stored in it, for turnout-Table-2:"),
            (restored, {"RestoredTable": ""}, "turnout-Table-1", None),
        ]:
            with mock.patch.dict(os.environ, {"LEAVE": leave}):
                found = preflight.misswitch(deployed, deployed | wanted, "turnout-Table-own")
            self.assertEqual(found and found[:len(told or "")], told, (deployed, wanted))

    def test_low_concurrency_is_noted(self):
        session = boto3.Session("x", "x", region_name="eu-central-1")
        for limit, noted in [(10, True), (99, True), (100, False), (1000, False), (None, False)]:
            client = session.client("lambda")
            with Stubber(client) as aws:
                if limit:
                    aws.add_response("get_account_settings", {"AccountLimit": {"ConcurrentExecutions": limit}})
                else:
                    aws.add_client_error("get_account_settings", "AccessDeniedException")  # must not prevent a deployment
                self.assertEqual([f"the account runs {limit} functions" in note for note in preflight.concurrency(client)], [True] * noted, limit)

    def test_parameters_are_those_of_the_template(self):
        """Checked without credentials, too: SAM would drop some silently, CloudFormation refuse others after the build."""
        made = ("Stage=production", "Architecture=arm64", "Commit=unknown")
        for given, told in {
            "AlarmEmail=ops@example.org ListRate=2 PriceClass=PriceClass_100 OriginSecretA=2 DomainName=": None,
            "AlarmMail=x@example.org": "template.yaml has no parameter AlarmMail: did you mean AlarmEmail?",
            "Xyzzy=1": "template.yaml has no parameter Xyzzy",
            "Architecture=x86_64": "Architecture is set with ARCH: make deploy ARCH=x86_64",
            "Stage=other": "Stage is set with STAGE: make deploy STAGE=other",
            "AlarmEmail": "PARAMETERS takes NAME=VALUE, not AlarmEmail",
            "AlarmEmail=nobody": "AlarmEmail must be of the form [^@ ]+@[^@ ]+|, is 'nobody'",
            "DeletionProtection=yes": "DeletionProtection must be one of true, false, is 'yes'",
            "RecoveryPeriodInDays=36": "RecoveryPeriodInDays must be a number from 1 to 35, is '36'",
            "ListRate=0": "ListRate must be a number from 1 on, is '0'",
            "ListRate=x": "ListRate must be a number from 1 on, is 'x'",
            "LogRetentionDays=4": "LogRetentionDays must be one of 1, 3, 5",
            "ListRate=1 ListRate=2": "ListRate is given twice",
        }.items():
            found = list(preflight.misnamed(STACK, [*made, *given.split()], made))
            self.assertEqual([fault[:len(told)] for fault in found] if told else found, [told] if told else [], given)
        self.assertIn("is too long", next(preflight.misnamed("turnout-" + "x" * 22, made, made)))
        self.assertEqual(list(preflight.misnamed("turnout-" + "x" * 21, made, made)), [])

    def test_a_rollback_leaves_out_parameters_that_are_newer(self):
        """But not the table in use."""
        with mock.patch.dict(os.environ, {"ROLLBACK": "true"}), mock.patch.object(preflight, "yaml_parse", return_value={"Parameters": {}}):
            self.assertEqual(list(preflight.misnamed(STACK, ["ListRate=1", "RestoredTable=turnout-Table-x"], ())), ["template.yaml has no parameter RestoredTable"])

    def test_certificate_and_web_acl_are_usable(self):
        arn, acl = "arn:aws:acm:us-east-1:123456789012:certificate/1", "arn:aws:wafv2:us-east-1:123456789012:global/webacl/turnout/1"
        after = {"DomainName": "turnout.example.org", "CertificateArn": arn}
        session = boto3.Session("x", "x", region_name="eu-central-1")
        for found, told in [
            ({"Status": "ISSUED", "DomainName": "turnout.example.org"}, None),
            ({"Status": "ISSUED", "DomainName": "example.org", "SubjectAlternativeNames": ["example.org", "*.example.org"]}, None),
            ({"Status": "PENDING_VALIDATION", "DomainName": "turnout.example.org"}, "the certificate is not issued, but PENDING_VALIDATION"),
            ({"Status": "ISSUED", "DomainName": "example.org"}, "the certificate is for example.org, not for turnout.example.org"),
            ({"Status": "ISSUED", "DomainName": "*.turnout.example.org"}, "the certificate is for"),
            ({"Status": "ISSUED", "DomainName": "x.example.org"}, "the certificate is for"),
            (None, "the certificate cannot be read"),
        ]:
            client = session.client("acm")
            with Stubber(client) as aws, mock.patch.object(session, "client", return_value=client):
                if found:
                    aws.add_response("describe_certificate", {"Certificate": found}, {"CertificateArn": arn})
                else:
                    aws.add_client_error("describe_certificate", "ResourceNotFoundException")
                self.assertEqual([fault[:len(told or "")] for fault in preflight.unusable(session, after)], [told] if told else [], found)
        client = session.client("wafv2")
        with Stubber(client) as aws, mock.patch.object(session, "client", return_value=client):
            aws.add_response("get_web_acl", {}, {"Name": "turnout", "Id": "1", "Scope": "CLOUDFRONT"})
            self.assertEqual(list(preflight.unusable(session, {"WebAclArn": acl})), [])
            aws.add_client_error("get_web_acl", "WAFNonexistentItemException")
            self.assertIn("the web ACL cannot be read", next(preflight.unusable(session, {"WebAclArn": acl})))
        self.assertEqual(list(preflight.unusable(session, {"DomainName": "x.org"})), ["DomainName and CertificateArn go together"])

    def test_stack_that_takes_no_update_is_refused(self):
        for state, told in {"CREATE_COMPLETE": None, "UPDATE_ROLLBACK_COMPLETE": None, "IMPORT_COMPLETE": None, "REVIEW_IN_PROGRESS": None,
                            "UPDATE_IN_PROGRESS": "wait until that is over", "UPDATE_ROLLBACK_FAILED": "continue-update-rollback --stack-name turnout",
                            "ROLLBACK_COMPLETE": "delete it", "DELETE_FAILED": "delete it again"}.items():
            found = list(preflight.stuck({"StackName": STACK, "StackStatus": state}))
            self.assertEqual([told in fault for fault in found] if told else found, [True] if told else [], state)

    def test_mail_that_was_not_confirmed_is_noted(self):
        client = boto3.client("sns", region_name="eu-central-1", aws_access_key_id="x", aws_secret_access_key="x")
        for state, told in {"PendingConfirmation": "has not confirmed", "Deleted": "is not subscribed", "arn:aws:sns:x:1:y:z": None}.items():
            with Stubber(client) as aws:
                aws.add_response("list_subscriptions_by_topic", {"Subscriptions": [{"Endpoint": "a@example.org", "SubscriptionArn": state}]}, {"TopicArn": "topic"})
                found = list(preflight.unconfirmed(client, "topic", "a@example.org"))
            self.assertEqual([told in note for note in found] if told else found, [True] if told else [], state)

    def test_older_approval_is_refused(self):
        """Only if it waited: whoever deploys by hand may want an older commit."""
        with tempfile.TemporaryDirectory() as folder:
            def git(*arguments):
                return subprocess.run(["git", "-C", folder, "-c", "user.name=x", "-c", "user.email=x@example.org", *arguments],
                                      check=True, capture_output=True, text=True).stdout.strip()

            git("init", "-q")
            commits = []
            for message in ("old", "new"):
                git("commit", "-q", "--allow-empty", "-m", message)
                commits.append(git("rev-parse", "HEAD"))
            old, new = commits
            with mock.patch.dict(os.environ, {"GIT_DIR": f"{folder}/.git", "ONLY_NEWER": "true"}):
                for running, commit, refused in [(old, new, False), (new, new, False), ("unknown", old, False), (new, old, True), ("0" * 40, new, True)]:
                    self.assertEqual(preflight.outdated({"Commit": running}, commit) is not None, refused, (running, commit))
            with mock.patch.dict(os.environ, {"GIT_DIR": f"{folder}/.git"}):
                self.assertIsNone(preflight.outdated({"Commit": new}, old))

    def test_what_is_missing_is_said_before_anything_is_built(self):
        def run(**environment):
            clean = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "AWS_EC2_METADATA_DISABLED": "true"}
            done = subprocess.run([sys.executable, "infra/deploy/preflight.py", STACK], env=clean | environment, capture_output=True, text=True)
            self.assertEqual(done.returncode, 1)
            return done.stderr

        self.assertTrue(run().startswith("deploy: no region: set AWS_DEFAULT_REGION"))
        self.assertTrue(run(AWS_DEFAULT_REGION="eu-central-1").startswith("deploy: no credentials: run `aws configure`"))
        self.assertIn("go is missing", run(PATH="/nonexistent"))


MADE_BY_MOTO = {
    "AWS::CloudWatch::Dashboard", "AWS::DynamoDB::Table", "AWS::IAM::Role", "AWS::Lambda::Function",
    "AWS::Logs::LogGroup", "AWS::S3::Bucket", "AWS::SNS::Topic",
}


def only(template, types, stand_ins):
    """The template with only resources of these types; each reference to another is replaced by a stand-in or a name."""
    gone = {name for name, r in template["Resources"].items() if r["Type"] not in types}

    def rest(value):
        if isinstance(value, list):
            # Moto keeps parts of a list that a condition leaves out.
            return [rest(part) for part in value if not (isinstance(part, dict) and "Fn::If" in part)]
        if not isinstance(value, dict):
            return value
        if value.get("Ref") in gone:
            return stand_ins.get(value["Ref"], value["Ref"].lower())
        if as_list(value.get("Fn::GetAtt"))[0] in gone:
            return value["Fn::GetAtt"][0].lower()
        if "Fn::Sub" in value:
            text = json.dumps(value)
            for name in gone:
                text = re.sub(r"\$\{%s(\.\w+)*\}" % name, name.lower(), text)
            value = json.loads(text)
        return {key: rest(part) for key, part in value.items()}

    kept = {name: r for name, r in template["Resources"].items() if name not in gone}
    return rest({**template, "Resources": kept})


class Stack(unittest.TestCase):
    """The stack in moto, as CloudFormation would make it."""

    @classmethod
    def setUpClass(cls):
        logging.getLogger("werkzeug").setLevel(logging.CRITICAL)
        cls.moto = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        cls.moto.start()
        cls.addClassCleanup(cls.moto.stop)
        host, port = cls.moto.get_host_and_port()
        urllib.request.urlopen(f"http://{host}:{port}/moto-api/reset", data=b"").close()  # its state lasts as long as the process
        environment = mock.patch.dict(os.environ, {
            "AWS_ENDPOINT_URL": f"http://{host}:{port}",
            "AWS_ACCESS_KEY_ID": "moto",
            "AWS_SECRET_ACCESS_KEY": "moto",
        })
        environment.start()
        cls.addClassCleanup(environment.stop)

        program = io.BytesIO()
        with zipfile.ZipFile(program, "w") as archive:
            archive.writestr("bootstrap", "")
        s3 = boto3.client("s3")
        region = {"LocationConstraint": os.environ["AWS_DEFAULT_REGION"]}
        s3.create_bucket(Bucket="bucket", CreateBucketConfiguration=region)  # where the transform puts the code
        s3.put_object(Bucket="bucket", Key="key", Body=program.getvalue())

        # Moto creates a distribution only by CloudFront's own call.
        cls.distribution = boto3.client("cloudfront").create_distribution(DistributionConfig={
            "CallerReference": "x", "Comment": "", "Enabled": True,
            "Origins": {"Quantity": 1, "Items": [{"Id": "site", "DomainName": "site.s3.amazonaws.com", "S3OriginConfig": {"OriginAccessIdentity": ""}}]},
            "DefaultCacheBehavior": {"TargetOriginId": "site", "ViewerProtocolPolicy": "redirect-to-https", "MinTTL": 0,
                                     "ForwardedValues": {"QueryString": False, "Cookies": {"Forward": "none"}}},
        })["Distribution"]["Id"]
        cls.template = only(TEMPLATE, MADE_BY_MOTO, {"Distribution": cls.distribution})
        cls.cloudformation = boto3.client("cloudformation")
        cls.cloudformation.create_stack(StackName=STACK, TemplateBody=json.dumps(cls.template), Capabilities=["CAPABILITY_IAM"],
                                        Parameters=[{"ParameterKey": "AlarmEmail", "ParameterValue": "ops@example.org"}])

        made = cls.cloudformation.describe_stack_resources(StackName=STACK)["StackResources"]
        # A resource that its condition leaves out has an empty entry.
        cls.physical = {r["LogicalResourceId"]: r["PhysicalResourceId"] for r in made if "LogicalResourceId" in r}

    def test_functions_have_their_environment_and_their_rights(self):
        """Also those of a stack that uses a restored table: they have no rights on its own."""
        functions, iam, restored = boto3.client("lambda"), boto3.client("iam"), "second-Table-1-restored"
        self.cloudformation.create_stack(StackName="second", TemplateBody=json.dumps(self.template), Capabilities=["CAPABILITY_IAM"],
                                         Parameters=[{"ParameterKey": "RestoredTable", "ParameterValue": restored}])
        for stack, table in ((STACK, self.physical["Table"]), ("second", restored)):
            made = self.cloudformation.describe_stack_resources(StackName=stack)["StackResources"]
            physical = {r["LogicalResourceId"]: r["PhysicalResourceId"] for r in made if "LogicalResourceId" in r}
            (described,) = self.cloudformation.describe_stacks(StackName=stack)["Stacks"]
            self.assertIn(("TableName", table), [(o["OutputKey"], o["OutputValue"]) for o in described["Outputs"]])
            for name in of_type("AWS::Lambda::Function"):
                function = functions.get_function_configuration(FunctionName=physical[name])
                role = function["Role"].rsplit("/", 1)[1]
                # Moto prints documents as Python does.
                resources = {policy: [s["Resource"].split(":", 5)[5] for s in
                                      ast.literal_eval(iam.get_role_policy(RoleName=role, PolicyName=policy)["PolicyDocument"])["Statement"]]
                             for policy in iam.list_role_policies(RoleName=role)["PolicyNames"]}
                uses_table = name != "NotFoundFunction"
                self.assertEqual(function["Environment"]["Variables"].get("TABLE_NAME"), table if uses_table else None, name)
                self.assertEqual(resources, {"log": [f"log-group:/aws/lambda/{stack}"]} | ({"table": [f"table/{table}"]} if uses_table else {}), name)

    def test_table_in_use_is_fit(self):
        """Whatever it lacks is named, until nothing is left."""
        dynamodb, name = boto3.client("dynamodb"), "turnout-Table-unfit"
        key = {"AttributeName": "pk", "AttributeType": "S"}
        dynamodb.create_table(TableName=name, BillingMode="PAY_PER_REQUEST", AttributeDefinitions=[key], SSESpecification={"Enabled": True},
                              KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}], DeletionProtectionEnabled=False)

        def told(restored=True, table=name, **wanted):
            return [fault.removeprefix(f"the table {table} ").split(":")[0] for fault in preflight.unfit(dynamodb, STACK, table, wanted, restored)]

        keys, ttl, recovery = "has other keys than pk and sk", "does not expire items by expiresAt", "has no point-in-time recovery"
        unguarded, encrypted = "is not protected from deletion", "is encrypted with a key that the functions may not use"
        self.assertEqual(told(), [keys, ttl, recovery, unguarded, encrypted])
        self.assertEqual(told(restored=False, DeletionProtection="false"), [keys, ttl, recovery])  # its own keeps the key that an older release gave it
        dynamodb.update_time_to_live(TableName=name, TimeToLiveSpecification={"AttributeName": "ttl", "Enabled": True})
        dynamodb.update_continuous_backups(TableName=name, PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True, "RecoveryPeriodInDays": 20})
        dynamodb.update_table(TableName=name, DeletionProtectionEnabled=True)
        self.assertEqual(told(), [keys, ttl, "keeps copies for 20 days, not 35", encrypted])
        self.assertEqual(told(RecoveryPeriodInDays="20"), [keys, ttl, encrypted])
        self.assertIn("cannot be read", told(table="turnout-Table-no")[0])
        self.assertIn("must begin with turnout-Table-", next(preflight.unfit(dynamodb, STACK, "turnout-staging-Table-1", {}, True)))
        with Stubber(dynamodb) as aws:
            aws.add_response("describe_table", {"Table": {"TableStatus": "CREATING", "KeySchema": properties("Table")["KeySchema"]}})
            aws.add_response("describe_time_to_live", {"TimeToLiveDescription": {"TimeToLiveStatus": "ENABLING", "AttributeName": "expiresAt"}})
            aws.add_response("describe_continuous_backups", {"ContinuousBackupsDescription": {"ContinuousBackupsStatus": "DISABLED"}})
            self.assertEqual(told(), ["is CREATING", recovery, unguarded])

    def test_preflight(self):
        """With the stack, and with one that does not exist."""
        dynamodb, table = boto3.client("dynamodb"), self.physical["Table"]
        def run(*arguments):
            done = subprocess.run([sys.executable, "infra/deploy/preflight.py", *arguments], capture_output=True, text=True)
            return done.returncode, done.stdout, done.stderr

        self.assertIn(f"the table {table} does not expire", run(STACK)[2])
        dynamodb.update_time_to_live(TableName=table, TimeToLiveSpecification={"AttributeName": "expiresAt", "Enabled": True})
        dynamodb.update_continuous_backups(TableName=table, PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})
        self.assertIn("the table turnout-Table-x cannot be read", run(STACK, "RestoredTable=turnout-Table-x")[2])
        account = boto3.client("sts").get_caller_identity()["Account"]
        self.assertEqual(run(STACK, "ListRate=2")[:2], (0, f"account {account}, region eu-central-1, stack {STACK}\n"
                                                           "deploy: note: alarms reach nobody: ops@example.org is not subscribed (any more)\n"))
        self.assertEqual(run("other")[:2], (0, f"account {account}, region eu-central-1, stack other (new)\ndeploy: note: nothing watches this stage: set AlarmEmail\n"))
        topic = self.physical["AlarmTopic"]
        boto3.client("sns").subscribe(TopicArn=topic, Protocol="email", Endpoint="ops@example.org")  # confirmed at once, in moto
        self.assertNotIn("alarms reach nobody", run(STACK)[1])
        self.assertIn("new@example.org will get a mail", run("other", "AlarmEmail=new@example.org")[1])
        code, _, error = run(STACK, "OriginSecretA=2")
        self.assertEqual((code, error.split(":")[1]), (1, " OriginSecretA cannot be replaced while CloudFront sends it, nor in the deployment that changes what it sends"))
        self.assertEqual(run(STACK, "AlarmMail=x")[::2], (1, "deploy: template.yaml has no parameter AlarmMail: did you mean AlarmEmail?\n"))
        self.assertEqual(run(STACK, "DomainName=x.org")[0], 1)

    def test_upload(self):
        """By the command of make deploy: assets before the pages that name them, then what differs, and an invalidation if anything did."""
        s3, cloudfront, bucket = boto3.client("s3"), boto3.client("cloudfront"), self.physical["SiteBucket"]
        s3.put_bucket_versioning(Bucket=bucket, VersioningConfiguration={"Status": "Enabled"})

        def run(*arguments):
            done = subprocess.run([sys.executable, "infra/deploy/upload.py", *arguments], check=True, capture_output=True, text=True)
            made = cloudfront.list_invalidations(DistributionId=self.distribution)["InvalidationList"].get("Items", [])
            return done.stderr + done.stdout, len(made)

        def held():
            heads = {item["Key"]: s3.head_object(Bucket=bucket, Key=item["Key"]) for item in s3.list_objects_v2(Bucket=bucket).get("Contents", [])}
            return {name: (head["ContentType"], head["CacheControl"]) for name, head in heads.items()}

        files = upload.manifest()
        served = {file["name"]: (file["contentType"], file["cacheControl"]) for file in files}
        (style,) = (name for name in served if re.fullmatch(r"assets/app-[0-9a-f]{16}\.css", name))
        self.assertEqual(served[style], ("text/css; charset=utf-8", "public, max-age=31536000, immutable"))
        self.assertEqual((served["index.html"], files[-1]["name"]), (("text/html; charset=utf-8", "no-cache"), "index.html"))

        # Files of an earlier version: one that is gone, one with another content, and one with another type.
        older = "assets/app-0123456789abcdef.js"
        for name in (older, "old/page.html", "index.html"):
            s3.put_object(Bucket=bucket, Key=name, Body=b"old", ContentType="text/plain", CacheControl="no-store")
        self.assertEqual(run("--assets", "not-there-yet"), ("", 0))
        self.assertEqual(run("--assets", STACK), ("", 0))
        self.assertEqual(held().keys(), {name for name in served if name.startswith("assets/")} | {older, "old/page.html", "index.html"})
        self.assertEqual(s3.get_object(Bucket=bucket, Key="index.html")["Body"].read(), b"old")
        s3.copy_object(Bucket=bucket, Key=style, CopySource=f"{bucket}/{style}", MetadataDirective="REPLACE",
                       ContentType="text/plain", CacheControl="no-store", Metadata=s3.head_object(Bucket=bucket, Key=style)["Metadata"])
        self.assertEqual(run(STACK)[1], 1)
        self.assertEqual(held(), served | {older: ("text/plain", "no-store")})
        for file in files:
            self.assertEqual(s3.get_object(Bucket=bucket, Key=file["name"])["Body"].read(), base64.b64decode(file["content"]), file["name"])
        (made,) = cloudfront.list_invalidations(DistributionId=self.distribution)["InvalidationList"]["Items"]
        batch = cloudfront.get_invalidation(DistributionId=self.distribution, Id=made["Id"])["Invalidation"]["InvalidationBatch"]
        self.assertEqual(batch["Paths"]["Items"], ["/*"])
        self.assertEqual(run(STACK), ("files of the site changed: 0\n", 1))
        self.assertRaises(ClientError, upload.upload, s3, "no-such-bucket", files)


if __name__ == "__main__":
    unittest.main()
