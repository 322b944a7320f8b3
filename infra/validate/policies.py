"""Decides, as IAM does, what statements of policies allow."""

from fnmatch import fnmatchcase


def as_list(value):
    return value if isinstance(value, list) else [value]


def holds(operator, value, wanted):
    """Whether a condition holds for the value of a key, or for None where a request has none."""
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
    """Whether a statement is about an action on a resource, in the context of a request."""
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
    """Whether statements allow an action: one does, and none denies it."""
    return {s["Effect"] for s in policy if applies(s, action, arn, context)} == {"Allow"}
