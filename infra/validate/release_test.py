"""Undoes deployments in moto, as infra/deploy/release.py does after checking a deployment, and fills the bucket.

The check is played by its exit status, which the tests of infra/smoke hold.
"""

import base64
import contextlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import boto3
import release
import upload
from botocore.client import BaseClient
from botocore.exceptions import ClientError

from mocked import Mocked
from templates import REGION, STACK, Resolved, transform

BEFORE, AFTER, TAGS = "a" * 40, "b" * 40, [{"Key": "stack", "Value": STACK}]
REAL_CALL = BaseClient._make_api_call


def file(name, content):
    return {
        "name": name,
        "contentType": "text/plain",
        "cacheControl": "no-cache",
        "content": content,
    }


class Writing(unittest.TestCase):
    def test_false_stops_what_stores(self):
        stack = Resolved(transform("template.yaml"), STACK, Writing="false")
        stopped = {
            name
            for name, function in stack.of_type("AWS::Lambda::Function").items()
            if function.get("ReservedConcurrentExecutions") == 0
        }
        storing = {
            name.replace("Role", "Function")
            for name, role in stack.of_type("AWS::IAM::Role").items()
            if re.search("dynamodb:(Put|Update)", json.dumps(role))
        }
        self.assertEqual(stopped, storing)


