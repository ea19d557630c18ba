package screen

//go:generate go run gen_tables.go

// The grapheme break classes of UAX #29, with the conjunct classes of rule
// GB9c folded in. gen_tables.go uses the same order.
const (
	classOther = iota
	classPictographic
	classConsonant
	classControl
	classExtend         // from here
	classExtendConjunct // an extend that a conjunct may hold
	classLinker
	classJoiner
	classSpacing // to here: what joins whatever is before it
	classPrepend
	classRegional
	classL
	classV
	classT
	classLV
	classLVT
)

// props returns the grapheme break class and the width in columns of r.
func props(r rune) (class uint8, width int) {
	block := int(propIndex[r>>propBlockBits]) << propBlockBits
	p := propBlocks[block+int(r&(1<<propBlockBits-1))]
	return p & 15, int(p >> 4)
}

// breaker is what the break rules need to know about the cluster so far.
type breaker struct {
	last     uint8 // class of its last code point
	pict     uint8 // 1: a pictograph and extends; 2: and then a joiner (GB11)
	conjunct uint8 // 1: a consonant; 2: and a linker (GB9c)
	odd      bool  // an odd number of regional indicators (GB12)
}

// next returns the state after a code point of the given class that goes on
// (joined) or starts a cluster.
func (b breaker) next(class uint8, joined bool) breaker {
	n := breaker{last: class}
	switch class {
	case classPictographic:
		n.pict = 1
	case classConsonant:
		n.conjunct = 1
	case classRegional:
		n.odd = !joined || !b.odd
	}
	if !joined {
		return n
	}
	switch class {
	case classExtend:
		if b.pict == 1 {
			n.pict = 1
		}
	case classExtendConjunct, classLinker, classJoiner:
		if b.pict == 1 {
			n.pict = 1
		}
		n.conjunct = b.conjunct
		if class == classLinker && b.conjunct > 0 {
			n.conjunct = 2
		}
	}
	if class == classJoiner && b.pict == 1 {
		n.pict = 2
	}
	return n
}

// joins says that no boundary lies between the cluster so far and a code
// point of the given class (UAX #29, GB3 to GB13).
func (b breaker) joins(class uint8) bool {
	switch {
	case class == classControl:
		return false
	case class >= classExtend && class <= classSpacing, b.last == classPrepend:
		return true
	}
	switch class {
	case classPictographic:
		return b.pict == 2
	case classConsonant:
		return b.conjunct == 2
	case classRegional:
		return b.last == classRegional && b.odd
	}
	return b.joinsHangul(class)
}

// joinsHangul is GB6 to GB8.
func (b breaker) joinsHangul(class uint8) bool {
	switch class {
	case classL, classLV, classLVT:
		return b.last == classL
	case classV:
		return b.last == classL || b.last == classV || b.last == classLV
	case classT:
		return b.last == classV || b.last == classT || b.last == classLV || b.last == classLVT
	}
	return false
}
