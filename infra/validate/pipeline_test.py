"""Tests the parts of workflows, .ci/run, make and SAM that decide how a commit reaches a stack.

Each row says what happens otherwise. Its place is a JMESPath in the workflows, by name. A mistake
has a row if nothing else names it: neither zizmor, nor actionlint, nor the rehearsal, nor a job
that fails.
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
OF_STAGE = "./.github/workflows/deploy-stage.yml"
OF_PUSH = "vars.DEPLOY == 'true' && github.ref == 'refs/heads/main'"
OF_RUN = "ci-${{ github.event_name == 'pull_request' && github.ref || github.run_id }}"
STAGE = "deploy_stage.jobs.deploy"
TOOLS = "deploy_stage.jobs.tools"
COMMIT = "${{ inputs.commit || github.sha }}"


def step(kind, text):
    return f"steps[?contains(not_null({kind}, ''), '{text}')]"


ROWS = [
    # The rows for the triggers of workflows.
    (
        "ci.on",
        {"pull_request": None, "workflow_call": None},
        "changes are merged without CI, or deployed without",
    ),
    (
        "deploy.on.push",
        {"branches": ["main"]},
        "what is not in main is deployed, or a commit of main is not",
    ),
    ("deploy.on.keys(@) | sort(@)", ["push", "workflow_dispatch"], "somebody else's event deploys"),
    ("deploy_stage.on.keys(@)", ["workflow_call"], "a stage is deployed without CI"),
    ("rollback.on.keys(@)", ["workflow_dispatch"], "a rollback runs that nobody asked for"),
    (
        "rollback.on.workflow_dispatch.inputs.stage.options",
        ["production", "staging"],
        "a rollback deploys to a stage of any name",
    ),
    ("release.on", {"push": {"tags": ["v*"]}}, "a release is published that nobody has tagged"),
    (
        "smoke.on.schedule[].cron | [?ends_with(@, ' * * * *')] | length(@) > `0`",
        True,
        "an outage is seen hours later",
    ),
    (
        "vulnerabilities.on.schedule | length(@) > `0`",
        True,
        "a vulnerability is seen with the next change only",
    ),
    (
        "rehearse.on.schedule | length(@) > `0`",
        True,
        "the first deployment to AWS is the rehearsal",
    ),
    # The rows for the order and the conditions of jobs.
    (
        "deploy.jobs.keys(@) | sort(@)",
        ["ci", "production", "staging"],
        "a job deploys beside the others",
    ),
    ("deploy.jobs.ci.uses", CI, "commits are deployed without CI"),
    ("deploy.jobs.staging.needs", "ci", "a commit that fails in CI is deployed"),
    ("deploy.jobs.staging.if", OF_PUSH, "a branch is deployed, or a fork without an account fails"),
    ("deploy.jobs.staging.uses", OF_STAGE, "staging is not deployed as production is"),
    ("deploy.jobs.staging.with", {"stage": "staging"}, "production gets what staging has not run"),
    ("deploy.jobs.production.needs", "staging", "production gets what staging has not run"),
    ("deploy.jobs.production.if", None, "production gets a commit that failed in CI or on staging"),
    ("deploy.jobs.production.uses", OF_STAGE, "production is not deployed as staging is"),
    (
        "deploy.jobs.production.with",
        {"stage": "production"},
        "production stays as it is, or gets an older commit",
    ),
    (
        f"{STAGE}.environment",
        "${{ inputs.stage }}",
        "nobody approves what is deployed to production",
    ),
    (f"{STAGE}.if", None, "a stage is not deployed, or although its tools failed"),
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
        "rollback.jobs.check.if",
        "github.ref == 'refs/heads/main'",
        "a branch's own check allows its rollback",
    ),
    (
        f"rollback.jobs.check.{step('run', 'may-roll-back')}.env",
        [
            {
                "STAGE": "${{ inputs.stage }}",
                "COMMIT": "${{ inputs.commit }}",
                "GH_TOKEN": "${{ github.token }}",
            }
        ],
        "another commit or stage is deployed than was checked",
    ),
    ("rollback.jobs.deploy.needs", "check", "any commit is deployed to production without CI"),
    ("rollback.jobs.deploy.if", None, "any commit is deployed to production without CI"),
    ("rollback.jobs.deploy.uses", OF_STAGE, "a rollback is not deployed as a release is"),
    (
        "rollback.jobs.deploy.with",
        {"stage": "${{ inputs.stage }}", "commit": "${{ inputs.commit }}"},
        "another commit or stage is deployed than was checked",
    ),
    (
        "release.jobs.ci.[needs, uses]",
        ["programs", CI],
        "a release is published that CI has not passed",
    ),
    ("release.jobs.publish.needs", "ci", "a release is published that CI has not passed"),
    ("release.jobs.publish.if", None, "a release is published that CI has not passed"),
    (
        'ci.concurrency.[group, "cancel-in-progress"]',
        [OF_RUN, True],
        "a commit of main is not tested, because the next one cancels its run",
    ),
    ("ci.jobs.ci.if", None, "commits pass CI without a test"),
    ("ci.jobs.ci.env", {"GOFLAGS": "-buildvcs=false"}, "a variable changes what the tests run"),
    (
        "smoke.jobs.smoke.if",
        "vars.SMOKE_URL != ''",
        "the deployed service is not checked, or a fork fails each hour",
    ),
    (
        f"smoke.jobs.smoke.{step('run', 'make smoke')}.env",
        [{"SMOKE_URL": "${{ vars.SMOKE_URL }}"}],
        "an address is checked that is not the address of the deployed service",
    ),
    (
        f"vulnerabilities.jobs.actions.{step('run', 'zizmor')}.env",
        [{"GH_TOKEN": "${{ github.token }}"}],
        "zizmor asks GitHub nothing: a pin may be a commit of a fork, or of another version",
    ),
    ("vulnerabilities.jobs.govulncheck.if", None, "nobody hears of a vulnerability"),
    ("rehearse.jobs.rehearse.if", None, "the first deployment to AWS is the rehearsal"),
    # The rows for the deployed commit and for permissions.
    (
        f"{STAGE}.{step('uses', 'checkout')}.with",
        [{"persist-credentials": False, "ref": COMMIT, "fetch-depth": 0}],
        "another commit is deployed, or an older one over a newer one",
    ),
    (
        f"{TOOLS}.{step('uses', 'checkout')}.with.ref",
        [COMMIT],
        "a commit is deployed with the tools of another",
    ),
    (
        f"{STAGE}.{step('uses', 'setup-go')}.with.cache",
        [False],
        "what a job without rights has cached becomes a program of production",
    ),
    (
        f"release.jobs.programs.{step('uses', 'setup-go')}.with.cache",
        [False],
        "what another job has cached becomes a published program",
    ),
    (
        f"{STAGE}.{step('uses', 'aws-credentials')}.with",
        [
            {
                "role-to-assume": "${{ vars.AWS_ROLE_ARN }}",
                "aws-region": "${{ vars.AWS_REGION }}",
                "mask-aws-account-id": True,
                "role-duration-seconds": 7200,
            }
        ],
        "a deployment has another role, or loses it before it is undone",
    ),
    (
        f"{STAGE}.{step('run', 'make deploy')}.env",
        [
            {
                "STAGE": "${{ inputs.stage }}",
                "COMMIT": COMMIT,
                "PROGRAMS": "${{ vars.PROGRAMS }}",
                "PARAMETERS": "${{ vars.PARAMETERS }}",
                "ONLY_NEWER": "${{ !inputs.commit && 'true' || '' }}",
                "ROLLBACK": "${{ inputs.commit && 'true' || '' }}",
            }
        ],
        "a late approval deploys an older commit, or a stage gets another's stack",
    ),
    (f'{STAGE}."timeout-minutes" >= `120`', True, "a deployment is cut off before it is undone"),
    (f'{STAGE}.steps[]."timeout-minutes"', [], "a deployment is cut off before it is undone"),
    (
        "deploy_stage.jobs.values(@)[].env",
        [],
        "a variable such as MAKEFLAGS=-i changes what is deployed, or hides that it failed",
    ),
    (
        f"[{STAGE}, release.jobs.publish][].{step('uses', 'download-artifact')}[].with.keys(@)[]"
        " | [?!contains(['name', 'path'], @)]",
        [],
        "what another run has made is deployed or published, or runs with the role in AWS",
    ),
    (f"{STAGE}.container", None, "an image of somebody else has the role in AWS"),
    (
        f"{STAGE}.steps[].uses"
        " | [?!(starts_with(@, 'actions/') || starts_with(@, 'aws-actions/'))]",
        [],
        "an action of somebody else has the role in AWS",
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

MAKE_DEPLOY = (
    'make deploy STAGE="$STAGE" COMMIT="$COMMIT" PROGRAMS="$PROGRAMS" PARAMETERS="$PARAMETERS"'
)

# Steps that run in this order. Others may run between them.
STEPS = [
    ("ci.ci", [".ci/run"], "commits are deployed without a test"),
    (
        "deploy_stage.tools",
        ["infra/tools/install && tar -cf tools.tar .local/venv"],
        "there are no tools to deploy with",
    ),
    (
        "deploy_stage.deploy",
        [
            "tar -xf tools.tar && rm tools.tar && go mod download",
            "aws-actions/configure-aws-credentials",
            MAKE_DEPLOY,
        ],
        "what is installed can use the role in AWS, or nothing is deployed",
    ),
    (
        "rollback.check",
        ['infra/deploy/may-roll-back "$STAGE" "$COMMIT"'],
        "any commit is deployed to production without CI",
    ),
    (
        "release.programs",
        [
            'make dist VERSION="$GITHUB_REF_NAME"',
            'diff -r .local/dist "$copy/.local/dist"',
            "actions/upload-artifact",
        ],
        "programs are published that nobody can build again",
    ),
    (
        "release.publish",
        [
            "actions/attest",
            "docker buildx build --push --platform linux/amd64,linux/arm64 --sbom=true"
            " --provenance=mode=max",
            'gh release create "$GITHUB_REF_NAME" --verify-tag',
        ],
        "programs or an image are published without a proof of where they come from",
    ),
    (
        "smoke.smoke",
        ['make smoke URL="$SMOKE_URL"'],
        "nobody hears that the deployed service does not answer",
    ),
    (
        "vulnerabilities.govulncheck",
        ["go tool -modfile=infra/tools/go.mod govulncheck ./..."],
        "nobody hears of a vulnerability",
    ),
    (
        "vulnerabilities.actions",
        ["infra/tools/install && .local/venv/bin/zizmor --quiet .github"],
        "an action's pin may be a commit of a fork, or of another version than its comment says",
    ),
    ("rehearse.rehearse", ["make rehearse"], "the first deployment to AWS is the rehearsal"),
]

# The known events of workflows, and the known keys of workflows, jobs and steps.
KEYS = {
    "event": {"pull_request", "push", "schedule", "workflow_call", "workflow_dispatch"},
    "workflow": {"name", "on", "permissions", "concurrency", "jobs"},
    "job": {
        "name",
        "needs",
        "if",
        "permissions",
        "uses",
        "with",
        "runs-on",
        "timeout-minutes",
        "environment",
        "concurrency",
        "container",
        "env",
        "steps",
        "outputs",
    },
    "step": {"id", "name", "uses", "run", "with", "env", "if", "timeout-minutes"},
}
HARMS = {
    "pull_request_target": "a stranger's change runs with the rights of this repository",
    "workflow_run": "a stranger's change runs with the rights of this repository",
    "continue-on-error": "what fails passes",
    "defaults": "a shell of one's own does not stop at the first failure",
    "shell": "a shell of one's own does not stop at the first failure",
    "secrets": "a job, and what it installs, reads secrets that it does not need",
    "env": "a variable such as MAKEFLAGS=-i changes every job",
}

# Lines of scripts. Without such a line, a check or its failure is skipped.
LINES = {
    ".ci/run": [
        ("set -euo pipefail", "what fails passes"),
        ("export CI=true", "a linter that is missing passes"),
        (
            '  nice -n 19 "$@" >"$work/$name" 2>&1 || ended=failed',
            "what fails passes",
        ),
        ('  [ $ended = passed ] || echo "$name" >>"$work/failed"', "what fails passes"),
        ("list() { go list ./... | grep \"$@\" | tr '\\n' ' '; }", "packages are not tested"),
        ("xargs --delimiter '\\n' --max-procs 2 -I JOB bash -c JOB <<JOBS", "nothing is checked"),
        (
            'run browser make test TESTFLAGS=-timeout=30m PACKAGES="$(list -E "$unraced")"',
            "the site is not tested in a browser",
        ),
        (
            "GORACE=atexit_sleep_ms=0 run race make test"
            """ TESTFLAGS="${race[*]} -skip='$skip' -timeout=30m\""""
            """ PACKAGES="$(list -vE "$unraced|$bare")\"""",
            "tests that fail, or race, pass",
        ),
        (
            "race=(-race '-gcflags=github.com/evanw/esbuild/...=-race=false')",
            "the detector does not see races in our code",
        ),
        ("skip='TestKilled|TestBadStarts'", "races are found by fewer tests"),
        ("run validate make validate", "what is checked here is checked by nobody"),
        (
            "run bare .ci/bare",
            "the README's first two commands need more than Go and make",
        ),
        ("run lint make lint", "what linters report passes"),
        ('if [ -e "$work/failed" ]; then', "what fails passes"),
        ("  exit 1", "what fails passes"),
    ],
    "infra/validate/run": [
        ("set -euo pipefail", "what fails passes"),
        (
            "$venv/bin/cfn-lint --regions $regions -- template.yaml",
            "a template that CloudFormation refuses passes",
        ),
        (
            "$venv/bin/cfn-lint --regions us-east-1 --"
            " infra/waf.yaml infra/budget.yaml infra/deployer.yaml infra/global.yaml",
            "a template that CloudFormation refuses passes",
        ),
        (
            "$venv/bin/cfn-lint --regions $regions -- .local/transformed.json",
            "IAM actions that do not exist pass",
        ),
        (
            "$venv/bin/sam build --build-dir $build >$log 2>&1"
            " || { cat $log >&2; fail 'sam build failed'; }",
            "functions that SAM cannot build pass",
        ),
        (
            "$venv/bin/python -W ignore -m unittest discover"
            " --start-directory infra --top-level-directory . --pattern '*_test.py'",
            "nothing here is checked",
        ),
    ],
    "infra/deploy/may-roll-back": [("set -euo pipefail", "any commit is rolled back to")],
}

