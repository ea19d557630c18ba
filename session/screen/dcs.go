package screen

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strings"

	"aside/session"
)

// maxCaps bounds the capabilities asked for in one XTGETTCAP.
const maxCaps = 32

// dcs runs a device control string. Only questions are understood; sixel and
// others are skipped.
func (s *Screen) dcs(str []byte) {
	if what, ok := bytes.CutPrefix(str, []byte("$q")); ok {
		s.settingReport(string(what))
	} else if names, ok := bytes.CutPrefix(str, []byte("+q")); ok {
		s.capabilityReport(names)
	}
}

// settingReport is DECRQSS.
func (s *Screen) settingReport(what string) {
	var setting string
	switch what {
	case "m":
		setting = sgrSetting(s.pen.Style)
	case "r":
		setting = fmt.Sprintf("%d;%d", s.top+1, s.bottom+1)
	case "s":
		setting = fmt.Sprintf("%d;%d", s.left+1, s.right+1)
	case " q":
		setting = fmt.Sprint(s.shapeSetting())
	case "\"q":
		setting = "0"
		if s.pen.protected {
			setting = "1"
		}
	case "\"p":
		setting = fmt.Sprintf("%d;1", s.level)
	case "*x":
		setting = fmt.Sprint(s.areaShape)
	case "$}", "$~": // there is no status line
		setting = "0"
	case "t", "*|":
		setting = fmt.Sprint(s.rows)
	case "$|":
		setting = fmt.Sprint(s.cols)
	default:
		s.reply("\x1bP0$r\x1b\\")
		return
	}
	s.replyf("\x1bP1$r%s%s\x1b\\", setting, what)
}

// shapeSetting returns the cursor's shape as DECSCUSR sets it.
func (s *Screen) shapeSetting() int {
	n := int(s.cursorShape())*2 + 2
	if s.cursorBlinks() {
		n--
	}
	return n
}

// sgrSetting returns the parameters of SGR that set a style.
func sgrSetting(st session.Style) string {
	set := []string{"0"}
	for i, a := range []session.Attrs{
		session.AttrBold, session.AttrFaint, session.AttrItalic, 0, session.AttrBlink,
		0, session.AttrReverse, session.AttrConceal, session.AttrStrike,
	} {
		if st.Attrs&a != 0 {
			set = append(set, fmt.Sprint(i+1))
		}
	}
	if st.Attrs&session.AttrOverline != 0 {
		set = append(set, "53")
	}
	switch st.Underline {
	case session.UnderlineNone:
	case session.UnderlineSingle:
		set = append(set, "4")
	default:
		set = append(set, fmt.Sprintf("4:%d", st.Underline))
	}
	set = appendColor(set, 30, st.Fg)
	set = appendColor(set, 40, st.Bg)
	set = appendColor(set, 50, st.UnderlineColor)
	return strings.Join(set, ";")
}

// appendColor appends what sets a colour: base+n for the first eight, where
// base has such, and base+8 otherwise.
func appendColor(set []string, base int, c session.Color) []string {
	if r, g, b, ok := c.RGB(); ok {
		return append(set, fmt.Sprintf("%d:2::%d:%d:%d", base+8, r, g, b))
	}
	n, ok := c.Index()
	switch {
	case !ok:
		return set
	case n < 8 && base < 50:
		return append(set, fmt.Sprint(base+int(n)))
	case n < 16 && base < 50:
		return append(set, fmt.Sprint(base+60+int(n)-8))
	}
	return append(set, fmt.Sprintf("%d:5:%d", base+8, n))
}

// capabilityReport is XTGETTCAP: names in hexadecimal, joined by semicolons,
// each with an answer of its own.
func (s *Screen) capabilityReport(names []byte) {
	for i, name := range bytes.Split(names, []byte{';'}) {
		if i == maxCaps {
			return
		}
		decoded, err := hex.DecodeString(string(name))
		value, ok := capability(string(decoded))
		switch {
		case err != nil || !ok || len(name) > 64:
			s.replyf("\x1bP0+r%s\x1b\\", hexOnly(name))
		case value == "":
			s.replyf("\x1bP1+r%s\x1b\\", name)
		default:
			s.replyf("\x1bP1+r%s=%X\x1b\\", name, value)
		}
	}
}

// hexOnly returns a name that may be sent back: nothing unless it is short and
// hexadecimal, lest an answer carries what the program did not type itself.
func hexOnly(name []byte) string {
	if _, err := hex.DecodeString(string(name)); err != nil || len(name) > 64 {
		return ""
	}
	return string(name)
}

// capability returns the value of a terminfo capability; a boolean one has
// none.
func capability(name string) (value string, ok bool) {
	switch name {
	case "TN", "name":
		return "xterm-256color", true
	case "Co", "colors":
		return "256", true
	case "RGB":
		return "8/8/8", true
	case "Tc", "Su", "XT", "fullkbd":
		return "", true
	case "Ms":
		return "\x1b]52;%p1%s;%p2%s\x1b\\", true
	case "Ss":
		return "\x1b[%p1%d q", true
	case "Se":
		return "\x1b[2 q", true
	case "Smulx":
		return "\x1b[4:%p1%dm", true
	case "Setulc":
		return "\x1b[58:2::%p1%{65536}%/%d:%p1%{256}%/%{255}%&%d:%p1%{255}%&%dm", true
	case "Sync":
		return "\x1b[?2026%?%p1%{1}%-%tl%eh%;", true
	}
	return "", false
}
