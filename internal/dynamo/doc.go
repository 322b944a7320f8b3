// Package dynamo is the store for the cloud: an event.Store in one DynamoDB table.
// It is the only package that uses DynamoDB. internal/docs/design.md describes the
// table and its gates, the retries, the clocks, the alternatives and the figures; here
// is why no order of operations breaks a promise. Package explore tries the orders.
//
//   - An RSVP reads the details, and then in one transaction puts its item and counts
//     itself at its gate, if that is missing, or open and not past the last moment of
//     the event. A cancel closes all gates, also missing ones, in the transaction that
//     sets the flag. So one of them comes first.
//   - Erasing an event is a cancel that leaves a tombstone of the details.
//   - Items that refuse calls under way outlast them: closed gates (closedUntil),
//     and the tombstone of a removed RSVP.
//   - The gate of a stored RSVP counts it until TTL removes the gate. An RSVP whose gate is
//     missing, or was made again and counts none, is removed without counting.
//   - Every item is made from the details and with their expiresAt at least. Without its
//     details an event does not exist, even if other items remain.
package dynamo
