package screen

import (
	"unicode/utf8"

	"aside/session"
)

// pen is everything a printed cell carries besides its glyph.
type pen struct {
	session.Style
	link      uint32 // number of the interned link, 0 for none
	protected bool   // DECSCA
}

// Limits of the interned tables. Beyond sweepFrom entries, or sweepBytes of
// their texts, a table is swept when it has doubled; if more than keepAtMost,
// or keepBytes, are still in use, old history is given up for them; a link for
// which there is no room in mostBytes even so is left out.
const (
	sweepFrom  = 4096
	keepAtMost = 1 << 16
	sweepBytes = 1 << 20
	keepBytes  = 4 << 20
	mostBytes  = 8 << 20
	maxCluster = 96 // bytes of one cluster; what follows is not kept
	maxLink    = 4096
)

// pool numbers values of one kind. Number 0 is the zero value, for ever.
type pool[T comparable] struct {
	values  []T
	numbers map[T]uint32
	free    []uint32
	sweepAt int
	size    func(T) int // bytes of a value's text
	bytes   int         // of all values
	fullAt  int         // bytes at which to sweep
}

func newPool[T comparable](size func(T) int) pool[T] {
	var zero T
	return pool[T]{
		values: []T{zero}, numbers: map[T]uint32{zero: 0}, size: size,
		sweepAt: sweepFrom, fullAt: sweepBytes,
	}
}

// full says that the pool should be swept before the next value goes in.
func (p *pool[T]) full() bool { return len(p.numbers) >= p.sweepAt || p.bytes >= p.fullAt }

// crowded says that what is in use is more than should be kept.
func (p *pool[T]) crowded() bool { return len(p.numbers) > keepAtMost || p.bytes > keepBytes }

func (p *pool[T]) add(v T) uint32 {
	var n uint32
	if last := len(p.free) - 1; last >= 0 {
		n = p.free[last]
		p.free = p.free[:last]
		p.values[n] = v
	} else {
		n = uint32(len(p.values))
		p.values = append(p.values, v)
	}
	p.numbers[v] = n
	p.bytes += p.size(v)
	return n
}

// keep frees every value that is not marked.
func (p *pool[T]) keep(marked []bool) {
	var zero T
	for n := 1; n < len(p.values); n++ {
		v := p.values[n]
		if marked[n] || v == zero {
			continue
		}
		delete(p.numbers, v)
		p.bytes -= p.size(v)
		p.values[n] = zero
		p.free = append(p.free, uint32(n))
	}
	p.sweepAt = max(sweepFrom, 2*len(p.numbers))
	p.fullAt = min(max(sweepBytes, 2*p.bytes), mostBytes)
}

// pools are the interned values that cells point to.
type pools struct {
	pens     pool[pen]
	clusters pool[string]
	links    pool[string]
}

func newPools() pools {
	length := func(s string) int { return len(s) }
	return pools{pens: newPool(func(pen) int { return 0 }), clusters: newPool(length), links: newPool(length)}
}

// styleID returns the number of the current pen.
func (s *Screen) styleID(p pen) uint32 {
	if n, ok := s.pools.pens.numbers[p]; ok {
		return n
	}
	if s.pools.pens.full() {
		s.sweep()
	}
	return s.pools.pens.add(p)
}

func (s *Screen) clusterID(text []byte) uint32 {
	if n, ok := s.pools.clusters.numbers[string(text)]; ok {
		return n
	}
	if s.pools.clusters.full() {
		s.sweep()
	}
	return s.pools.clusters.add(string(text))
}

func (s *Screen) linkID(target string) uint32 {
	if n, ok := s.pools.links.numbers[target]; ok {
		return n
	}
	if s.pools.links.full() {
		s.sweep()
	}
	if s.pools.links.bytes >= mostBytes {
		return 0
	}
	return s.pools.links.add(target)
}

// appendGlyph appends the text of a cell that is not blank.
func (s *Screen) appendGlyph(b []byte, ch uint32) []byte {
	if ch&chCluster != 0 {
		return append(b, s.pools.clusters.values[ch&chGlyph]...)
	}
	return utf8.AppendRune(b, rune(ch&chGlyph))
}

// sweep drops the interned values that nothing on the screens or in the
// history uses. Without it a program that never repeats a colour would fill
// the memory.
func (s *Screen) sweep() {
	for {
		m, p := s.marks(), &s.pools
		p.pens.keep(m.pens)
		p.clusters.keep(m.clusters)
		p.links.keep(m.links)
		if s.history.n == 0 || !p.pens.crowded() && !p.clusters.crowded() && !p.links.crowded() {
			return
		}
		for range (s.history.n + 1) / 2 {
			s.history.dropOldest()
		}
	}
}

// marked are the values in use, by number.
type marked struct{ pens, clusters, links []bool }

func (m *marked) cells(cells []cell) {
	for _, c := range cells {
		m.pens[c.st] = true
		if c.ch&chCluster != 0 {
			m.clusters[c.ch&chGlyph] = true
		}
	}
}

func (s *Screen) marks() marked {
	m := marked{
		pens:     make([]bool, len(s.pools.pens.values)),
		clusters: make([]bool, len(s.pools.clusters.values)),
		links:    make([]bool, len(s.pools.links.values)),
	}
	for _, rows := range [][]*row{s.main.rows, s.alt.rows, s.held.rows} {
		for _, r := range rows {
			m.cells(r.cells)
		}
	}
	for i := range s.history.n {
		m.cells(s.history.at(i).cells)
	}
	m.cells([]cell{{st: s.st}, {st: s.blank.st}})
	for n, used := range m.pens {
		if used {
			m.links[s.pools.pens.values[n].link] = true
		}
	}
	for _, p := range []pen{s.pen, s.main.saved.pen, s.alt.saved.pen} {
		m.links[p.link] = true
	}
	return m
}
