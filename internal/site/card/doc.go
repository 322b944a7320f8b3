// Package card draws the picture that messengers show of a link to an event, in the event's colour: the
// line above its title, the title, a short date, the place and the tally.
//
// It is a package, and a function, of its own because of its fonts: they make
// the program some 6 MB larger, which would slow down the cold start of the page.
//
// Text is shaped by go-text/typesetting, HarfBuzz in Go, so that Arabic joins and bidirectional lines
// read in order. The site's typeface, all of it, is made by infra/tools/card-font; the others come from
// modules, pinned in go.mod:
//
//	Onest                  Latin, Cyrillic             183 KB  SIL Open Font License 1.1
//	Noto Sans Arabic Bold  Arabic                      178 KB  SIL Open Font License 1.1
//	DejaVu Sans Bold       Greek, Hebrew, and the rest 706 KB  Bitstream Vera license
//	Noto Sans JP Regular   Japanese                  4,548 KB  SIL Open Font License 1.1
//
// The font for Japanese covers many Chinese titles too. Korean would add another 5 MB, each of the scripts
// of India some 200 KB. A title in a script that no font covers is left out, and the date takes its place:
// missing glyphs are never drawn. Of a title with emoji the rest is drawn.
package card
