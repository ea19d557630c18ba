package screen

// charsets are the designated character sets. Only ASCII, the British set and
// DEC special graphics exist; others count as ASCII.
type charsets struct {
	sets   [4]byte // final byte of the designation; 0 is ASCII
	gl     int     // the set in use
	single int     // SS2, SS3: the set for one character, or 0
}

const (
	charsetGraphics = '0'
	charsetBritish  = 'A'
)

// lineDrawing are the DEC special graphics from 0x60 on.
var lineDrawing = [...]rune{
	'◆', '▒', '␉', '␌', '␍', '␊', '°', '±', '␤', '␋', '┘', '┐', '┌', '└', '┼', '⎺',
	'⎻', '─', '⎼', '⎽', '├', '┤', '┴', '┬', '│', '≤', '≥', 'π', '≠', '£', '·',
}

func (c *charsets) designate(g int, final byte) {
	if final != charsetGraphics && final != charsetBritish {
		final = 0
	}
	c.sets[g] = final
}

// plain says that ASCII stands for itself.
func (c *charsets) plain() bool { return c.sets[c.gl] == 0 && c.single == 0 }

// translate returns what the ASCII character b stands for.
func (c *charsets) translate(b byte) rune {
	set := c.sets[c.gl]
	if c.single != 0 {
		set = c.sets[c.single]
		c.single = 0
	}
	switch {
	case set == charsetGraphics && b == '_':
		return ' '
	case set == charsetGraphics && b >= 0x60 && b < del:
		return lineDrawing[b-0x60]
	case set == charsetBritish && b == '#':
		return '£'
	}
	return rune(b)
}
