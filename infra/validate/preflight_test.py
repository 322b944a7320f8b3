"""Checks before a deployment: its parameters, its steps, and what preflight.py finds, in part in moto."""

import os
import shlex
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import boto3
import preflight
from botocore.stub import Stubber
from samcli.cli.types import CfnParameterOverridesType

from mocked import STACK, Mocked


class Deployment(unittest.TestCase):
    def overrides(self, parameters, programs=""):
        """The parameters that sam deploy reads from the PARAMETERS of make deploy."""
        lines = subprocess.run(
            [
                "make",
                "-n",
                "deploy",
                "COMMIT=unknown",
                f"PARAMETERS={parameters}",
                f"PROGRAMS={programs}",
            ],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        (deploy,) = [
            shlex.split(line) for line in lines.splitlines() if " deploy --stack-name" in line
        ]
        where = ["--config-env", "programs", "--s3-bucket", programs] if programs else []
        self.assertEqual(
            deploy[deploy.index("deploy") : deploy.index("--parameter-overrides")],
            ["deploy", "--stack-name", STACK, "--tags", f"stack={STACK}"]
            + where
            + ["--s3-prefix", STACK],  # by which infra/deployer.yaml tells programs apart
        )
        return CfnParameterOverridesType().convert(
            tuple(deploy[deploy.index("--parameter-overrides") + 1 :]), None, None
        )

    def test_parameters_can_be_set_and_emptied(self):
        always = {"Architecture": "arm64", "Commit": "unknown"}
        self.assertEqual(self.overrides("", "bucket"), always)
        self.assertEqual(
            self.overrides("AlarmEmail= DomainName=turnout.example.org WebAclArn="),
            always | {"AlarmEmail": "", "DomainName": "turnout.example.org", "WebAclArn": ""},
        )

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
        old, restored = {"Architecture": "arm64"}, {"RestoredTable": "turnout-production-Table-1"}
        for deployed, wanted, leave, told in [
            ({}, restored, "", None),
            (old, {}, "", None),
            (old, restored, "", "RestoredTable is new to this stack"),
            ({"RestoredTable": ""}, restored, "", None),
            (restored, {"ListRate": "2"}, "", None),
            (
                restored,
                {"RestoredTable": ""},
                "",
                "this leaves the table turnout-production-Table-1, with all that was stored in it, for turnout-production-Table-own:",
            ),
            (
                restored,
                {"RestoredTable": "turnout-production-Table-2"},
                "turnout-production-Table-2",
                "this leaves the table turnout-production-Table-1, with all that was stored in it, for turnout-production-Table-2:",
            ),
            (restored, {"RestoredTable": ""}, "turnout-production-Table-1", None),
        ]:
            with mock.patch.dict(os.environ, {"LEAVE": leave}):
                found = preflight.misswitch(
                    deployed, deployed | wanted, "turnout-production-Table-own"
                )
            self.assertEqual(found and found[: len(told or "")], told, (deployed, wanted))

    def test_low_concurrency_is_noted(self):
        session = boto3.Session("x", "x", region_name="eu-central-1")
        for limit, noted in [(10, True), (99, True), (100, False), (1000, False), (None, False)]:
            client = session.client("lambda")
            with Stubber(client) as aws:
                if limit:
                    aws.add_response(
                        "get_account_settings", {"AccountLimit": {"ConcurrentExecutions": limit}}
                    )
                else:
                    aws.add_client_error(
                        "get_account_settings", "AccessDeniedException"
                    )  # must not prevent a deployment
                self.assertEqual(
                    [
                        f"the account runs {limit} functions" in note
                        for note in preflight.concurrency(client)
                    ],
                    [True] * noted,
                    limit,
                )

    def test_parameters_are_those_of_the_template(self):
        """Checked without credentials, too: SAM would drop some silently, CloudFormation refuse others after the build."""
        made = ("Architecture=arm64", "Commit=unknown")
        for given, told in {
            "AlarmEmail=ops@example.org ListRate=2 PriceClass=PriceClass_100 OriginSecretA=2 DomainName=": None,
            "DomainName=xn--h1alffa9f.xn--j1amh": None,
            "DomainName=turnout.example.org-": "DomainName must be of the form",
            "AlarmMail=x@example.org": "template.yaml has no parameter AlarmMail: did you mean AlarmEmail?",
            "Xyzzy=1": "template.yaml has no parameter Xyzzy",
            "Architecture=x86_64": "Architecture is set with ARCH: make deploy ARCH=x86_64",
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
            self.assertEqual(
                [fault[: len(told)] for fault in found] if told else found,
                [told] if told else [],
                given,
            )
        for stack in ("turnout-" + "x" * 22, "turnout-pre-prod", "turnout-1"):
            self.assertIn("is not turnout-<stage>", next(preflight.misnamed(stack, made, made)))
        self.assertEqual(list(preflight.misnamed("turnout-" + "x" * 21, made, made)), [])

    def test_a_rollback_leaves_out_parameters_that_are_newer(self):
        """But not the table in use."""
        with (
            mock.patch.dict(os.environ, {"ROLLBACK": "true"}),
            mock.patch.object(preflight, "yaml_parse", return_value={"Parameters": {}}),
        ):
            self.assertEqual(
                list(
                    preflight.misnamed(
                        STACK, ["ListRate=1", "RestoredTable=turnout-production-Table-x"], ()
                    )
                ),
                ["template.yaml has no parameter RestoredTable"],
            )

    def test_certificate_and_web_acl_are_usable(self):
        arn, acl = (
            "arn:aws:acm:us-east-1:123456789012:certificate/1",
            "arn:aws:wafv2:us-east-1:123456789012:global/webacl/turnout/1",
        )
        after = {"DomainName": "turnout.example.org", "CertificateArn": arn}
        session = boto3.Session("x", "x", region_name="eu-central-1")
        for found, told in [
            ({"Status": "ISSUED", "DomainName": "turnout.example.org"}, None),
            (
                {
                    "Status": "ISSUED",
                    "DomainName": "example.org",
                    "SubjectAlternativeNames": ["example.org", "*.example.org"],
                },
                None,
            ),
            (
                {"Status": "PENDING_VALIDATION", "DomainName": "turnout.example.org"},
                "the certificate is not issued, but PENDING_VALIDATION",
            ),
            (
                {"Status": "ISSUED", "DomainName": "example.org"},
                "the certificate is for example.org, not for turnout.example.org",
            ),
            ({"Status": "ISSUED", "DomainName": "*.turnout.example.org"}, "the certificate is for"),
            ({"Status": "ISSUED", "DomainName": "x.example.org"}, "the certificate is for"),
            (None, "the certificate cannot be read"),
        ]:
            client = session.client("acm")
            with (
                Stubber(client) as aws,
                mock.patch.object(session, "client", return_value=client) as made,
            ):
                if found:
                    aws.add_response(
                        "describe_certificate", {"Certificate": found}, {"CertificateArn": arn}
                    )
                else:
                    aws.add_client_error("describe_certificate", "ResourceNotFoundException")
                self.assertEqual(
                    [fault[: len(told or "")] for fault in preflight.unusable(session, after)],
                    [told] if told else [],
                    found,
                )
                made.assert_called_once_with("acm", region_name="us-east-1")
        client = session.client("wafv2")
        with (
            Stubber(client) as aws,
            mock.patch.object(session, "client", return_value=client) as made,
        ):
            aws.add_response(
                "get_web_acl", {}, {"Name": "turnout", "Id": "1", "Scope": "CLOUDFRONT"}
            )
            self.assertEqual(list(preflight.unusable(session, {"WebAclArn": acl})), [])
            made.assert_called_once_with("wafv2", region_name="us-east-1")
            aws.add_client_error("get_web_acl", "WAFNonexistentItemException")
            self.assertIn(
                "the web ACL cannot be read", next(preflight.unusable(session, {"WebAclArn": acl}))
            )
        self.assertEqual(
            list(preflight.unusable(session, {"DomainName": "x.org"})),
            ["DomainName and CertificateArn go together"],
        )

    def test_stack_that_takes_no_update_is_refused(self):
        for state, told in {
            "CREATE_COMPLETE": None,
            "UPDATE_ROLLBACK_COMPLETE": None,
            "IMPORT_COMPLETE": None,
            "REVIEW_IN_PROGRESS": None,
            "UPDATE_IN_PROGRESS": "wait until that is over",
            "UPDATE_ROLLBACK_FAILED": f"continue-update-rollback --stack-name {STACK}",
            "ROLLBACK_COMPLETE": "delete it",
            "DELETE_FAILED": "delete it again",
        }.items():
            found = list(preflight.stuck({"StackName": STACK, "StackStatus": state}))
            self.assertEqual(
                [told in fault for fault in found] if told else found, [True] if told else [], state
            )

    def test_mail_that_was_not_confirmed_is_noted(self):
        client = boto3.client(
            "sns", region_name="eu-central-1", aws_access_key_id="x", aws_secret_access_key="x"
        )
        for state, told in {
            "PendingConfirmation": "has not confirmed",
            "Deleted": "is not subscribed",
            "arn:aws:sns:x:1:y:z": None,
        }.items():
            with Stubber(client) as aws:
                aws.add_response(
                    "list_subscriptions_by_topic",
                    {"Subscriptions": [{"Endpoint": "a@example.org", "SubscriptionArn": state}]},
                    {"TopicArn": "topic"},
                )
                found = list(preflight.unconfirmed(client, "topic", "a@example.org"))
            self.assertEqual(
                [told in note for note in found] if told else found, [True] if told else [], state
            )

    def test_older_approval_is_refused(self):
        """Only if it waited: whoever deploys by hand may want an older commit."""
        with tempfile.TemporaryDirectory() as folder:

            def git(*arguments):
                return subprocess.run(
                    [
                        "git",
                        "-C",
                        folder,
                        "-c",
                        "user.name=x",
                        "-c",
                        "user.email=x@example.org",
                        *arguments,
                    ],
                    check=True,
                    capture_output=True,
                    text=True,
                ).stdout.strip()

            git("init", "-q")
            commits = []
            for message in ("old", "new"):
                git("commit", "-q", "--allow-empty", "-m", message)
                commits.append(git("rev-parse", "HEAD"))
            old, new = commits
            with mock.patch.dict(os.environ, {"GIT_DIR": f"{folder}/.git", "ONLY_NEWER": "true"}):
                for running, commit, refused in [
                    (old, new, False),
                    (new, new, False),
                    ("unknown", old, False),
                    (new, old, True),
                    ("0" * 40, new, True),
                ]:
                    self.assertEqual(
                        preflight.outdated({"Commit": running}, commit) is not None,
                        refused,
                        (running, commit),
                    )
            with mock.patch.dict(os.environ, {"GIT_DIR": f"{folder}/.git"}):
                self.assertIsNone(preflight.outdated({"Commit": new}, old))

    def test_what_is_missing_is_said_before_anything_is_built(self):
        def run(**environment):
            clean = {
                "PATH": os.environ["PATH"],
                "HOME": "/nonexistent",
                "AWS_EC2_METADATA_DISABLED": "true",
            }
            done = subprocess.run(
                [sys.executable, "infra/deploy/preflight.py", STACK],
                env=clean | environment,
                capture_output=True,
                text=True,
            )
            self.assertEqual(done.returncode, 1)
            return done.stderr

        self.assertTrue(run().startswith("deploy: no region: set AWS_DEFAULT_REGION"))
        self.assertTrue(
            run(AWS_DEFAULT_REGION="eu-central-1").startswith(
                "deploy: no credentials: run `aws configure`"
            )
        )
        self.assertIn("go is missing", run(PATH="/nonexistent"))


class Stack(Mocked):
    def test_table_in_use_is_fit(self):
        """Whatever it lacks is named, until nothing is left."""
        dynamodb, name = boto3.client("dynamodb"), "turnout-production-Table-unfit"
        key = {"AttributeName": "pk", "AttributeType": "S"}
        dynamodb.create_table(
            TableName=name,
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[key],
            SSESpecification={"Enabled": True},
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
            DeletionProtectionEnabled=False,
        )

        def told(restored=True, table=name, **wanted):
            return [
                fault.removeprefix(f"the table {table} ").split(":")[0]
                for fault in preflight.unfit(dynamodb, STACK, table, wanted, restored)
            ]

        keys, ttl, recovery = (
            "has other keys than pk and sk",
            "does not expire items by expiresAt",
            "has no point-in-time recovery",
        )
        unguarded, encrypted = (
            "is not protected from deletion",
            "is encrypted with a key that the functions may not use",
        )
        self.assertEqual(told(), [keys, ttl, recovery, unguarded, encrypted])
        self.assertEqual(
            told(restored=False, DeletionProtection="false"), [keys, ttl, recovery]
        )  # its own keeps the key that an older release gave it
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
        self.assertIn(
            "must begin with turnout-production-Table-",
            next(preflight.unfit(dynamodb, STACK, "turnout-staging-Table-1", {}, True)),
        )
        with Stubber(dynamodb) as aws:
            aws.add_response(
                "describe_table",
                {
                    "Table": {
                        "TableStatus": "CREATING",
                        "KeySchema": self.template["Resources"]["Table"]["Properties"]["KeySchema"],
                    }
                },
            )
            aws.add_response(
                "describe_time_to_live",
                {
                    "TimeToLiveDescription": {
                        "TimeToLiveStatus": "ENABLING",
                        "AttributeName": "expiresAt",
                    }
                },
            )
            aws.add_response(
                "describe_continuous_backups",
                {"ContinuousBackupsDescription": {"ContinuousBackupsStatus": "DISABLED"}},
            )
            self.assertEqual(told(), ["is CREATING", recovery, unguarded])

    def test_preflight(self):
        """With the stack, and with one that does not exist."""
        table = self.physical["Table"]

        def run(*arguments):
            done = subprocess.run(
                [sys.executable, "infra/deploy/preflight.py", *arguments],
                capture_output=True,
                text=True,
            )
            return done.returncode, done.stdout, done.stderr

        # A table is judged when RestoredTable changes. The one in use may lack anything.
        restored = {"RestoredTable": f"{table}-restored"}
        with (
            mock.patch.object(preflight, "parameters_of", return_value=restored),
            mock.patch.dict(os.environ, {"LEAVE": f"{table}-restored"}),
        ):
            self.assertIn(
                f"the table {table} does not expire",
                next(preflight.faults(boto3.Session(), STACK, {"RestoredTable": ""})),
            )
            self.assertEqual(list(preflight.faults(boto3.Session(), STACK, {"ListRate": "2"})), [])
        self.assertIn(
            "the table turnout-production-Table-x cannot be read",
            run(STACK, "RestoredTable=turnout-production-Table-x")[2],
        )
        account = boto3.client("sts").get_caller_identity()["Account"]
        self.assertEqual(
            run(STACK, "ListRate=2")[:2],
            (
                0,
                f"account {account}, region eu-central-1, stack {STACK}\n"
                "deploy: note: alarms reach nobody: ops@example.org is not subscribed (any more)\n",
            ),
        )
        self.assertIn(
            "deploy: note: nothing is served until PARAMETERS has Serving=true\n",
            run(STACK, "Serving=false")[1],
        )
        self.assertEqual(
            run("other")[:2],
            (
                0,
                f"account {account}, region eu-central-1, stack other (new)\ndeploy: note: nothing watches this stage: set AlarmEmail\n",
            ),
        )
        self.assertIn(
            "new@example.org will get a mail", run("other", "AlarmEmail=new@example.org")[1]
        )
        code, _, error = run(STACK, "OriginSecretA=2")
        self.assertEqual(
            (code, error.split(":")[1]),
            (
                1,
                " OriginSecretA cannot be replaced while CloudFront sends it, nor in the deployment that changes what it sends",
            ),
        )
        self.assertEqual(
            run(STACK, "AlarmMail=x")[::2],
            (1, "deploy: template.yaml has no parameter AlarmMail: did you mean AlarmEmail?\n"),
        )
