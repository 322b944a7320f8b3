"""Calls every operation with the client that openapi-python-client has generated: client.py URL."""

import sys
import uuid
from http import HTTPStatus

from turnout import Client
from turnout.api.events import cancel_event, create_event, get_event, list_attendees
from turnout.api.health import get_health
from turnout.api.rsvps import cancel_rsvp, create_rsvp
from turnout.models import CancelEventInput, CreateEventInput, CreateRSVPInput, Problem, ValidationProblem

client = Client(base_url=sys.argv[1])


def succeeds(response, status):
    assert response.status_code == status, response
    return response.parsed


assert succeeds(get_health.sync_detailed(client=client), HTTPStatus.OK).status == "ok"

party = CreateEventInput(title="Garden party", date_time="2099-05-01t19:00z", timezone="Europe/Berlin")
key = str(uuid.uuid4())
created = succeeds(create_event.sync_detailed(client=client, body=party, idempotency_key=key), HTTPStatus.CREATED)
again = succeeds(create_event.sync_detailed(client=client, body=party, idempotency_key=key), HTTPStatus.CREATED)
assert again == created

invalid = create_event.sync_detailed(client=client, body=CreateEventInput(title=" ", date_time="", timezone="UTC"))
assert isinstance(invalid.parsed, ValidationProblem), invalid
assert [e.field for e in invalid.parsed.field_errors] == ["title", "dateTime"], invalid.parsed

ada = CreateRSVPInput(name="Ada Lovelace")
guest = succeeds(create_rsvp.sync_detailed(created.event_token, client=client, body=ada), HTTPStatus.CREATED)
succeeds(create_rsvp.sync_detailed(created.event_token, client=client, body=ada), HTTPStatus.CREATED)
cancelled = cancel_rsvp.sync_detailed(str(created.event_token), str(guest.rsvp_token), client=client)
assert cancelled.status_code == HTTPStatus.NO_CONTENT, cancelled

attendees = succeeds(
    list_attendees.sync_detailed(created.event_token, client=client, organizer_token=created.organizer_token),
    HTTPStatus.OK,
)
assert [a.name for a in attendees.attendees] == ["Ada Lovelace"], attendees

cancelled = cancel_event.sync_detailed(
    created.event_token,
    client=client,
    organizer_token=created.organizer_token,
    body=CancelEventInput(cancelled=True, cancellation_reason="Rain."),
)
assert cancelled.status_code == HTTPStatus.NO_CONTENT, cancelled

event = succeeds(get_event.sync_detailed(created.event_token, client=client), HTTPStatus.OK)
assert event.cancelled and event.cancellation_reason == "Rain." and event.attendee_count == 1, event
assert event.date_time.isoformat() == "2099-05-01T19:00:00+00:00", event

late = create_rsvp.sync_detailed(created.event_token, client=client, body=ada)
assert isinstance(late.parsed, Problem) and late.parsed.type_ == "urn:turnout:problem:event-cancelled", late
