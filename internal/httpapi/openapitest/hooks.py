"""Formats of infra/openapi.yaml that Schemathesis does not know."""

import zoneinfo

import schemathesis
from hypothesis import strategies

schemathesis.openapi.format(
    "iana-timezone",
    strategies.sampled_from(sorted(zoneinfo.available_timezones() - {"localtime"})),
)

schemathesis.openapi.format(
    "idempotency-key",
    strategies.builds("{0}{1}{0}".format, strategies.sampled_from(["", '"']), strategies.uuids(version=4)),
)
