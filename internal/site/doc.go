// Package site has the names, types and headers of the site's files, their handlers, and the
// colours and tally marks of an event. internal/docs/design.md says how the files get their
// names.
//
// The function that serves the pages of events must not link the bundler, but
// needs the names of the bundler's files. Alternatives considered: reading
// index.html from the bucket (an S3 client and another round trip at each cold
// start, and a page that changes with the bucket instead of with the function), a
// generated file in the repository (a conflict for each two changes of the site),
// names passed at link time (go build alone would make a function that serves a
// page without its script), and an import map (an inline script, which the content
// security policy forbids, and one request for each module).
package site
