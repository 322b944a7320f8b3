"""Runs the commands of infra/RUNBOOK.md on the stack in moto.

The AWS CLI is played by this file itself, with the models that CLI and boto3 share: a command or an option
that AWS does not have fails here as it would there.
"""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from unittest import mock

import boto3
import jmespath
import preflight
from botocore import xform_name
from moto.core.responses import BaseResponse

import templates
from mocked import STACK, Mocked

# The beginnings of commands that no test runs. The runbook lists them, too.
NOT_RUN = (
    "make deploy",
    "sam deploy",
    "sam delete",
    "aws configure",
    "aws iam simulate-custom-policy",
    "aws cloudformation continue-update-rollback",
    "aws cloudformation update-termination-protection",
    "aws apigatewayv2 delete-route-settings",
    "git checkout",
    "gh api",
    "curl",
)

# Commands in running text that are run: by make validate itself, by other tests, and in the runbook's code blocks.
RUN_ELSEWHERE = (
    "make validate",
    "make smoke",
    "infra/tools/install",
    "sam build",
    "go run ./infra/local",
)


def aws(arguments):
    """The part of the AWS CLI that the runbook uses. Prints the same as it does with --output text."""
    service, command, *rest = arguments
    if (service, command) == ("cloudformation", "deploy"):
        return deploy(rest)
    client, waiting = boto3.client(service), command == "wait"
    if waiting:
        command, *rest = rest
        operation = client.get_waiter(command.replace("-", "_")).config.operation
    else:
        (operation,) = [
            o for o in client.meta.service_model.operation_names if xform_name(o, "-") == command
        ]
    members = client.meta.service_model.operation_model(operation).input_shape.members
    names = {xform_name(name, "-"): name for name in members}
    parameters, query, as_json = {}, None, False
    if "--paths" in rest:  # an option of the CLI alone
        at = rest.index("--paths")
        rest[at:] = [
            "--invalidation-batch",
            json.dumps({"Paths": {"Quantity": 1, "Items": rest[at + 1 :]}, "CallerReference": "x"}),
        ]
    while rest:
        option = rest.pop(0).removeprefix("--")
        if option == "output":
            as_json = rest.pop(0) == "json"
        elif option == "query":
            query = rest.pop(0)
        elif (
            option.removeprefix("no-") in names
            and members[names[option.removeprefix("no-")]].type_name == "boolean"
        ):
            parameters[names[option.removeprefix("no-")]] = not option.startswith("no-")
        else:
            value = rest.pop(0)
            value = (
                Path(value[7:]).read_text(encoding="utf-8")
                if value.startswith("file://")
                else value
            )
            plain = members[names[option]].type_name in ("string", "timestamp")
            parameters[names[option]] = (
                value if plain else json.loads(value.replace("Enabled=false", '{"Enabled":false}'))
            )
    if waiting:
        return client.get_waiter(command.replace("-", "_")).wait(**parameters)
    answer = client.__getattribute__(xform_name(operation))(**parameters)
    if query:
        found = jmespath.search(query, answer)
        print(
            json.dumps(found)
            if as_json
            else "\t".join(map(str, found))
            if isinstance(found, list)
            else found
        )


def deploy(rest):
    """Checks aws cloudformation deploy: the template exists, and has the parameters."""
    template = templates.read(rest[rest.index("--template-file") + 1])
    for override in rest[rest.index("--parameter-overrides") + 1 :]:
        name, value = override.split("=", 1)
        assert not preflight.wrong_value(template["Parameters"][name], value), override


# The beginning of a command in running text.
COMMAND = r"(make|aws|sam|go|git|gh|curl|docker|python) |infra/tools/\w+$"


def short(command):
    """A command without the path of its program."""
    return re.sub(r"^eval \"\$\(|\.local/venv/bin/(?=\w)", "", command)


def blocks(text):
    """The commands of each section that has some, from all of its code blocks."""
    found = {
        section.split("\n", 1)[0]: "".join(re.findall(r"^```sh\n(.*?)^```", section, re.M | re.S))
        for section in re.split(r"^##+ ", text, flags=re.M)
    }
    return {
        heading: commands.replace("\\\n", " ") for heading, commands in found.items() if commands
    }


def left_table(name):
    """A table as a deleted stack leaves it."""
    boto3.client("dynamodb").create_table(
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        DeletionProtectionEnabled=True,
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
    )


