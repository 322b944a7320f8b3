"""Fills the bucket of a stack with the site: python -m infra.deploy.upload [--assets] STACK.

It uploads each file that differs, removes files that the site no longer has, and invalidates
CloudFront's cache if anything changed. It keeps former files under assets/, because pages of older
versions refer to them. A second run changes nothing.

With --assets it only adds files under assets/, if there is a stack. This runs before a deployment,
because the pages of the new functions refer to them.
"""

import base64
import hashlib
import json
import os
import subprocess
import sys
import time

import boto3
from botocore.exceptions import ClientError

from infra.deploy.preflight import described, parameters_of

ASSETS = "assets/"


def manifest(about=""):
    """Returns the files of the site, whose pages link to about.

    The page comes last, because it names the others.
    """
    environment = os.environ | {"ABOUT_URL": about}
    command = ["go", "run", "./infra/deploy"]
    listed = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment)
    files = json.loads(listed.stdout)
    return [{**file, "name": file["path"].removeprefix("/")} for file in files]


def stored(s3, bucket, name):
    """Returns how the bucket keeps a file, or None if it does not have it."""
    try:
        head = s3.head_object(Bucket=bucket, Key=name)
    except ClientError as error:
        if error.response["ResponseMetadata"]["HTTPStatusCode"] == 404:
            return None
        raise
    return {key: head.get(key) for key in ("ContentType", "CacheControl", "Metadata")}


def put(s3, bucket, files):
    """Uploads the files that differ, and returns their names."""
    changed = []
    for file in files:
        name, content = file["name"], base64.b64decode(file["content"])
        kept = {
            "ContentType": file["contentType"],
            "CacheControl": file["cacheControl"],
            "Metadata": {"sha256": hashlib.sha256(content).hexdigest()},
        }
        if stored(s3, bucket, name) != kept:
            s3.put_object(Bucket=bucket, Key=name, Body=content, **kept)
            changed.append(name)
    return changed


def current(s3, bucket):
    """Returns the names of the files in the bucket, each with its version."""
    found = {}
    for page in s3.get_paginator("list_object_versions").paginate(Bucket=bucket):
        for item in page.get("Versions", []):
            if item["IsLatest"]:
                found[item["Key"]] = item["VersionId"]
    return found


def remove(s3, bucket, kept):
    """Removes all files but these and former assets, and returns the names of the removed."""
    removed = []
    for name in current(s3, bucket):
        if name not in kept and not name.startswith(ASSETS):
            s3.delete_object(Bucket=bucket, Key=name)
            removed.append(name)
    return removed


def upload(s3, bucket, files):
    """Makes the bucket hold these files and former assets, and no others.

    Returns the names of the files that it changed.
    """
    return put(s3, bucket, files) + remove(s3, bucket, [file["name"] for file in files])


def invalidate(cloudfront, distribution):
    paths = {"Quantity": 1, "Items": ["/*"]}
    cloudfront.create_invalidation(
        DistributionId=distribution,
        InvalidationBatch={"Paths": paths, "CallerReference": str(time.time_ns())},
    )


def outputs_of(stack):
    """Returns the outputs of a stack. There are none before its first deployment."""
    found = described(boto3.client("cloudformation"), stack) or {}
    return {output["OutputKey"]: output["OutputValue"] for output in found.get("Outputs", [])}


def main(stack, assets_only):
    parameters = parameters_of(boto3.client("cloudformation"), stack) or {}
    files = manifest(parameters.get("AboutUrl", ""))
    outputs, s3 = outputs_of(stack), boto3.client("s3")
    if assets_only:
        assets = [file for file in files if file["name"].startswith(ASSETS)]
        if bucket := outputs.get("SiteBucketName"):
            put(s3, bucket, assets)
        return
    changed = upload(s3, outputs["SiteBucketName"], files)
    if changed:
        invalidate(boto3.client("cloudfront"), outputs["DistributionId"])
    print(f"files of the site changed: {len(changed)}")


if __name__ == "__main__":
    main(sys.argv[-1], assets_only="--assets" in sys.argv)
