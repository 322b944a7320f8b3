// Package explore runs the operations of package dynamo's store in all orders of their
// calls to DynamoDB, and looks for an order that breaks a promise. Only tests use it.
//
//   - The traffic (operations.go): create event, create RSVP, cancel RSVP, cancel event, erase, get
//     event, get RSVP and list attendees, also repeated and with other content, in all combinations
//     from each of six beginnings.
//   - The processes (process.go): each operation runs in a function of its own and shares
//     only the table with others, so its next call depends on the answers to its calls so
//     far. For each sequence of answers the real store runs once, in a bubble of
//     testing/synctest: it gets all answers from the first on, and must repeat its calls.
//   - The failures (search.go): a response is lost; a call is not executed, arrives after its
//     caller has given up, or meets a conflict; the time of a request runs out; the event
//     expires; TTL removes items in any order; a Query reads its items at different moments.
//     The search combines them with all orders of the calls, depth first, and enters no
//     state twice.
//   - The database (table.go, expressions.go): a table in memory that answers the calls. It
//     knows the expressions that package dynamo uses, and panics at any other. Its answers
//     are compared with DynamoDB Local, call by call.
//   - The validation (check.go, model.go): after each step, one order of the operations
//     explains the table and all answers. Each operation also runs on a
//     storetest.Memory, with which the contract compares every store. P12 and P15 hold word
//     for word; counts equal the numbers of stored RSVPs; no item expires before its event's
//     details, or never; reads are consistent.
//
// CI combines up to three operations with one fault, and two around the expiry. make explore
// adds four operations, three around the expiry and two faults, for EXPLORE (15 minutes);
// PART=four,_one runs one part. To test the search, break a rule of the store and run
// go test ./internal/dynamo/explore.
package explore
