// Package infra holds what is deployed next to the functions.
package infra

import "embed"

// Site is the single-page app, as the S3 bucket gets it.
//
//go:embed all:site
var Site embed.FS

// Page is its one page, for the function that adds previews to it: a program
// that uses Page alone does not carry the rest.
//
//go:embed site/index.html
var Page string
