package screen

// keyboardStack holds the kitty keyboard flags of one of the two screens.
type keyboardStack struct {
	flag  [16]uint8
	depth int // flags pushed; 0: none, nothing in force unless base is set
	base  uint8
}

const keyboardFlags = 31

func (k *keyboardStack) flags() int {
	if k.depth == 0 {
		return int(k.base)
	}
	return int(k.flag[k.depth-1])
}

// push makes flags the ones in force; with a full stack the oldest are lost.
func (k *keyboardStack) push(flags int) {
	if k.depth == len(k.flag) {
		copy(k.flag[:], k.flag[1:])
		k.depth--
	}
	k.flag[k.depth] = uint8(flags & keyboardFlags)
	k.depth++
}

// pop takes n pushes back; with too many everything is off.
func (k *keyboardStack) pop(n int) {
	if n > k.depth {
		*k = keyboardStack{}
		return
	}
	k.depth -= n
}

// set changes the flags in force: 1 sets them, 2 adds, 3 takes away.
func (k *keyboardStack) set(flags, how int) {
	now := &k.base
	if k.depth > 0 {
		now = &k.flag[k.depth-1]
	}
	f := uint8(flags & keyboardFlags)
	switch how {
	case 1:
		*now = f
	case 2:
		*now |= f
	case 3:
		*now &^= f
	}
}

func (s *Screen) keyboardPush(q *params) { s.buf.keyboard.push(q.get(0)) }
func (s *Screen) keyboardPop(q *params)  { s.buf.keyboard.pop(q.count(0)) }
func (s *Screen) keyboardSet(q *params)  { s.buf.keyboard.set(q.get(0), q.count(1)) }

func (s *Screen) keyboardReport(*params) { s.replyf("\x1b[?%du", s.buf.keyboard.flags()) }

// otherKeysResource is what CSI > 4 ; level m is about: modifyOtherKeys.
const otherKeysResource = 4

func (s *Screen) setOtherKeys(q *params) {
	if q.n == 0 || q.get(0) == otherKeysResource {
		s.otherKeys = min(q.get(1), 2)
	}
}

// unsetOtherKeys is CSI > 4 n, which turns it off.
func (s *Screen) unsetOtherKeys(q *params) {
	if q.get(0) == otherKeysResource {
		s.otherKeys = 0
	}
}

func (s *Screen) reportOtherKeys(q *params) {
	if q.get(0) == otherKeysResource {
		s.replyf("\x1b[>4;%dm", s.otherKeys)
	}
}
