package eventpage

import (
	"fmt"
	"strings"

	"rsc.io/qr"

	"turnout/internal/site"
)

// quietZone is the margin of a QR code, in modules (ISO/IEC 18004, section 9.1).
const quietZone = 4

// code returns the QR code of a URL, dark on white in every colour scheme. The file depends only on the URL, so
// browsers may cache it for a day.
func code(address string) (site.File, error) {
	code, err := qr.Encode(address, qr.M)
	if err != nil {
		return site.File{}, err
	}
	side := code.Size + 2*quietZone
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %[1]d" shape-rendering="crispEdges">`+
		`<path fill="#fff" d="M0 0h%[1]dv%[1]dH0z"/><path d="`, side)
	for y := range code.Size {
		start := 0
		for x := range code.Size + 1 {
			if code.Black(x, y) {
				continue
			}
			if x > start {
				fmt.Fprintf(&b, "M%d %dh%dv1h-%[3]dz", start+quietZone, y+quietZone, x-start)
			}
			start = x + 1
		}
	}
	b.WriteString(`"/></svg>`)
	file := site.NewEventFile(codeName, []byte(b.String()))
	file.CacheControl = "public, max-age=86400"
	return file, nil
}
