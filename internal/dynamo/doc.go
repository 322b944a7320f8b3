// Package dynamo is the store for the cloud: an event.Store in one DynamoDB
// table. Nothing else knows DynamoDB. The design document describes the table,
// the alternatives and the figures; here is what the code relies on.
//
// # Gates
//
// A gate is a shard of the counter that can be closed. DynamoDB rejects the second
// of two overlapping transactions on one item, so one counter per event would turn
// guests away exactly when its link goes round. The hash of the RSVP token chooses
// the gate, and attendeeCount is the sum of what the gates have admitted. A gate is
// made by its first RSVP. Cancelling closes the details item and every gate, there
// or not, in one transaction, after which no RSVP can pass.
//
// # Every order of create, RSVP, cancel, release and expiry
//
// An RSVP reads the details, and then in one transaction puts its item and counts
// itself at its gate. The condition is that the gate is missing, or open and not
// past the last moment of the event.
//
//   - Before the cancel the gate is missing or open, after it closed: the
//     transactions of both write the gate, so one of them comes first.
//   - RSVPs that make a gate at the same time conflict, and the second counts
//     itself at the gate of the first.
//   - The gate of an RSVP that exists is there until TTL takes it. TTL takes
//     nothing before the event has expired, so a cancelled RSVP without a gate
//     needs no counting.
//   - An RSVP that began before the expiry may find that TTL has taken its gate
//     meanwhile. It makes the gate again, which is right while nobody has
//     cancelled; a closed gate is kept longer than any request lasts (closeGate).
//     TTL takes the new gate too, because it has the event's expiresAt.
//   - Who comes after the expiry, by its own clock, is refused by the details
//     and makes nothing. A cancel after the expiry closes gates only as long as
//     such an RSVP can be under way, and then writes the details alone.
//   - Without its details item an event does not exist, whatever is left of it.
//
// # Counting
//
// The count is the sum of items that one Query reads. DynamoDB promises each item
// as it is after all writes acknowledged before, but not all of them as of one
// moment: a count read while guests come and go may hold a later guest and miss an
// earlier one. It holds everyone who was acknowledged before the read began, and
// nobody who came after it ended.
//
// # Exactly once
//
// A transaction carries a token that stays the same over all attempts. A PutItem
// has none: it recognises its own item. An RSVP that is refused looks whether it
// is stored already, by an earlier call or by an attempt whose response was lost.
//
// # Clocks
//
// An RSVP is judged by the moment that it brings with it. Apart from that, no
// decision compares clocks of two machines: a waiting RSVP measures a cancel's
// signal with its own stopwatch. Only the removal of an event that was cancelled
// around its expiry assumes that clocks differ by less than a quarter of an hour.
package dynamo