class Runbook(Mocked):
    text = Path("infra/RUNBOOK.md").read_text(encoding="utf-8")
    blocks = blocks(text) | {
        heading: block
        for heading, block in blocks(
            Path("infra/local/README.md").read_text(encoding="utf-8")
        ).items()
        if heading.startswith("Moving")
    }

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        subprocess.run(["go", "build", "-o", f"{folder.name}/turnout", "./infra/local"], check=True)
        for name, command in [
            ("aws", f"exec {shlex.quote(sys.executable)} -W ignore {shlex.quote(__file__)}"),
            ("make", "echo made:"),
        ]:
            Path(folder.name, name).write_text(f'#!/bin/sh\n{command} "$@"\n')
            Path(folder.name, name).chmod(0o755)
        mock.patch.dict(
            os.environ,
            {
                "PATH": f"{folder.name}:{os.environ['PATH']}",
                "AWS_ENDPOINT_URL_DYNAMODB": os.environ["AWS_ENDPOINT_URL"],
            },
        ).start()
        cls.calls, cls.recording, call = set(), False, BaseResponse.call_action

        def record(response):
            if cls.recording:
                writes = [
                    f"{kind}Item"
                    for write in getattr(response, "params", {}).get("TransactItems", [])
                    for kind in write
                ]
                cls.calls |= {
                    f"{response.boto3_service_name}:{action}"
                    for action in writes or [response._get_action()]
                }
            return call(response)

        mock.patch.object(BaseResponse, "call_action", record).start()

    def commands(self, heading, before="", stack=STACK, **names):
        """The commands of a section, with values for the names in <angle brackets>."""
        commands = self.blocks[heading].replace("STACK", stack)
        for name, value in names.items():
            commands = commands.replace(f"<{name.replace('_', ' ')}>", value)
        script = before + "\n".join(
            line for line in commands.splitlines() if not short(line).startswith(NOT_RUN)
        )
        script = (
            script.replace("go run ./infra/local", "turnout")
            .replace("$table erase", "$table erase -yes")
            .replace(".local/venv/bin/python", shlex.quote(sys.executable) + " -W ignore")
        )
        self.assertNotRegex(script, r"<[a-zA-Z ]+>", "a value is missing")
        return script

    def run_section(self, heading, **names):
        command = ["bash", "-euxo", "pipefail", "-c", self.commands(heading, **names)]
        type(self).recording = True
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
        type(self).recording = False
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def event(self, table, token="0b5d4a52-5f3f-4a6e-8a6e-2f4b8f1c9d10"):
        """An event in the far future with one guest, as package dynamo stores it."""

        def item(sort, **more):
            return {
                "pk": {"S": f"EVENT#{token}"},
                "sk": {"S": sort},
                "expiresAt": {"N": "32503680000"},
            } | more

        moment = {"N": "1000000000000000000"}
        for i in (
            item(
                "DETAILS",
                title={"S": "Picnic"},
                dateTime={"S": "2999-12-25T00:00:00Z"},
                timezone={"S": "UTC"},
                organizerTokenHash={"B": b"x" * 32},
                cancelled={"BOOL": False},
                createdAt=moment,
                admitsUntil={"N": "32503680000000000000"},
            ),
            item("RSVP#" + "A" * 22, name={"S": "Ada"}, createdAt=moment),
        ):
            boto3.client("dynamodb").put_item(TableName=table, Item=i)
        return token

    def test_every_command_is_run_or_listed(self):
        tested = set(
            re.findall(
                r'(?:run_section|commands)\(\s*"([^"]+)"',
                Path(__file__).read_text(encoding="utf-8"),
            )
        )
        self.assertLessEqual(tested, set(self.blocks))
        in_text = re.sub(r"^```.*?^```", "", self.text, flags=re.M | re.S)
        named = [
            short(code)
            for code in re.findall(r"`([^`]+)`", in_text)
            if re.match(COMMAND, short(code))
        ]
        for section in set(self.blocks) - tested:
            named += [short(line) for line in self.blocks[section].splitlines() if line]
        self.assertEqual(
            [command for command in named if not command.startswith(NOT_RUN + RUN_ELSEWHERE)], []
        )
        head = self.text.split("## Deploy")[0]
        for command in NOT_RUN:
            self.assertIn(f"`{command}`", head, "the runbook does not say that it is not run")

    def test_sections_that_change_no_data(self):
        self.run_section(
            "Who may deploy", owner="someone", name="turnout", owner_id="1", repository_id="2"
        )
        self.run_section(
            "Alarms",
            mail_address="ops@example.org",
            host_of_SiteUrl="turnout.example.org",
            distribution_id="EDFDVBD6EXAMPLE",
            certificate="arn:aws:acm:us-east-1:123456789012:certificate/1",
        )
        self.run_section("When an update fails, and its rollback too")
        self.run_section("Deploy", distribution_id=self.distribution, table=self.physical["Table"])
        self.run_section("Brake", distribution_id=self.distribution)
        self.assertFalse(
            boto3.client("cloudfront").get_distribution(Id=self.distribution)["Distribution"][
                "DistributionConfig"
            ]["Enabled"]
        )

    def test_when_the_first_deployment_fails(self):
        left_table("turnout-production-Table-LEFT")
        self.assertIn(
            "turnout-production-Table-LEFT",
            self.run_section(
                "When the first deployment fails", table="turnout-production-Table-LEFT"
            ),
        )
        self.assertNotIn(
            "turnout-production-Table-LEFT", boto3.client("dynamodb").list_tables()["TableNames"]
        )

    def test_roll_back(self):
        """Not to a template that would leave the restored table in silence."""
        with tempfile.TemporaryDirectory() as folder:
            commit = f"cd {folder} && git init -q && git config user.email x@example.org && git config user.name x && git add . && git commit -qm x\n"
            for template, done in (("  RestoredTable:", True), ("", False)):
                Path(folder, "template.yaml").write_text(template)
                script = self.commands("Roll back", before=commit, last_good_commit="HEAD")
                ran = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
                self.assertEqual(
                    ("made: deploy" in ran.stdout, ran.returncode == 0), (done, done), ran.stderr
                )

    def test_parameters_are_those_of_the_template(self):
        """And the rates after the brake are those before it."""
        given = re.findall(r'make deploy [^`\n]*PARAMETERS="([^"<…]+)"', self.text)
        self.assertGreater(len(given), 4)
        for words in given:
            self.assertEqual(list(preflight.misnamed(STACK, words.split(), ())), [], words)
        braked, after = (
            {name: int(value) for name, value in re.findall(r"(\w+Rate)=(\d+)", words)}
            for words in (w for w in given if w.startswith("GuestRate"))
        )
        defaults = {
            name: p["Default"]
            for name, p in templates.read("template.yaml")["Parameters"].items()
            if name.endswith("Rate")
        }
        self.assertEqual((braked, after), (dict.fromkeys(defaults, 1), defaults))

    def test_restore_and_erase(self):
        """The new table is as make deploy demands, and has the events of the old one. OperatorPolicy allows just these commands."""
        self.calls.clear()
        dynamodb, table = boto3.client("dynamodb"), self.physical["Table"]
        dynamodb.update_continuous_backups(
            TableName=table, PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True}
        )
        kept, erased = self.event(table), self.event(table, "2b5d4a52-5f3f-4a6e-8a6e-2f4b8f1c9d10")
        self.assertIn(
            "RSVPs erased: 1",
            self.run_section(
                "Erase data on request", before=f"table={table}\n", event_token=erased
            ),
        )
        self.assertEqual(
            [
                item
                for item in dynamodb.scan(TableName=table)["Items"]
                if erased in item["pk"]["S"] and ("title" in item or "name" in item)
            ],
            [],
        )
        printed = self.run_section(
            "Restore", moment="2027-05-01T12:00:00Z", yyyymmddhhmm="202705011200"
        )
        self.assertEqual(
            [line for line in printed.splitlines() if "EVENT#" in line], [f"EVENT#{erased}"]
        )
        restores = re.findall(r"^aws dynamodb restore-table.*", self.text, re.M)
        self.assertEqual(
            ["--sse-specification-override Enabled=false" in command for command in restores],
            [True] * 2,
        )  # which moto ignores
        commands = self.blocks["Restore"].splitlines()
        self.assertEqual(
            (commands[0], commands[-1]),
            ('make deploy PARAMETERS="Writing=false"', 'make deploy PARAMETERS="Writing=true"'),
        )
        new = "turnout-production-Table-202705011200-restored"
        self.assertEqual(list(preflight.unfit(dynamodb, STACK, new, {}, True)), [])
        self.assertIn(
            f"EVENT#{kept}", [item["pk"]["S"] for item in dynamodb.scan(TableName=new)["Items"]]
        )
        arn = dynamodb.create_backup(TableName=self.physical["Table"], BackupName="last")[
            "BackupDetails"
        ]["BackupArn"]
        self.run_section("When the table itself is gone", arn=arn)
        self.assertIn(
            "turnout-production-Table-last-restored", dynamodb.list_tables()["TableNames"]
        )
        # Whoever moves events runs more commands, see test_move. What AWS demands of who restores, and what they look at.
        demanded = {
            f"dynamodb:{name}Item" for name in ("BatchWrite", "Delete", "Get", "Put", "Update")
        } | {"dynamodb:Query", "dynamodb:Scan"}
        looked_at = {
            "dynamodb:DescribeContinuousBackups",
            "dynamodb:DescribeTimeToLive",
            "dynamodb:ListTables",
        }
        granted = {
            a
            for s in templates.Resolved(
                templates.read("infra/deployer.yaml"), "turnout-deployer"
            ).resources["OperatorPolicy"]["PolicyDocument"]["Statement"]
            for a in ([s["Action"]] if isinstance(s["Action"], str) else s["Action"])
            if not a.startswith("kms:")
        }
        self.assertEqual(granted, self.calls | demanded | looked_at)

    def test_move(self):
        """Events move from the stack's table to a file and, with their tombstones, to another table. The commands are in the page of one machine."""
        dynamodb, table, moved = (
            boto3.client("dynamodb"),
            self.physical["Table"],
            "turnout-production-Table-MOVED",
        )
        key = {"pk": {"S": "EVENT#3b5d4a52-5f3f-4a6e-8a6e-2f4b8f1c9d10"}, "sk": {"S": "DETAILS"}}
        dynamodb.put_item(TableName=table, Item=key | {"expiresAt": {"N": "32503680000"}})
        self.event(table)
        described = dynamodb.describe_table(TableName=table)["Table"]
        dynamodb.create_table(
            TableName=moved,
            BillingMode="PAY_PER_REQUEST",
            **{name: described[name] for name in ("AttributeDefinitions", "KeySchema")},
        )
        with tempfile.TemporaryDirectory() as folder:
            script = self.commands("Moving in") + f"\ntable={moved}\n" + self.commands("Moving out")
            script = script.replace("/var/lib/turnout", folder).replace("~", folder)
            subprocess.run(
                ["bash", "-euo", "pipefail", "-c", script.replace("systemctl", ": systemctl")],
                check=True,
                timeout=120,
            )
        before, after = (
            {
                (i["pk"]["S"], i["sk"]["S"]): i
                for i in dynamodb.scan(TableName=name)["Items"]
                if "GATE" not in i["sk"]["S"]
            }
            for name in (table, moved)
        )
        self.assertEqual(after, before)
        self.assertEqual(
            self.blocks["Move to one machine, or from one"].strip(),
            'make deploy PARAMETERS="Writing=true"',
        )
        dynamodb.delete_item(TableName=table, Key=key)

    def test_delete_a_stack(self):
        bucket = self.physical["SiteBucket"]
        for content in (b"1", b"2"):
            boto3.client("s3").put_object(Bucket=bucket, Key="index.html", Body=content)
        self.run_section("Delete a stack, and keep the table")
        self.assertNotIn("Versions", boto3.client("s3").list_object_versions(Bucket=bucket))

    def test_a_new_stack_with_the_old_table(self):
        """As far as moto supports it: it makes a stack of the import's template, but with another table."""
        left_table("again-Table-LEFT")
        printed = self.run_section(
            "A new stack with the old table", stack="again", table="again-Table-LEFT"
        )
        self.assertIn("again-Table-LEFT", printed.splitlines()[0])
        self.assertEqual(
            self.cloudformation.describe_stacks(StackName="again")["Stacks"][0]["StackStatus"],
            "IMPORT_COMPLETE",
        )
        body, table = (
            self.cloudformation.get_template(StackName="again")["TemplateBody"],
            templates.read("template.yaml")["Resources"]["Table"],
        )
        self.assertEqual(
            (body.keys(), body["Resources"]), ({"Parameters", "Resources"}, {"Table": table})
        )


if __name__ == "__main__":
    aws(sys.argv[1:])
