package screen

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"aside/session"
)

// seeds returns the bytes of the terminal checks, some that are broken, and
// pieces of the recorded streams.
func seeds(f *testing.F) (all [][]byte) {
	f.Helper()
	for _, c := range checks(f) {
		var seed []byte
		for _, raw := range c.Chunks {
			var text string
			if json.Unmarshal(raw, &text) == nil {
				seed = append(seed, text...)
			}
		}
		all = append(all, seed)
	}
	for _, seed := range []string{
		"\x1b[1;30r\x1b[2S", "\x1b]2;\xe2\x9c\xb3 \x9c\x1b\\", "\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f", "\x1b[?69h\x1b[3;7s世界世界世\x1b[2@\x1b[3M",
		"\x1b[4h❤\ufe0f1\ufe0f\u20e3\x1b[65535b", "\x1b[?7l世世世世世世世世世世世e\u0301\ufe0f", "\x1b[1;1;3;9;2;2;4$v\x1b[65;1;1;9;9$x\x1b[2;2;3;3$z",
		"\x1bP+q544e;zz\x1b\\\x1bP$qm\x1b\\\x1b]4;1;?;2;#123\a\x1b]10;?;?\a", "\x1b[99999999999999999999;;;:::m\x1b[38:2:1:2:3:4:5m\x1b[38;5m",
		"\x1b[?1049h\x1b[?2026hab\x1b[?1049lcd\x1b[?2026l\x1bc", "a\u0600b\u0e33\u1100\u1161\u11a8\u0915\u094d\u0915",
	} {
		all = append(all, []byte(seed))
	}
	const piece, gap = 1 << 10, 16 << 10
	for _, stream := range recorded(f) {
		output := stream.Output()
		for from := 0; from < len(output); from += gap {
			all = append(all, output[from:min(from+piece, len(output))])
		}
	}
	return all
}

// fuzzSize makes a small grid from a byte; small ones have more borders.
func fuzzSize(b byte) (cols, rows int) { return 1 + int(b&15), 1 + int(b>>4) }

// FuzzWrite feeds the same bytes in one write and in pieces: the outcome has
// to be the same, the grid sound, and a viewer that got only the changes must
// have it all.
func FuzzWrite(f *testing.F) {
	for _, seed := range seeds(f) {
		f.Add(seed, byte(0x5a), byte(3), byte(0x37))
		f.Add(seed, byte(0x03), byte(1), byte(0x11))
	}
	f.Fuzz(func(t *testing.T, data []byte, size, piece, resized byte) {
		cols, rows := fuzzSize(size)
		now := time.Unix(1_800_000_000, 0)
		o := Options{Cols: cols, Rows: rows, HistoryLines: 20, HistoryBytes: 4096, Now: func() time.Time { return now }}
		whole, pieces := New(o), New(o)
		half := len(data) / 2
		_, _ = whole.Write(data[:half])
		whole.Resize(fuzzSize(resized))
		verify(t, whole)
		_, _ = whole.Write(data[half:])
		v := viewer{}
		feed := func(p []byte) {
			for len(p) > 0 {
				n := min(len(p), 1+int(piece&7))
				_, _ = pieces.Write(p[:n])
				p = p[n:]
				v.update(pieces)
			}
		}
		feed(data[:half])
		pieces.Resize(fuzzSize(resized))
		feed(data[half:])
		verify(t, whole)
		verify(t, pieces)
		v.update(pieces)
		if rows := grid(pieces.Frame(0)); !reflect.DeepEqual(rows, v.rows) {
			t.Fatalf("a viewer has\n%+v, not\n%+v", v.rows, rows)
		}
		if a, b := outcome(whole), outcome(pieces); a != b {
			t.Fatalf("in one write:\n%s\nin pieces:\n%s", a, b)
		}
		for _, size := range []byte{0x11, 0x2f, 0xf2, 0x5a} {
			whole.Resize(fuzzSize(size))
			verify(t, whole)
		}
	})
}

// outcome describes everything an owner gets from a screen.
func outcome(s *Screen) string {
	var b strings.Builder
	f := s.Frame(0)
	out := []any{f, past(s), string(s.Replies()), s.Events(), s.modes, s.mouse, s.pen, s.charsets, s.tabs}
	for _, v := range out {
		fmt.Fprintf(&b, "%+v\n", v)
	}
	return b.String()
}