class Release(Mocked):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        wrapper = cls.folder / "smoke"
        wrapper.write_text(f'#!/bin/sh\necho "$@" >{cls.folder}/asked\nexit "$RESULT"\n')
        wrapper.chmod(0o755)
        mock.patch.multiple(release, SMOKE=wrapper, RECORDED=cls.folder).start()
        boto3.client("s3").create_bucket(
            Bucket="programs", CreateBucketConfiguration={"LocationConstraint": REGION}
        )
        cls.guarded, cls.states, cls.named, cls.outcome, cls.interrupted = (
            [],
            [],
            set(),
            "UPDATE_COMPLETE",
            None,
        )

        def call(client, operation, arguments):
            """Adds what moto lacks: protection and tags, which are recorded, UsePreviousValue, names that are taken, and an update that takes time and may fail."""
            if operation == "UpdateTerminationProtection":
                return cls.guarded.append(arguments)
            if operation == "CreateChangeSet":
                if cls.states or arguments["ChangeSetName"] in cls.named:
                    raise ClientError(
                        {"Error": {"Code": "ValidationError", "Message": "in progress, or exists"}},
                        operation,
                    )
                cls.named.add(arguments["ChangeSetName"])
                cls.tags = arguments.get("Tags")
                arguments["TemplateURL"] = arguments["TemplateURL"].replace(
                    client.meta.endpoint_url, "https://s3.amazonaws.com"
                )  # moto knows S3 by its name
                # Moto does not know former values, and considers a given default a change.
                given = {
                    p["ParameterKey"]: p.get("ParameterValue")
                    or cls.parameters()[p["ParameterKey"]]
                    for p in arguments["Parameters"]
                }
                arguments["Parameters"] = [
                    {"ParameterKey": name, "ParameterValue": value}
                    for name, value in given.items()
                    if value != str(cls.template["Parameters"][name].get("Default"))
                ]
            if operation == "GetTemplate":  # moto has one stage
                assert arguments["TemplateStage"] == "Original"
            if operation == "ExecuteChangeSet":
                cls.states = ["UPDATE_IN_PROGRESS"] * 3 + [cls.outcome]
            answer = (
                {}
                if operation == "ExecuteChangeSet" and cls.outcome != "UPDATE_COMPLETE"
                else REAL_CALL(client, operation, arguments)
            )
            if operation == "DescribeStacks" and cls.states:
                answer["Stacks"][0]["StackStatus"] = cls.states.pop(0)
            if operation == "GetDistribution":
                answer["Distribution"]["Status"] = cls.progress.pop(0)
            made = operation, arguments.get("Key")
            if cls.interrupted is not None and made not in cls.interrupted:
                cls.interrupted.add(made)
                raise KeyboardInterrupt
            return answer

        mock.patch.object(BaseClient, "_make_api_call", call).start()
        mock.patch("time.sleep").start()

    @classmethod
    def parameters(cls):
        return {
            p["ParameterKey"]: p["ParameterValue"]
            for p in cls.cloudformation.describe_stacks(StackName=STACK)["Stacks"][0]["Parameters"]
        }

    def deploy(self, code, files, **parameters):
        """A deployment, as SAM and upload.py make it: another template, whose programs a parameter of SSM plays, and the files of the site."""
        program = {
            "Type": "AWS::SSM::Parameter",
            "Properties": {
                "Name": "program",
                "Type": "String",
                "Value": f"s3://programs/{STACK}/{code}",
            },
        }
        template = self.template | {"Resources": self.template["Resources"] | {"Program": program}}
        self.cloudformation.update_stack(
            StackName=STACK,
            TemplateBody=json.dumps(template),
            Tags=TAGS,
            Capabilities=["CAPABILITY_IAM"],
            Parameters=[
                {"ParameterKey": name, "ParameterValue": value}
                for name, value in ({"AlarmEmail": "ops@example.org"} | parameters).items()
            ],
        )
        upload.upload(
            boto3.client("s3"),
            self.physical["SiteBucket"],
            [file(name, content) for name, content in files.items()],
        )

    def runs(self):
        """What runs: programs, files of the site, and parameters."""
        s3, bucket = boto3.client("s3"), self.physical["SiteBucket"]
        code = boto3.client("ssm").get_parameter(Name="program")["Parameter"]["Value"]
        site = {
            name: (head["ETag"], head["ContentType"], head["CacheControl"], head["Metadata"])
            for name in upload.current(s3, bucket)
            for head in [s3.head_object(Bucket=bucket, Key=name)]
        }
        return code, site, self.parameters()

    def verify(self, answers):
        """What release.py verify prints, or the words that it ends with. Missing: a name does not resolve."""
        self.guarded.clear()
        quiet = io.StringIO()
        with (
            mock.patch.dict(
                os.environ, {"RESULT": {"right": "0", "wrong": "1", "missing": "3"}[answers]}
            ),
            contextlib.redirect_stdout(quiet),
            contextlib.redirect_stderr(quiet),
        ):
            try:
                release.verify(STACK)
            except SystemExit as end:
                return end.code
        return quiet.getvalue()

    def test_release(self):
        old = {"index.html": "b2xk", "robots.txt": "b2xk", "assets/app-1.js": "b2xk"}
        new = {"index.html": "bmV3", "new.txt": "bmV3", "assets/app-2.js": "bmV3"}
        (self.folder / "not-there.json").write_text("{}")
        release.record("not-there")
        self.assertIsNone(release.undo("not-there"))
        self.deploy("before", old, Commit=BEFORE)
        before = self.runs()
        with self.subTest("the first deployment is left standing"):
            self.assertIn("first deployment, and is left standing", self.verify("wrong"))
            self.assertEqual(self.runs(), before)

        release.record(STACK)
        self.deploy("after", new, Commit=AFTER, ListRate="7")
        after = self.runs()
        self.assertNotEqual(after[:2], before[:2])
        with self.subTest("a name that does not resolve undoes nothing"):
            self.assertEqual(self.verify("missing"), "deploy: nothing was undone")
            self.assertEqual(self.runs(), after)
        with self.subTest("one that passes is guarded"):
            lacks = (
                "does not expire items by expiresAt",
                "has no point-in-time recovery",
            )  # of what moto makes
            notes = [
                f"deploy: note: the table {self.physical['Table']} {lack}: see Restore in infra/RUNBOOK.md"
                for lack in lacks
            ]
            self.assertEqual(
                self.verify("right").splitlines(), [upload.outputs_of(STACK)["SiteUrl"], *notes]
            )
            self.assertEqual(
                (self.folder / "asked").read_text(),
                f"-deployed https://{upload.outputs_of(STACK)['DistributionDomain']}\n",
            )
            self.assertEqual(self.runs(), after)
            self.assertEqual(
                self.guarded, [{"StackName": STACK, "EnableTerminationProtection": True}]
            )
            rules = json.loads(
                self.cloudformation.get_stack_policy(StackName=STACK)["StackPolicyBody"]
            )["Statement"]
            denied = [
                (rule["Action"], rule["Resource"]) for rule in rules if rule["Effect"] == "Deny"
            ]
            self.assertEqual(
                denied, [(["Update:Replace", "Update:Delete"], "LogicalResourceId/Table")]
            )
        with self.subTest("one that answers wrongly is undone"):
            self.assertEqual(
                self.verify("wrong"),
                f"deploy: undone: functions and site are those of commit {BEFORE} again. Not undone: what was stored meanwhile, "
                f"and ListRate. The table in use is {self.physical['Table']}. It does not pass the check either: look at the alarms.",
            )
            code, site, parameters = self.runs()
            self.assertEqual(code, before[0])
            self.assertEqual(
                {name: how for name, how in site.items() if name != "assets/app-2.js"}, before[1]
            )
            self.assertEqual(parameters, after[2] | {"Commit": BEFORE})
            self.assertEqual(self.tags, TAGS)
            self.assertEqual(self.guarded, [])
            made = boto3.client("cloudfront").list_invalidations(DistributionId=self.distribution)[
                "InvalidationList"
            ]["Items"]
            self.assertEqual(len(made), 1)
        with self.subTest("a template that would leave the restored table is refused"):
            now, former = self.runs(), {**self.template, "Parameters": {}}
            with mock.patch.object(
                release,
                "parameters_of",
                return_value={"RestoredTable": "turnout-production-Table-1-restored"},
            ):
                with self.assertRaisesRegex(
                    SystemExit, "does not know turnout-production-Table-1-restored"
                ):
                    release.put_back_code(self.cloudformation, STACK, former, {})
            self.assertEqual(self.runs(), now)
        with self.subTest("interrupted after each of its calls once, it can be repeated"):
            done, said = self.runs(), None
            self.deploy("after", new, Commit=AFTER, ListRate="7")
            with mock.patch.object(Release, "interrupted", set()) as interrupted:
                while said is None:
                    with contextlib.suppress(KeyboardInterrupt):
                        said = release.undo(STACK)
            self.assertEqual(self.runs(), done)
            changing = {
                ("PutObject", f"{STACK}/before.template"),
                ("CreateChangeSet", None),
                ("ExecuteChangeSet", None),
                ("CopyObject", "index.html"),
                ("CopyObject", "robots.txt"),
                ("DeleteObject", "new.txt"),
                ("CreateInvalidation", None),
            }
            self.assertLess(changing, interrupted)
        with self.subTest("while nothing is served, nothing is checked or undone"):
            (self.folder / "asked").unlink()
            for commit in (AFTER, "c" * 40):
                release.record(STACK)
                self.deploy("after", new, Commit=commit, Serving="false")
                after, type(self).progress = self.runs(), ["InProgress", "Deployed"]
                self.assertEqual(
                    self.verify("wrong"),
                    "deploy: nothing is served until PARAMETERS has Serving=true\n",
                )
                self.assertEqual(
                    (self.progress, self.runs(), (self.folder / "asked").exists()),
                    ([], after, False),
                )
            self.deploy("after", new, Commit=AFTER, Serving="true", Writing="false")
            self.assertEqual(
                (self.verify("wrong"), (self.folder / "asked").exists()),
                ("deploy: nothing is stored until PARAMETERS has Writing=true\n", False),
            )
            self.deploy("after", new, Commit="c" * 40, Serving="false", Writing="true")
            release.record(STACK)
            self.deploy("again", old, Commit=BEFORE, Serving="true")
            self.assertIn("deploy: undone", self.verify("wrong"))
            self.assertEqual((self.runs()[0], self.parameters()["Serving"]), (after[0], "true"))
        for outcome, command, place, again in [
            ("UPDATE_ROLLBACK_COMPLETE", "describe-stack-events", "", f"release.py undo {STACK}"),
            (
                "UPDATE_ROLLBACK_FAILED",
                "continue-update-rollback",
                "true",
                'run the workflow "Roll back"',
            ),
        ]:
            with (
                self.subTest(f"the update ends in {outcome}"),
                mock.patch.dict(os.environ, {"GITHUB_ACTIONS": place}),
            ):
                self.deploy("after", new, Commit=AFTER, ListRate="7")
                after = self.runs()
                type(self).outcome = outcome
                stopped = self.verify("wrong")
                self.assertRegex(
                    stopped,
                    f"^undo: the stack is {outcome}: aws cloudformation {command} --stack-name {STACK}.*{again}",
                )
                self.assertEqual(self.runs(), after)
        with self.subTest("a stack that cannot be updated"):
            type(self).states = ["UPDATE_ROLLBACK_FAILED"] * 2
            with self.assertRaisesRegex(
                SystemExit, "UPDATE_ROLLBACK_FAILED: aws cloudformation continue-update-rollback"
            ):
                release.undo(STACK)


