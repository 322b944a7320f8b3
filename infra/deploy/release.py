"""Checks a deployment, and undoes it if the service answers wrongly:
release.py record|verify|undo STACK

record writes down, before a deployment, what runs: the template with the addresses of the programs,
and the version of each file of the site. verify tries the deployed addresses, CloudFront's own
first. If that answers wrongly, what was recorded is put back: code and site, and of the parameters
only those that belong to the code. Parameters, secrets and events stay. Nothing is undone if a name
does not resolve, after a first deployment, or while Serving or Writing is false. After the first
success, the table is protected from replacement, and the stack from deletion.
"""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import boto3
from botocore.exceptions import WaiterError
from preflight import STUCK, described, parameters_of, stopped_in, unfit
from samtranslator.yaml_helper import yaml_parse
from upload import current, invalidate, outputs_of, remove

RECORDED = Path(".local/release")
SMOKE = Path(".local/bin/smoke")

# The exit status of smoke if a name does not resolve, or the own domain does not lead to the
# distribution.
NO_ADDRESS = 3

# These say how the code was built.
OF_THE_CODE = ("Architecture", "Commit")

GUARD = {
    "Statement": [
        {"Effect": "Allow", "Action": "Update:*", "Principal": "*", "Resource": "*"},
        {
            "Effect": "Deny",
            "Action": ["Update:Replace", "Update:Delete"],
            "Principal": "*",
            "Resource": "LogicalResourceId/Table",
        },
    ]
}


def record(stack):
    """Records what runs, or nothing before the first deployment."""
    recorded, outputs = RECORDED / f"{stack}.json", outputs_of(stack)
    recorded.unlink(missing_ok=True)
    if "SiteBucketName" not in outputs:
        return
    cloudformation = boto3.client("cloudformation")
    found = cloudformation.get_template(StackName=stack, TemplateStage="Original")
    template = found["TemplateBody"]
    runs = {
        "template": template if isinstance(template, dict) else yaml_parse(template),
        "parameters": parameters_of(cloudformation, stack),
        "site": current(boto3.client("s3"), outputs["SiteBucketName"]),
    }
    recorded.parent.mkdir(parents=True, exist_ok=True)
    recorded.write_text(json.dumps(runs), encoding="utf-8")


def settled(cloudformation, stack):
    """The state of a stack after the update in progress, if there is one."""
    while (state := described(cloudformation, stack)["StackStatus"]).endswith("_IN_PROGRESS"):
        time.sleep(5)
    return state


def uploaded(template):
    """Puts a template beside the first program that it names, and returns its address.

    A request holds 51,200 bytes.
    """
    body, s3 = json.dumps(template), boto3.client("s3")
    bucket, program = re.search(r's3://([^/"]+)/([^"]+)', body).groups()
    s3.put_object(Bucket=bucket, Key=f"{program}.template", Body=body)
    return f"{s3.meta.endpoint_url}/{bucket}/{program}.template"


def put_back_code(cloudformation, stack, template, before):
    """Updates the stack to a former template.

    A repeat after an interruption finds that update done, or makes it again.
    """
    state = settled(cloudformation, stack)
    if state in STUCK:
        stopped(stack, f"the stack is {state}", STUCK[state].format(stack))
    now = parameters_of(cloudformation, stack)
    # CloudFormation refuses to delete a change set while the stack is updated, so each attempt has
    # one of its own.
    change = {"StackName": stack, "ChangeSetName": f"undo-{time.time_ns()}"}
    cloudformation.create_change_set(
        **change,
        ChangeSetType="UPDATE",
        TemplateURL=uploaded(template),
        Parameters=former_parameters(template, before, now),
        Tags=described(cloudformation, stack).get("Tags", []),
        Capabilities=["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"],
    )
    created = cloudformation.get_waiter("change_set_create_complete")
    try:
        created.wait(**change, WaiterConfig={"Delay": 5})
    except WaiterError as error:
        reason = error.last_response.get("StatusReason", "")
        if "didn't contain changes" in reason or "No updates" in reason:
            return  # the stack has the former template
        why = f"CloudFormation does not take the former template: {reason}"
        stopped(stack, why, "mend the cause")
    cloudformation.execute_change_set(**change)
    if (state := settled(cloudformation, stack)) != "UPDATE_COMPLETE":
        cause = "aws cloudformation describe-stack-events --stack-name {} has the cause"
        stopped(stack, f"the stack is {state}", STUCK.get(state, cause).format(stack))