STACK, OWN = "turnout-production", "Architecture=arm64 Commit=unknown"
PYTHON = ".local/venv/bin/python"

# Commands that make runs in this order, as regular expressions. Others may run between them. The
# rehearsal shows the other steps of a deployment.
COMMANDS = {
    "deploy": [
        ("infra/tools/install", "a deployment has tools of another commit"),
        (
            f"{PYTHON} -m infra.deploy.preflight {STACK} {OWN} --parameters ?",
            "a deployment fails halfway, or an older commit replaces a newer one",
        ),
        (
            f"{PYTHON} -m infra.deploy.upload --assets {STACK}",
            "pages name files that are not there yet",
        ),
        (f"{PYTHON} -m infra.deploy.upload {STACK}", "visitors get the former site"),
    ],
    "validate": [("infra/validate/run", "nothing here is checked")],
    "smoke": [("go run ./infra/smoke x", "the deployed service is not checked")],
    "lint": [
        (
            r"if command -v (\S*/tsc) .*; \1 -p internal/site/tsconfig.json; .*",
            "scripts with wrong types pass",
        ),
        (
            r"if command -v (\S*/tsc) .*; \1 -p internal/site/bundle/tsconfig.json; .*",
            "a worker with wrong types passes",
        ),
        (
            r"unformatted=\$\(gofmt -l functions internal infra\); "
            r'\[ -z "\$unformatted" \] \|\| .* exit 1; \}',
            "Go that is not formatted passes",
        ),
        (r"go vet \./\.\.\.", "what go vet reports passes"),
        (r"go tool \S+ staticcheck .*\./\.\.\.", "what staticcheck reports passes"),
        (r"go tool \S+ actionlint", "workflows that GitHub refuses pass"),
        (
            r"infra/tools/third-party \| diff infra/THIRD_PARTY - \|\| .* exit 1; \}",
            "programs are published without the licenses of what they contain",
        ),
        (
            r"if command -v (\S*/zizmor) .*; \1 --offline --quiet .github; .*",
            "what zizmor reports passes",
        ),
        (
            r"if command -v (shellcheck) .*; \1 .ci/run .ci/bare .*",
            "scripts that fail in silence pass",
        ),
        (
            r"if command -v (\S*/oxlint) .*; \1 -c internal/site/.oxlintrc.json .*",
            "what oxlint reports passes",
        ),
        (r"if command -v (\S*/prettier) .*; \1 --check .*", "scripts that are not formatted pass"),
        (r"if command -v (\S*/ruff) .*; \1 check .*", "what ruff reports passes"),
        (
            r"if command -v (\S*/ruff) .*; \1 format --check .*",
            "Python that is not formatted passes",
        ),
    ],
}

