"""Prints a SAM template as CloudFormation sees it after the transform, as JSON.

The translator asks AWS for two things: the region, which is made up here, and the addresses of
AWS's managed policies, of which the template uses none. So this needs no network and no account.
"""

import json
import sys
from pathlib import Path

from boto3 import Session
from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator
from samtranslator.yaml_helper import yaml_parse


def transform(path):
    template = yaml_parse(Path(path).read_text(encoding="utf-8"))
    # As after packaging: the translator does not accept a local folder.
    template["Globals"]["Function"]["CodeUri"] = "s3://bucket/key"
    session = Session(region_name="eu-central-1")
    return Translator({}, Parser(), boto_session=session).translate(template, {})


if __name__ == "__main__":
    json.dump(transform(sys.argv[1]), sys.stdout, indent=2)
    print()
