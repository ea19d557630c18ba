package screen

// cell is one column of a row: what stands in it and how it looks. The zero
// cell is blank in default style.
type cell struct {
	ch uint32 // code point or cluster number, with the flags below
	st uint32 // number of the interned style
}

// The parts of cell.ch.
const (
	chGlyph   = 1<<21 - 1
	chCluster = 1 << 21 // the glyph is the number of a cluster
	chWide    = 1 << 22 // it takes this column and the next
	chTail    = 1 << 23 // the second column of a wide one
	chFiller  = 1 << 24 // left free by a wide one that went to the next row
)

// blank says that nothing is to be seen in the cell.
func (c cell) blank() bool {
	return c.st == 0 && (c.ch == 0 || c.ch == ' ' || c.ch == chFiller)
}

// row is one line of cells. A shared row belongs to a held picture too and
// must be copied before it is changed.
type row struct {
	cells   []cell
	wrapped bool // it goes on in the next row
	shared  bool
}

// split makes column x a boundary that no wide character lies across: the
// halves of one that does become blank.
func (r *row) split(x int) {
	if x <= 0 || x >= len(r.cells) || r.cells[x].ch&chTail == 0 {
		return
	}
	r.cells[x-1].ch = 0
	r.cells[x].ch = 0
}

// fill sets the columns from x up to end to c.
func (r *row) fill(x, end int, c cell) {
	r.split(x)
	r.split(end)
	fillCells(r.cells[x:end], c)
}

func fillCells(cells []cell, c cell) {
	if c == (cell{}) {
		clear(cells)
		return
	}
	for i := range cells {
		cells[i] = c
	}
}

// appendLine appends the part of a row of cols columns that belongs to the line
// of text it is on: without the blank end if it is the last of that line, else
// with it, but without the column that a wide character left free. The row's
// own blank end may be cut off already.
func appendLine(line, cells []cell, wrapped bool, cols int) []cell {
	switch {
	case !wrapped:
		return append(line, cells[:used(cells)]...)
	case filled(cells, cols):
		return append(line, cells[:cols-1]...)
	}
	line = append(line, cells...)
	for range cols - len(cells) {
		line = append(line, cell{})
	}
	return line
}

// filled says that a row of cols columns ends in a filler.
func filled(cells []cell, cols int) bool {
	return cols > 0 && len(cells) == cols && cells[cols-1].ch&chFiller != 0
}

// used returns the number of columns up to the last that is not blank.
func used(cells []cell) int {
	n := len(cells)
	for n > 0 && cells[n-1].blank() {
		n--
	}
	return n
}
