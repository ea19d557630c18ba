//go:build xterm

package streams_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"aside/session/screen"
)

// randomCases is how many sequences of operations are compared, and each has
// up to randomLength of them.
const (
	randomCases  = 1000
	randomLength = 24
)

// formats are control functions; %d is a number that is small most of the
// time. Left out is where xterm goes its own way: 0 T, which resets its mouse;
// and reverse wrap (mode 45) from the first column of the first row.
var formats = strings.Fields(`
	[%dA [%dB [%dC [%dD [%dE [%dF [%dG [%d;%dH [%d;%df [%dd [%d` + "`" + ` [%da [%de
	[J [1J [2J [K [1K [2K [%dX [%dL [%dM [%d@ [%dP [%dS [1T [3T
	[%d;%dr [r [%d;%ds [?69h [?69l [?6h [?6l [?7h [?7l [4h [4l
	M D E H [g [3g [%dI [%dZ 7 8 6 9 [%d'} [%d'~
	(0 (B [%d;%d;%d;%d$z [65;%d;%d;%d;%d$x [%d;%d;%d;%d;1;%d;%d;1$v
	[?1049h [?1049l [?47h [?47l [1m [31;44m [m [!p #8
`)

// protections are further ones of which a sequence has only one kind: in xterm
// selective erasing spares what SPA protects, and after a plain one also what
// DECSCA does not protect any more.
var protections = [][]string{
	strings.Fields(`[?J [?1J [?2J [?K [?1K [?2K [%d;%d;%d;%d${`),
	{"V", "W", "V", "W"},
}

// texts are written between them. Wide characters are not among them: where one
// does not fit, xterm drops it or leaves what was in the last column.
var texts = []string{
	"a", "bc", "hello", "word word", "0123456789012345678901234567890", "\r", "\n", "\r\n", "\b", "\t", "\v", "\f", "\x0e", "\x0f", "é", "─", "xy\x1b[5b",
}

func operation(random *rand.Rand, formats []string) string {
	if random.IntN(3) == 0 {
		return texts[random.IntN(len(texts))]
	}
	format := "\x1b" + formats[random.IntN(len(formats))]
	var numbers []any
	for range strings.Count(format, "%d") {
		n := random.IntN(10)
		if random.IntN(12) == 0 {
			n = []int{0, 20, 21, 99, 65535}[random.IntN(5)]
		}
		numbers = append(numbers, n)
	}
	return fmt.Sprintf(format, numbers...)
}

// Whatever control functions come in whatever order, the rows and the cursor
// are those of xterm.
func TestRandomOutputEndsInTheRowsOfXterm(t *testing.T) {
	const cols, rows = 20, 8
	x := newXterm(t, xserver(t), cols, rows)
	x.resize(cols, rows)
	differs := func(operations []string) string {
		output := strings.Join(operations, "")
		s := screen.New(screen.Options{Cols: cols, Rows: rows, HistoryLines: 100})
		_, _ = s.Write([]byte(output)) // it never fails
		// RIS of xterm leaves the alternate screen as it is.
		x.ask("\x1bc\x1b[?47h\x1b[2J\x1b[H\x1b7\x1b[?47l\x1bc")
		x.ask(output)
		x.ask("\x1b[?19h") // print the whole page, not the scrolling region
		got, want := ours(s), x.page()
		got.title, want.title = "", ""
		// CPR counts from the origin that the program has set (mode 6).
		if slices.Equal(got.rows, want.rows) && (got.cursor == want.cursor || strings.Contains(output, "[?6h")) {
			return ""
		}
		return fmt.Sprintf("cursor %v\n%s\nin xterm %v\n%s", got.cursor, strings.Join(got.rows, "|\n"), want.cursor, strings.Join(want.rows, "|\n"))
	}
	random := rand.New(rand.NewPCG(7, 8))
	for n := range randomCases {
		operations := make([]string, 1+random.IntN(randomLength))
		formats := append(protections[n%len(protections)], formats...)
		for i := range operations {
			operations[i] = operation(random, formats)
		}
		if differs(operations) == "" {
			continue
		}
		for i := 0; i < len(operations); { // without what does not matter
			fewer := slices.Delete(slices.Clone(operations), i, i+1)
			if differs(fewer) != "" {
				operations = fewer
			} else {
				i++
			}
		}
		t.Errorf("case %d: %q: %s", n, operations, differs(operations))
	}
}
