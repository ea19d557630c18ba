package transcript

import (
	"fmt"
	"strings"
	"testing"
)

type item struct {
	key   string
	rev   uint64
	lines int
	drawn *int
}

func (i item) Key() string     { return i.key }
func (i item) Version() uint64 { return i.rev }
func (i item) Draw(int) Block {
	*i.drawn++
	var b Block
	for n := range i.lines {
		b.Lines = append(b.Lines, fmt.Sprintf("%s.%d", i.key, n))
	}
	return b
}

func items(from, to, lines int, drawn *int) []Item {
	var out []Item
	for i := from; i < to; i++ {
		out = append(out, item{key: fmt.Sprint(i), lines: lines, drawn: drawn})
	}
	return out
}

func seen(l *List) string { return strings.Join(l.Lines(nil), " ") }

func TestListFollowsItsEndUntilScrolled(t *testing.T) {
	n := 0
	l := NewList()
	l.SetItems(items(0, 5, 2, &n), true)
	l.SetSize(10, 4)
	if got := seen(l); got != "3.0 3.1 4.0 4.1" {
		t.Fatalf("seen %q", got)
	}
	l.SetItems(items(0, 6, 2, &n), true)
	if got := seen(l); got != "4.0 4.1 5.0 5.1" {
		t.Fatalf("after one more: %q", got)
	}
	l.Scroll(3)
	if got := seen(l); got != "2.1 3.0 3.1 4.0" || l.Following() {
		t.Fatalf("scrolled: %q", got)
	}
	l.SetItems(items(0, 9, 2, &n), true)
	if got := seen(l); got != "2.1 3.0 3.1 4.0" {
		t.Fatalf("scrolled and three more: %q", got)
	}
	l.SetItems(items(-3, 9, 2, &n), true)
	if got := seen(l); got != "2.1 3.0 3.1 4.0" {
		t.Fatalf("with older ones before: %q", got)
	}
	l.Scroll(-100)
	if got := seen(l); got != "7.0 7.1 8.0 8.1" || !l.Following() {
		t.Fatalf("at the end: %q", got)
	}
	l.First()
	if got := seen(l); got != "-3.0 -3.1 -2.0 -2.1" {
		t.Fatalf("at the beginning: %q", got)
	}
}

func TestListDoesNotFollowAnEndThatIsNotTheLast(t *testing.T) {
	n := 0
	l := NewList()
	l.SetSize(10, 4)
	l.SetItems(items(0, 5, 2, &n), true)
	l.SetItems(items(0, 5, 2, &n), false)
	l.Follow()
	l.Scroll(-3)
	if got := seen(l); got != "3.0 3.1 4.0 4.1" || l.Following() {
		t.Fatalf("seen %q, following %v", got, l.Following())
	}
	l.SetItems(items(0, 8, 2, &n), false)
	if got := seen(l); got != "3.0 3.1 4.0 4.1" {
		t.Fatalf("with more below: %q", got)
	}
	l.SetItems(items(0, 8, 2, &n), true)
	l.Scroll(-20)
	if got := seen(l); got != "6.0 6.1 7.0 7.1" || !l.Following() {
		t.Fatalf("at the last end: %q", got)
	}
	l.SetItems(items(0, 9, 2, &n), false)
	if got := seen(l); got != "6.0 6.1 7.0 7.1" || l.Following() {
		t.Fatalf("an end that is the last no more is followed: %q", got)
	}
}

func TestRevealScrollsAsLittleAsItTakes(t *testing.T) {
	n := 0
	l := NewList()
	l.SetItems(items(0, 20, 3, &n), true)
	l.SetSize(10, 7)
	l.First()
	l.Reveal(1)
	if got := seen(l); !strings.HasPrefix(got, "0.0") {
		t.Errorf("a visible item moved the list: %q", got)
	}
	l.Reveal(2)
	if got := seen(l); !strings.HasSuffix(got, "2.2") || strings.HasPrefix(got, "0.0 ") {
		t.Errorf("seen %q", got)
	}
	l.Reveal(15)
	if got := seen(l); !strings.Contains(got, "15.0 15.1 15.2") {
		t.Errorf("seen %q", got)
	}
	l.Reveal(4)
	if got := seen(l); !strings.HasPrefix(got, "4.0") {
		t.Errorf("seen %q", got)
	}
	if i, line, ok := l.At(4); !ok || i != 5 || line != 1 {
		t.Errorf("At(4) = %d, %d, %v", i, line, ok)
	}
}

func TestShortListsAndNoItems(t *testing.T) {
	n := 0
	l := NewList()
	l.SetSize(3, 2)
	if got := l.Lines(nil); len(got) != 2 || got[0] != "   " {
		t.Errorf("lines = %q", got)
	}
	l.SetItems(items(0, 1, 1, &n), true)
	l.Scroll(5)
	l.Scroll(-5)
	if got := l.Lines(nil); got[0] != "0.0" || len(got) != 2 {
		t.Errorf("lines = %q", got)
	}
	if _, _, ok := l.At(1); ok {
		t.Error("there is an item below the last")
	}
	l.SetItems(nil, true)
	l.Lines(nil)
}

func TestOnlyTheVisibleIsDrawn(t *testing.T) {
	n := 0
	l := NewList()
	l.SetItems(items(0, 10_000, 3, &n), true)
	l.SetSize(10, 30)
	l.Lines(nil)
	if n > 20 {
		t.Errorf("%d items were drawn to show 10", n)
	}
	before := n
	l.Lines(nil)
	l.Scroll(3)
	l.Lines(nil)
	if n-before > 3 {
		t.Errorf("%d items were drawn to scroll by one", n-before)
	}
	before = n
	its := items(0, 10_000, 3, &n)
	its[9999] = item{key: "9999", rev: 1, lines: 3, drawn: &n}
	l.SetItems(its, true)
	l.Follow()
	l.Lines(nil)
	if n-before != 1 {
		t.Errorf("%d items were drawn for one that changed", n-before)
	}
}

func BenchmarkScrollTenThousand(b *testing.B) {
	n := 0
	l := NewList()
	l.SetItems(items(0, 10_000, 3, &n), true)
	l.SetSize(80, 50)
	var dst []string
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i%20_000 == 0 {
			l.Follow()
		}
		l.Scroll(1)
		dst = l.Lines(dst[:0])
	}
}
