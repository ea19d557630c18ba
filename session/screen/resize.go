package screen

// Resize changes the grid, clamped to 1..1000 columns and rows. Lines of the
// main screen and the history are broken anew; the alternate screen is cut,
// its program will draw it again. The cursor stays with its text.
func (s *Screen) Resize(cols, rows int) {
	cols, rows = min(max(cols, 1), maxCols), min(max(rows, 1), maxRows)
	if cols == s.cols && rows == s.rows {
		return
	}
	s.release()
	s.free, s.held = nil, picture{}
	s.grows = false

	cursor := &s.main.away
	if s.buf == &s.main {
		cursor = &point{s.x, s.y}
		if s.pending {
			cursor.x++
		}
	}
	if s.main.saved.pending {
		s.main.saved.at.x++
	}
	s.resizeMain(cols, rows, cursor)
	s.cut(cols, rows)
	s.cols, s.rows = cols, rows
	s.changed = make([]uint64, rows)
	s.resetMargins()

	if s.buf == &s.main {
		s.x, s.pending = inLine(cursor.x, cols)
		s.y = cursor.y
	} else {
		s.x, s.y, s.pending = min(s.x, cols-1), min(s.y, rows-1), false
	}
	at := &s.main.saved.at
	at.x, s.main.saved.pending = inLine(at.x, cols)
	at.y = min(at.y, rows-1)
	s.changedAll()
	s.look()
	if s.modes.has(modeSizeReports) {
		s.replySize()
	}
}

// inLine clamps a column; the one after the last is the last with a wrap
// pending.
func inLine(x, cols int) (int, bool) { return min(x, cols-1), x == cols }

// cut makes the alternate screen fit by cutting it off or filling it up.
func (s *Screen) cut(cols, rows int) {
	b := &s.alt
	for _, r := range b.rows {
		r.cells = fit(r.cells, cols)
		r.wrapped = false
	}
	for len(b.rows) < rows {
		b.rows = append(b.rows, &row{cells: make([]cell, cols)})
	}
	b.rows = b.rows[:rows]
	b.saved.at = point{min(b.saved.at.x, cols-1), min(b.saved.at.y, rows-1)}
}

// fit returns cells as a row of cols columns.
func fit(cells []cell, cols int) []cell {
	out := make([]cell, cols)
	if copy(out, cells) == cols && len(cells) > cols && cells[cols].ch&chTail != 0 {
		out[cols-1].ch = 0
	}
	return out
}

// resizeMain gives the main screen its new size and moves the cursor and the
// saved cursor with their text. A row that holds more than fits goes up into
// the history; blank rows below the cursor are given up first. If the screen
// was full, a higher one shows rows of the history again.
func (s *Screen) resizeMain(cols, rows int, cursor *point) {
	end := s.usedRows(cursor.y)
	pull := 0
	if rows > s.rows && end == s.rows {
		pull = rows - s.rows
	}
	var lines []pastRow
	top := 0
	if cols != s.cols {
		f := flow{cols: cols, points: []*point{cursor, &s.main.saved.at}}
		lines, top = f.run(s, end)
		end = len(lines)
	} else {
		lines = s.takeBack(pull)
		top = len(lines)
		for _, p := range []*point{cursor, &s.main.saved.at} {
			p.y += top
		}
		for _, r := range s.main.rows {
			lines = append(lines, pastRow{r.cells, r.wrapped})
		}
		end += top
	}

	top = max(top-pull, 0)
	if end-top > rows {
		top = max(min(end-rows, cursor.y), top)
	}
	for _, r := range lines[:top] {
		s.history.push(r.cells, r.wrapped)
	}
	grid := make([]*row, 0, rows)
	for _, r := range lines[top:min(top+rows, len(lines))] {
		grid = append(grid, &row{cells: fit(r.cells, cols), wrapped: r.wrapped})
	}
	for len(grid) < rows {
		grid = append(grid, &row{cells: make([]cell, cols)})
	}
	s.main.rows = grid
	for _, p := range []*point{cursor, &s.main.saved.at} {
		p.y = min(max(p.y-top, 0), rows-1)
	}
}

