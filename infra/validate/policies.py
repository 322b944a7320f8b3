"""Decides what the statements of policies allow, as IAM does."""

from fnmatch import fnmatchcase


def as_list(value):
    return value if isinstance(value, list) else [value]


def holds(operator, value, wanted):
    """Returns whether a condition holds for the value of a key. None means that it is missing."""
    if operator.startswith("ForAnyValue:"):
        each = operator.removeprefix("ForAnyValue:")
        return any(holds(each, one, wanted) for one in value or [])
    compare = operator.removesuffix("IfExists")
    if compare == "Null":
        return (value is None) == (wanted == "true")
    if value is None:
        return compare != operator
    matches = {"Bool": str.__eq__, "StringEquals": str.__eq__, "StringLike": fnmatchcase}
    return matches[compare](value, wanted)


def applies(statement, action, arn, context):
    """Returns whether a statement applies to an action on a resource, in this context."""
    if not any(fnmatchcase(action.lower(), one.lower()) for one in as_list(statement["Action"])):
        return False
    if not any(one == "*" or fnmatchcase(arn, one) for one in as_list(statement["Resource"])):
        return False
    for operator, test in statement.get("Condition", {}).items():
        for key, wanted in test.items():
            if not holds(operator, context.get(key), wanted):
                return False
    return True


def allows(policy, action, arn, context):
    """Returns whether a statement allows an action, and none denies it."""
    return {s["Effect"] for s in policy if applies(s, action, arn, context)} == {"Allow"}