def former_parameters(template, before, now):
    """The parameters of a former template: of the code as they were before, others as now."""
    parameters = []
    for name in template.get("Parameters", {}):
        if name not in before:
            continue  # its default
        elif name in now and name not in OF_THE_CODE:
            parameters.append({"ParameterKey": name, "UsePreviousValue": True})
        else:
            parameters.append({"ParameterKey": name, "ParameterValue": before[name]})
    return parameters


def again(stack):
    """What continues an undo. A job of GitHub leaves no record behind."""
    return (
        'run the workflow "Roll back"'
        if os.environ.get("GITHUB_ACTIONS")
        else f"{sys.executable} infra/deploy/release.py undo {stack}"
    )


def stopped(stack, why, remedy):
    sys.exit(f"undo: {why}: {remedy}; then {again(stack)}. The site is as deployed.")


def put_back_site(s3, bucket, before):
    """Makes the former versions of the files current again, the page last."""
    now = current(s3, bucket)
    for name, version in sorted(before.items(), key=lambda file: file[0] == "index.html"):
        if now.get(name) != version:
            s3.copy_object(
                Bucket=bucket,
                Key=name,
                CopySource={"Bucket": bucket, "Key": name, "VersionId": version},
            )
    remove(s3, bucket, before)


def undo(stack):
    """Puts back what was recorded.

    Returns what it did, as sentences, or None if nothing was recorded.
    """
    if not (file := RECORDED / f"{stack}.json").exists():
        return None
    recorded = json.loads(file.read_text(encoding="utf-8"))
    cloudformation, before = boto3.client("cloudformation"), recorded["parameters"]
    put_back_code(cloudformation, stack, recorded["template"], before)
    outputs = outputs_of(stack)
    put_back_site(boto3.client("s3"), outputs["SiteBucketName"], recorded["site"])
    invalidate(boto3.client("cloudfront"), outputs["DistributionId"])
    now = parameters_of(cloudformation, stack)
    changed = ", ".join(name for name, value in now.items() if value != before.get(name))
    kept = f", and {changed}" if changed else ""
    return (
        f"undone: functions and site are those of commit {before.get('Commit', 'unknown')} again. "
        f"Not undone: what was stored meanwhile{kept}. The table in use is {outputs['TableName']}."
    )


def smoke(outputs):
    """Checks the addresses. Returns the exit status of smoke: 0 if they answer correctly."""
    own, cloudfront = outputs["SiteUrl"], f"https://{outputs['DistributionDomain']}"
    addresses = dict.fromkeys((cloudfront, own))  # which may be the same
    return subprocess.run([SMOKE, "-deployed", *addresses]).returncode


def guard(cloudformation, stack):
    cloudformation.set_stack_policy(StackName=stack, StackPolicyBody=json.dumps(GUARD))
    cloudformation.update_termination_protection(StackName=stack, EnableTerminationProtection=True)


def verify(stack):
    """Checks what was deployed. Ends with what was wrong, after undoing it if that helps."""
    cloudformation, outputs = boto3.client("cloudformation"), outputs_of(stack)
    parameters = parameters_of(cloudformation, stack)
    if parameters.get("Serving") == "false":
        disabled = boto3.client("cloudfront").get_waiter("distribution_deployed")
        disabled.wait(Id=outputs["DistributionId"])
    if idle := stopped_in(parameters):
        print("\n".join(f"deploy: {what}" for what in idle))
        return
    result = smoke(outputs)
    if result == NO_ADDRESS:
        sys.exit("deploy: nothing was undone")
    if result != 0:
        sys.exit(f"deploy: {after_failure(stack)}")
    guard(cloudformation, stack)
    print(outputs["SiteUrl"])
    for lack in unfit(boto3.client("dynamodb"), stack, outputs["TableName"], parameters):
        print(f"deploy: note: {lack}")


def after_failure(stack):
    """Undoes a deployment that does not pass the check. Returns how that went, as sentences."""
    print(f"deploy: undoing it; if that is interrupted: {again(stack)}", file=sys.stderr)
    done = undo(stack)
    if not done:
        return "this is the first deployment, and is left standing: look at it, and deploy again"
    if smoke(outputs_of(stack)) == 0:
        return f"{done} It passes the check."
    return f"{done} It does not pass the check either: look at the alarms."


def main(command, stack):
    if command == "record":
        record(stack)
    elif command == "verify":
        verify(stack)
    elif done := undo(stack):
        print(done)
    else:
        sys.exit(f"undo: nothing was recorded of {stack}: deploy an older commit")


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("record", "verify", "undo"):
        sys.exit("usage: release.py record|verify|undo STACK")
    main(*sys.argv[1:])
