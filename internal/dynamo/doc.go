// Package dynamo is the store for the cloud: an event.Store in one DynamoDB table.
// It is the only package that uses DynamoDB. internal/docs/design.md describes the
// table and its gates, the retries, the clocks, the alternatives and the figures; here
// is why no order of operations breaks a promise.
//
// # Every order of create, RSVP, cancel, release and expiry
//
// An RSVP reads the details, and then in one transaction puts its item and counts
// itself at its gate. The condition is that the gate is missing, or open and not
// past the last moment of the event.
//
//   - Before the cancel the gate is missing or open, after it closed: the
//     transactions of both write the gate, so one of them comes first.
//   - RSVPs that create a gate at the same time conflict, and the second is counted
//     at the gate of the first.
//   - The gate of a stored RSVP counts it until TTL removes the gate. TTL removes
//     nothing before the event has expired, so an RSVP whose gate is missing, or was
//     made again and counts none, is deleted without counting.
//   - TTL may remove a gate while an RSVP that began before the expiry is under way.
//     The RSVP creates the gate again, which is correct unless the event was
//     cancelled; a closed gate is kept longer than any request lasts (closeGate). TTL
//     removes the new gate too, because it has the event's expiresAt.
//   - An RSVP after the expiry, by its own clock, is refused by the details and
//     creates nothing. A cancel after the expiry closes gates only as long as an
//     earlier RSVP can be under way; after that it writes the details alone.
//   - Without its details item an event does not exist, whatever is left of it.
//   - A removed RSVP leaves a tombstone, which refuses every AddRSVP with its token
//     that began before, or is repeated.
//   - Erasing an event is a cancel that leaves a tombstone of the details. Its gates
//     tell an RSVP under way that there is no event.
package dynamo
