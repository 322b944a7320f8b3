"""The parts of the stack that the programs of infra/deploy and the runbook work with, in moto, which mocks AWS on loopback."""

import json
import logging
import os
import unittest
import urllib.request
from unittest import mock

import boto3
from moto.server import ThreadedMotoServer

from templates import STACK, Resolved, transform

NAMES = {"Table": "TableName", "SiteBucket": "BucketName", "AlarmTopic": "TopicName"}


class Mocked(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        logging.getLogger("werkzeug").setLevel(logging.CRITICAL)
        moto = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        moto.start()
        cls.addClassCleanup(moto.stop)
        address = "http://{}:{}".format(*moto.get_host_and_port())
        urllib.request.urlopen(
            f"{address}/moto-api/reset", data=b""
        ).close()  # its state lasts as long as the process
        mock.patch.dict(
            os.environ,
            {
                "AWS_ENDPOINT_URL": address,
                "AWS_ACCESS_KEY_ID": "moto",
                "AWS_SECRET_ACCESS_KEY": "moto",
            },
        ).start()
        cls.addClassCleanup(mock.patch.stopall)

        # Moto creates a distribution only by CloudFront's own call.
        cls.distribution = boto3.client("cloudfront").create_distribution(
            DistributionConfig={
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
        )["Distribution"]["Id"]
        made = Resolved(transform("template.yaml"), STACK, AlarmEmail="ops@example.org")
        cls.physical = {name: made.ref(name) for name in NAMES}
        cls.template = {
            "Parameters": made.template["Parameters"],
            "Resources": {
                name: {
                    "Type": made.made[name]["Type"],
                    "Properties": made.resources[name] | {NAMES[name]: made.name(name)},
                }
                for name in NAMES
            },
            "Outputs": {
                name: {"Value": value}
                for name, value in (made.outputs | {"DistributionId": cls.distribution}).items()
            },
        }
        cls.cloudformation = boto3.client("cloudformation")
        cls.cloudformation.create_stack(
            StackName=STACK,
            TemplateBody=json.dumps(cls.template),
            Capabilities=["CAPABILITY_IAM"],
            Parameters=[{"ParameterKey": "AlarmEmail", "ParameterValue": "ops@example.org"}],
        )
        boto3.client("s3").put_bucket_versioning(
            Bucket=cls.physical["SiteBucket"], VersioningConfiguration={"Status": "Enabled"}
        )
