package site

import "regexp"

// file has the form of the names of the site's files.
var file = regexp.MustCompile(`^(/[a-zA-Z0-9_-]+)*/[a-zA-Z0-9_-]+(\.[a-z]+)$`)

// IsFile reports whether a path asks for a file of the site, be it there or not.
// All others get the page: the app finds its way by the path. CloudFront decides
// with infra/stack/cloudfront/fallback.js, and a test compares the two.
func IsFile(path string) bool {
	part := file.FindStringSubmatch(path)
	return part != nil && ContentTypes[part[2]] != ""
}
