"""Reads templates as CloudFormation does: after the SAM transform, and with values for the
parameters.

As a program it prints a transformed template as JSON: python -m infra.validate.templates TEMPLATE

It needs no network and no account. The translator would ask AWS for the region, which is given
here, and for AWS's managed policies, of which the template uses none.
"""

import functools
import json
import re
import sys
from pathlib import Path

import jmespath
from boto3 import Session
from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator
from samtranslator.yaml_helper import yaml_parse

from infra.deploy import preflight

ACCOUNT, REGION, STACK = "123456789012", "eu-central-1", "turnout-production"

# Values for all parameters that have no default, or whose default means none.
CERTIFICATE = f"arn:aws:acm:us-east-1:{ACCOUNT}:certificate/0a-1"
VALUES = {
    "template.yaml": {
        "DomainName": "turnout.example.org",
        "CertificateArn": CERTIFICATE,
        "HstsIncludeSubDomains": "true",
        "AboutUrl": "https://example.org/imprint",
        "AlarmEmail": "ops@example.org",
        "WebAclArn": f"arn:aws:wafv2:us-east-1:{ACCOUNT}:global/webacl/turnout/1",
        "RestoredTable": f"{STACK}-Table-1-restored",
        "PermissionsBoundary": f"arn:aws:iam::{ACCOUNT}:policy/boundary",
        "OriginSecretInUse": "b",
        "Serving": "false",
        "Writing": "false",
    },
    "infra/deployer.yaml": {
        "Repository": "someone/turnout",
        "OwnerId": "1",
        "RepositoryId": "2",
        "GitHubProvider": "true",
        "Operator": f"arn:aws:iam::{ACCOUNT}:user/ops",
    },
    "infra/global.yaml": {
        "Email": "ops@example.org",
        "Host": "turnout.xn--j1amh",
        "DistributionId": "EDFDVBD6EXAMPLE",
        "CertificateArn": CERTIFICATE,
        "EdgeLogDays": 30,
    },
    "infra/budget.yaml": {"Email": "ops@example.org"},
    "infra/waf.yaml": {},
}

# The ARN of a resource of each type, without the partition.
ARNS = {
    "AWS::CloudFront::Function": "cloudfront::{account}:function/{name}",
    "AWS::CloudFront::Distribution": "cloudfront::{account}:distribution/{name}",
    "AWS::CloudWatch::Alarm": "cloudwatch:{region}:{account}:alarm:{name}",
    "AWS::CloudWatch::Dashboard": "cloudwatch::{account}:dashboard/{name}",
    "AWS::DynamoDB::Table": "dynamodb:{region}:{account}:table/{name}",
    "AWS::IAM::ManagedPolicy": "iam::{account}:policy/{name}",
    "AWS::IAM::Role": "iam::{account}:role{path}{name}",
    "AWS::Lambda::Function": "lambda:{region}:{account}:function:{name}",
    "AWS::Logs::LogGroup": "logs:{region}:{account}:log-group:{name}:*",
    "AWS::S3::Bucket": "s3:::{name}",
    "AWS::SecretsManager::Secret": "secretsmanager:{region}:{account}:secret:{name}-AbCdEf",
    "AWS::SNS::Topic": "sns:{region}:{account}:{name}",
}

# The properties that can name a resource.
NAMED_BY = ("Name", "DashboardName", "LogGroupName")

REF_IS_ARN = ("AWS::IAM::ManagedPolicy", "AWS::SecretsManager::Secret", "AWS::SNS::Topic")


def read(path):
    return yaml_parse(Path(path).read_text(encoding="utf-8"))


@functools.cache
def transform(path):
    template = read(path)
    # The translator accepts only an address of packaged code, not a local folder.
    template["Globals"]["Function"]["CodeUri"] = "s3://bucket/key"
    translator = Translator({}, Parser(), boto_session=Session(region_name=REGION))
    return translator.translate(template, {})


# The functions of CloudFormation that need only their resolved arguments.
FUNCTIONS = {
    "Fn::Equals": lambda one, other: str(one) == str(other),
    "Fn::Not": lambda one: not one,
    "Fn::And": lambda *all_of: all(all_of),
    "Fn::Or": lambda *one_of: any(one_of),
    "Fn::Select": lambda at, parts: parts[int(at)],
    "Fn::Split": lambda by, text: text.split(by),
    "Fn::Join": lambda by, parts: by.join(parts),
}


def function_in(value):
    """Returns the name and the argument if a part of a template is a function, otherwise None."""
    if len(value) != 1:
        return None
    ((name, argument),) = value.items()
    if name == "Condition":  # a policy's statement has an object
        return (name, argument) if isinstance(argument, str) else None
    return (name, argument) if name == "Ref" or name.startswith("Fn::") else None


def checked(parameters, values):
    """Returns the values of all parameters. Given values must be valid."""
    assert values.keys() <= parameters.keys(), values.keys() - parameters.keys()
    values = {name: p["Default"] for name, p in parameters.items() if "Default" in p} | values
    assert values.keys() == parameters.keys(), parameters.keys() - values.keys()
    for name, value in values.items():
        wanted = preflight.wrong_value(parameters[name], str(value))
        assert not wanted, f"{name} must be {wanted}, is {value!r}"
    return values


