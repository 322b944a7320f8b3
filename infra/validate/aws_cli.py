"""Plays the AWS CLI for the commands of the runbook, with the models that the CLI and boto3 share.

A command or an option that AWS does not have fails here, too. This is a program of its own because
it starts for each command, and the modules of the tests take a second to import.
"""

import json
import sys
from pathlib import Path

import boto3
import jmespath
from botocore import xform_name
from samtranslator.yaml_helper import yaml_parse

from infra.deploy import preflight


def main(arguments):
    """Runs a command, and prints what the AWS CLI prints with --output text."""
    service, command, *rest = arguments
    if (service, command) == ("cloudformation", "deploy"):
        return deploy(rest)
    client = boto3.client(service)
    if command == "wait":
        command, *rest = rest
        waiter = client.get_waiter(command.replace("-", "_"))
        parameters, _, _ = parsed(client, waiter.config.operation, rest)
        return waiter.wait(**parameters)
    operations = {xform_name(name, "-"): name for name in client.meta.service_model.operation_names}
    parameters, query, output = parsed(client, operations[command], rest)
    answer = getattr(client, command.replace("-", "_"))(**parameters)
    if query:
        show(jmespath.search(query, answer), output)


def parsed(client, operation, options):
    """Returns the API call's parameters, the value of --query, and the value of --output."""
    members = client.meta.service_model.operation_model(operation).input_shape.members
    names = {xform_name(name, "-"): name for name in members}
    parameters, query, output = {}, None, "text"
    options = list(options)
    while options:
        option = options.pop(0).removeprefix("--")
        flag = names.get(option.removeprefix("no-"))
        if option == "output":
            output = options.pop(0)
        elif option == "query":
            query = options.pop(0)
        elif option == "paths":  # exists only in the CLI, and takes all remaining arguments
            paths = {"Quantity": len(options), "Items": options}
            parameters["InvalidationBatch"] = {"Paths": paths, "CallerReference": "x"}
            options = []
        elif flag and members[flag].type_name == "boolean":
            parameters[flag] = not option.startswith("no-")
        else:
            value = given(options.pop(0), members[names[option]].type_name)
            parameters[names[option]] = value
    return parameters, query, output


def given(value, kind):
    """Returns the value of an option: a text, the text of a file, or a structure."""
    if value.startswith("file://"):
        value = Path(value.removeprefix("file://")).read_text(encoding="utf-8")
    if kind in ("string", "timestamp"):
        return value
    return {"Enabled": False} if value == "Enabled=false" else json.loads(value)


def show(found, output):
    if output == "json":
        print(json.dumps(found))
    elif isinstance(found, list):
        print(*found, sep="\t")
    else:
        print(found)


def deploy(rest):
    """Checks that the template exists, has the given parameters, and allows the given values.

    Prints the value of GitHubProvider, which the runbook computes.
    """
    template = yaml_parse(Path(rest[rest.index("--template-file") + 1]).read_text(encoding="utf-8"))
    for override in rest[rest.index("--parameter-overrides") + 1 :]:
        name, value = override.split("=", 1)
        assert not preflight.wrong_value(template["Parameters"][name], value), override
        if name == "GitHubProvider":
            print(override)


if __name__ == "__main__":
    main(sys.argv[1:])
