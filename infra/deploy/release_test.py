"""Runs infra/deploy/release.py and upload.py in moto, in cases that the rehearsal lacks.

These are interruptions, other states of the stack, and other files in the bucket.

A program with an exit status takes the place of the smoke test.
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
from botocore.client import BaseClient
from botocore.exceptions import ClientError

from infra.deploy import release, upload
from infra.validate.mocked import Mocked
from infra.validate.templates import REGION, STACK, Resolved, transform

BEFORE, AFTER = "a" * 40, "b" * 40
REAL_CALL = BaseClient._make_api_call

# The files of one release and of the next release, in base64.
OLD = {"index.html": "b2xk", "robots.txt": "b2xk", "assets/app-1.js": "b2xk"}
NEW = {"index.html": "bmV3", "new.txt": "bmV3", "assets/app-2.js": "bmV3"}


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
        functions = stack.of_type("AWS::Lambda::Function")
        stopped = {
            name
            for name, function in functions.items()
            if function.get("ReservedConcurrentExecutions") == 0
        }
        storing = {
            name
            for name in functions
            if re.search("dynamodb:(Put|Update)", json.dumps(stack.role_of(name)))
        }
        self.assertEqual(
            stopped,
            storing,
            "while Writing is false, something is stored that a restore loses, or readers get 503",
        )


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
        mock.patch("time.sleep").start()
        boto3.client("s3").create_bucket(
            Bucket="programs", CreateBucketConfiguration={"LocationConstraint": REGION}
        )

    def setUp(self):
        """Deploys the former release, and records it."""
        self.states, self.progress, self.outcome = [], [], "UPDATE_COMPLETE"
        self.change_sets, self.interrupted = set(), None
        bucket = boto3.resource("s3").Bucket(self.physical["SiteBucket"])
        bucket.object_versions.delete()
        (self.folder / "asked").unlink(missing_ok=True)
        self.deploy("before", OLD, Commit=BEFORE)
        release.record(STACK)
        self.before = self.runs()
        calls = mock.patch.object(
            BaseClient, "_make_api_call", lambda client, *call: self.call(client, *call)
        )
        calls.start()
        self.addCleanup(calls.stop)

    def call(self, client, operation, arguments):
        """Calls moto, and adds what moto lacks."""
        if operation == "GetTemplate":  # moto stores one version of a template
            self.assertEqual(arguments["TemplateStage"], "Original")
        if operation == "CreateChangeSet":
            self.create_change_set(client, arguments)
        answer = {}
        if operation == "ExecuteChangeSet":
            self.states = ["UPDATE_IN_PROGRESS"] * 3 + [self.outcome]
        if operation != "ExecuteChangeSet" or self.outcome == "UPDATE_COMPLETE":
            answer = REAL_CALL(client, operation, arguments)
        if operation == "DescribeStacks" and self.states:
            answer["Stacks"][0]["StackStatus"] = self.states.pop(0)
        if operation == "GetDistribution":
            answer["Distribution"]["Status"] = self.progress.pop(0)
        made = operation, arguments.get("Key")
        if self.interrupted is not None and made not in self.interrupted:
            self.interrupted.add(made)
            raise KeyboardInterrupt
        return answer

    def create_change_set(self, client, arguments):
        """Changes a change set for moto, which knows neither former values nor its own S3."""
        name = arguments["ChangeSetName"]
        if self.states or name in self.change_sets:
            refused = {"Code": "ValidationError", "Message": "in progress, or exists"}
            raise ClientError({"Error": refused}, "CreateChangeSet")
        self.change_sets.add(name)
        aws = "https://s3.amazonaws.com"
        arguments["TemplateURL"] = arguments["TemplateURL"].replace(client.meta.endpoint_url, aws)
        now, parameters = self.parameters(), []
        for parameter in arguments["Parameters"]:
            name = parameter["ParameterKey"]
            value = parameter.get("ParameterValue") or now[name]
            # For moto, a value that equals the default is a change.
            if value != str(self.template["Parameters"][name].get("Default")):
                parameters.append({"ParameterKey": name, "ParameterValue": value})
        arguments["Parameters"] = parameters

    def parameters(self):
        (found,) = self.cloudformation.describe_stacks(StackName=STACK)["Stacks"]
        return {p["ParameterKey"]: p["ParameterValue"] for p in found["Parameters"]}

    def deploy(self, code, files, **parameters):
        """Deploys as SAM and upload.py do: another template, and files of the site.

        A parameter of SSM takes the place of the functions' code.
        """
        address = f"s3://programs/{STACK}/{code}"
        program = {
            "Type": "AWS::SSM::Parameter",
            "Properties": {"Name": "program", "Type": "String", "Value": address},
        }
        template = self.template | {"Resources": self.template["Resources"] | {"Program": program}}
        values = {"AlarmEmail": "ops@example.org"} | parameters
        self.cloudformation.update_stack(
            StackName=STACK,
            TemplateBody=json.dumps(template),
            Capabilities=["CAPABILITY_IAM"],
            Parameters=[
                {"ParameterKey": name, "ParameterValue": value} for name, value in values.items()
            ],
        )
        site = [file(name, content) for name, content in files.items()]
        upload.upload(boto3.client("s3"), self.physical["SiteBucket"], site)

    def runs(self):
        """Returns what is deployed: code, files of the site, and parameters."""
        s3, bucket = boto3.client("s3"), self.physical["SiteBucket"]
        code = boto3.client("ssm").get_parameter(Name="program")["Parameter"]["Value"]
        site = {}
        for name in upload.current(s3, bucket):
            head = s3.head_object(Bucket=bucket, Key=name)
            served = ("ETag", "ContentType", "CacheControl", "Metadata")
            site[name] = [head[how] for how in served]
        return code, site, self.parameters()

    def verify(self, answers):
        """Returns the output of release.py verify, or its last words if it fails."""
        result = {"wrong": "1", "name missing": "3"}[answers]
        quiet = io.StringIO()
        with (
            mock.patch.dict(os.environ, {"RESULT": result}),
            contextlib.redirect_stdout(quiet),
            contextlib.redirect_stderr(quiet),
        ):
            try:
                release.verify(STACK)
            except SystemExit as end:
                return end.code
        return quiet.getvalue()

    def asked(self):
        """Returns the arguments of the check, or None if there was no check."""
        file = self.folder / "asked"
        return file.read_text() if file.exists() else None

    def test_first_deployment_is_left_standing(self):
        (self.folder / f"{STACK}.json").unlink()
        self.assertIn("this is the first deployment, so nothing is undone", self.verify("wrong"))
        self.assertEqual(self.runs(), self.before)

    def test_nothing_is_recorded_before_the_first_deployment(self):
        (self.folder / "not-there.json").write_text("{}")
        release.record("not-there")
        self.assertIsNone(release.undo("not-there"))

    def test_a_name_that_does_not_resolve_undoes_nothing(self):
        self.deploy("after", NEW, Commit=AFTER)
        after = self.runs()
        self.assertEqual(self.verify("name missing"), "deploy: nothing was undone")
        self.assertEqual(self.runs(), after)

    def assert_undone(self, after):
        """Checks that the former code and files are deployed, with the present parameters."""
        code, site, parameters = self.runs()
        self.assertEqual(code, self.before[0])
        del site["assets/app-2.js"]  # pages of the newer release refer to it
        self.assertEqual(site, self.before[1])
        self.assertEqual(parameters, after[2] | {"Commit": BEFORE})

    def test_interrupted_after_each_of_its_calls_an_undo_can_be_repeated(self):
        self.deploy("after", NEW, Commit=AFTER, ListRate="7")
        after, said, self.interrupted = self.runs(), None, set()
        while said is None:
            with contextlib.suppress(KeyboardInterrupt):
                said = release.undo(STACK)
        interrupted, self.interrupted = self.interrupted, None
        self.assert_undone(after)
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

    def test_while_nothing_is_served_nothing_is_checked_or_undone(self):
        self.deploy("after", NEW, Commit=AFTER, Serving="false")
        after, self.progress = self.runs(), ["InProgress", "Deployed"]
        self.assertEqual(
            self.verify("wrong"), "deploy: nothing is served until PARAMETERS has Serving=true\n"
        )
        self.assertEqual(self.progress, [])
        self.assertEqual(self.runs(), after)
        self.assertIsNone(self.asked())

    def test_undoing_the_deployment_that_serves_again_leaves_it_serving(self):
        self.deploy("before", OLD, Commit=BEFORE, Serving="false")
        release.record(STACK)
        self.deploy("after", NEW, Commit=AFTER, Serving="true")
        after = self.runs()
        self.assertIn("deploy: undone", self.verify("wrong"))
        self.assert_undone(after)

    def test_an_undo_that_fails_says_how_it_goes_on(self):
        for outcome, command, github, again in [
            (
                "UPDATE_ROLLBACK_COMPLETE",
                "describe-stack-events",
                "",
                f"infra.deploy.release undo {STACK}",
            ),
            (
                "UPDATE_ROLLBACK_FAILED",
                "continue-update-rollback",
                "true",
                'run the workflow "Roll back"',
            ),
        ]:
            with (
                self.subTest(outcome),
                mock.patch.dict(os.environ, {"GITHUB_ACTIONS": github}),
            ):
                self.deploy("after", NEW, Commit=AFTER, ListRate="7")
                after, self.outcome = self.runs(), outcome
                self.assertRegex(
                    self.verify("wrong"),
                    f"^undo: the stack is {outcome}: aws cloudformation {command} "
                    f"--stack-name {STACK}.*{again}",
                )
                self.assertEqual(self.runs(), after)

    def test_a_stack_that_cannot_be_updated_is_not_undone(self):
        self.states = ["UPDATE_ROLLBACK_FAILED"]
        with self.assertRaisesRegex(
            SystemExit, "UPDATE_ROLLBACK_FAILED: aws cloudformation continue-update-rollback"
        ):
            release.undo(STACK)


class Upload(Mocked):
    def setUp(self):
        self.bucket = boto3.resource("s3").Bucket(self.physical["SiteBucket"])
        self.files = upload.manifest()
        self.served = {
            file["name"]: (file["contentType"], file["cacheControl"]) for file in self.files
        }

    def run_upload(self, *arguments):
        """Runs upload.py as make deploy does, and returns its output."""
        command = [sys.executable, "-m", "infra.deploy.upload", *arguments]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        return done.stderr + done.stdout

    def held(self):
        """Returns the files in the bucket, each with its type and its Cache-Control."""
        objects = {item.key: item.Object() for item in self.bucket.objects.all()}
        return {name: (found.content_type, found.cache_control) for name, found in objects.items()}

    def invalidated(self):
        """Yields the paths of each invalidation of CloudFront's cache."""
        cloudfront = boto3.client("cloudfront")
        found = cloudfront.list_invalidations(DistributionId=self.distribution)
        for item in found["InvalidationList"].get("Items", []):
            made = cloudfront.get_invalidation(DistributionId=self.distribution, Id=item["Id"])
            yield made["Invalidation"]["InvalidationBatch"]["Paths"]["Items"]

    def test_the_page_comes_last(self):
        """The page comes last, because it names the other files."""
        self.assertEqual(self.files[-1]["name"], "index.html")
        self.assertEqual(self.served["index.html"], ("text/html; charset=utf-8", "no-cache"))
        named = re.compile(r"assets/app-[0-9a-f]{16}\.css")
        (style,) = (name for name in self.served if named.fullmatch(name))
        lasting = "public, max-age=31536000, immutable"
        self.assertEqual(self.served[style], ("text/css; charset=utf-8", lasting))

    def test_a_failure_names_its_cause(self):
        command = [
            sys.executable,
            "-c",
            "from infra.deploy import upload; upload.manifest('imprint')",
        ]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertIn("deploy: ABOUT_URL must be a URL", done.stderr)

    def test_upload(self):
        """Assets come before the pages that name them. Then the cache is emptied."""
        # An earlier version had two files that this one lacks, and another index.html.
        older = "assets/app-0123456789abcdef.js"
        stale = {"ContentType": "text/plain", "CacheControl": "no-store"}
        for name in (older, "old/page.html", "index.html"):
            self.bucket.put_object(Key=name, Body=b"old", **stale)
        self.assertEqual(self.run_upload("--assets", "not-there-yet"), "")
        self.assertEqual(self.run_upload("--assets", STACK), "")
        assets = {name for name in self.served if name.startswith("assets/")}
        self.assertEqual(self.held().keys(), assets | {older, "old/page.html", "index.html"})
        self.assertEqual(self.bucket.Object("index.html").get()["Body"].read(), b"old")
        self.assertEqual(list(self.invalidated()), [])

        # This file has the right content, but another type.
        style = self.bucket.Object(next(name for name in assets if name.endswith(".css")))
        style.copy_from(
            CopySource={"Bucket": self.bucket.name, "Key": style.key},
            MetadataDirective="REPLACE",
            Metadata=style.metadata,
            **stale,
        )
        self.run_upload(STACK)
        self.assertEqual(self.held(), self.served | {older: ("text/plain", "no-store")})
        for file in self.files:
            content = self.bucket.Object(file["name"]).get()["Body"].read()
            self.assertEqual(content, base64.b64decode(file["content"]), file["name"])
        self.assertEqual(list(self.invalidated()), [["/*"]])

        self.assertEqual(self.run_upload(STACK), "files of the site changed: 0\n")
        self.assertEqual(list(self.invalidated()), [["/*"]])