// verify checks what must always hold.
func verify(t *testing.T, s *Screen) {
	t.Helper()
	if s.x < 0 || s.x >= s.cols || s.y < 0 || s.y >= s.rows {
		t.Fatalf("cursor %d,%d in %dx%d", s.x, s.y, s.cols, s.rows)
	}
	if s.top < 0 || s.top > s.bottom || s.bottom >= s.rows || s.left < 0 || s.left > s.right || s.right >= s.cols {
		t.Fatalf("margins %d-%d %d-%d in %dx%d", s.top, s.bottom, s.left, s.right, s.cols, s.rows)
	}
	for _, b := range []*buffer{&s.main, &s.alt} {
		if len(b.rows) != s.rows {
			t.Fatalf("%d rows of %d", len(b.rows), s.rows)
		}
		seen := map[*row]bool{}
		for y, r := range b.rows {
			if len(r.cells) != s.cols || seen[r] {
				t.Fatalf("row %d: %d cells of %d, twice %v", y, len(r.cells), s.cols, seen[r])
			}
			seen[r] = true
			sound(t, y, r.cells)
		}
	}
	bytes := 0
	for i := range s.history.n {
		r := s.history.at(i)
		bytes += len(r.cells)*cellBytes + pastRowBytes
		sound(t, i, r.cells)
	}
	if bytes != s.history.bytes || s.history.n > s.history.maxRows {
		t.Fatalf("history of %d rows holds %d bytes, counts %d", s.history.n, bytes, s.history.bytes)
	}
	f := s.Frame(0)
	for _, c := range f.Changed {
		width := 0
		for _, sp := range c.Row.Spans {
			width += sp.Width
		}
		if width > s.cols {
			t.Fatalf("row %d is %d wide", c.Y, width)
		}
	}
}

// sound checks that wide characters are whole.
func sound(t *testing.T, y int, cells []cell) {
	t.Helper()
	for x, c := range cells {
		wide := c.ch&chWide != 0
		tailNext := x+1 < len(cells) && cells[x+1].ch&chTail != 0
		if wide != tailNext {
			t.Fatalf("row %d column %d: wide %v, tail follows %v", y, x, wide, tailNext)
		}
	}
	if len(cells) > 0 && cells[0].ch&chTail != 0 {
		t.Fatalf("row %d starts with half a character", y)
	}
}

// FuzzEncode checks that no input makes bytes that end a paste early, and
// that keys never panic.
func FuzzEncode(f *testing.F) {
	f.Add([]byte("\x1b[>31u\x1b[?2004h"), int32('a'), byte(5), byte(0), "A", int32('A'), int32(0))
	f.Add([]byte("\x1b[?1003;1016h"), int32(session.KeyF1), byte(255), byte(1), "", int32(3), int32(-4))
	f.Add([]byte("\x1b[>4;2m\x1b="), int32(session.KeyKp0), byte(1), byte(2), "\x1b[201~x", int32(1<<30), int32(9))
	actions := []session.Action{session.ActionPress, session.ActionRepeat, session.ActionRelease, session.ActionMove, "?"}
	f.Fuzz(func(t *testing.T, setup []byte, code int32, mods, action byte, text string, x, y int32) {
		s := New(Options{Cols: 20, Rows: 5})
		_, _ = s.Write(setup)
		act := actions[int(action)%len(actions)]
		key := session.KeyEvent{
			Code: session.KeyCode(code), Mods: session.Mods(mods), Action: act, Text: text,
			Shifted: session.KeyCode(x), Base: session.KeyCode(y),
		}
		if out := s.Encode(session.Input{Key: &key}); len(out) > 64+16*len(text) {
			t.Fatalf("key makes %d bytes", len(out))
		}
		mouse := session.MouseEvent{
			Button: session.MouseButton(code), Action: act, X: int(x), Y: int(y), Mods: session.Mods(mods),
		}
		s.Encode(session.Input{Mouse: &mouse})
		paste := s.Encode(session.Input{Paste: &text})
		if s.modes.has(modePaste) && len(paste) > 0 {
			paste = bytes.TrimSuffix(bytes.TrimPrefix(paste, []byte("\x1b[200~")), []byte("\x1b[201~"))
		}
		if bytes.ContainsAny(paste, "\x1b\x03\x04\x00\n") {
			t.Fatalf("paste lets a control character through: %q", paste)
		}
	})
}

// TestIncrementalFrames plays the checks byte by byte to a viewer that only
// gets what changed, and compares with the whole picture.
func TestIncrementalFrames(t *testing.T) {
	file, err := os.Open("testdata/terminal-checks.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	s, _ := newTest(t, 20, 6)
	v := viewer{}
	for lines.Scan() {
		var c check
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		for _, raw := range c.Chunks {
			var text string
			if json.Unmarshal(raw, &text) != nil {
				continue
			}
			for i := range len(text) {
				write(s, text[i:i+1])
				before := v.version
				f := v.update(s)
				if before == v.version && len(f.Changed) > 0 && !f.Full {
					t.Fatalf("%s: rows changed, the version did not", c.Name)
				}
				full := s.Frame(0)
				if !reflect.DeepEqual(grid(full), v.rows) || full.Cursor != f.Cursor || full.Modes != f.Modes {
					t.Fatalf("%s: the viewer has\n%+v\nnot\n%+v", c.Name, v.rows, grid(full))
				}
			}
		}
	}
}
