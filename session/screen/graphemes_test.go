package screen

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/clipperhouse/displaywidth"
	"github.com/clipperhouse/uax29/v2/graphemes"
)

// cellTexts returns the glyphs of row 0.
func cellTexts(s *Screen) (texts []string) {
	for _, c := range s.buf.rows[0].cells {
		if c.ch != 0 && c.ch&(chTail|chFiller) == 0 {
			texts = append(texts, string(s.appendGlyph(nil, c.ch)))
		}
	}
	return texts
}

// Text that starts with a letter splits into cells as UAX #29 says, whichever
// code points follow.
func TestClustersAreThoseOfUnicode(t *testing.T) {
	alphabet := []rune{
		'a', 'e', '1', '#', 0x300, 0x301, 0x200d, 0xfe0f, 0xfe0e, 0x20e3, 0x1f468, 0x1f469, 0x2764, 0x1f3fd, 0x1f1ef, 0x1f1f5,
		0x1100, 0x1161, 0x11a8, 0xac00, 0xac01, 0x915, 0x94d, 0x93c, 0x937, 0x903, 0xe33, 0x600, 0x4e16, 0x200c, 'é', 0x1f600,
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		text := []rune{'a'}
		for range 1 + random.IntN(7) {
			text = append(text, alphabet[random.IntN(len(alphabet))])
		}
		var want []string
		for it := graphemes.FromString(string(text)); it.Next(); {
			// A vowel or tail jamo on its own and the like have no width.
			if displaywidth.String(it.Value()) > 0 || it.Value()[0] == 0xd8 {
				want = append(want, it.Value())
			}
		}
		s := New(Options{Cols: 40, Rows: 2})
		write(s, string(text))
		if got := cellTexts(s); !slices.Equal(got, want) {
			t.Fatalf("%+q became %+q, want %+q", string(text), got, want)
		}
	}
}

func TestWidths(t *testing.T) {
	for text, want := range map[string]int{
		"a": 1, "é": 1, "世": 2, "🚀": 2, "👨‍👩‍👧": 2, "🇯🇵": 2, "❤️": 2, "❤": 1, "1️⃣": 2, "👍🏽": 2, "각": 2, "क्ष": 1, "─": 1, "\ue0b0": 1, "a\ufe0f": 1,
	} {
		s := New(Options{Cols: 40, Rows: 2})
		write(s, text+"x")
		if got := s.Frame(0).Cursor.X - 1; got != want {
			t.Errorf("%+q takes %d columns, want %d", text, got, want)
		}
	}
}

func TestClusterGrowsInTheLastColumn(t *testing.T) {
	s, _ := newTest(t, 4, 3)
	write(s, "abce\u0301")
	if got := s.Text(); got != "abc\ne\u0301" && got != "abce\u0301" {
		t.Fatalf("text %q", got)
	}
	write(s, "\x1b[2J\x1b[Habce")
	write(s, "\u0301")
	write(s, "x")
	if got := s.Text(); got != "abce\u0301\nx" {
		t.Errorf("a mark on the last column: %q", got)
	}
	write(s, "\x1b[2J\x1b[Habc❤")
	write(s, "\ufe0fx")
	if got := s.Text(); got != "abc\n❤\ufe0fx" {
		t.Errorf("an emoji that became wide there: %q", got)
	}
	verify(t, s)
}

func TestClusterEndsWithTheCursorMoved(t *testing.T) {
	s, _ := newTest(t, 10, 3)
	write(s, "\U0001F1EF\x1b[1;5H\U0001F1F5")
	if got := s.Text(); got != "\U0001F1EF  \U0001F1F5" {
		t.Errorf("text %+q", got)
	}
	write(s, "\x1b[2;1He\x1b[31m\u0301")
	if got := grid(s.Frame(0))[1].Text(); got != "e\u0301" {
		t.Errorf("a mark after a change of colour: %+q", got)
	}
}

func TestClusterIsBounded(t *testing.T) {
	s, _ := newTest(t, 10, 2)
	write(s, "e")
	for range 1000 {
		write(s, "\u0301")
	}
	write(s, "x")
	if got := len(s.Text()); got > maxCluster+1 {
		t.Errorf("%d bytes", got)
	}
	if x := s.Frame(0).Cursor.X; x != 2 {
		t.Errorf("cursor in column %d", x)
	}
}

func TestBrokenUTF8(t *testing.T) {
	for in, want := range map[string]string{
		"a\xe4\xb8b":              "a\ufffdb",
		"a\xe4\xb8\x1b[31mb":      "a\ufffdb",
		"a\x80\x9bb":              "a\ufffd\ufffdb",
		"a\xf0\x9f\x9a\xe4b":      "a\ufffd\ufffdb",
		"a\xc0\xafb":              "a\ufffd\ufffdb",
		"a\xed\xa0\x80b":          "a\ufffd\ufffd\ufffdb",
		"a\xf4\x90\x80\x80b":      "a\ufffd\ufffd\ufffd\ufffdb",
		"a\xffb":                  "a\ufffdb",
		"a\xc2\x9bb\u200bc\u00ad": "abc",
	} {
		s, _ := newTest(t, 20, 2)
		write(s, in)
		if got := s.Text(); got != want {
			t.Errorf("%q shows %+q, want %+q", in, got, want)
		}
	}
}
