package demo

import "fmt"

// colors shows what a terminal can do with colours and attributes.
func colors() []line {
	block := func(from, to, width int) line {
		l := line{{"", "  "}}
		for i := from; i < to; i++ {
			l = append(l, piece{fmt.Sprintf("48;5;%d", i), fmt.Sprintf("%*s", width, "")})
		}
		return l
	}
	ramp := line{{"", "  "}}
	for i := range 64 {
		ramp = append(ramp, piece{fmt.Sprintf("48;2;%d;%d;%d", i*4, 255-i*4, 128), " "})
	}
	attributes := line{{"", "  "}}
	for _, a := range []struct{ style, name string }{
		{"1", "bold"},
		{"2", "faint"},
		{"3", "italic"},
		{"4", "underline"},
		{"4:3;58;5;1", "curly"},
		{"7", "reverse"},
		{"9", "strike"},
		{"53", "overline"},
	} {
		attributes = append(attributes, piece{a.style, a.name}, piece{"", "  "})
	}
	return []line{
		{{dim, "  the 16 colours, grays, the 256 colours, true colour, attributes"}},
		block(0, 16, 4), block(232, 256, 2), block(16, 52, 2), ramp, attributes,
	}
}

// widths shows what a terminal makes of wide and combined characters.
func widths() []line {
	var lines []line
	for _, w := range wide {
		lines = append(lines, line{{"", "  " + w}})
	}
	return lines
}
