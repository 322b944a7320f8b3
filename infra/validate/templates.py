"""Reads templates as CloudFormation would: after the SAM transform, and resolved with values of the parameters.

As a program it prints a transformed template as JSON: templates.py TEMPLATE

The translator asks AWS for two things: the region, which is made up here, and the addresses of AWS's managed
policies, of which the template uses none. So this needs no network and no account.
"""

import functools
import json
import re
import sys
from pathlib import Path

import jmespath
import preflight
from boto3 import Session
from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator
from samtranslator.yaml_helper import yaml_parse

ACCOUNT, REGION, STACK = "123456789012", "eu-central-1", "turnout-production"

# Values for all parameters without a default, or with one that means none.
CERTIFICATE = f"arn:aws:acm:us-east-1:{ACCOUNT}:certificate/0a-1"
VALUES = {
    "template.yaml": {
        "DomainName": "turnout.example.org",
        "CertificateArn": CERTIFICATE,
        "HstsIncludeSubDomains": "true",
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
        "Operator": f"arn:aws:iam::{ACCOUNT}:user/ops",
    },
    "infra/global.yaml": {
        "Email": "ops@example.org",
        "Host": "turnout.xn--j1amh",
        "DistributionId": "EDFDVBD6EXAMPLE",
        "CertificateArn": CERTIFICATE,
        "CheckSite": "true",
    },
    "infra/budget.yaml": {"Email": "ops@example.org"},
    "infra/waf.yaml": {},
}

# The ARN of a resource of each type, without partition, and the property that names it where one does.
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
NAMED_BY = ("Name", "DashboardName", "LogGroupName")
REF_IS_ARN = ("AWS::IAM::ManagedPolicy", "AWS::SecretsManager::Secret", "AWS::SNS::Topic")


def read(path):
    return yaml_parse(Path(path).read_text(encoding="utf-8"))


@functools.cache
def transform(path):
    template = read(path)
    # As after packaging: the translator does not accept a local folder.
    template["Globals"]["Function"]["CodeUri"] = "s3://bucket/key"
    return Translator({}, Parser(), boto_session=Session(region_name=REGION)).translate(
        template, {}
    )


class Resolved:
    """A template with the values of its parameters, without what its conditions leave out."""

    def __init__(self, template, stack, **values):
        parameters = template.get("Parameters", {})
        assert values.keys() <= parameters.keys(), values.keys() - parameters.keys()
        values = {name: p["Default"] for name, p in parameters.items() if "Default" in p} | values
        assert values.keys() == parameters.keys(), parameters.keys() - values.keys()
        for name, value in values.items():
            assert not (wanted := preflight.wrong_value(parameters[name], str(value))), (
                f"{name} must be {wanted}, is {value!r}"
            )
        self.stack, self.template = stack, template
        self.values = values | {
            "AWS::StackName": stack,
            "AWS::Partition": "aws",
            "AWS::AccountId": ACCOUNT,
            "AWS::Region": REGION,
            "AWS::URLSuffix": "amazonaws.com",
            "AWS::StackId": f"arn:aws:cloudformation:{REGION}:{ACCOUNT}:stack/{stack}/ID",
        }
        for rule in template.get("Rules", {}).values():
            assert all(self.resolve(a["Assert"]) for a in rule["Assertions"]), rule["Assertions"]
        self.made = {name: r for name, r in template["Resources"].items() if self.holds(r)}
        self.resources = {
            name: self.resolve(r.get("Properties", {})) for name, r in self.made.items()
        }
        self.outputs = {
            name: self.resolve(o["Value"])
            for name, o in template.get("Outputs", {}).items()
            if self.holds(o)
        }

    def holds(self, part):
        return "Condition" not in part or self.resolve(
            self.template["Conditions"][part["Condition"]]
        )

    def of_type(self, kind):
        """The properties of all resources of a type, by logical id."""
        return {name: p for name, p in self.resources.items() if self.made[name]["Type"] == kind}

    def name(self, logical_id):
        """The name of a resource, its own or as CloudFormation makes it."""
        r = self.made[logical_id]  # a KeyError is a reference to what a condition left out
        own = [
            self.resolve(r["Properties"][key]) for key in NAMED_BY if key in r.get("Properties", {})
        ]
        made = f"{self.stack}-{logical_id}-{'X' * 12}"
        return own[0] if own else made.lower() if r["Type"] == "AWS::S3::Bucket" else made

    def arn(self, logical_id):
        r = self.made[logical_id]
        path = self.resolve(r.get("Properties", {}).get("Path", "/"))
        return "arn:aws:" + ARNS[r["Type"]].format(
            name=self.name(logical_id), path=path, region=REGION, account=ACCOUNT
        )

    def ref(self, name):
        if name in self.values:
            return self.values[name]
        return self.arn(name) if self.made[name]["Type"] in REF_IS_ARN else self.name(name)

    def attribute(self, name, attribute):
        self.made[name]  # a KeyError as above
        return (
            self.arn(name)
            if attribute == "Arn" and self.made[name]["Type"] in ARNS
            else f"{name}.{attribute}"
        )

    def resolve(self, value):
        if isinstance(value, list):
            return [part for part in map(self.resolve, value) if part is not None]
        if not isinstance(value, dict):
            return value
        ((key, argument), *rest) = list(value.items()) or [(None, None)]
        if (
            rest
            or key is None
            or not (key in ("Ref", "Condition") or key.startswith("Fn::"))
            or key == "Condition"
            and isinstance(argument, dict)
        ):
            resolved = {key: self.resolve(part) for key, part in value.items()}
            return {key: part for key, part in resolved.items() if part is not None}
        if key == "Ref":
            return None if argument == "AWS::NoValue" else self.ref(argument)
        if key == "Condition":
            return self.resolve(self.template["Conditions"][argument])
        if key == "Fn::If":
            return self.resolve(argument[1 if self.resolve({"Condition": argument[0]}) else 2])
        if key == "Fn::GetAtt":
            return self.attribute(
                *(argument.split(".", 1) if isinstance(argument, str) else argument)
            )
        if key == "Fn::Sub":
            text, names = argument if isinstance(argument, list) else (argument, {})
            names = {name: self.resolve(part) for name, part in names.items()}
            return re.sub(
                r"\$\{([\w:.]+)\}",
                lambda m: str(
                    names[m[1]]
                    if m[1] in names
                    else self.attribute(*m[1].split(".", 1))
                    if "." in m[1]
                    else self.ref(m[1])
                ),
                text,
            )
        parts = self.resolve(argument)
        return {
            "Fn::Equals": lambda: str(parts[0]) == str(parts[1]),
            "Fn::Not": lambda: not parts[0],
            "Fn::And": lambda: all(parts),
            "Fn::Or": lambda: any(parts),
            "Fn::Select": lambda: parts[1][int(parts[0])],
            "Fn::Split": lambda: parts[1].split(parts[0]),
            "Fn::Join": lambda: parts[0].join(parts[1]),
        }[key]()


def broken(rows, document, resolve=lambda value: value):
    """What would happen, for each row (where, wanted, what happens otherwise) that does not hold.

    Where is a JMESPath in the document. A tuple of wanted values means one of them.
    """
    for where, wanted, harm in rows:
        found = jmespath.search(where, document)
        allowed = [resolve(w) for w in (wanted if isinstance(wanted, tuple) else (wanted,))]
        if found not in allowed:
            yield f"{harm}: {where} is {found!r}, not {' or '.join(map(repr, allowed))}"


if __name__ == "__main__":
    print(json.dumps(transform(sys.argv[1]), indent=2))
