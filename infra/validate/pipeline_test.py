"""Tests details of workflows, make and scripts that reviewers overlook, and attackers use.

actionlint and zizmor check the rest of the workflows, the rehearsal the steps of a deployment.
"""

import re
import subprocess
import unittest
from pathlib import Path

import tomlkit
from samtranslator.yaml_helper import yaml_parse

from infra.validate.templates import broken


def read_workflow(path):
    """Returns a workflow as GitHub reads it. Its events are keys."""
    parts = yaml_parse(path.read_text(encoding="utf-8"))
    events = parts.pop(True)  # YAML reads the key "on" as true
    if isinstance(events, str):
        events = [events]
    return {**parts, "on": events if isinstance(events, dict) else dict.fromkeys(events)}


WORKFLOWS = {
    path.stem.replace("-", "_"): read_workflow(path)
    for path in Path(".github/workflows").glob("*.y*ml")
}

CI = "./.github/workflows/ci.yml"
ON_MAIN = "github.ref == 'refs/heads/main'"
STAGE = "deploy_stage.jobs.deploy"
COMMIT = "${{ inputs.commit || github.sha }}"
WITH_AWS = f"[{STAGE}, release.jobs.publish][].steps"

# Each row has a JMESPath in the workflows, by name, the wanted value, and the harm of another one.
ROWS = [
    (
        "deploy.jobs.[ci.uses, staging.needs, production.needs]",
        [CI, "ci", "staging"],
        "a commit is deployed that failed in CI or on staging",
    ),
    (
        "[rollback.jobs.deploy.needs, release.jobs.ci.uses, release.jobs.publish.needs]",
        ["check", CI, "ci"],
        "a commit is rolled back to or published that nothing has checked",
    ),
    (
        f"[deploy.jobs.production, rollback.jobs.deploy, release.jobs.publish, {STAGE}][].if",
        [],
        "a job runs although a job that it needs has failed",
    ),
    (
        "[deploy.jobs.staging.if, rollback.jobs.check.if]",
        [f"vars.DEPLOY == 'true' && {ON_MAIN}", ON_MAIN],
        "a branch is deployed, or allows its own rollback",
    ),
    (
        "ci.jobs.ci.[if, steps[?run=='.ci/run'] | [].keys(@)[]]",
        [None, ["run"]],
        "commits pass CI without a test",
    ),
    (
        """rollback.jobs.check.steps[?run=='infra/deploy/may-roll-back "$STAGE" "$COMMIT"']"""
        ".env.[STAGE, COMMIT]",
        [["${{ inputs.stage }}", "${{ inputs.commit }}"]],
        "another commit is rolled back to than was checked, or any commit",
    ),
    ("deploy_stage.on.keys(@)", ["workflow_call"], "a stage is deployed without CI"),
    (
        f"{STAGE}.environment",
        "${{ inputs.stage }}",
        "nobody approves what is deployed to production",
    ),
    (
        f"{STAGE}.concurrency",
        {"group": "deploy-${{ inputs.stage }}", "cancel-in-progress": False},
        "two deployments of a stage overlap, or one is cut off halfway",
    ),
    (
        "[deploy, rollback, deploy_stage][].[concurrency, jobs.values(@)[?uses].concurrency[]][]"
        " | [?@]",
        [],
        "the next push or rollback cuts off a deployment halfway",
    ),
    (
        "deploy_stage.jobs.[tools, deploy][].steps[?contains(not_null(uses, ''), 'checkout')][]"
        ".with.ref",
        [COMMIT, COMMIT],
        "another commit is deployed, or with the tools of another",
    ),
    (
        f"{STAGE}.steps[?starts_with(not_null(run, ''), 'make deploy')].env.[COMMIT, ONLY_NEWER]",
        [[COMMIT, "${{ !inputs.commit && 'true' || '' }}"]],
        "a late approval deploys an older commit",
    ),
    (f'{STAGE}."timeout-minutes" >= `120`', True, "a deployment is cut off before it is undone"),
    (
        f"[{STAGE}, release.jobs.programs][].steps[].with.cache",
        [False, False],
        "what a job without rights has cached becomes a program of production, or is published",
    ),
    (
        f"{WITH_AWS}[?contains(not_null(uses, ''), 'download-artifact')][].with.keys(@)[]"
        " | [?!contains(['name', 'path'], @)]",
        [],
        "what another run has made is deployed or published",
    ),
    (
        f"{WITH_AWS}[].uses | [?!(starts_with(@, 'actions/') || starts_with(@, 'aws-actions/'))]",
        [],
        "an action of somebody else deploys or publishes",
    ),
    (
        f"[{STAGE}, release.jobs.publish][].container",
        [],
        "an image of somebody else deploys or publishes",
    ),
    (
        "values(@)[].jobs.values(@)[].container.options | [?contains(@, 'privileged')]",
        [],
        "what a pull request runs is root of the machine",
    ),
]

