"""Tests the parameters and the steps of make deploy, and preflight.py, in part in moto."""

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import boto3
from botocore.stub import Stubber
from samcli.cli.types import CfnParameterOverridesType

from infra.deploy import preflight
from infra.validate.mocked import Mocked
from infra.validate.templates import STACK

# Credentials for clients whose responses the tests make.
NOBODY = {
    "region_name": "eu-central-1",
    "aws_access_key_id": "x",
    "aws_secret_access_key": "x",
}


class Deployment(unittest.TestCase):
    def overrides(self, parameters, programs=""):
        """The parameters that sam deploy reads from the PARAMETERS of make deploy."""
        given = ["COMMIT=unknown", f"PARAMETERS={parameters}", f"PROGRAMS={programs}"]
        done = subprocess.run(
            ["make", "-n", "deploy", *given], check=True, capture_output=True, text=True
        )
        lines = done.stdout.splitlines()
        (deploy,) = [shlex.split(line) for line in lines if "/sam deploy" in line]
        where = ["--config-env", "programs", "--s3-bucket", programs] if programs else []
        at = deploy.index("--parameter-overrides")
        self.assertEqual(
            deploy[deploy.index("deploy") : at],
            [
                *("deploy", "--stack-name", STACK, "--tags", f"stack={STACK}", *where),
                *("--s3-prefix", STACK),  # a deployer's permissions cover only this prefix
            ],
            "SAM deploys to another stack or bucket, not at all, or leaves half a stack",
        )
        return CfnParameterOverridesType().convert(tuple(deploy[at + 1 :]), None, None)

    def test_the_site_follows_the_functions_but_its_assets_precede_them(self):
        """Pages of the new functions name new assets, and a refused change uploads nothing."""
        make = ["make", "-n", "deploy", "COMMIT=unknown"]
        lines = subprocess.run(make, check=True, capture_output=True, text=True).stdout
        steps = re.findall("preflight|upload --assets|sam deploy|upload|release verify", lines)
        order = ["preflight", "upload --assets", "sam deploy", "upload", "release verify"]
        self.assertEqual(steps, order, "pages name files that are not there yet")

    def test_parameters_can_be_set_and_emptied(self):
        always = {"Architecture": "arm64", "Commit": "unknown"}
        self.assertEqual(self.overrides("", "bucket"), always)
        self.assertEqual(
            self.overrides("AlarmEmail= DomainName=turnout.example.org WebAclArn="),
            always | {"AlarmEmail": "", "DomainName": "turnout.example.org", "WebAclArn": ""},
        )

    def test_the_environment_names_the_stage(self):
        """A command of the runbook for staging must not change production."""
        for exported, stack in [
            ({}, STACK),
            ({"STAGE": "staging"}, "turnout-staging"),
            ({"STACK": "turnout-staging"}, "turnout-staging"),
        ]:
            done = subprocess.run(
                ["make", "-n", "deploy", "PARAMETERS=Writing=false"],
                check=True,
                capture_output=True,
                text=True,
                env={"PATH": os.environ["PATH"]} | exported,
            )
            named = set(re.findall(r"\bturnout-[a-z]+", done.stdout))
            self.assertEqual(named, {stack}, "another stack is changed")

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
        self.assertIsNone(
            preflight.misrotation(deployed | {"OriginSecretInUse": "b"}, {"OriginSecretA": "2"})
        )

    def test_restored_table_is_not_left_in_silence(self):
        own, first, second = (f"turnout-production-Table-{name}" for name in ("own", "1", "2"))
        leaves = f"this leaves the table {first}, with all that was stored in it, for"
        restored = {"RestoredTable": first}
        for deployed, wanted, leave, told in [
            ({}, restored, "", None),
            ({"RestoredTable": ""}, restored, "", None),
            (restored, {"ListRate": "2"}, "", None),
            (restored, {"RestoredTable": ""}, "", f"{leaves} {own};"),
            (restored, {"RestoredTable": second}, second, f"{leaves} {second};"),
            (restored, {"RestoredTable": ""}, first, None),
        ]:
            with mock.patch.dict(os.environ, {"LEAVE": leave}):
                found = preflight.misswitch(deployed, deployed | wanted, own)
            self.assertEqual(found and found[: len(told or "")], told, (deployed, wanted))

    def test_low_concurrency_is_noted(self):
        client = boto3.client("lambda", **NOBODY)
        for limit, noted in [(10, True), (99, True), (100, False), (1000, False)]:
            with Stubber(client) as aws:
                account = {"AccountLimit": {"ConcurrentExecutions": limit}}
                aws.add_response("get_account_settings", account)
                found = [note.split(" at the")[0] for note in preflight.concurrency(client)]
                self.assertEqual(found, [f"the account runs {limit} functions"] * noted)
        with Stubber(client) as aws:
            aws.add_client_error("get_account_settings", "AccessDeniedException")
            found = list(preflight.concurrency(client))
            self.assertEqual(found, [], "a right that is missing prevents a deployment")

    def test_parameters_are_those_of_the_template(self):
        """preflight.py checks parameters without credentials, too.

        SAM would drop some of these silently. CloudFormation would refuse others after the build.
        """
        made = ("Architecture=arm64", "Commit=unknown")
        for given in [
            "AlarmEmail=ops@example.org ListRate=2 PriceClass=PriceClass_100",
            "OriginSecretA=2 DomainName=",
            "DomainName=xn--h1alffa9f.xn--j1amh",
        ]:
            found = list(preflight.misnamed(STACK, [*made, *given.split()], made))
            self.assertEqual(found, [], given)
        unknown = "template.yaml has no parameter"
        for given, told in {
            "DomainName=turnout.example.org-": "DomainName must be of the form",
            "AlarmMail=x@example.org": f"{unknown} AlarmMail: did you mean AlarmEmail?",
            "Xyzzy=1": f"{unknown} Xyzzy",
            "Architecture=x86_64": "Architecture is set with ARCH: make deploy ARCH=x86_64",
            "AlarmEmail": "PARAMETERS takes NAME=VALUE, not AlarmEmail",
            "AboutUrl=https://x.org:port": "AboutUrl must be a URL such as https://example.org/imp",
            "AlarmEmail=nobody": "AlarmEmail must be of the form [^@ ]+@[^@ ]+|, is 'nobody'",
            "DeletionProtection=yes": "DeletionProtection must be one of true, false, is 'yes'",
            "RecoveryPeriodInDays=36": "RecoveryPeriodInDays must be a number from 1 to 35, is",
            "ListRate=0": "ListRate must be a number from 1 on, is '0'",
            "ListRate=x": "ListRate must be a number from 1 on, is 'x'",
            "LogRetentionDays=4": "LogRetentionDays must be one of 1, 3, 5",
            "ListRate=1 ListRate=2": "ListRate is given twice",
        }.items():
            (found,) = preflight.misnamed(STACK, [*made, *given.split()], made)
            self.assertEqual(found[: len(told)], told, given)

    def test_a_stage_has_a_short_name(self):
        for stack in ("turnout-" + "x" * 13, "turnout-pre-prod", "turnout-1", "turnout"):
            (found,) = preflight.misnamed(stack, (), ())
            self.assertIn("is not turnout-<stage>", found)
        self.assertEqual(list(preflight.misnamed("turnout-" + "x" * 12, (), ())), [])

    def test_a_rollback_leaves_out_parameters_that_are_newer(self):
        given = ["ListRate=1"]
        earlier = {"Parameters": {}}
        with (
            mock.patch.dict(os.environ, {"ROLLBACK": "true"}),
            mock.patch.object(preflight, "yaml_parse", return_value=earlier),
            contextlib.redirect_stdout(io.StringIO()) as printed,
        ):
            found = list(preflight.misnamed(STACK, given, ()))
        self.assertEqual(found, [])
        self.assertIn("note: ListRate is left out", printed.getvalue())

    def unusable(self, service, after, answer):
        """Returns what is wrong with a certificate or a web ACL, which both are in us-east-1."""
        session = boto3.Session("x", "x", region_name="eu-central-1")
        client = session.client(service)
        with Stubber(client) as aws, mock.patch.object(session, "client") as made:
            made.return_value = client
            answer(aws)
            found = list(preflight.unusable(session, after))
        made.assert_called_once_with(service, region_name="us-east-1")
        return found

    def test_certificate_is_usable(self):
        arn = "arn:aws:acm:us-east-1:123456789012:certificate/1"
        after = {"DomainName": "turnout.example.org", "CertificateArn": arn}

        def told(status, *names):
            found = {
                "Status": status,
                "DomainName": names[0],
                "SubjectAlternativeNames": list(names),
            }
            answer = ("describe_certificate", {"Certificate": found}, {"CertificateArn": arn})
            return self.unusable("acm", after, lambda aws: aws.add_response(*answer))

        self.assertEqual(told("ISSUED", "turnout.example.org"), [])
        self.assertEqual(told("ISSUED", "example.org", "*.example.org"), [])
        self.assertEqual(
            told("ISSUED", "example.org"),
            ["the certificate is for example.org, not for turnout.example.org"],
        )
        for name in ("*.turnout.example.org", "x.example.org"):
            self.assertIn("the certificate is for", *told("ISSUED", name))
        self.assertIn(
            "the certificate is not issued, but PENDING_VALIDATION",
            *told("PENDING_VALIDATION", "turnout.example.org"),
        )
        failure = ("describe_certificate", "ResourceNotFoundException")
        found = self.unusable("acm", after, lambda aws: aws.add_client_error(*failure))
        self.assertIn("the certificate cannot be read", *found)
        self.assertEqual(
            list(preflight.unusable(boto3.Session(), {"DomainName": "x.org"})),
            ["DomainName and CertificateArn go together"],
        )

    def test_web_acl_is_usable(self):
        after = {"WebAclArn": "arn:aws:wafv2:us-east-1:123456789012:global/webacl/turnout/1"}
        answer = ("get_web_acl", {}, {"Name": "turnout", "Id": "1", "Scope": "CLOUDFRONT"})
        found = self.unusable("wafv2", after, lambda aws: aws.add_response(*answer))
        self.assertEqual(found, [])
        failure = ("get_web_acl", "WAFNonexistentItemException")
        found = self.unusable("wafv2", after, lambda aws: aws.add_client_error(*failure))
        self.assertIn("the web ACL cannot be read", *found)

    def test_stack_that_takes_no_update_is_refused(self):
        for state in (
            *("CREATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE", "IMPORT_COMPLETE"),
            "REVIEW_IN_PROGRESS",
        ):
            found = {"StackName": STACK, "StackStatus": state}
            self.assertEqual(list(preflight.stuck(found)), [], state)
        for state, told in {
            "UPDATE_IN_PROGRESS": "wait until that is over",
            "UPDATE_ROLLBACK_FAILED": f"continue-update-rollback --stack-name {STACK}",
            "ROLLBACK_COMPLETE": "Delete it (the table stays), then deploy again",
            "DELETE_FAILED": "delete it again",
        }.items():
            (fault,) = preflight.stuck({"StackName": STACK, "StackStatus": state})
            self.assertIn(told, fault, state)

    def test_mail_that_was_not_confirmed_is_noted(self):
        client = boto3.client("sns", **NOBODY)

        def notes(state):
            subscription = {"Endpoint": "a@example.org", "SubscriptionArn": state}
            found = {"Subscriptions": [subscription]}
            with Stubber(client) as aws:
                aws.add_response("list_subscriptions_by_topic", found, {"TopicArn": "topic"})
                return list(preflight.unconfirmed(client, "topic", "a@example.org"))

        self.assertEqual(notes("arn:aws:sns:x:1:y:z"), [])
        self.assertIn("has not confirmed", *notes("PendingConfirmation"))
        self.assertIn("is not subscribed", *notes("Deleted"))

    def test_older_approval_is_refused(self):
        """By hand, somebody may want to deploy an older commit."""
        with tempfile.TemporaryDirectory() as folder:
            git = ["git", "-C", folder, "-c", "user.name=x", "-c", "user.email=x@example.org"]
            subprocess.run([*git, "init", "-q"], check=True)
            for message in ("old", "new"):
                commit = ["commit", "-q", "--allow-empty", "-m", message]
                subprocess.run([*git, *commit], check=True)
            listed = subprocess.check_output([*git, "rev-list", "HEAD"], text=True)
            new, old = listed.split()
            with mock.patch.dict(os.environ, {"GIT_DIR": f"{folder}/.git"}):
                self.assertIsNone(preflight.outdated({"Commit": new}, old))
                os.environ["ONLY_NEWER"] = "true"
                for running, commit, refused in [
                    (old, new, False),
                    (new, new, False),
                    ("unknown", old, False),
                    (new, old, True),
                    ("0" * 40, new, True),
                ]:
                    found = preflight.outdated({"Commit": running}, commit)
                    self.assertEqual(found is not None, refused, (running, commit))

    def test_what_is_missing_is_said_before_anything_is_built(self):
        def run(**environment):
            clean = {
                "PATH": os.environ["PATH"],
                "HOME": "/nonexistent",
                "AWS_EC2_METADATA_DISABLED": "true",
            }
            command = [sys.executable, "-m", "infra.deploy.preflight", STACK]
            done = subprocess.run(command, env=clean | environment, capture_output=True, text=True)
            self.assertEqual(done.returncode, 1)
            return done.stderr

        self.assertIn("deploy: no region: set AWS_DEFAULT_REGION", run())
        in_a_region = run(AWS_DEFAULT_REGION="eu-central-1")
        self.assertIn("deploy: no credentials: run `aws configure`", in_a_region)
        self.assertIn("deploy: go is missing", run(PATH="/nonexistent"))


