"""Checks whether a deployment would fail, before anything is built:
python -m infra.deploy.preflight STACK [NAME=VALUE …] [--parameters NAME=VALUE …]

It changes nothing. What make deploy itself sets comes first, then PARAMETERS. Names and values are
compared with template.yaml, without credentials: SAM drops a parameter that the template does not
have. With credentials it looks at the state of the stack, a table to switch to, the certificate,
the web ACL, the subscription of the alarms, and the order in which origin secrets are replaced:
CloudFront takes minutes to send another secret, and in between the functions must know the one
that it still sends. A restored table is left only if LEAVE names it:
make deploy PARAMETERS="RestoredTable=" LEAVE=<table>
"""

import difflib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import boto3
from botocore.exceptions import BotoCoreError, ClientError
from samtranslator.yaml_helper import yaml_parse

# The name of a function consists of the stack's name and a logical id, and has at most 64
# characters. So a stage may have 12 characters. internal/httpapi checks the names of the endpoints.
STACK = re.compile("turnout-[a-z][a-z0-9]{0,11}")

# If functions cannot run at least this often at the same time, a few dozen simultaneous requests
# get 503. New accounts have 10.
CONCURRENCY = 100

# The effects of a parameter while it is false.
STOPS = {"Serving": "nothing is served", "Writing": "nothing is stored"}

# Parameters that make deploy sets from variables of its own, not from PARAMETERS.
BY_MAKE = {"Architecture": "ARCH", "Commit": "COMMIT"}

INCOMPLETE = "its first deployment failed. Delete it (the table stays), then deploy again"

# States in which CloudFormation cannot update a stack, each with the remedy.
STUCK = {
    "UPDATE_ROLLBACK_FAILED": (
        "aws cloudformation continue-update-rollback --stack-name {}, see infra/RUNBOOK.md"
    ),
    "ROLLBACK_COMPLETE": INCOMPLETE,
    "ROLLBACK_FAILED": INCOMPLETE,
    "CREATE_FAILED": INCOMPLETE,
    "DELETE_FAILED": "delete it again, see infra/DEPLOY.md",
}

# The table's keys, as in template.yaml.
KEYS = [("pk", "HASH"), ("sk", "RANGE")]


def described(cloudformation, stack):
    """Returns CloudFormation's description of a stack, or None if there is no stack."""
    try:
        (found,) = cloudformation.describe_stacks(StackName=stack)["Stacks"]
    except ClientError as error:
        if "does not exist" in str(error):
            return None
        raise
    return found


def parameters_of(cloudformation, stack):
    """Returns the parameters of the deployed stack, or None if there is no stack."""
    found = described(cloudformation, stack)
    if found is None:
        return None
    return {p["ParameterKey"]: p["ParameterValue"] for p in found.get("Parameters", [])}


def wrong_value(parameter, value):
    """Returns what a value of a parameter must be, or None if the value is valid."""
    allowed = [str(one) for one in parameter.get("AllowedValues", [])]
    if allowed and value not in allowed:
        return "one of " + ", ".join(allowed)
    if not re.fullmatch(parameter.get("AllowedPattern", ".*"), value):
        form = f"of the form {parameter['AllowedPattern']}"
        return parameter.get("ConstraintDescription", form)
    if parameter["Type"] == "Number":
        return wrong_number(value, parameter.get("MinValue", 0), parameter.get("MaxValue"))
    return None


def wrong_number(value, low, high):
    """Returns what a number must be, or None if it is within the bounds. High may be None."""
    if re.fullmatch("[0-9]+", value) and low <= int(value) <= (high or 2**31):
        return None
    return f"a number from {low} to {high}" if high else f"a number from {low} on"


def misnamed(stack, given, set_by_make):
    """Yields the faults of the stack's name, and of parameters that template.yaml would refuse."""
    if not STACK.fullmatch(stack):
        yield (
            f"{stack} is not turnout-<stage>: "
            "a stage has 12 letters and digits at most, a letter first"
        )
    parameters = yaml_parse(Path("template.yaml").read_text(encoding="utf-8"))["Parameters"]
    seen = set()
    for word in given:
        name, equals, value = word.partition("=")
        if not equals:
            yield f"PARAMETERS takes NAME=VALUE, not {word}"
        elif name not in parameters:
            yield from unknown_parameter(name, parameters)
        elif name in BY_MAKE and word not in set_by_make:
            yield f"{name} is set with {BY_MAKE[name]}: make deploy {BY_MAKE[name]}={value}"
        elif name in seen:
            yield f"{name} is given twice"
        elif wanted := wrong_value(parameters[name], value):
            yield f"{name} must be {wanted}, is {value!r}"
        seen.add(name)


def unknown_parameter(name, parameters):
    """Yields the fault of a parameter that the template does not have.

    A rollback to an earlier template leaves it out.
    """
    if os.environ.get("ROLLBACK"):
        print(f"deploy: note: {name} is left out, because the earlier template.yaml lacks it")
        return
    like = difflib.get_close_matches(name, parameters, 1)
    hint = f": did you mean {like[0]}?" if like else ""
    yield f"template.yaml has no parameter {name}{hint}"


