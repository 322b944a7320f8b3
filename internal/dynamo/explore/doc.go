// Package explore tries all orders.
package explore
