package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/clipperhouse/displaywidth"
)

func (p Program) line(s string) error {
	_, err := fmt.Fprintln(p.Out, s)
	return err
}

// object prints one object as JSON.
func (p Program) object(v any) error {
	enc := json.NewEncoder(p.Out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// list prints items as a JSON array; none is an empty one.
func list[T any](p Program, items []T) error {
	if items == nil {
		items = []T{}
	}
	return p.object(items)
}

// table prints rows in columns under a head, or says that there are none.
func (p Program) table(none, head string, rows [][]string) error {
	if len(rows) == 0 {
		return p.line(none)
	}
	return p.columns(append([][]string{strings.Fields(head)}, rows...))
}

// columns prints rows in columns as wide as they need. A row of one cell is a
// line of its own.
func (p Program) columns(rows [][]string) error {
	var widths []int
	for _, r := range rows {
		for i, cell := range r {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			if len(r) > 1 {
				widths[i] = max(widths[i], displaywidth.String(cell))
			}
		}
	}
	var b strings.Builder
	for _, r := range rows {
		for i, cell := range r {
			b.WriteString(cell)
			if i < len(r)-1 {
				b.WriteString(strings.Repeat(" ", widths[i]-displaywidth.String(cell)+2))
			}
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(p.Out, b.String())
	return err
}

// age is a time as its distance from now, in one unit.
func age(at time.Time) string {
	d := time.Since(at)
	switch {
	case at.IsZero():
		return "-"
	case d < time.Minute:
		return fmt.Sprintf("%ds", max(int(d.Seconds()), 0))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	}
	return fmt.Sprintf("%dd", int(d.Hours()/24))
}