class Stack(Mocked):
    def test_table_in_use_is_fit(self):
        """preflight.py names each step that a restored table lacks."""
        dynamodb, name = boto3.client("dynamodb"), "turnout-production-Table-unfit"
        dynamodb.create_table(
            TableName=name,
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
            SSESpecification={"Enabled": True},
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
            DeletionProtectionEnabled=False,
        )

        def told(table=name, **wanted):
            found = preflight.unfit(dynamodb, STACK, table, wanted)
            return [fault.removeprefix(f"the table {table} ").split(":")[0] for fault in found]

        keys = "has other keys than pk and sk"
        ttl = "does not expire items by expiresAt"
        recovery = "has no point-in-time recovery"
        unguarded = "is not protected from deletion"
        encrypted = "is encrypted with a key that the functions may not use"
        self.assertEqual(told(), [keys, ttl, recovery, unguarded, encrypted])
        self.assertEqual(told(DeletionProtection="false"), [keys, ttl, recovery, encrypted])
        dynamodb.update_time_to_live(
            TableName=name, TimeToLiveSpecification={"AttributeName": "ttl", "Enabled": True}
        )
        dynamodb.update_continuous_backups(
            TableName=name,
            PointInTimeRecoverySpecification={
                "PointInTimeRecoveryEnabled": True,
                "RecoveryPeriodInDays": 20,
            },
        )
        dynamodb.update_table(TableName=name, DeletionProtectionEnabled=True)
        self.assertEqual(told(), [keys, ttl, "keeps copies for 20 days, not 35", encrypted])
        self.assertEqual(told(RecoveryPeriodInDays="20"), [keys, ttl, encrypted])
        self.assertIn("cannot be read", told(table="turnout-production-Table-no")[0])
        (fault,) = preflight.unfit(dynamodb, STACK, "turnout-staging-Table-1", {})
        self.assertIn("must begin with turnout-production-Table-", fault)

    def test_table_that_is_not_there_yet_is_not_fit(self):
        dynamodb = boto3.client("dynamodb")
        keys = self.template["Resources"]["Table"]["Properties"]["KeySchema"]
        ttl = {"TimeToLiveStatus": "ENABLING", "AttributeName": "expiresAt"}
        backups = {"ContinuousBackupsStatus": "DISABLED"}
        table = {"TableStatus": "CREATING", "KeySchema": keys, "DeletionProtectionEnabled": True}
        with Stubber(dynamodb) as aws:
            aws.add_response("describe_table", {"Table": table})
            aws.add_response("describe_time_to_live", {"TimeToLiveDescription": ttl})
            aws.add_response(
                "describe_continuous_backups", {"ContinuousBackupsDescription": backups}
            )
            found = list(preflight.unfit(dynamodb, STACK, "turnout-production-Table-x", {}))
        self.assertIn("is CREATING", found[0])
        self.assertIn("has no point-in-time recovery", found[1])
        self.assertEqual(len(found), 2)

    def test_table_is_judged_when_another_is_wanted(self):
        """The table in use may lack anything, because a fix must not be refused."""
        table = self.physical["Table"]
        deployed = {"RestoredTable": f"{table}-restored"}
        with (
            mock.patch.object(preflight, "parameters_of", return_value=deployed),
            mock.patch.dict(os.environ, {"LEAVE": deployed["RestoredTable"]}),
            contextlib.redirect_stdout(io.StringIO()),
        ):
            away = list(preflight.faults(boto3.Session(), STACK, {"RestoredTable": ""}))
            other = list(preflight.faults(boto3.Session(), STACK, {"ListRate": "2"}))
        self.assertIn(f"the table {table} does not expire", away[0])
        self.assertEqual(other, [])

    def test_preflight(self):
        def run(*arguments):
            command = [sys.executable, "-m", "infra.deploy.preflight", *arguments]
            done = subprocess.run(command, capture_output=True, text=True)
            self.assertEqual(done.returncode == 0, not done.stderr)
            return done.stderr or done.stdout

        account = boto3.client("sts").get_caller_identity()["Account"]
        here = f"account {account}, region eu-central-1, stack"
        unheard = "alarms reach nobody: ops@example.org is not subscribed (any more)"
        self.assertEqual(run(STACK, "ListRate=2"), f"{here} {STACK}\ndeploy: note: {unheard}\n")
        for given, told in {
            "Serving=false": "note: nothing is served until PARAMETERS has Serving=true\n",
            "RestoredTable=turnout-production-Table-x": (
                "deploy: the table turnout-production-Table-x cannot be read"
            ),
            "OriginSecretA=2": (
                "deploy: OriginSecretA cannot be replaced while CloudFront sends it, nor in the "
                "deployment that changes what it sends: "
            ),
            "AlarmMail=x": (
                "deploy: template.yaml has no parameter AlarmMail: did you mean AlarmEmail?\n"
            ),
        }.items():
            self.assertIn(told, run(STACK, given))
        mail = run("turnout-other", "AlarmEmail=new@example.org")
        self.assertIn("new@example.org will get an email", mail)