def misrotation(deployed, wanted):
    """Returns why a rotation of the origin secrets would refuse all visitors, or None."""
    after = deployed | wanted
    sent = deployed.get("OriginSecretInUse"), after.get("OriginSecretInUse")
    for letter, other in ("ab", "ba"):
        name = f"OriginSecret{letter.upper()}"
        if letter in sent and after.get(name) != deployed.get(name):
            return (
                f"{name} cannot be replaced while CloudFront sends it, nor in the deployment that "
                f"changes what it sends: first deploy OriginSecretInUse={other} alone, "
                f"then {name}={after[name]}"
            )
    return None


def name_of(cloudformation, stack, resource):
    """Returns the name of a resource of the stack, or None if the stack has none yet."""
    try:
        found = cloudformation.describe_stack_resource(StackName=stack, LogicalResourceId=resource)
    except ClientError:
        return None
    return found["StackResourceDetail"]["PhysicalResourceId"]


def misswitch(deployed, after, own):
    """Returns why the table in use may not be changed, or None."""
    now, then = deployed.get("RestoredTable", ""), after.get("RestoredTable", "")
    if now and then != now and os.environ.get("LEAVE") != now:
        return (
            f"this leaves the table {now}, with all that was stored in it, for {then or own}; "
            f"to confirm that, add LEAVE={now}"
        )
    return None


def unfit(dynamodb, stack, table, wanted):
    """Yields why a table does not fit the wanted parameters."""
    if not table.startswith(f"{stack}-Table-"):
        yield (
            f"the name of the table {table} must begin with {stack}-Table-, "
            "because the functions' permissions cover only such names"
        )
        return
    try:
        found = dynamodb.describe_table(TableName=table)["Table"]
        ttl = dynamodb.describe_time_to_live(TableName=table)["TimeToLiveDescription"]
        backups = dynamodb.describe_continuous_backups(TableName=table)
    except ClientError as error:
        yield f"the table {table} cannot be read: {error}"
        return
    recovery = backups["ContinuousBackupsDescription"].get("PointInTimeRecoveryDescription", {})
    for lack in lacks(found, ttl, recovery, wanted):
        yield f"the table {table} {lack}: see Restore in infra/RUNBOOK.md"


def lacks(found, ttl, recovery, wanted):
    """Yields what is wrong with a table, from DynamoDB's descriptions of it."""
    if found["TableStatus"] != "ACTIVE":
        yield f"is {found['TableStatus']}"
    if [(key["AttributeName"], key["KeyType"]) for key in found["KeySchema"]] != KEYS:
        yield "has other keys than pk and sk"
    expires = ttl["TimeToLiveStatus"] in ("ENABLED", "ENABLING")
    if not expires or ttl.get("AttributeName") != "expiresAt":
        yield "does not expire items by expiresAt"
    if recovery.get("PointInTimeRecoveryStatus") != "ENABLED":
        yield "has no point-in-time recovery"
    days = int(wanted.get("RecoveryPeriodInDays", 35))
    kept = recovery.get("RecoveryPeriodInDays", days)
    if kept != days:
        yield f"keeps copies for {kept} days, not {days}"
    protected = found.get("DeletionProtectionEnabled")
    if not protected and wanted.get("DeletionProtection") != "false":
        yield "is not protected from deletion"
    if found.get("SSEDescription"):
        yield "is encrypted with a key that the functions may not use"


def covers(name, domain):
    """Returns whether a name of a certificate, such as *.example.org, covers the domain."""
    return name == domain or name.startswith("*.") and domain.partition(".")[2] == name[2:]


def unusable(session, after):
    """Yields what is wrong with the certificate and the web ACL."""
    domain, certificate = after.get("DomainName", ""), after.get("CertificateArn", "")
    if bool(domain) != bool(certificate):
        yield "DomainName and CertificateArn go together"
    elif certificate:
        yield from unusable_certificate(session, certificate, domain)
    if acl := after.get("WebAclArn"):
        yield from unusable_acl(session, acl)


def unusable_certificate(session, arn, domain):
    acm = session.client("acm", region_name="us-east-1")  # CloudFront uses this region
    try:
        found = acm.describe_certificate(CertificateArn=arn)["Certificate"]
    except ClientError as error:
        yield f"the certificate cannot be read: {error}"
        return
    names = {found["DomainName"], *found.get("SubjectAlternativeNames", [])}
    if found["Status"] != "ISSUED":
        yield (
            f"the certificate is not issued, but {found['Status']}; its DNS record may be missing"
        )
    elif not any(covers(name, domain) for name in names):
        yield f"the certificate is for {', '.join(sorted(names))}, not for {domain}"


def unusable_acl(session, arn):
    wafv2 = session.client("wafv2", region_name="us-east-1")  # CloudFront uses this region
    *_, name, identity = arn.split("/")
    try:
        wafv2.get_web_acl(Name=name, Id=identity, Scope="CLOUDFRONT")
    except ClientError as error:
        yield f"the web ACL cannot be read: {error}"


