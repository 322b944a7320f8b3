// Package dynamo is the store on AWS: an event.Store in one DynamoDB table. It is the only
// package that uses DynamoDB. internal/docs/design.md describes the table, retries and
// clocks. This comment says why no order of operations breaks a promise. Package explore
// tries the orders.
//
// A gate is one of the items that count the RSVPs of an event. A tombstone is an item
// without content, which keeps a token taken.
//
//   - A cancel and an RSVP exclude each other. Creating an RSVP reads the details; then one
//     transaction puts the RSVP and counts it at its gate. The transaction fails if the gate
//     is closed, or if the event has expired. A cancel sets the flag and closes all gates,
//     missing gates too, in one transaction. So one of the two comes first.
//   - Erasing an event is a cancel that leaves a tombstone of the details.
//   - Closed gates and tombstones refuse calls that are in flight. They last longer than
//     these calls (closedUntil).
//   - A gate counts each of its RSVPs until TTL removes the gate. If the gate is missing, or
//     was created again and counts no RSVP, cancelling an RSVP changes no count.
//   - No item outlives the details by accident: each is created with at least their
//     expiresAt. Without its details an event does not exist, even if other items remain.
package dynamo
