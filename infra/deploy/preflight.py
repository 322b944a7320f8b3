"""Looks for what would fail a deployment, before anything is built: preflight.py STACK [NAME=VALUE …]

It changes nothing. Besides Go, region and credentials it looks at the order in which origin secrets are
replaced: CloudFront takes minutes to send another secret, and in between the functions must know the
one that it still sends.
"""

import shutil
import sys

import boto3
from botocore.exceptions import BotoCoreError, ClientError

# Below this API Gateway answers a few dozen requests at once with 503. New accounts have 10.
CONCURRENCY = 100


def parameters_of(cloudformation, stack):
    """The parameters that a stack was deployed with, or None where there is no stack."""
    try:
        (described,) = cloudformation.describe_stacks(StackName=stack)["Stacks"]
    except ClientError as error:
        if "does not exist" in str(error):
            return None
        raise
    return {p["ParameterKey"]: p["ParameterValue"] for p in described.get("Parameters", [])}


def misrotation(deployed, wanted):
    """Returns the fault of a rotation that would refuse all visitors for minutes, or None."""
    after = deployed | wanted
    for letter in "AB":
        name = f"OriginSecret{letter}"
        if after.get(name) != deployed.get(name) and letter.lower() in (deployed.get("OriginSecretInUse"), after.get("OriginSecretInUse")):
            other = "b" if letter == "A" else "a"
            return (f"{name} cannot be replaced while CloudFront sends it, nor in the deployment that changes what it sends: "
                    f"first deploy OriginSecretInUse={other} alone, then {name}={after[name]}")
    return None


def faults(session, stack, wanted):
    """Yields what would fail the deployment, as sentences."""
    if not shutil.which("go"):
        yield "go is missing: install Go, https://go.dev/dl"
    if not session.region_name:
        yield "no region: set AWS_DEFAULT_REGION, for example to eu-central-1"
        return
    if not session.get_credentials():
        yield "no credentials: run `aws configure` or `aws sso login`, or set AWS_PROFILE or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
        return
    try:
        account = session.client("sts").get_caller_identity()["Account"]
        deployed = parameters_of(session.client("cloudformation"), stack)
    except (BotoCoreError, ClientError) as error:
        yield f"AWS refuses these credentials: {error}"
        return
    print(f"account {account}, region {session.region_name}, stack {stack}{'' if deployed else ' (new)'}")
    if deployed and (fault := misrotation(deployed, wanted)):
        yield fault


def warnings(session):
    """Yields what does not fail the deployment, but the service later."""
    try:
        limit = session.client("lambda").get_account_settings()["AccountLimit"]["ConcurrentExecutions"]
    except (BotoCoreError, ClientError):
        return
    if limit < CONCURRENCY:
        yield f"the account runs {limit} functions at the same time, so many guests at once get 503: ask for 1,000 in Service Quotas (Lambda, concurrent executions)"


def main(stack, *given):
    for word in given:
        if "=" not in word:
            sys.exit(f"deploy: PARAMETERS takes NAME=VALUE, not {word}")
    session = boto3.Session()
    found = list(faults(session, stack, dict(word.split("=", 1) for word in given)))
    if found:
        sys.exit("\n".join(f"deploy: {fault}" for fault in found))
    for warning in warnings(session):
        print(f"deploy: note: {warning}")


if __name__ == "__main__":
    main(*sys.argv[1:])
