package httpapi

import (
	"errors"
	"fmt"
	"net/http"

	"turnout/internal/event"
	"turnout/internal/middleware"
)

// problem is the body of an error (RFC 9457).
type problem struct {
	Type        string                `json:"type"`
	Title       string                `json:"title"`
	Status      int                   `json:"status"`
	Detail      string                `json:"detail"`
	Instance    string                `json:"instance"`
	FieldErrors event.ValidationError `json:"fieldErrors,omitempty"`
}

// A kind is a kind of problem. The kinds that only HTTP knows are errors themselves. The domain's problems have a code,
// which is a part of their type. Other problems tell no more than their status, and have the type about:blank.
type kind struct {
	status int
	code   string
	title  string
	detail string
}

func (k kind) Error() string { return k.detail }

// These errors of HTTP add to the domain's errors.
var (
	errNotFound = kind{status: http.StatusNotFound,
		detail: "No such resource."}
	errMethodNotAllowed = kind{status: http.StatusMethodNotAllowed,
		detail: "The resource supports only the methods listed in the Allow header."}
	errOriginSecret = kind{status: http.StatusForbidden,
		detail: "The API can be used only through the address of the site."}
	errMisdirected = kind{status: http.StatusMisdirectedRequest,
		detail: "This server does not answer under this name. Its configuration variable SITE_URL sets the name."}
	errNotJSON = kind{status: http.StatusUnsupportedMediaType,
		detail: "The Content-Type of the request body must be application/json."}
	errEncoded = kind{status: http.StatusUnsupportedMediaType,
		detail: "The request body must not have a Content-Encoding."}
	errBodyTooLarge = kind{status: http.StatusRequestEntityTooLarge,
		detail: "The request body must be at most 65,536 bytes."}
	errListTooLong = kind{http.StatusNotAcceptable, "list-too-long", "List too long",
		"The list is too long for a response. A client that accepts gzip gets a longer list. " +
			"The operator of the service gets all names with the command turnout -table … export."}
	errBodyStopped = fmt.Errorf("%w: %w", event.ErrUnavailable, middleware.ErrBodyStopped)

	validationFailed = kind{http.StatusBadRequest, "validation-failed", "Validation failed",
		"One or more fields are invalid; see fieldErrors."}
	internalError = kind{status: http.StatusInternalServerError,
		detail: "Internal error. Quote the instance when you report it."}

	kinds = []struct {
		err error
		kind
	}{
		{event.ErrEventNotFound, kind{http.StatusNotFound, "event-not-found", "Event not found",
			"There is no event with this event token."}},
		{event.ErrOrganizerToken, kind{http.StatusForbidden, "invalid-organizer-token", "Invalid organizer token",
			"The query parameter organizerToken must hold the organizer token of this event."}},
		{event.ErrIdempotencyKeyReused, kind{
			http.StatusUnprocessableEntity, "idempotency-key-reused", "Idempotency key reused",
			"This Idempotency-Key was used with other content, or for something that has been deleted. " +
				"Send a new key with a new request."}},
		{event.ErrAlreadyCancelled, kind{http.StatusConflict, "event-already-cancelled", "Event already cancelled",
			"This event is already cancelled."}},
		{event.ErrEventCancelled, kind{http.StatusConflict, "event-cancelled", "Event cancelled",
			"This event is cancelled and no longer accepts RSVPs."}},
		{event.ErrEventExpired, kind{http.StatusConflict, "event-expired", "Event expired",
			"This event has expired and no longer accepts RSVPs."}},
		{event.ErrRSVPNotFound, kind{http.StatusNotFound, "rsvp-not-found", "RSVP not found",
			"This event has no RSVP with this RSVP token."}},
		{event.ErrUnavailable, kind{status: http.StatusServiceUnavailable,
			detail: "The service could not finish in time. The operation may or may not have happened. " +
				"Try again in a moment."}},
	}
)

// problemOf renders every error of the API. An error without a kind is a defect: problemOf's caller logs it, and the
// client gets a 500 without details.
func problemOf(err error, requestID string) problem {
	k, p := kindOf(err), problem{Instance: "urn:uuid:" + requestID}
	p.Type, p.Title, p.Status, p.Detail = "urn:turnout:problem:"+k.code, k.title, k.status, k.detail
	if k.code == "" {
		p.Type, p.Title = "about:blank", http.StatusText(k.status)
	}
	p.FieldErrors, _ = errors.AsType[event.ValidationError](err)
	return p
}

func kindOf(err error) kind {
	if _, ok := errors.AsType[event.ValidationError](err); ok {
		return validationFailed
	}
	if k, ok := errors.AsType[kind](err); ok {
		return k
	}
	for _, k := range kinds {
		if errors.Is(err, k.err) {
			return k.kind
		}
	}
	return internalError
}
