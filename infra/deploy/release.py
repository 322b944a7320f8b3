"""Checks a deployment, and undoes it if the service answers wrongly: release.py record|verify|undo STACK

record writes down, before a deployment, what runs: the template with the addresses of the programs, and
the version of each file of the site. verify tries the deployed addresses, CloudFront's own first. If that
answers wrongly, what was recorded is put back: code and site, and of the parameters only those that belong
to the code. Parameters, secrets and events stay. Nothing is undone if a name does not resolve, after a
first deployment, or while Serving or Writing is false. After the first success, the table is protected from
replacement, and the stack from deletion.
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
NO_ADDRESS = 3  # smoke's exit code if a name does not resolve, or the own domain does not lead to the distribution

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
    cloudformation, recorded, outputs = (
        boto3.client("cloudformation"),
        RECORDED / f"{stack}.json",
        outputs_of(stack),
    )
    recorded.unlink(missing_ok=True)
    if "SiteBucketName" not in outputs:
        return
    template = cloudformation.get_template(StackName=stack, TemplateStage="Original")[
        "TemplateBody"
    ]
    recorded.parent.mkdir(parents=True, exist_ok=True)
    recorded.write_text(
        json.dumps(
            {
                "template": template if isinstance(template, dict) else yaml_parse(template),
                "parameters": parameters_of(cloudformation, stack),
                "site": current(boto3.client("s3"), outputs["SiteBucketName"]),
            }
        ),
        encoding="utf-8",
    )


def settled(cloudformation, stack):
    """The state of a stack after the update in progress, if there is one."""
    while (state := described(cloudformation, stack)["StackStatus"]).endswith("_IN_PROGRESS"):
        time.sleep(5)
    return state


def uploaded(template):
    """Puts a template beside the first program that it names, and returns its address: a request holds 51,200 bytes."""
    body, s3 = json.dumps(template), boto3.client("s3")
    bucket, program = re.search(r's3://([^/"]+)/([^"]+)', body).groups()
    s3.put_object(Bucket=bucket, Key=f"{program}.template", Body=body)
    return f"{s3.meta.endpoint_url}/{bucket}/{program}.template"


def put_back_code(cloudformation, stack, template, before):
    """Updates the stack to a former template. A repeat after an interruption finds that update done, or makes it again."""
    state, now, tags = (
        settled(cloudformation, stack),
        parameters_of(cloudformation, stack),
        described(cloudformation, stack).get("Tags", []),
    )
    if state in STUCK:
        stopped(stack, f"the stack is {state}", STUCK[state].format(stack))
    if now.get("RestoredTable") and "RestoredTable" not in template["Parameters"]:
        sys.exit(
            f"undo: the former template does not know {now['RestoredTable']}, and would use the stack's own table again: "
            "nothing was undone; mend the release, and deploy it"
        )
    parameters = [
        {"ParameterKey": name, "UsePreviousValue": True}
        if name in now and name not in OF_THE_CODE
        else {"ParameterKey": name, "ParameterValue": before[name]}
        for name in template.get("Parameters", {})
        if name in before
    ]
    # CloudFormation refuses to delete a change set while the stack is updated, so each attempt has one of its own.
    change = {"StackName": stack, "ChangeSetName": f"undo-{time.time_ns()}"}
    cloudformation.create_change_set(
        **change,
        ChangeSetType="UPDATE",
        TemplateURL=uploaded(template),
        Parameters=parameters,
        Tags=tags,
        Capabilities=["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"],
    )
    try:
        cloudformation.get_waiter("change_set_create_complete").wait(
            **change, WaiterConfig={"Delay": 5}
        )
    except WaiterError as error:
        reason = error.last_response.get("StatusReason", "")
        if "didn't contain changes" in reason or "No updates" in reason:
            return  # the stack has the former template
        stopped(
            stack, f"CloudFormation does not take the former template: {reason}", "mend the cause"
        )
    cloudformation.execute_change_set(**change)
    if (state := settled(cloudformation, stack)) != "UPDATE_COMPLETE":
        stopped(
            stack,
            f"the stack is {state}",
            STUCK.get(
                state, "aws cloudformation describe-stack-events --stack-name {} has the cause"
            ).format(stack),
        )


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
    """Puts back what was recorded. Returns what it did, as sentences, or None if nothing was recorded."""
    if not (file := RECORDED / f"{stack}.json").exists():
        return None
    recorded = json.loads(file.read_text(encoding="utf-8"))
    cloudformation, before = boto3.client("cloudformation"), recorded["parameters"]
    put_back_code(cloudformation, stack, recorded["template"], before)
    outputs = outputs_of(stack)
    put_back_site(boto3.client("s3"), outputs["SiteBucketName"], recorded["site"])
    invalidate(boto3.client("cloudfront"), outputs["DistributionId"])
    kept = ", ".join(
        name
        for name, value in parameters_of(cloudformation, stack).items()
        if value != before.get(name)
    )
    return (
        f"undone: functions and site are those of commit {before.get('Commit', 'unknown')} again. Not undone: "
        f"what was stored meanwhile{kept and f', and {kept}'}. The table in use is {outputs['TableName']}."
    )


def smoke(outputs):
    """Checks the addresses. Returns 0 if they answer correctly, otherwise the exit code of smoke."""
    own, cloudfront = outputs["SiteUrl"], f"https://{outputs['DistributionDomain']}"
    return subprocess.run([SMOKE, "-deployed", *dict.fromkeys((cloudfront, own))]).returncode


def guard(cloudformation, stack):
    cloudformation.set_stack_policy(StackName=stack, StackPolicyBody=json.dumps(GUARD))
    cloudformation.update_termination_protection(StackName=stack, EnableTerminationProtection=True)


def verify(stack):
    cloudformation, outputs = boto3.client("cloudformation"), outputs_of(stack)
    parameters = parameters_of(cloudformation, stack)
    if parameters.get("Serving") == "false":
        boto3.client("cloudfront").get_waiter("distribution_deployed").wait(
            Id=outputs["DistributionId"]
        )
    if idle := stopped_in(parameters):
        print("\n".join(f"deploy: {what}" for what in idle))
        return
    result = smoke(outputs)
    if result == 0:
        guard(cloudformation, stack)
        print(outputs["SiteUrl"])
        for lack in unfit(
            boto3.client("dynamodb"),
            stack,
            outputs["TableName"],
            parameters,
            bool(parameters.get("RestoredTable")),
        ):
            print(f"deploy: note: {lack}")
        return
    if result == NO_ADDRESS:
        sys.exit("deploy: nothing was undone")
    print(f"deploy: undoing it; if that is interrupted: {again(stack)}", file=sys.stderr)
    if not (done := undo(stack)):
        sys.exit(
            "deploy: this is the first deployment, and is left standing: look at it, and deploy again"
        )
    sys.exit(
        f"deploy: {done} "
        + (
            "It passes the check."
            if smoke(outputs_of(stack)) == 0
            else "It does not pass the check either: look at the alarms."
        )
    )


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("record", "verify", "undo"):
        sys.exit("usage: release.py record|verify|undo STACK")
    if sys.argv[1] == "undo":
        print(
            undo(sys.argv[2])
            or sys.exit(f"undo: nothing was recorded of {sys.argv[2]}: deploy an older commit")
        )
    else:
        (record if sys.argv[1] == "record" else verify)(sys.argv[2])