def outdated(deployed, commit):
    """Returns why a commit comes too late, or None: a newer commit may be deployed already.

    The function refuses only a deployment that waited for approval, because a deployer may deploy
    an older commit by hand.
    """
    running = deployed.get("Commit", "unknown")
    if not os.environ.get("ONLY_NEWER") or running in ("unknown", commit):
        return None
    follows = ["git", "merge-base", "--is-ancestor", running, commit]
    if subprocess.run(follows, capture_output=True).returncode == 0:
        return None
    return f"{commit} does not follow on {running}, which is deployed: this approval is too late"


def stuck(found):
    """Yields why a stack cannot be updated."""
    status = found["StackStatus"]
    if status in STUCK:
        yield f"the stack is {status}: {STUCK[status].format(found['StackName'])}"
    elif status.endswith("_IN_PROGRESS") and status != "REVIEW_IN_PROGRESS":
        yield f"the stack is {status}: wait until that is over"


def faults(session, stack, wanted):
    """Yields why the deployment would fail, as sentences."""
    if not shutil.which("go"):
        yield "go is missing: install Go, https://go.dev/dl"
    if not session.region_name:
        yield "no region: set AWS_DEFAULT_REGION, for example to eu-central-1"
        return
    if not session.get_credentials():
        yield (
            "no credentials: run `aws configure` or `aws sso login`, "
            "or set AWS_PROFILE or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
        )
        return
    cloudformation = session.client("cloudformation")
    try:
        account = session.client("sts").get_caller_identity()["Account"]
        found = described(cloudformation, stack)
        deployed = parameters_of(cloudformation, stack) or {}
    except (BotoCoreError, ClientError) as error:
        yield f"AWS refuses these credentials: {error}"
        return
    new = "" if found else " (new)"
    print(f"account {account}, region {session.region_name}, stack {stack}{new}")
    if found:
        yield from stuck(found)
    yield from faults_of_change(session, stack, deployed, wanted)


def faults_of_change(session, stack, deployed, wanted):
    """Yields why the parameters of the deployed stack may not be changed in this way."""
    own = name_of(session.client("cloudformation"), stack, "Table")
    after = deployed | wanted
    found = [
        misrotation(deployed, wanted),
        outdated(deployed, wanted.get("Commit", "")),
        misswitch(deployed, after, own),
    ]
    yield from (fault for fault in found if fault)
    # Only another table is checked. The table in use may lack anything, because its state must not
    # stop a brake, a roll back or a fix. release.py notes what it lacks.
    restored = after.get("RestoredTable", "")
    if restored != deployed.get("RestoredTable", ""):
        yield from unfit(session.client("dynamodb"), stack, restored or own, after)
    yield from unusable(session, after)


def unheard(session, stack, after):
    """Yields why nobody would hear of alarms."""
    if not (mail := after.get("AlarmEmail")):
        yield "nothing watches this stage: set AlarmEmail"
    elif topic := name_of(session.client("cloudformation"), stack, "AlarmTopic"):
        yield from unconfirmed(session.client("sns"), topic, mail)
    else:
        yield f"{mail} will get an email to confirm the alarms"


def unconfirmed(sns, topic, mail):
    """Yields a warning if an email address does not get the messages of a topic."""
    subscriptions = sns.list_subscriptions_by_topic(TopicArn=topic)["Subscriptions"]
    states = [s["SubscriptionArn"] for s in subscriptions if s.get("Endpoint") == mail]
    if "PendingConfirmation" in states:
        yield f"alarms reach nobody: {mail} has not confirmed them"
    elif not any(state.startswith("arn:") for state in states):
        yield f"alarms reach nobody: {mail} is not subscribed (any more)"


def concurrency(functions):
    """Yields a warning if the account can run only few functions at a time."""
    try:
        limit = functions.get_account_settings()["AccountLimit"]["ConcurrentExecutions"]
    except (BotoCoreError, ClientError):
        return
    if limit < CONCURRENCY:
        yield (
            f"the account runs {limit} functions at the same time, so many guests at once get 503: "
            "ask for 1,000 in Service Quotas (Lambda, concurrent executions)"
        )


def stopped_in(parameters):
    """Returns what the parameters stop, as sentences."""
    return [
        f"{what} until PARAMETERS has {name}=true"
        for name, what in STOPS.items()
        if parameters.get(name) == "false"
    ]


def main(stack, *words):
    at = words.index("--parameters") if "--parameters" in words else len(words)
    set_by_make, given = words[:at], words[:at] + words[at + 1 :]
    stop_for(misnamed(stack, given, set_by_make))
    session, wanted = boto3.Session(), dict(word.split("=", 1) for word in given)
    stop_for(faults(session, stack, wanted))
    after = (parameters_of(session.client("cloudformation"), stack) or {}) | wanted
    for warning in (
        *stopped_in(after),
        *unheard(session, stack, after),
        *concurrency(session.client("lambda")),
    ):
        print(f"deploy: note: {warning}")


def stop_for(found):
    """Ends the program if faults were found, and prints them."""
    if told := "\n".join(f"deploy: {fault}" for fault in found):
        sys.exit(told)


if __name__ == "__main__":
    main(*sys.argv[1:])
