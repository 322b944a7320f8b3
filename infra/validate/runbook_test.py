"""Runs the commands of RUNBOOK.md and DEPLOY.md on the stack in moto.

aws_cli.py plays the AWS CLI.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from unittest import mock

import boto3
from moto.core.responses import BaseResponse

from infra.deploy import preflight
from infra.validate import templates
from infra.validate.mocked import Mocked
from infra.validate.policies import as_list
from infra.validate.runbook import BLOCKS, PAGES, blocks_of, filled, names_of
from infra.validate.templates import STACK

# The beginnings of commands that no test runs: they need a real account or GitHub.
NOT_RUN = (
    "make deploy",
    "sam deploy",
    "sam delete",
    "aws configure",
    "aws iam simulate-custom-policy",
    "aws cloudformation continue-update-rollback",
    "aws cloudformation describe-events",
    "aws cloudformation update-termination-protection",
    "aws apigatewayv2 delete-route-settings",
    "git checkout",
    "git log",
    "gh api",
    "curl",
)

# Commands in running text that run elsewhere: in make validate itself, in other tests, or in the
# runbook's code blocks.
RUN_ELSEWHERE = (
    "make rehearse",
    "make validate",
    "make smoke",
    "infra/tools/install",
    "sam build",
    "aws cloudformation describe-stacks",
    "go run ./infra/turnout",
)


# Actions of OperatorPolicy that these sections do not call. AWS demands some for a restore, some
# only read, and others are for a move of events, see test_move.
DEMANDED = {
    "dynamodb:BatchWriteItem",
    "dynamodb:DeleteItem",
    "dynamodb:DescribeContinuousBackups",
    "dynamodb:DescribeTimeToLive",
    "dynamodb:GetItem",
    "dynamodb:ListTables",
    "dynamodb:PutItem",
    "dynamodb:Query",
    "dynamodb:Scan",
    "dynamodb:UpdateItem",
}


# The numbers of blocks in the section Restore.
STOP_AND_COPY, ERASE_AGAIN = (0, 1), 2

# The beginning of a command in running text.
COMMAND = r"(make|aws|sam|go|git|gh|curl|docker|python) |infra/tools/\w+$"


def short(command):
    """Returns a command without the path of its program."""
    return re.sub(r"^eval \"\$\(|\.local/venv/bin/(?=\w)", "", command)


def actions(response):
    """Returns the actions of a call. A transaction has the actions of its writes."""
    service = response.boto3_service_name
    writes = getattr(response, "params", {}).get("TransactItems", [])
    if writes:
        return {f"{service}:{kind}Item" for write in writes for kind in write}
    return {f"{service}:{response._get_action()}"}


def left_table(name):
    """Makes a table as a deleted stack leaves it."""
    boto3.client("dynamodb").create_table(
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        DeletionProtectionEnabled=True,
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
    )


class Runbook(Mocked):
    text = "".join(Path(page).read_text(encoding="utf-8") for page in PAGES)
    blocks = BLOCKS | {
        heading: commands
        for heading, commands in blocks_of("infra/turnout/README.md").items()
        if heading.startswith("Moving")
    }

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        subprocess.run(["go", "build", "-o", folder.name, "./infra/turnout"], check=True)
        python = shlex.quote(sys.executable)
        for name, command in [
            ("aws", f"exec {python} -W ignore -m infra.validate.aws_cli"),
            ("make", "echo made:"),
        ]:
            program = Path(folder.name, name)
            program.write_text(f'#!/bin/sh\n{command} "$@"\n')
            program.chmod(0o755)
        environment = {
            "WITHOUT": os.environ["PATH"],
            "PATH": f"{folder.name}:{os.environ['PATH']}",
            "AWS_ENDPOINT_URL_DYNAMODB": os.environ["AWS_ENDPOINT_URL"],
        }
        mock.patch.dict(os.environ, environment).start()
        cls.record_calls()

    @classmethod
    def record_calls(cls):
        """Collects in calls the actions that IAM would check, while recording is true."""
        cls.calls, cls.recording, call = set(), False, BaseResponse.call_action

        def record(response):
            if cls.recording:
                cls.calls.update(actions(response))
            return call(response)

        mock.patch.object(BaseResponse, "call_action", record).start()

    def commands(self, heading, *which, before="", stage="production", **names):
        """Returns the commands of a section, with values for the names in <angle brackets>.

        The numbers in `which` select code blocks. Without numbers, it returns all blocks' commands.
        """
        blocks = self.blocks[heading]
        commands = "".join(blocks[n] for n in which) if which else "".join(blocks)
        commands = filled(commands, {name.replace("_", " "): v for name, v in names.items()})
        lines = [line for line in commands.splitlines() if not short(line).startswith(NOT_RUN)]
        script = names_of(stage) + before + "\n".join(lines)
        python = shlex.quote(sys.executable)
        for written, here in {
            "go run ./infra/turnout": "turnout",
            "$table erase": "$table erase -yes",
            ".local/venv/bin/python": f"{python} -W ignore",
        }.items():
            script = script.replace(written, here)
        self.assertNotRegex(script, r"<[a-zA-Z ]+>", "a value is missing")
        return script

    def run_section(self, *section, **names):
        command = ["bash", "-euxo", "pipefail", "-c", self.commands(*section, **names)]
        type(self).recording = True
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
        type(self).recording = False
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def event(self, table, token="0b5d4a52-5f3f-4a6e-8a6e-2f4b8f1c9d10"):
        """Stores an event in the far future with one guest, as package dynamo does."""
        moment = {"N": "1000000000000000000"}
        details = {
            "title": {"S": "Picnic"},
            "dateTime": {"S": "2999-12-25T00:00:00Z"},
            "timezone": {"S": "UTC"},
            "organizerTokenHash": {"B": b"x" * 32},
            "cancelled": {"BOOL": False},
            "createdAt": moment,
            "admitsUntil": {"N": "32503680000000000000"},
        }
        guest = {"name": {"S": "Ada"}, "createdAt": moment}
        for sort, item in (("DETAILS", details), ("RSVP#" + "A" * 22, guest)):
            item |= {
                "pk": {"S": f"EVENT#{token}"},
                "sk": {"S": sort},
                "expiresAt": {"N": "32503680000"},
            }
            boto3.client("dynamodb").put_item(TableName=table, Item=item)
        return token

    def items(self, table):
        return boto3.client("dynamodb").scan(TableName=table)["Items"]

    def tables(self):
        return boto3.client("dynamodb").list_tables()["TableNames"]

    def test_every_command_is_run_or_listed(self):
        here = Path(__file__).read_text(encoding="utf-8")
        rehearsal = Path("infra/rehearse/run").read_text(encoding="utf-8")
        tested = {
            *re.findall(r'(?:run_section|commands)\(\s*"([^"]+)"', here),
            *re.findall(r"^section '?([^'\n]+)", rehearsal, re.M),
        }
        self.assertLessEqual(tested, set(self.blocks))
        named = []
        in_text = re.sub(r"^```.*?^```", "", self.text, flags=re.M | re.S)
        for code in re.findall(r"`([^`]+)`", in_text):
            if re.match(COMMAND, short(code)):
                named.append(short(code))
        for section in set(self.blocks) - tested:
            named += [short(line) for block in self.blocks[section] for line in block.splitlines()]
        for command in named:
            self.assertTrue(command.startswith(NOT_RUN + RUN_ELSEWHERE), f"not run: {command}")

    def test_sections_that_change_no_data(self):
        for providers, needed in (
            ([], "true"),
            (["https://token.actions.githubusercontent.com"], "false"),
        ):
            for url in providers:
                boto3.client("iam").create_open_id_connect_provider(Url=url)
            printed = self.run_section(
                "Who may deploy", owner="someone", name="turnout", owner_id="1", repository_id="2"
            )
            self.assertEqual(printed.split(), [f"GitHubProvider={needed}"] * 2)
        self.run_section(
            "Alarms",
            mail_address="ops@example.org",
            certificate="arn:aws:acm:us-east-1:123456789012:certificate/1",
        )
        self.run_section("When an update fails, and its rollback too")
        self.run_section("Deploy")
        printed = self.run_section("You were paged")
        self.assertIn("made: smoke URL=https://", printed)

    def test_when_the_first_deployment_fails(self):
        left = "turnout-production-Table-LEFT"
        left_table(left)
        printed = self.run_section("When the first deployment fails", table=left)
        self.assertIn(left, printed)
        self.assertNotIn(left, self.tables())

    def test_deploys_the_stage_that_was_set(self):
        """The test reads code blocks and running text."""
        for page in (*PAGES, "infra/turnout/README.md"):
            commands = re.findall(r"make deploy[^`\n]*", Path(page).read_text(encoding="utf-8"))
            self.assertTrue(commands)
            for command in commands:
                filled = re.sub("<[^>]+>", "x", command).replace("make deploy", "make -n deploy", 1)
                script = f"{names_of('staging')}PATH=$WITHOUT new=x; {filled}"
                ran = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
                self.assertIn(
                    "infra.deploy.preflight turnout-staging ", ran.stdout, command + ran.stderr
                )
                self.assertNotIn("production", ran.stdout, command)

    def test_a_deployment_without_its_stage_is_refused(self):
        """Without the first block, a terminal has no STACK, and production is not meant."""
        for blocks in self.blocks.values():
            for command in re.findall("make deploy.*", "".join(blocks)):
                self.assertTrue(command.startswith("make deploy STACK=$STACK"), command)
        refused = list(preflight.misnamed("", (), ()))
        self.assertEqual(len(refused), 1, refused)

    def test_parameters_are_those_of_the_template(self):
        given = re.findall(r'make deploy [^`\n]*PARAMETERS="([^"<…$]+)"', self.text)
        self.assertGreater(len(given), 4)
        for words in given:
            self.assertEqual(list(preflight.misnamed(STACK, words.split(), ())), [], words)

    def test_rates_after_the_brake_are_those_before_it(self):
        given = re.findall(r'PARAMETERS="(GuestRate=[^"]+)"', self.text)
        braked, after = (dict(re.findall(r"(\w+Rate)=(\d+)", words)) for words in given)
        parameters = templates.read("template.yaml")["Parameters"]
        defaults = {
            name: str(parameter["Default"])
            for name, parameter in parameters.items()
            if name.endswith("Rate")
        }
        self.assertEqual(braked, dict.fromkeys(defaults, "1"))
        self.assertEqual(after, defaults)

    def test_restore_and_erase(self):
        """make deploy accepts the new table, which has the old table's events.

        OperatorPolicy allows these commands and no others.
        """
        self.calls.clear()
        dynamodb, table = boto3.client("dynamodb"), self.physical["Table"]
        dynamodb.update_continuous_backups(
            TableName=table, PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True}
        )
        # Without an erased event there is nothing to erase again.
        self.run_section("Restore", ERASE_AGAIN, before=f"table={table}\nnew=none\n")
        kept, erased = self.event(table), self.event(table, "2b5d4a52-5f3f-4a6e-8a6e-2f4b8f1c9d10")
        printed = self.run_section("Erase data on request", event_token=erased)
        self.assertIn("RSVPs erased: 1", printed)
        for item in self.items(table):
            if item["pk"]["S"] == f"EVENT#{erased}":
                self.assertTrue(item.keys().isdisjoint({"title", "name"}), "it was not erased")

        moment, new = "2027-05-01T12:00:00Z", "turnout-production-Table-20270501120000-restored"
        self.assertIn(new, self.run_section("Restore", *STOP_AND_COPY, moment=moment).splitlines())
        self.assertEqual(list(preflight.unfit(dynamodb, STACK, new, {})), [])
        # Moto copies the table as it is now. A real copy from before the erasure has the event, so
        # the test adds it again.
        for item in self.items(new):
            if item["pk"]["S"] == f"EVENT#{erased}":
                dynamodb.delete_item(TableName=new, Key={key: item[key] for key in ("pk", "sk")})
        self.event(new, erased)
        before = f"table={table}\nnew={new}\n"
        printed = self.run_section("Restore", ERASE_AGAIN, before=before)
        self.assertIn("events erased: 1", printed)
        named = {item["pk"]["S"] for item in self.items(new) if item.keys() & {"title", "name"}}
        self.assertEqual(named, {f"EVENT#{kept}"}, "erased people are back")

        backup = dynamodb.create_backup(TableName=table, BackupName="last")["BackupDetails"]
        self.run_section("When the table itself is gone", arn=backup["BackupArn"])
        self.assertIn("turnout-production-Table-last-restored", self.tables())
        self.assertEqual(self.granted_to_operators(), self.calls | DEMANDED)

    def granted_to_operators(self):
        """Returns the actions of OperatorPolicy."""
        deployer = templates.Resolved(templates.read("infra/deployer.yaml"), "turnout-deployer")
        policy = deployer.resources["OperatorPolicy"]["PolicyDocument"]["Statement"]
        return {action for statement in policy for action in as_list(statement["Action"])}

    def test_a_restored_table_has_the_key_that_functions_may_use(self):
        """The test reads the option in the text, because moto ignores it."""
        restores = re.findall(r"^aws dynamodb restore-table.*", self.text, re.M)
        self.assertEqual(len(restores), 2)
        for command in restores:
            self.assertIn("--sse-specification-override Enabled=false", command)

    def test_nothing_is_stored_between_a_restore_and_its_switch(self):
        stop, *_, switch = self.blocks["Restore"]
        self.assertEqual(stop, 'make deploy STACK=$STACK PARAMETERS="Writing=false"\n')
        # The switch is one line, so that writes stay off if it is refused, or if new is not set.
        self.assertEqual(
            switch,
            'make deploy STACK=$STACK PARAMETERS="RestoredTable=${new:?}" && '
            'make deploy STACK=$STACK PARAMETERS="Writing=true"\n',
        )
        (back,) = self.blocks["Move to one machine, or from one"]
        self.assertEqual(back, 'make deploy STACK=$STACK PARAMETERS="Writing=true"\n')

    def test_move(self):
        """Events move from the stack's table to a file, and from the file to another table.

        Tombstones move with them. infra/turnout/README.md has the commands.
        """
        dynamodb, table = boto3.client("dynamodb"), self.physical["Table"]
        moved = "turnout-production-Table-MOVED"
        key = {"pk": {"S": "EVENT#3b5d4a52-5f3f-4a6e-8a6e-2f4b8f1c9d10"}, "sk": {"S": "DETAILS"}}
        dynamodb.put_item(TableName=table, Item=key | {"expiresAt": {"N": "32503680000"}})
        self.event(table)
        described = dynamodb.describe_table(TableName=table)["Table"]
        dynamodb.create_table(
            TableName=moved,
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=described["AttributeDefinitions"],
            KeySchema=described["KeySchema"],
        )
        with tempfile.TemporaryDirectory() as folder:
            script = self.commands("Moving in") + f"\ntable={moved}\n" + self.commands("Moving out")
            for written, here in {
                "/var/lib/turnout": folder,
                "~": folder,
                "systemctl": ": systemctl",
            }.items():
                script = script.replace(written, here)
            subprocess.run(["bash", "-euo", "pipefail", "-c", script], check=True, timeout=120)
        self.assertEqual(self.without_gates(moved), self.without_gates(table))
        dynamodb.delete_item(TableName=table, Key=key)

    def without_gates(self, table):
        items = {(item["pk"]["S"], item["sk"]["S"]): item for item in self.items(table)}
        return {key: item for key, item in items.items() if "GATE" not in key[1]}

    def test_a_new_stack_with_the_old_table(self):
        """Moto makes the stack of the import, but with another table."""
        left = "turnout-again-Table-LEFT"
        left_table(left)
        printed = self.run_section("A new stack with the old table", stage="again", table=left)
        self.assertIn(left, printed.splitlines()[0])
        (found,) = self.cloudformation.describe_stacks(StackName="turnout-again")["Stacks"]
        self.assertEqual(found["StackStatus"], "IMPORT_COMPLETE")
        body = self.cloudformation.get_template(StackName="turnout-again")["TemplateBody"]
        whole = templates.read("template.yaml")
        self.assertEqual(
            body,
            {
                "Parameters": whole["Parameters"],
                "Resources": {"Table": whole["Resources"]["Table"]},
            },
        )
