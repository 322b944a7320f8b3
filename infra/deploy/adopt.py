"""Puts the table that a deleted stack left into a new stack: adopt.py STACK TABLE

CloudFormation imports it into a stack that holds nothing else, and the next make deploy adds the rest.
An import changes nothing, and CloudFormation then assumes that the table is as in the template. So a
table that differs from it is refused.
"""

import json
import sys
from pathlib import Path

import boto3
from botocore.exceptions import ClientError, WaiterError
from preflight import parameters_of
from samtranslator.yaml_helper import yaml_parse

LOGICAL_ID = "Table"


def template():
    """The part of template.yaml that is imported: the table and its parameters, without transform and outputs."""
    whole = yaml_parse(Path("template.yaml").read_text(encoding="utf-8"))
    table = whole["Resources"][LOGICAL_ID]
    del table["Properties"]["Tags"]  # the operator may have added some; make deploy adds ours
    parameters = {name: p for name, p in whole["Parameters"].items() if json.dumps({"Ref": name}) in json.dumps(table)}
    return {"AWSTemplateFormatVersion": "2010-09-09", "Parameters": parameters, "Resources": {LOGICAL_ID: table}}


def actual(name):
    """The settings of the table, as properties of the template."""
    dynamodb = boto3.client("dynamodb")
    table = dynamodb.describe_table(TableName=name)["Table"]
    ttl = dynamodb.describe_time_to_live(TableName=name)["TimeToLiveDescription"]
    backups = dynamodb.describe_continuous_backups(TableName=name)["ContinuousBackupsDescription"]
    recovery = backups.get("PointInTimeRecoveryDescription", {})
    return {
        "BillingMode": table.get("BillingModeSummary", {}).get("BillingMode"),
        "AttributeDefinitions": sorted(table["AttributeDefinitions"], key=lambda a: a["AttributeName"]),
        "KeySchema": table["KeySchema"],
        "TimeToLiveSpecification": {"AttributeName": ttl.get("AttributeName"), "Enabled": ttl["TimeToLiveStatus"] == "ENABLED"},
        "PointInTimeRecoverySpecification": {
            "PointInTimeRecoveryEnabled": recovery.get("PointInTimeRecoveryStatus") == "ENABLED",
            "RecoveryPeriodInDays": recovery.get("RecoveryPeriodInDays"),
        },
        "SSESpecification": {"SSEEnabled": table.get("SSEDescription", {}).get("Status") == "ENABLED"},
        "DeletionProtectionEnabled": table.get("DeletionProtectionEnabled", False),
    }


def fits(wanted, found, parameters):
    """Whether a property of the table is as wanted. If it is a parameter, sets it to the value of the table."""
    if isinstance(wanted, dict) and "Ref" in wanted:
        parameters[wanted["Ref"]] = str(found).lower()
        return found is not None
    if isinstance(wanted, dict):
        return all(fits(value, found.get(key), parameters) for key, value in wanted.items())
    return wanted == found


def imported(stack, name, body, parameters):
    """Makes a stack with only the table. If that fails, the stack is deleted; the table stays in any case."""
    cloudformation, change = boto3.client("cloudformation"), {"StackName": stack, "ChangeSetName": "adopt"}
    cloudformation.create_change_set(
        **change,
        ChangeSetType="IMPORT",
        TemplateBody=json.dumps(body),
        Parameters=[{"ParameterKey": key, "ParameterValue": value} for key, value in parameters.items()],
        ResourcesToImport=[{"ResourceType": "AWS::DynamoDB::Table", "LogicalResourceId": LOGICAL_ID, "ResourceIdentifier": {"TableName": name}}],
    )
    try:
        cloudformation.get_waiter("change_set_create_complete").wait(**change, WaiterConfig={"Delay": 5})
        cloudformation.execute_change_set(**change)
        cloudformation.get_waiter("stack_import_complete").wait(StackName=stack, WaiterConfig={"Delay": 5})
    except (WaiterError, ClientError, KeyboardInterrupt) as error:
        cloudformation.delete_stack(StackName=stack)
        last = getattr(error, "last_response", {})
        (described,) = last.get("Stacks", [{}])
        reason = last.get("StatusReason") or described.get("StackStatusReason") or str(error) or "interrupted"
        sys.exit(f"adopt: CloudFormation did not import {name}: {reason}")


def main(stack, name):
    if parameters_of(boto3.client("cloudformation"), stack) is not None:
        sys.exit(f"adopt: the stack {stack} exists, with a table of its own: make deploy PARAMETERS=RestoredTable={name}")
    try:
        found = actual(name)
    except ClientError as error:
        sys.exit(f"adopt: {error}")
    body, parameters = template(), {}
    different = [key for key, wanted in body["Resources"][LOGICAL_ID]["Properties"].items() if not fits(wanted, found[key], parameters)]
    if different:
        sys.exit(f"adopt: {name} differs from template.yaml in {', '.join(different)}")
    imported(stack, name, body, parameters)
    print(f"{name} belongs to the stack {stack}; make deploy adds the rest")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: adopt.py STACK TABLE")
    main(*sys.argv[1:])