class Upload(Mocked):
    def test_upload(self):
        """By the command of make deploy: assets before the pages that name them, then what differs, and an invalidation if anything did."""
        s3, cloudfront, bucket = (
            boto3.client("s3"),
            boto3.client("cloudfront"),
            self.physical["SiteBucket"],
        )

        def run(*arguments):
            done = subprocess.run(
                [sys.executable, "infra/deploy/upload.py", *arguments],
                check=True,
                capture_output=True,
                text=True,
            )
            made = cloudfront.list_invalidations(DistributionId=self.distribution)[
                "InvalidationList"
            ].get("Items", [])
            return done.stderr + done.stdout, len(made)

        def held():
            heads = {
                item["Key"]: s3.head_object(Bucket=bucket, Key=item["Key"])
                for item in s3.list_objects_v2(Bucket=bucket).get("Contents", [])
            }
            return {
                name: (head["ContentType"], head["CacheControl"]) for name, head in heads.items()
            }

        files = upload.manifest()
        served = {file["name"]: (file["contentType"], file["cacheControl"]) for file in files}
        (style,) = (name for name in served if re.fullmatch(r"assets/app-[0-9a-f]{16}\.css", name))
        self.assertEqual(
            served[style], ("text/css; charset=utf-8", "public, max-age=31536000, immutable")
        )
        self.assertEqual(
            (served["index.html"], files[-1]["name"]),
            (("text/html; charset=utf-8", "no-cache"), "index.html"),
        )

        # Files of an earlier version: one that is gone, one with another content, and one with another type.
        older = "assets/app-0123456789abcdef.js"
        for name in (older, "old/page.html", "index.html"):
            s3.put_object(
                Bucket=bucket,
                Key=name,
                Body=b"old",
                ContentType="text/plain",
                CacheControl="no-store",
            )
        self.assertEqual(run("--assets", "not-there-yet"), ("", 0))
        self.assertEqual(run("--assets", STACK), ("", 0))
        self.assertEqual(
            held().keys(),
            {name for name in served if name.startswith("assets/")}
            | {older, "old/page.html", "index.html"},
        )
        self.assertEqual(s3.get_object(Bucket=bucket, Key="index.html")["Body"].read(), b"old")
        s3.copy_object(
            Bucket=bucket,
            Key=style,
            CopySource=f"{bucket}/{style}",
            MetadataDirective="REPLACE",
            ContentType="text/plain",
            CacheControl="no-store",
            Metadata=s3.head_object(Bucket=bucket, Key=style)["Metadata"],
        )
        self.assertEqual(run(STACK)[1], 1)
        self.assertEqual(held(), served | {older: ("text/plain", "no-store")})
        for file in files:
            self.assertEqual(
                s3.get_object(Bucket=bucket, Key=file["name"])["Body"].read(),
                base64.b64decode(file["content"]),
                file["name"],
            )
        (made,) = cloudfront.list_invalidations(DistributionId=self.distribution)[
            "InvalidationList"
        ]["Items"]
        batch = cloudfront.get_invalidation(DistributionId=self.distribution, Id=made["Id"])[
            "Invalidation"
        ]["InvalidationBatch"]
        self.assertEqual(batch["Paths"]["Items"], ["/*"])
        self.assertEqual(run(STACK), ("files of the site changed: 0\n", 1))
