"""Brings lost events back: restore.py FROM INTO [EVENT_TOKEN]

Copies what a restored table holds into the table of a stack: one event, or all of them. An event that
is there stays as it is: its guests may have come and gone since. What has expired stays away. The
details of an event come last, and without them it does not exist: so nobody meets half an event.
"""

import sys
import time

import boto3


def items(dynamodb, table, token):
    """Yields the items of one event, or of all."""
    if token:
        pages = dynamodb.get_paginator("query").paginate(
            TableName=table,
            ConsistentRead=True,
            KeyConditionExpression="pk = :pk",
            ExpressionAttributeValues={":pk": {"S": f"EVENT#{token.lower()}"}},
        )
    else:
        pages = dynamodb.get_paginator("scan").paginate(TableName=table, ConsistentRead=True)
    for page in pages:
        yield from page["Items"]


def exists(dynamodb, table, event):
    return "Item" in dynamodb.get_item(TableName=table, Key={"pk": {"S": event}, "sk": {"S": "DETAILS"}}, ConsistentRead=True)


def restore(dynamodb, source, target, token=None):
    """Returns how many events were restored, were there already, and have expired."""
    events = {}
    for item in items(dynamodb, source, token):
        events.setdefault(item["pk"]["S"], []).append(item)
    restored = present = expired = 0
    for event, parts in events.items():
        if exists(dynamodb, target, event):
            present += 1
        elif int(parts[0]["expiresAt"]["N"]) <= time.time():
            expired += 1
        else:
            for item in sorted(parts, key=lambda item: item["sk"]["S"] == "DETAILS"):
                dynamodb.put_item(TableName=target, Item=item)
            restored += 1
    return restored, present, expired


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    print("events restored: %d, there already: %d, expired: %d" % restore(boto3.client("dynamodb"), *sys.argv[1:]))
