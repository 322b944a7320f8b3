"""Makes in moto the parts of the stack that the programs of infra/deploy and the runbook use.

Moto mocks AWS on loopback.
"""

import json
import logging
import os
import unittest
import urllib.request
from unittest import mock

import boto3
from moto.server import ThreadedMotoServer

from infra.validate.templates import REGION, STACK, Resolved, transform

# The parts that moto makes, each with the property that names it.
NAMES = {"Table": "TableName", "SiteBucket": "BucketName", "AlarmTopic": "TopicName"}


# Moto creates a distribution only by a call of CloudFront, not in a stack.
DISTRIBUTION = {
    "CallerReference": "x",
    "Comment": "",
    "Enabled": True,
    "Origins": {
        "Quantity": 1,
        "Items": [
            {
                "Id": "site",
                "DomainName": "site.s3.amazonaws.com",
                "S3OriginConfig": {"OriginAccessIdentity": ""},
            }
        ],
    },
    "DefaultCacheBehavior": {
        "TargetOriginId": "site",
        "ViewerProtocolPolicy": "redirect-to-https",
        "MinTTL": 0,
        "ForwardedValues": {"QueryString": False, "Cookies": {"Forward": "none"}},
    },
}


class Mocked(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.addClassCleanup(mock.patch.stopall)
        cls.start_moto()
        cloudfront = boto3.client("cloudfront")
        made = cloudfront.create_distribution(DistributionConfig=DISTRIBUTION)
        cls.distribution = made["Distribution"]["Id"]
        cls.create_stack(Resolved(transform("template.yaml"), STACK, AlarmEmail="ops@example.org"))
        boto3.client("s3").put_bucket_versioning(
            Bucket=cls.physical["SiteBucket"], VersioningConfiguration={"Status": "Enabled"}
        )

    @classmethod
    def start_moto(cls):
        """Starts moto on a free port, and leads all clients and programs of a test to it."""
        logging.getLogger("werkzeug").setLevel(logging.CRITICAL)
        moto = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        moto.start()
        cls.addClassCleanup(moto.stop)
        address = "http://{}:{}".format(*moto.get_host_and_port())
        # Moto's state lasts as long as the process.
        urllib.request.urlopen(f"{address}/moto-api/reset", data=b"").close()
        environment = {
            "AWS_ENDPOINT_URL": address,
            "AWS_DEFAULT_REGION": REGION,
            "AWS_ACCESS_KEY_ID": "moto",
            "AWS_SECRET_ACCESS_KEY": "moto",
        }
        mock.patch.dict(os.environ, environment).start()

    @classmethod
    def create_stack(cls, made):
        cls.physical = {name: made.ref(name) for name in NAMES}
        outputs = made.outputs | {"DistributionId": cls.distribution}
        cls.template = {
            "Parameters": made.template["Parameters"],
            "Resources": {
                name: {
                    "Type": made.made[name]["Type"],
                    "Properties": made.resources[name] | {named_by: made.name(name)},
                }
                for name, named_by in NAMES.items()
            },
            "Outputs": {
                name: {"Value": value.replace("Distribution.DomainName", "d1.cloudfront.net")}
                for name, value in outputs.items()
            },
        }
        cls.cloudformation = boto3.client("cloudformation")
        cls.cloudformation.create_stack(
            StackName=STACK,
            TemplateBody=json.dumps(cls.template),
            Capabilities=["CAPABILITY_IAM"],
            Parameters=[{"ParameterKey": "AlarmEmail", "ParameterValue": "ops@example.org"}],
        )
