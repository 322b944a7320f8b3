"""Checks a deployment, and undoes it if the service responds wrongly:
python -m infra.deploy.release record|verify|undo STACK

Before a deployment, record stores the deployed template, which names the functions' code, and the
version of each file of the site. After it, verify checks the deployed addresses, CloudFront's own
name first. If the check of that name fails, verify puts back what was recorded: the code, the site,
and the parameters that belong to the code. Other parameters, secrets and events stay. verify undoes
nothing if a name does not resolve, after a first deployment, or while Serving or Writing is false.
After the first success, it protects the table from replacement, and the stack from deletion.
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
from samtranslator.yaml_helper import yaml_parse

from infra.deploy.preflight import STUCK, described, parameters_of, stopped_in, unfit
from infra.deploy.upload import current, invalidate, outputs_of, remove

RECORDED = Path(".local/release")
SMOKE = Path(".local/bin/smoke")

# The exit status of smoke if a name does not resolve, or if the domain of the site does not lead to
# the distribution.
NO_ADDRESS = 3

# The parameters that say how the code was built.
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
    """Stores the deployed template and files. Before the first deployment, it stores nothing."""
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
    """Waits for an update in progress, and returns the state of the stack."""
    while (state := described(cloudformation, stack)["StackStatus"]).endswith("_IN_PROGRESS"):
        time.sleep(5)
    return state


def uploaded(template):
    """Uploads a template beside the first code that it names, and returns its address.

    A request takes only templates of up to 51,200 bytes.
    """
    body, s3 = json.dumps(template), boto3.client("s3")
    bucket, program = re.search(r's3://([^/"]+)/([^"]+)', body).groups()
    s3.put_object(Bucket=bucket, Key=f"{program}.template", Body=body)
    return f"{s3.meta.endpoint_url}/{bucket}/{program}.template"


def put_back_code(cloudformation, stack, template, before):
    """Updates the stack to a former template.

    If it was interrupted and is repeated, it finds that update done, or makes it again.
    """
    state = settled(cloudformation, stack)
    if state in STUCK:
        stopped(stack, f"the stack is {state}", STUCK[state].format(stack))
    now = parameters_of(cloudformation, stack)
    # CloudFormation deletes no change set while the stack is updated. So each attempt makes
    # its own.
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
    """Returns the parameters for a former template.

    Parameters of the code have their former values. Other parameters keep their present values.
    """
    parameters = []
    for name in template.get("Parameters", {}):
        if name not in before:
            continue  # CloudFormation uses the default
        elif name in now and name not in OF_THE_CODE:
            parameters.append({"ParameterKey": name, "UsePreviousValue": True})
        else:
            parameters.append({"ParameterKey": name, "ParameterValue": before[name]})
    return parameters


def again(stack):
    """Returns how to continue an interrupted undo. A job of GitHub leaves no record behind."""
    return (
        'run the workflow "Roll back"'
        if os.environ.get("GITHUB_ACTIONS")
        else f"{sys.executable} -m infra.deploy.release undo {stack}"
    )


def stopped(stack, why, remedy):
    sys.exit(f"undo: {why}: {remedy}; then {again(stack)}. The site is as deployed.")


def put_back_site(s3, bucket, before):
    """Makes the former versions of the files current again.

    The page comes last, because it names the other files.
    """
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
    """Puts back the recorded deployment.

    Returns sentences that say what was undone, or None if nothing was recorded.
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
        f"undone: functions and site are back at commit {before.get('Commit', 'unknown')}. "
        f"Not undone: what was stored meanwhile{kept}. The table in use is {outputs['TableName']}."
    )


def smoke(outputs):
    """Runs the smoke test of the addresses, and returns its exit status."""
    own, cloudfront = outputs["SiteUrl"], f"https://{outputs['DistributionDomain']}"
    addresses = dict.fromkeys((cloudfront, own))  # without a domain, both addresses are the same
    return subprocess.run([SMOKE, "-deployed", *addresses]).returncode


def guard(cloudformation, stack):
    cloudformation.set_stack_policy(StackName=stack, StackPolicyBody=json.dumps(GUARD))
    cloudformation.update_termination_protection(StackName=stack, EnableTerminationProtection=True)


def verify(stack):
    """Checks the deployment. If that fails, it undoes the deployment, and ends the program."""
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
    """Undoes a deployment that failed the check. Returns sentences that say how that went."""
    print(f"deploy: undoing it; to go on after an interruption: {again(stack)}", file=sys.stderr)
    done = undo(stack)
    if not done:
        return "this is the first deployment, so nothing is undone; mend it, and deploy again"
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
        sys.exit("usage: python -m infra.deploy.release record|verify|undo STACK")
    main(*sys.argv[1:])