class Resolved:
    """A template with the values of its parameters, without what its conditions leave out."""

    def __init__(self, template, stack, **values):
        self.stack, self.template = stack, template
        self.values = checked(template.get("Parameters", {}), values) | {
            "AWS::StackName": stack,
            "AWS::Partition": "aws",
            "AWS::AccountId": ACCOUNT,
            "AWS::Region": REGION,
            "AWS::URLSuffix": "amazonaws.com",
            "AWS::StackId": f"arn:aws:cloudformation:{REGION}:{ACCOUNT}:stack/{stack}/ID",
        }
        for rule in template.get("Rules", {}).values():
            for assertion in rule["Assertions"]:
                assert self.resolve(assertion["Assert"]), assertion
        self.made = self.held("Resources")
        self.resources = {
            name: self.resolve(resource.get("Properties", {}))
            for name, resource in self.made.items()
        }
        self.outputs = {
            name: self.resolve(output["Value"]) for name, output in self.held("Outputs").items()
        }

    def held(self, section):
        """Returns the parts of a section whose conditions hold."""
        return {
            name: part
            for name, part in self.template.get(section, {}).items()
            if "Condition" not in part or self.condition(part["Condition"])
        }

    def condition(self, name):
        return self.resolve(self.template["Conditions"][name])

    def of_type(self, kind):
        """Returns the properties of all resources of a type, by logical id."""
        return {name: p for name, p in self.resources.items() if self.made[name]["Type"] == kind}

    def role_of(self, function):
        """Returns the properties of a function's role."""
        arn = self.resources[function]["Role"]
        (role,) = (p for name, p in self.of_type("AWS::IAM::Role").items() if self.arn(name) == arn)
        return role

    def resource(self, logical_id):
        """Returns a resource that another part refers to."""
        assert logical_id in self.made, (
            f"CloudFormation refuses the stack: a condition leaves out {logical_id}, "
            "but not what refers to it"
        )
        return self.made[logical_id]

    def name(self, logical_id):
        """Returns the name of a resource: the given name, or a name as CloudFormation makes it."""
        resource = self.resource(logical_id)
        properties = resource.get("Properties", {})
        for key in NAMED_BY:
            if key in properties:
                return self.resolve(properties[key])
        made = f"{self.stack}-{logical_id}-{'X' * 12}"
        return made.lower() if resource["Type"] == "AWS::S3::Bucket" else made

    def arn(self, logical_id):
        resource = self.resource(logical_id)
        return "arn:aws:" + ARNS[resource["Type"]].format(
            name=self.name(logical_id),
            path=self.resolve(resource.get("Properties", {}).get("Path", "/")),
            region=REGION,
            account=ACCOUNT,
        )

    def ref(self, name):
        if name in self.values:
            return self.values[name]
        return self.arn(name) if self.resource(name)["Type"] in REF_IS_ARN else self.name(name)

    def attribute(self, name, attribute):
        kind = self.resource(name)["Type"]
        return self.arn(name) if attribute == "Arn" and kind in ARNS else f"{name}.{attribute}"

    def resolve(self, value):
        """Returns a part of the template with values for its functions. It leaves out NoValue."""
        if isinstance(value, list):
            return [part for part in map(self.resolve, value) if part is not None]
        if not isinstance(value, dict):
            return value
        if function := function_in(value):
            return self.call(*function)
        resolved = {key: self.resolve(part) for key, part in value.items()}
        return {key: part for key, part in resolved.items() if part is not None}

    def call(self, function, argument):
        """Returns the value of a function of CloudFormation."""
        if function == "Ref":
            return None if argument == "AWS::NoValue" else self.ref(argument)
        if function == "Condition":
            return self.condition(argument)
        if function == "Fn::If":
            condition, then, otherwise = argument
            return self.resolve(then if self.condition(condition) else otherwise)
        if function == "Fn::GetAtt":
            parts = argument.split(".", 1) if isinstance(argument, str) else argument
            return self.attribute(*parts)
        if function == "Fn::Sub":
            text, names = argument if isinstance(argument, list) else (argument, {})
            return self.substituted(text, self.resolve(names))
        return FUNCTIONS[function](*self.resolve(argument))

    def substituted(self, text, names):
        """Returns a text with values for its ${names}: given values, attributes, and references."""

        def value(found):
            name = found[1]
            if name in names:
                return str(names[name])
            return str(self.attribute(*name.split(".", 1)) if "." in name else self.ref(name))

        return re.sub(r"\$\{([\w:.]+)\}", value, text)


def broken(rows, document, resolve=lambda value: value):
    """Yields a message for each row (where, wanted, harm) that does not hold.

    `where` is a JMESPath in the document. If `wanted` is a tuple, one of its values suffices.
    """
    for where, wanted, harm in rows:
        found = jmespath.search(where, document)
        allowed = [resolve(w) for w in (wanted if isinstance(wanted, tuple) else (wanted,))]
        if found not in allowed:
            yield f"{harm}: {where} is {found!r}, not {' or '.join(map(repr, allowed))}"


if __name__ == "__main__":
    print(json.dumps(transform(sys.argv[1]), indent=2))
