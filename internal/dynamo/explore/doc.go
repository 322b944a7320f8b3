// Package explore searches all orders of the calls of package dynamo's store for one that
// breaks a promise. Only tests use it. internal/docs/design.md says what it covers.
//
//   - table.go, expressions.go: a table in memory that answers the calls. It knows the
//     expressions that package dynamo uses, and panics at any other. Its answers are
//     compared with DynamoDB Local, call by call.
//   - operations.go, process.go: the operations, and what the store does next after each
//     sequence of answers.
//   - search.go: the traffic and the failures, in every order, depth first.
//   - model.go, check.go: the validation at each step, and of the history in the end.
//   - mutation.go: changes of the store's requests, which a search must find.
package explore
