// Package portable moves events between stores: the file of one machine (package bolt) and a DynamoDB
// table (package dynamo). Every link, key and secret stays valid.
//
// # The format
//
// An export is JSON Lines in UTF-8: each line is an object.
//
//	{"format":"turnout","version":1}
//	{"event":{"token":"…","title":"…","description":"…","dateTime":"…","endDateTime":"…","timezone":"…",
//	  "location":"…","host":"…","language":"…","organizerHash":"…","cancelled":true,"reason":"…","movedTo":"…",
//	  "cancelKeyHash":"…","createdAt":"…","expiresAt":"…"}}
//	{"rsvp":{"hash":"…","name":"…","createdAt":"…"}}
//	{"withdrawn":{"hash":"…"}}
//	{"erased":{"token":"…","expiresAt":"…"}}
//	{"end":{"events":1,"rsvps":1,"withdrawn":1,"erased":1}}
//
// The first line names the format. The RSVPs of an event follow its line, withdrawn RSVPs included, in the
// byte order of their hashes. Events and erased events are in any order. The last line counts the other
// lines; without it, a file is truncated.
//
// description, endDateTime, location, host, language, reason, movedTo and cancelKeyHash are optional; an empty text is
// not an absent one. language is a tag of BCP 47. Hashes are in hexadecimal: SHA-256 of the organizer
// token, of the key that cancelled the event (package event says how), and the first 16 bytes of SHA-256
// of an RSVP token. Tokens are hashed as their 16 bytes. createdAt and expiresAt are UTC, in RFC 3339 with
// up to nine digits of a second, which is 0 in the expiry of an erased event. The last expiry is the end
// of the year 9999.
// An erased event keeps its token taken until it expires.
//
// Event tokens, names and texts are in the clear: anybody who has the file can read every event and
// its list. The file has no other token.
//
// A line has at most 400,000 bytes, so that its texts fit in an item of DynamoDB (400 KiB).
//
// A later version of the program may add an optional member, which an earlier program refuses by its
// name. Any other change raises the version.
package portable
