"""Formats in infra/openapi.yaml that Schemathesis does not know."""

import zoneinfo

import schemathesis
from hypothesis import strategies

schemathesis.openapi.format(
    "iana-timezone",
    strategies.sampled_from(sorted(zoneinfo.available_timezones() - {"localtime"})),
)

# Texts with a visible character. The description's pattern, which filters them, knows the invisible
# characters up to U+FFFF only.
schemathesis.openapi.format(
    "visible-text",
    strategies.builds(
        "{}{}{}".format,
        strategies.text(),
        strategies.characters(codec="utf-8", max_codepoint=0xFFFF),
        strategies.text(),
    ),
)

schemathesis.openapi.format(
    "idempotency-key",
    strategies.builds(
        "{0}{1}{0}".format, strategies.sampled_from(["", '"']), strategies.uuids(version=4)
    ),
)


@schemathesis.hook
def filter_case(context, case):
    """Skips values that violate a format, and cancels with false.

    Schemathesis accepts any value for a format that it does not know. The description says only in
    words that `cancelled` must be true.
    """
    if isinstance(case.body, dict) and case.body.get("cancelled") is False:
        return False
    mutations = getattr(case.meta.phase.data, "mutations", None) or ()
    return not any("format" in mutation.keywords for mutation in mutations)
