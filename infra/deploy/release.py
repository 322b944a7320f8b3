"""Checks a deployment, and undoes it if the service answers wrongly: release.py keep|check|undo STACK

keep records, before a deployment, what runs: the template with the addresses of the programs, and
the version of each file of the site. check tries the deployed addresses, CloudFront's own first. If that
answers wrongly, what was kept is put back: code and site, and of the parameters only those that belong
to the code. Parameters, secrets and events stay. Nothing is undone if a name does not resolve, or after
a first deployment. After the first success, the table is protected from replacement, and the stack from
deletion.
"""

import json
import subprocess
import sys
from pathlib import Path

import boto3
from botocore.exceptions import WaiterError
from preflight import described, parameters_of
from samtranslator.yaml_helper import yaml_parse
from upload import ASSETS, current, invalidate, outputs_of

KEPT = Path(".local/release")
SMOKE = Path(".local/bin/smoke")
NO_ADDRESS = 3  # smoke's exit code if a name does not resolve, or the own domain does not lead to the distribution

# These say how the code was built.
OF_THE_CODE = ("Architecture", "Commit")

GUARD = {"Statement": [
    {"Effect": "Allow", "Action": "Update:*", "Principal": "*", "Resource": "*"},
    {"Effect": "Deny", "Action": ["Update:Replace", "Update:Delete"], "Principal": "*", "Resource": "LogicalResourceId/Table"},
]}


def keep(stack):
    """Records what runs, or nothing before the first deployment."""
    cloudformation, kept = boto3.client("cloudformation"), KEPT / f"{stack}.json"
    found = described(cloudformation, stack)
    kept.unlink(missing_ok=True)
    if found is None or "SiteBucketName" not in outputs_of(stack):
        return
    template = cloudformation.get_template(StackName=stack, TemplateStage="Original")["TemplateBody"]
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps({
        "template": template if isinstance(template, dict) else yaml_parse(template),
        "parameters": {p["ParameterKey"]: p["ParameterValue"] for p in found.get("Parameters", [])},
        "site": current(boto3.client("s3"), outputs_of(stack)["SiteBucketName"]),
    }), encoding="utf-8")


def put_back_code(cloudformation, stack, template, before):
    """Updates the stack to a former template."""
    now = parameters_of(cloudformation, stack)
    if now.get("RestoredTable") and "RestoredTable" not in template["Parameters"]:
        sys.exit(f"undo: the former template does not know {now['RestoredTable']}, and would use the stack's own table again: "
                 "nothing was undone; mend the release, and deploy it")
    parameters = [{"ParameterKey": name, "UsePreviousValue": True} if name in now and name not in OF_THE_CODE
                  else {"ParameterKey": name, "ParameterValue": before[name]} for name in template.get("Parameters", {}) if name in before]
    change = {"StackName": stack, "ChangeSetName": "undo"}
    cloudformation.create_change_set(
        **change,
        ChangeSetType="UPDATE",
        TemplateBody=json.dumps(template, separators=(",", ":")),
        Parameters=parameters,
        Capabilities=["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"],
    )
    try:
        cloudformation.get_waiter("change_set_create_complete").wait(**change, WaiterConfig={"Delay": 5})
    except WaiterError as error:
        reason = error.last_response.get("StatusReason", "")
        cloudformation.delete_change_set(**change)
        if "didn't contain changes" in reason or "No updates" in reason:
            return
        sys.exit(f"undo: CloudFormation does not take the former template: {reason}")
    cloudformation.execute_change_set(**change)
    cloudformation.get_waiter("stack_update_complete").wait(StackName=stack, WaiterConfig={"Delay": 5, "MaxAttempts": 700})


def put_back_site(s3, bucket, before):
    """Makes the former versions of the files current again, the page last."""
    now = current(s3, bucket)
    for name, version in sorted(before.items(), key=lambda file: file[0] == "index.html"):
        if now.get(name) != version:
            s3.copy_object(Bucket=bucket, Key=name, CopySource={"Bucket": bucket, "Key": name, "VersionId": version})
    for name in now:
        if name not in before and not name.startswith(ASSETS):
            s3.delete_object(Bucket=bucket, Key=name)


def undo(stack):
    """Puts back what was kept. Returns its commit, or None if nothing was kept."""
    try:
        kept = json.loads((KEPT / f"{stack}.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    put_back_code(boto3.client("cloudformation"), stack, kept["template"], kept["parameters"])
    outputs = outputs_of(stack)
    put_back_site(boto3.client("s3"), outputs["SiteBucketName"], kept["site"])
    invalidate(boto3.client("cloudfront"), outputs["DistributionId"])
    return kept["parameters"].get("Commit", "unknown")


def smoke(outputs):
    """Checks the addresses. Returns 0 if they answer correctly, otherwise the exit code of smoke."""
    own, cloudfront = outputs["SiteUrl"], f"https://{outputs['DistributionDomain']}"
    return subprocess.run([SMOKE, *dict.fromkeys((cloudfront, own))]).returncode


def guard(cloudformation, stack):
    cloudformation.set_stack_policy(StackName=stack, StackPolicyBody=json.dumps(GUARD))
    cloudformation.update_termination_protection(StackName=stack, EnableTerminationProtection=True)


def check(stack):
    result = smoke(outputs_of(stack))
    if result == 0:
        guard(boto3.client("cloudformation"), stack)
        print(outputs_of(stack)["SiteUrl"])
        return
    if result == NO_ADDRESS:
        sys.exit("deploy: nothing was undone")
    print(f"deploy: undoing it; if that is interrupted: {sys.executable} infra/deploy/release.py undo {stack}", file=sys.stderr)
    if (commit := undo(stack)) is None:
        sys.exit("deploy: this is the first deployment, and is left standing: look at it, and deploy again")
    state = "and passes the check" if smoke(outputs_of(stack)) == 0 else "and does not pass the check either: look at the alarms"
    sys.exit(f"deploy: undone. What ran before, commit {commit}, is back {state}. Parameters are as they were set.")


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("keep", "check", "undo"):
        sys.exit("usage: release.py keep|check|undo STACK")
    if sys.argv[1] == "undo":
        sys.exit(None if undo(sys.argv[2]) else f"undo: nothing was kept of {sys.argv[2]}: deploy an older commit")
    (keep if sys.argv[1] == "keep" else check)(sys.argv[2])