DEPLOYS = {"contents": "read", "id-token": "write"}
PUBLISHES = {"contents": "write", "packages": "write", "id-token": "write", "attestations": "write"}

# The permissions of jobs that may do more than read the repository. A called workflow has at most
# its caller's permissions.
RIGHTS = {
    "deploy_stage.deploy": DEPLOYS,
    "deploy.staging": DEPLOYS,
    "deploy.production": DEPLOYS,
    "rollback.deploy": DEPLOYS,
    "rollback.check": {"contents": "read", "actions": "read"},
    "release.publish": PUBLISHES,
}
READS = ({}, {"contents": "read"})

# Other events let strangers run commands with the rights of this repository.
EVENTS = {"pull_request", "push", "schedule", "workflow_call", "workflow_dispatch"}

# Keys that no workflow, job or step has.
HARMS = {
    "continue-on-error": "what fails passes",
    "defaults": "a shell of one's own does not stop at the first failure",
    "shell": "a shell of one's own does not stop at the first failure",
    "secrets": "a job, and what it installs, reads secrets that it does not need",
}

# Variables with which a command that fails passes, such as MAKEFLAGS=-i.
VARIABLES = {"BASH_ENV", "MAKEFLAGS", "SHELLOPTS"}

# Parts of a script or a recipe with which a failure passes.
SILENT = re.compile(
    r"\|\| *(true|:)|\bset \+|^\s*exit( 0)?$|^\t[@+ ]*-|^(\.IGNORE|\.ONESHELL|\.?SHELL|MAKEFLAGS)"
)
HARMLESS = (
    # These lines only print, or make a tool of other tests.
    """grep -h '^DONE' "$work"/* || true""",
    "@if command -v java >/dev/null && command -v mvn >/dev/null; then "
    "$(MAKE) -s dynamodb-local || true; fi",
)
SCRIPTS = (".ci/run", "infra/validate/run", "infra/deploy/may-roll-back", "infra/tools/install")


class Workflows(unittest.TestCase):
    def jobs(self):
        for workflow, parts in WORKFLOWS.items():
            for name, job in parts["jobs"].items():
                yield f"{workflow}.{name}", job

    def test_what_decides_whether_a_commit_is_deployed(self):
        for row in ROWS:
            with self.subTest(row[0]):
                for message in broken([row], WORKFLOWS):
                    self.fail(message)

    def test_jobs_have_the_permissions_that_they_need(self):
        for name, workflow in WORKFLOWS.items():
            with self.subTest(name):
                if workflow.get("permissions") not in READS:
                    self.fail(f"{name}: each step, and what it installs, may change the repository")
        for name, job in self.jobs():
            allowed = (RIGHTS[name],) if name in RIGHTS else (None, *READS)
            with self.subTest(name):
                if job.get("permissions") not in allowed:
                    self.fail(
                        f"{name}: a step that is taken over deploys, publishes or changes the "
                        f"repository, or the job fails: it has {job.get('permissions')}"
                    )

    def test_strangers_start_nothing_and_failures_stop_a_job(self):
        for name, workflow in WORKFLOWS.items():
            self.harmless(name, workflow)
            if strange := workflow["on"].keys() - EVENTS:
                self.fail(
                    f"{name}: strangers' changes run with this repository's rights: {strange}"
                )
        for name, job in self.jobs():
            self.harmless(name, job)
            for step in job.get("steps", []):
                self.harmless(name, step)
            if "steps" in job:
                hosted = re.match("(ubuntu|macos|windows)-", job["runs-on"])
                self.assertTrue(hosted, f"{name}: a pull request runs on a machine of one's own")
                limit = job.get("timeout-minutes", 360)
                self.assertLessEqual(limit, 120, f"{name}: a step that hangs is paid for")

    def harmless(self, name, part):
        for key in part.keys() & HARMS.keys():
            self.fail(f"{name}: {HARMS[key]}: it has {key}")
        for key in part.get("env", {}).keys() & VARIABLES:
            self.fail(f"{name}: what fails passes: it sets {key}")

    def test_no_audit_is_silenced(self):
        for path in sorted(Path(".github").rglob("*.y*ml")):
            with self.subTest(path):
                self.assertNotIn(
                    "zizmor: ignore",
                    path.read_text(encoding="utf-8"),
                    f"{path}: what zizmor found there passes",
                )
        config = yaml_parse(Path(".github/zizmor.yml").read_text(encoding="utf-8"))
        self.assertEqual(
            config,
            {"rules": {"self-repository": {"disable": True}}},
            "what zizmor finds in workflows passes",
        )
        self.assertFalse(
            list(Path(".github").glob("actionlint.y*ml")), "what actionlint finds passes"
        )


