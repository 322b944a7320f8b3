// Package site is the single-page app: its sources, how its files are served,
// and the page of an event.
//
// There is one list of the files that are served. Package bundle makes it of the
// sources in static: the scripts become one file, so do the stylesheets, and
// files that the page, its style or its script refer to have a hash in their
// names and are cached for good. The local server, the upload to the bucket and
// the tests of CloudFront work from that list.
//
// The function that serves the pages of events must not link the bundler, but
// needs the names of the bundler's files. So the hash in the name of a bundle is
// that of its inputs: its sources and the program that bundles them, with its
// version and options. This package computes such a name without bundling; there
// is neither a build step nor a generated file.
//
// Alternatives considered: reading index.html from the bucket (an S3 client and
// another round trip at each cold start, and a page that changes with the bucket
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