// takeBack takes up to n rows out of the history, the newest last.
func (s *Screen) takeBack(n int) []pastRow {
	n = min(n, s.history.n)
	all := make([]pastRow, n, n+s.rows)
	for i := n - 1; i >= 0; i-- {
		past := s.history.pop()
		all[i] = pastRow{fit(past.cells, s.cols), past.wrapped}
	}
	return all
}

// usedRows returns the number of rows of the main screen up to the cursor or
// the last that is not blank.
func (s *Screen) usedRows(cursorY int) int {
	n := s.rows
	for n > cursorY+1 && used(s.main.rows[n-1].cells) == 0 {
		n--
	}
	return n
}

// flow breaks rows anew to a number of columns.
type flow struct {
	cols   int
	points []*point // to be moved with the text

	out  []pastRow // their blank ends may be cut off
	line []cell    // the logical line being collected
	refs []lineAt  // points on it
}

// lineAt is a point at an offset of the logical line.
type lineAt struct {
	point  *point
	offset int
}

// run breaks the history and the first n rows of the main screen anew. It
// empties the history and returns all rows, and which of them the first row
// of the screen has become.
func (f *flow) run(s *Screen, n int) (rows []pastRow, top int) {
	var corner point
	f.points = append(f.points, &corner)
	olds := make([]point, len(f.points))
	for i, p := range f.points {
		olds[i] = *p
	}
	past := s.history.n
	f.out = make([]pastRow, 0, past+n)
	for i := range past + n {
		var r pastRow
		if i < past {
			r = s.history.at(i)
		} else {
			on := s.main.rows[i-past]
			r = pastRow{cells: on.cells, wrapped: on.wrapped}
		}
		for k, old := range olds {
			if old.y == i-past {
				f.refs = append(f.refs, lineAt{f.points[k], len(f.line) + old.x})
			}
		}
		if f.asIs(r) {
			continue
		}
		f.line = appendLine(f.line, r.cells, r.wrapped, s.cols)
		if !r.wrapped || i == past+n-1 {
			f.breakLine(r.wrapped)
		}
	}
	for k, old := range olds {
		if old.y >= n {
			*f.points[k] = point{min(old.x, f.cols-1), len(f.out) + old.y - n}
		}
	}
	s.history.clear()
	s.history.spare = nil // rows of out lie in it
	return f.out, corner.y
}

// asIs takes a row over that is a whole line, fits, and has no point on it. So
// are most rows of a history.
func (f *flow) asIs(r pastRow) bool {
	if r.wrapped || len(f.line) > 0 || len(f.refs) > 0 {
		return false
	}
	n := used(r.cells)
	if n > f.cols {
		return false
	}
	f.out = append(f.out, pastRow{cells: r.cells[:n]})
	return true
}

// breakLine writes the logical line as rows and puts the points on it.
func (f *flow) breakLine(wrapped bool) {
	first := len(f.out)
	var starts []int
	for from := 0; ; {
		starts = append(starts, from)
		cells := make([]cell, f.cols)
		n := f.take(cells, from)
		from += n
		last := from >= len(f.line)
		f.out = append(f.out, pastRow{cells, wrapped || !last})
		if last {
			break
		}
	}
	for _, ref := range f.refs {
		f.put(ref, first, starts)
	}
	f.line, f.refs = f.line[:0], f.refs[:0]
}

// take copies what fits from the line into a row and returns the number of
// columns taken.
func (f *flow) take(cells []cell, from int) int {
	n := copy(cells, f.line[from:])
	if from+n < len(f.line) && f.line[from+n].ch&chTail != 0 {
		cells[n-1] = cell{chFiller, f.line[from+n].st}
		if n == 1 {
			cells[0].ch = 0
			return 2 // a wide character in a grid of one column is lost
		}
		return n - 1
	}
	return n
}

// put moves a point to where its offset went: the end of a full row stays the
// end of that row. In the blank beyond the text there is no line to follow.
func (f *flow) put(ref lineAt, first int, starts []int) {
	i := len(starts) - 1
	for i > 0 && starts[i] > ref.offset {
		i--
	}
	x := ref.offset - starts[i]
	if ref.offset > len(f.line) {
		x = min(x, f.cols-1)
	}
	*ref.point = point{min(x, f.cols), first + i}
}