class Commands(unittest.TestCase):
    def test_no_failure_is_silenced(self):
        for path in ("Makefile", *SCRIPTS):
            text = Path(path).read_text(encoding="utf-8")
            if path != "Makefile":
                self.assertIn("\nset -euo pipefail\n", text, f"what fails passes: {path}")
            for line in text.splitlines():
                if SILENT.search(line) and line.strip() not in HARMLESS:
                    self.fail(f"what fails passes, or nothing comes after it: {path}: {line}")

    def test_a_job_that_fails_fails_the_run(self):
        """.ci/run goes on after a failed job. The test gives it other jobs."""
        script = Path(".ci/run").read_text(encoding="utf-8")
        jobs = "<<JOBS\nrun good true\nrun bad false\nrun last true\nJOBS\n"
        rest = re.sub(
            r"<<JOBS\n.*?^JOBS\n", jobs, script[script.index("work=$(") :], flags=re.M | re.S
        )
        ran = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", rest], capture_output=True, text=True
        )
        self.assertEqual((ran.returncode, ran.stdout.splitlines()[-1]), (1, "failed: bad"), ran)

    def test_a_missing_linter_fails_in_ci(self):
        (lint,) = re.findall(r"^lint-with = .*\\\n.*", Path("Makefile").read_text("utf-8"), re.M)
        self.assertIn('[ "$$CI" != true ]; fi', lint, "what a linter would find passes")

    def test_both_environments_of_sam_deploy_alike(self):
        """samconfig.toml has one environment for a bucket by SAM, and one for a bucket by name."""
        config = tomlkit.parse(Path("samconfig.toml").read_text(encoding="utf-8")).unwrap()
        plain = dict(config["default"]["deploy"]["parameters"])
        self.assertIs(plain.pop("resolve_s3"), True, "a plain sam deploy asks for a bucket")
        self.assertEqual(
            config["programs"]["deploy"]["parameters"],
            plain,
            "make deploy with PROGRAMS names two buckets, or deploys otherwise than without",
        )


class Updates(unittest.TestCase):
    def test_all_pins_are_looked_after(self):
        pinned = {("gomod", "/"), ("github-actions", "/")}
        for ecosystem, pattern in [
            ("pip", "*.in"),
            ("gomod", "go.mod"),
            ("npm", "package.json"),
            ("maven", "pom.xml"),
            ("docker", "Dockerfile"),
            ("docker-compose", "compose.yaml"),
        ]:
            for top in ("infra", "internal"):
                for path in Path(top).rglob(pattern):
                    pinned.add((ecosystem, f"/{path.parent}"))
        looked_after = set()
        config = yaml_parse(Path(".github/dependabot.yml").read_text(encoding="utf-8"))
        for update in config["updates"]:
            if update.get("open-pull-requests-limit") == 0:
                continue
            for folder in update.get("directories", [update.get("directory")]):
                looked_after.add((update["package-ecosystem"], folder))
        self.assertEqual(looked_after, pinned, "nobody hears of a new version, or a vulnerable one")
