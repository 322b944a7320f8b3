// Package site is the single-page app: its files, how they are served, and the
// page of an event with its preview.
package site

import "embed"

// Site is the single-page app, as the S3 bucket gets it.
//
//go:embed all:static
var Site embed.FS

// Page is its one page, for the function that adds previews to it: a program
// that uses Page alone does not carry the rest.
//
//go:embed static/index.html
var Page string
