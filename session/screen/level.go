package screen

// The conformance levels of DECSCL, by the first terminals of each. A program
// can ask for a lower one, and gets a terminal without what came later as far
// as programs could notice it.
const (
	levelVT300 = 63
	levelVT400 = 64 // at the start
	levelVT500 = 65
)

// setLevel is DECSCL, with a soft reset. Its second parameter is about 8-bit
// control characters, which there are not.
func (s *Screen) setLevel(q *params) {
	if n := q.get(0); n > 60 && n <= levelVT500 {
		s.softReset(q)
		s.level = n
	}
}

// levelOf returns the level from which on there is a control sequence with an
// intermediate byte.
func levelOf(inter, final byte) int {
	switch string([]byte{inter, final}) {
	case "$p":
		return levelVT300
	case "*x", "$r", "$t", "$v", "$x", "$z", "${", "'}", "'~":
		return levelVT400
	}
	return 0
}

// levelOfMode returns the level from which on there is a DEC private mode.
func levelOfMode(m mode) int {
	switch m {
	case modeSideMargins:
		return levelVT400
	case modeKeepColumns:
		return levelVT500
	}
	return 0
}
