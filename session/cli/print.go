package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"
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

// table prints rows in columns, or says that there are none.
func (p Program) table(none, head string, rows [][]string) error {
	if len(rows) == 0 {
		return p.line(none)
	}
	w := tabwriter.NewWriter(p.Out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, strings.ReplaceAll(head, " ", "\t")) // a fault shows at Flush
	for _, r := range rows {
		_, _ = fmt.Fprintln(w, strings.Join(r, "\t"))
	}
	return w.Flush()
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