# Settings in the default environment of samconfig.toml.
SAMCONFIG = [
    (
        "global.parameters.stack_name",
        "turnout-production",
        "a plain sam deploy makes or changes another stack",
    ),
    ("deploy.parameters.on_failure", "DELETE", "a first deployment that failed cannot be repeated"),
    (
        "deploy.parameters.fail_on_empty_changeset",
        False,
        "a release without a change of the stack fails",
    ),
    (
        "deploy.parameters.disable_rollback",
        (None, False),
        "a deployment that fails leaves half a stack",
    ),
    ("build.parameters.build_in_source", True, "the tree is copied for every function"),
    (
        "local_start_api.parameters.env_vars",
        "infra/sam/variables.json",
        "sam local start-api answers every request with 403",
    ),
]


def first(parts, fits):
    """Returns the index of the first match, or None."""
    return next((at for at, part in enumerate(parts) if fits(part)), None)


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

    def test_steps_that_must_not_be_skipped(self):
        for name, wanted, harm in STEPS:
            workflow, job = name.split(".")
            rest = WORKFLOWS[workflow]["jobs"].get(job, {}).get("steps", [])
            for text in wanted:
                with self.subTest(name, step=text):
                    at = first(rest, lambda step, text=text: self.runs(step, text))
                    if at is None:
                        self.fail(f"{harm}: {name} does not run {text}, or not in order")
                    step, rest = rest[at], rest[at + 1 :]
                    if "if" in step:
                        self.fail(f"{harm}: {name} skips {text}")

    def runs(self, step, text):
        """Returns whether a step uses an action, or runs a line that begins with the text."""
        lines = [line.strip() for line in step.get("run", "").splitlines()]
        if len(lines) == 1:
            return lines[0] == text
        return step.get("uses", "").split("@")[0] == text or any(
            line.startswith(text) and "|| " not in line for line in lines
        )

    def test_failures_stop_a_job(self):
        for name, workflow in WORKFLOWS.items():
            self.known(name, "workflow", workflow)
            self.known(name, "event", workflow["on"])
        for name, job in self.jobs():
            self.known(name, "job", job)
            for step in job.get("steps", []):
                self.known(name, "step", step)
            if "steps" in job:
                with self.subTest(name):
                    self.assertLessEqual(
                        job.get("timeout-minutes", 360),
                        120,
                        f"{name}: a step that hangs is paid for",
                    )
                    self.assertRegex(
                        job["runs-on"],
                        "^(ubuntu|macos|windows)-",
                        f"{name}: anybody's pull request runs on a machine of one's own",
                    )

    def known(self, name, kind, part):
        for key in part.keys() - KEYS[kind]:
            with self.subTest(name, key=key):
                harm = HARMS.get(key, "nobody has said what it does to a deployment")
                self.fail(f"{name}: {harm}: no {kind} had {key} before")

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
    def test_scripts_have_each_check(self):
        for path, lines in LINES.items():
            text = Path(path).read_text(encoding="utf-8").splitlines()
            for line, harm in lines:
                with self.subTest(path, line=line):
                    if line not in text:
                        self.fail(f"{harm}: {path} does not have {line}")
            for line in text:
                with self.subTest(path, line=line):
                    if re.match(r"\s*(exit( 0)?$|set \+)", line):
                        self.fail(
                            f"what comes after {line} is skipped, or fails in silence: {path}"
                        )

    def test_make_runs_each_command_in_order(self):
        for target, commands in COMMANDS.items():
            make = [
                *("make", "-n", "--no-print-directory", target),
                *("-W", "internal/site/src/locales/en.json"),  # makes types one of the commands
                *("COMMIT=unknown", "URL=x", "CI=true"),
            ]
            ran = subprocess.run(make, check=True, capture_output=True, text=True).stdout
            rest = ran.splitlines()
            for command, harm in commands:
                with self.subTest(target, command=command):
                    at = first(rest, re.compile(rf"\s*{command}\s*").fullmatch)
                    if at is None:
                        self.fail(f"{harm}: make {target} does not run {command}, or not in order")
                    rest = rest[at + 1 :]

    def test_make_stops_at_a_failure(self):
        text = Path("Makefile").read_text(encoding="utf-8")
        for line in re.findall(
            r"^\t[@+ ]*-.*|^\.(?:IGNORE|ONESHELL|SHELLFLAGS)\b.*|^(?:SHELL|MAKEFLAGS)\b.*",
            text,
            re.M,
        ):
            with self.subTest(line):
                self.fail(f"make goes on after a failure: {line}")
        self.assertIn(
            '[ "$$CI" != true ]; fi', text, "a linter that is missing in CI passes: lint-with"
        )

    def test_sam_deploys_as_expected(self):
        config = tomlkit.parse(Path("samconfig.toml").read_text(encoding="utf-8")).unwrap()
        for row in SAMCONFIG:
            with self.subTest(row[0]):
                for message in broken([row], config["default"]):
                    self.fail(message)
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
        pinned.remove(("npm", "/infra/tools/old-chromium"))  # these browsers are old on purpose
        looked_after = set()
        config = yaml_parse(Path(".github/dependabot.yml").read_text(encoding="utf-8"))
        for update in config["updates"]:
            if update.get("open-pull-requests-limit") == 0:
                continue
            for folder in update.get("directories", [update.get("directory")]):
                looked_after.add((update["package-ecosystem"], folder))
        self.assertEqual(looked_after, pinned, "nobody hears of a new version, or a vulnerable one")
