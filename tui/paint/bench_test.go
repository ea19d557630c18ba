package paint_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"aside/tui/cells"
	"aside/tui/paint"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
)

// picture is a window of 300x80 as an agent at work fills it. What rows says
// differs from step to step.
func picture(step, rows int) tea.View {
	var b strings.Builder
	for y := range 80 {
		n := 0
		if y < rows {
			n = step
		}
		line := fmt.Sprintf("\x1b[1m threads %2d\x1b[m      \x1b[2m│\x1b[m\x1b[0;38;5;%dm● working\x1b[m on \x1b[0;38;2;200;%d;90msettings/load.go\x1b[m line %4d %s",
			y, 100+n%50, n%200, n, strings.Repeat("and so on ", 20))
		b.WriteString(cells.Fit(line, 300))
		if y < 79 {
			b.WriteByte('\n')
		}
	}
	return tea.View{Content: b.String(), Cursor: &tea.Cursor{Position: tea.Position{X: 30, Y: 40}}}
}

// BenchmarkFrame is what a frame costs of which one row or every row changed:
// through a Painter, and through the cells that Bubble Tea's renderer makes of
// it, which does the same for both.
func BenchmarkFrame(b *testing.B) {
	for name, rows := range map[string]int{"one row": 1, "all rows": 80} {
		var steps []tea.View
		for i := range 16 {
			steps = append(steps, picture(i*7, rows))
		}
		b.Run("painter/"+name, func(b *testing.B) {
			var p paint.Painter
			p.Resize(300, 80)
			p.Paint(steps[0])
			written := 0
			for i := 1; b.Loop(); i++ {
				written += len(p.Paint(steps[i%len(steps)]))
			}
			b.ReportMetric(float64(written)/float64(b.N), "B-written/op")
		})
		b.Run("cells/"+name, func(b *testing.B) {
			var out bytes.Buffer
			scr := uv.NewTerminalRenderer(&out, []string{"TERM=xterm-256color"})
			scr.SetColorProfile(colorprofile.TrueColor)
			scr.SetFullscreen(true)
			grid := uv.NewScreenBuffer(300, 80)
			written := 0
			for i := 0; b.Loop(); i++ {
				grid.Clear()
				uv.NewStyledString(steps[i%len(steps)].Content).Draw(grid, grid.Bounds())
				scr.Render(grid.RenderBuffer)
				if err := scr.Flush(); err != nil {
					b.Fatal(err)
				}
				written += out.Len()
				out.Reset()
			}
			b.ReportMetric(float64(written)/float64(b.N), "B-written/op")
		})
	}
}
