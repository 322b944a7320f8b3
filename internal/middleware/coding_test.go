package middleware

import "testing"

func TestCoding(t *testing.T) {
	for accepted, want := range map[string]string{
		"":                               "",
		"gzip, deflate, br, zstd":        "br",
		"GZip":                           "gzip",
		"gzip; q=0.5, br":                "br",
		"gzip, br;q=0.9":                 "gzip",
		"gzip;q=0.5 ,\tbr ; q = 0.5":     "br",
		"br;q=0, gzip;q=0.001":           "gzip",
		"br;q=0.0, *":                    "",
		"br;Q=0,gzip;Q=1":                "gzip",
		"*":                              "",
		"*;q=0, gzip":                    "gzip",
		"identity;q=0.5":                 "",
		"identity, br;q=0.5":             "br",
		"gzipped, brotli":                "",
		"br;q=, gzip;q=x":                "",
		"br;q=nan, gzip;q=0.1":           "gzip",
		"br;level=1;q=0, , ;, gzip;q=.1": "gzip",
	} {
		if got := Coding(accepted, "br", "gzip"); got != want {
			t.Errorf("%q: %q, want %q", accepted, got, want)
		}
	}
}
