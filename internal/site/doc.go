// Package site is the single-page app: its sources, how its files are served,
// and the page of an event.
//
// There is one list of the files that are served. Package bundle makes it of the
// sources in static: the scripts become one file, so do the stylesheets, and
// what the page, its style or its script name carries a hash in its name and is
// kept for good. The local server, the upload to the bucket and the tests of
// CloudFront work from that list.
//
// The function that serves the pages of events must not link the bundler, yet
// has to know the names that the bundler's files get. So the hash in the name of
// a bundle is that of what it is made of: its sources and the program that
// bundles them, with its version and options. This package can tell such a name
// without bundling; there is neither a build step nor a generated file.
//
// Alternatives considered: reading index.html from the bucket (an S3 client and
// a round more at each cold start, and a page that changes with the bucket
// instead of with the function), a generated file in the repository (a conflict
// for each two changes of the site), names passed at link time (go build alone
// would make a function that serves a page without its script), and an import
// map (an inline script, which the content security policy forbids, and one
// request for each module).
//
// When a new version is deployed, the page and the files that it names change at
// different moments. Files below [Assets] therefore stay in the bucket: an older
// page finds what it names.
package site
