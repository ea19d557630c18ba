package screen

// history is the scrollback: a ring of rows whose blank ends are cut off,
// bounded by rows and by bytes. A row keeps its number while older ones go. The cells of many rows share one block, and
// the block of the oldest rows is used again for the newest, so that a steady
// stream of output allocates nothing.
type history struct {
	rows     []pastRow // ring
	head, n  int
	gone     int // rows that have left it at its old end
	maxRows  int
	maxBytes int // 0: bounded by rows alone
	bytes    int
	blocks   []block // the oldest first; rows fill them in order
	spare    []cell
}

type pastRow struct {
	cells   []cell
	wrapped bool
}

// block holds the cells of consecutive rows.
type block struct {
	cells []cell // len is what is taken
	rows  int
}

const (
	blockCells   = 4096
	cellBytes    = 8
	pastRowBytes = 32
)

// at returns row i, 0 being the oldest.
func (h *history) at(i int) pastRow {
	return h.rows[(h.head+i)%len(h.rows)]
}

// push appends a copy of a row.
func (h *history) push(cells []cell, wrapped bool) {
	if h.maxRows <= 0 {
		return
	}
	if !wrapped || !filled(cells, len(cells)) {
		cells = cells[:used(cells)]
	}
	size := len(cells)*cellBytes + pastRowBytes
	for h.n > 0 && (h.n == h.maxRows || h.maxBytes > 0 && h.bytes+size > h.maxBytes) {
		h.dropOldest()
	}
	if h.n == len(h.rows) {
		h.grow()
	}
	h.rows[(h.head+h.n)%len(h.rows)] = pastRow{cells: h.place(cells), wrapped: wrapped}
	h.n++
	h.bytes += size
}

func (h *history) grow() {
	rows := make([]pastRow, min(h.maxRows, max(64, 2*len(h.rows))))
	for i := range h.n {
		rows[i] = h.at(i)
	}
	h.rows, h.head = rows, 0
}

// place copies cells into the newest block.
func (h *history) place(cells []cell) []cell {
	last := len(h.blocks) - 1
	if last < 0 || len(h.blocks[last].cells)+len(cells) > cap(h.blocks[last].cells) {
		h.blocks = append(h.blocks, block{cells: h.newBlock(len(cells))})
		last++
	}
	b := &h.blocks[last]
	from := len(b.cells)
	b.cells = append(b.cells, cells...)
	b.rows++
	return b.cells[from:len(b.cells):len(b.cells)]
}

func (h *history) newBlock(atLeast int) []cell {
	if cap(h.spare) >= atLeast && h.spare != nil {
		b := h.spare[:0]
		h.spare = nil
		return b
	}
	return make([]cell, 0, max(blockCells, atLeast))
}

func (h *history) dropOldest() {
	r := h.rows[h.head]
	h.rows[h.head] = pastRow{}
	h.head = (h.head + 1) % len(h.rows)
	h.gone++
	h.forget(r)
	h.blocks[0].rows--
	if h.blocks[0].rows == 0 {
		h.spare = h.blocks[0].cells
		h.blocks = append(h.blocks[:0], h.blocks[1:]...)
	}
}

// pop takes the newest row out. Its cells are good until the next push.
func (h *history) pop() pastRow {
	i := (h.head + h.n - 1) % len(h.rows)
	r := h.rows[i]
	h.rows[i] = pastRow{}
	h.forget(r)
	last := len(h.blocks) - 1
	b := &h.blocks[last]
	b.cells = b.cells[:len(b.cells)-len(r.cells)]
	b.rows--
	if b.rows == 0 {
		h.spare = b.cells
		h.blocks = h.blocks[:last]
	}
	return r
}

func (h *history) forget(r pastRow) {
	h.n--
	h.bytes -= len(r.cells)*cellBytes + pastRowBytes
}

// erase drops all rows.
func (h *history) erase() {
	h.gone += h.n
	h.clear()
}

// clear takes all rows out, for others that get their numbers.
func (h *history) clear() {
	spare := h.spare
	if len(h.blocks) > 0 {
		spare = h.blocks[0].cells
	}
	*h = history{maxRows: h.maxRows, maxBytes: h.maxBytes, gone: h.gone, spare: spare}
}
