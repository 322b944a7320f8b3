// Package explore runs the store of package dynamo in all orders of its calls. Only tests
// use it.
//
// A table in memory answers the calls. It evaluates the expressions that package dynamo
// uses, and panics at any other; its answers are compared with DynamoDB Local, call by
// call. A search takes some operations and a number of faults, and tries every order of
// their calls, every place of a fault, and every moment at which the event expires or TTL
// removes an item. At each step it checks the promises.
package explore
