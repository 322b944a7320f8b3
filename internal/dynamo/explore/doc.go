// Package explore runs the operations of package dynamo's store in all orders of their
// calls to DynamoDB, and looks for one that breaks a promise. Only tests use it.
// internal/docs/design.md says what it covers ("All orders").
//
//   - The traffic (operations.go): the clients' operations, such as an RSVP or a cancel.
//     process.go asks the real store for its next call after each sequence of answers.
//   - The failures (search.go): lost responses, late calls, conflicts, crashes, TTL. The
//     search combines them with all orders of the calls, depth first.
//   - The database (table.go, expressions.go): a table in memory that answers the calls. It
//     knows the expressions that package dynamo uses, and panics at any other. Its answers
//     are compared with DynamoDB Local, call by call.
//   - The validation (check.go, model.go): of what is stored and answered after each step,
//     and of the history of answers in the end.
package explore
