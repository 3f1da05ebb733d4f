package report

import (
	"fmt"
	"image/color"
	"strings"

	"github.com/boombuler/barcode/qr"
)

// code is a QR code: dark modules by row.
type code [][]bool

// qrCode draws a text that has only the signs of the dense mode. Level M still
// reads when a seventh of the paper is smudged.
func qrCode(s string) (code, error) {
	b, err := qr.Encode(s, qr.M, qr.AlphaNumeric)
	if err != nil {
		return nil, fmt.Errorf("QR code of %q: %w", s, err)
	}
	n := b.Bounds().Dx()
	c := make(code, n)
	for y := range c {
		c[y] = make([]bool, n)
		for x := range c[y] {
			c[y][x] = b.At(x, y) == color.Black
		}
	}
	return c, nil
}

// code is the QR code of a document's anchor.
func (d Document) code() (code, error) {
	a, err := d.Anchor()
	if err != nil {
		return nil, err
	}
	return qrCode(a.String())
}

// quiet is the white border, in modules, that a code should have.
const quiet = 4

// blocks draws the code in half blocks, two rows a line, as far from the left
// edge as the standard wants where the width allows that. It is drawn for ink on
// paper; a dark terminal shows it inverted, which most readers take.
func (c code) blocks(width int) string {
	left := strings.Repeat(" ", max(0, min(quiet, (width-len(c))/2)))
	var b strings.Builder
	b.WriteString("\n")
	for y := 0; y < len(c); y += 2 {
		line := left
		for x := range c {
			low := y+1 < len(c) && c[y+1][x]
			switch {
			case c[y][x] && low:
				line += "█"
			case c[y][x]:
				line += "▀"
			case low:
				line += "▄"
			default:
				line += " "
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	b.WriteString("\n")
	return b.String()
}

// path draws the dark modules as a path of SVG, one unit a module, within the
// quiet border.
func (c code) path() string {
	var b strings.Builder
	for y, row := range c {
		for x := 0; x < len(row); x++ {
			if !row[x] {
				continue
			}
			run := 1
			for x+run < len(row) && row[x+run] {
				run++
			}
			fmt.Fprintf(&b, "M%d %dh%dv1h-%dz", x+quiet, y+quiet, run, run)
			x += run
		}
	}
	return b.String()
}

// side is the length of the code with its border, in modules.
func (c code) side() int { return len(c) + 2*quiet }
