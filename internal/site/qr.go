package site

import (
	"fmt"
	"net/http"
	"strings"

	"rsc.io/qr"
)

// quietZone is the margin of a QR code, in modules (ISO/IEC 18004, section 9.1).
const quietZone = 4

// writeCode answers with a QR code, dark on white in every colour scheme. It
// depends on the address alone.
func writeCode(w http.ResponseWriter, r *http.Request, address string) (int, error) {
	code, err := qr.Encode(address, qr.M)
	if err != nil {
		return 0, err
	}
	side := code.Size + 2*quietZone
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %[1]d" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h%[1]dv%[1]dH0z"/><path d="`, side)
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			length := 0
			for code.Black(x+length, y) {
				length++
			}
			if length > 0 {
				fmt.Fprintf(&b, "M%d %dh%dv1h-%[3]dz", x+quietZone, y+quietZone, length)
				x += length
			}
		}
	}
	b.WriteString(`"/></svg>`)
	return write(w, r, http.StatusOK, ".svg", "public, max-age=86400", b.String()), nil
}
