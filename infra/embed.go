// Package infra holds what is deployed next to the functions.
package infra

import "embed"

// Site is the single-page app, as the S3 bucket gets it.
//
//go:embed all:site
var Site embed.FS
