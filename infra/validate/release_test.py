"""Undoes deployments in moto, as infra/deploy/release.py does after checking a deployment.

The check is played by its exit status, which the tests of infra/smoke hold.
"""

import contextlib
import io
import json
import os
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path
from unittest import mock

import boto3
from botocore.client import BaseClient
from botocore.exceptions import ClientError

sys.path.insert(0, "infra/deploy")
import release  # noqa: E402
import upload  # noqa: E402

BEFORE, AFTER = "a" * 40, "b" * 40
REAL_CALL = BaseClient._make_api_call


def file(name, content):
    return {"name": name, "contentType": "text/plain", "cacheControl": "no-cache", "content": content}


class Interrupted(BaseException):
    """Ctrl-C, or the end of a job."""


class Release(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        import stack_test  # not at the top, or its tests would run twice
        stack_test.Stack.setUpClass.__func__(cls)
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        wrapper = cls.folder / "smoke"
        wrapper.write_text(f'#!/bin/sh\necho "$@" >{cls.folder}/asked\nexit "$RESULT"\n')
        wrapper.chmod(0o755)
        for name, value in [("SMOKE", wrapper), ("RECORDED", cls.folder)]:
            patch = mock.patch.object(release, name, value)
            patch.start()
            cls.addClassCleanup(patch.stop)
        cls.guarded, cls.states, cls.named, cls.outcome, cls.interrupted = [], [], set(), "UPDATE_COMPLETE", None

        def call(client, operation, arguments):
            """Adds what moto lacks: protection, which is recorded, UsePreviousValue, names that are taken, and an update that takes time and may fail."""
            if operation == "UpdateTerminationProtection":
                return cls.guarded.append(arguments)
            if operation == "CreateChangeSet":
                if cls.states or arguments["ChangeSetName"] in cls.named:
                    raise ClientError({"Error": {"Code": "ValidationError", "Message": "in progress, or exists"}}, operation)
                cls.named.add(arguments["ChangeSetName"])
                # Moto does not know former values, and considers a given default a change.
                given = {p["ParameterKey"]: p.get("ParameterValue") or cls.parameters()[p["ParameterKey"]] for p in arguments["Parameters"]}
                arguments["Parameters"] = [{"ParameterKey": name, "ParameterValue": value} for name, value in given.items()
                                           if value != str(cls.template["Parameters"][name].get("Default"))]
            if operation == "ExecuteChangeSet":
                cls.states = ["UPDATE_IN_PROGRESS", cls.outcome]
            answer = {} if operation == "ExecuteChangeSet" and cls.outcome != "UPDATE_COMPLETE" else REAL_CALL(client, operation, arguments)
            if operation == "DescribeStacks" and cls.states:
                answer["Stacks"][0]["StackStatus"] = cls.states.pop(0)
            made = operation, arguments.get("Key")
            if cls.interrupted is not None and made not in cls.interrupted:
                cls.interrupted.add(made)
                raise Interrupted
            return answer

        for patch in (mock.patch.object(BaseClient, "_make_api_call", call), mock.patch("time.sleep")):
            patch.start()
            cls.addClassCleanup(patch.stop)
        boto3.client("s3").put_bucket_versioning(Bucket=cls.physical["SiteBucket"], VersioningConfiguration={"Status": "Enabled"})

    @classmethod
    def parameters(cls):
        return {p["ParameterKey"]: p["ParameterValue"] for p in cls.cloudformation.describe_stacks(StackName="turnout")["Stacks"][0]["Parameters"]}

    def deploy(self, code, files, **parameters):
        """A deployment, as SAM and upload.py make it: programs under another key, and the files of the site."""
        s3, program = boto3.client("s3"), io.BytesIO()
        with zipfile.ZipFile(program, "w") as archive:
            archive.writestr("bootstrap", code)
        s3.put_object(Bucket="bucket", Key=code, Body=program.getvalue())
        template = json.loads(json.dumps(self.template).replace('"S3Key": "key"', f'"S3Key": "{code}"'))
        self.cloudformation.update_stack(StackName="turnout", TemplateBody=json.dumps(template), Capabilities=["CAPABILITY_IAM"], Parameters=[
            {"ParameterKey": name, "ParameterValue": value} for name, value in ({"AlarmEmail": "ops@example.org"} | parameters).items()])
        upload.upload(s3, self.physical["SiteBucket"], [file(name, content) for name, content in files.items()])

    def runs(self):
        """What runs: programs, files of the site, and parameters."""
        functions, s3, bucket = boto3.client("lambda"), boto3.client("s3"), self.physical["SiteBucket"]
        code = functions.get_function_configuration(FunctionName=self.physical["HealthFunction"])["CodeSha256"]
        site = {name: (head["ETag"], head["ContentType"], head["CacheControl"], head["Metadata"]) for name in upload.current(s3, bucket)
                for head in [s3.head_object(Bucket=bucket, Key=name)]}
        return code, site, self.parameters()

    def verify(self, answers):
        """The exit code of release.py verify. Missing: a name does not resolve."""
        self.guarded.clear()
        quiet = io.StringIO()
        with mock.patch.dict(os.environ, {"RESULT": {"right": "0", "wrong": "1", "missing": "3"}[answers]}), contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
            try:
                release.verify("turnout")
            except SystemExit as end:
                return end.code
        return None

    def test_release(self):
        old = {"index.html": "b2xk", "robots.txt": "b2xk", "assets/app-1.js": "b2xk"}
        new = {"index.html": "bmV3", "new.txt": "bmV3", "assets/app-2.js": "bmV3"}
        release.record("not-there")
        self.deploy("before", old, Commit=BEFORE)
        before = self.runs()
        with self.subTest("the first deployment is left standing"):
            self.assertIn("first deployment, and is left standing", self.verify("wrong"))
            self.assertEqual(self.runs(), before)

        release.record("turnout")
        self.deploy("after", new, Commit=AFTER, ListRate="7")
        after = self.runs()
        self.assertNotEqual(after[:2], before[:2])
        with self.subTest("a name that does not resolve undoes nothing"):
            self.assertEqual(self.verify("missing"), "deploy: nothing was undone")
            self.assertEqual(self.runs(), after)
        with self.subTest("one that passes is guarded"):
            self.assertIsNone(self.verify("right"))
            self.assertEqual((self.folder / "asked").read_text(), f"https://{upload.outputs_of('turnout')['DistributionDomain']}\n")
            self.assertEqual(self.runs(), after)
            self.assertEqual(self.guarded, [{"StackName": "turnout", "EnableTerminationProtection": True}])
            rules = json.loads(self.cloudformation.get_stack_policy(StackName="turnout")["StackPolicyBody"])["Statement"]
            denied = [(rule["Action"], rule["Resource"]) for rule in rules if rule["Effect"] == "Deny"]
            self.assertEqual(denied, [(["Update:Replace", "Update:Delete"], "LogicalResourceId/Table")])
        with self.subTest("one that answers wrongly is undone"):
            self.assertIn(f"deploy: undone. What ran before, commit {BEFORE}, is back", self.verify("wrong"))
            code, site, parameters = self.runs()
            self.assertEqual(code, before[0])
            self.assertEqual({name: how for name, how in site.items() if name != "assets/app-2.js"}, before[1])
            self.assertEqual(parameters, after[2] | {"Commit": BEFORE})
            self.assertEqual(self.guarded, [])
            made = boto3.client("cloudfront").list_invalidations(DistributionId=self.distribution)["InvalidationList"]["Items"]
            self.assertEqual(len(made), 1)
        with self.subTest("a template that would leave the restored table is refused"):
            now, former = self.runs(), {**self.template, "Parameters": {}}
            with mock.patch.object(release, "parameters_of", return_value={"RestoredTable": "turnout-Table-1-restored"}):
                with self.assertRaisesRegex(SystemExit, "does not know turnout-Table-1-restored"):
                    release.put_back_code(self.cloudformation, "turnout", former, {})
            self.assertEqual(self.runs(), now)
        with self.subTest("interrupted after each of its calls once, it can be repeated"):
            done, commit = self.runs(), None
            self.deploy("after", new, Commit=AFTER, ListRate="7")
            type(self).interrupted = interrupted = set()
            while commit is None:
                with contextlib.suppress(Interrupted):
                    commit = release.undo("turnout")
            type(self).interrupted = None
            self.assertEqual((commit, self.runs()), (BEFORE, done))
            changing = {("CreateChangeSet", None), ("ExecuteChangeSet", None), ("CopyObject", "index.html"), ("CopyObject", "robots.txt"),
                        ("DeleteObject", "new.txt"), ("CreateInvalidation", None)}
            self.assertLess(changing, interrupted)
        for outcome, command in [("UPDATE_ROLLBACK_COMPLETE", "describe-stack-events"), ("UPDATE_ROLLBACK_FAILED", "continue-update-rollback")]:
            with self.subTest(f"the update ends in {outcome}"):
                self.deploy("after", new, Commit=AFTER, ListRate="7")
                after = self.runs()
                type(self).outcome = outcome
                stopped = self.verify("wrong")
                self.assertRegex(stopped, f"^undo: the stack is {outcome}: aws cloudformation {command} --stack-name turnout.*release.py undo turnout")
                self.assertEqual(self.runs(), after)
        with self.subTest("a stack that cannot be updated"):
            type(self).states = ["UPDATE_ROLLBACK_FAILED"] * 2
            with self.assertRaisesRegex(SystemExit, "UPDATE_ROLLBACK_FAILED: aws cloudformation continue-update-rollback"):
                release.undo("turnout")


if __name__ == "__main__":
    unittest.main()
