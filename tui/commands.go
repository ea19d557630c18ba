package tui

import (
	"cmp"
	"slices"
	"strings"

	"aside/session"
	"aside/tui/cells"
	"aside/tui/composer"
	"aside/tui/intent"
	"aside/tui/palette"

	tea "charm.land/bubbletea/v2"
)

// pickHead is how many lines are above a list to pick from, and pickIndent the
// column at which its field begins.
const (
	pickHead   = 2
	pickIndent = 1
)

// picking is a field, and the list of what it finds, one row of it chosen.
type picking struct {
	field  *composer.Field
	chosen int
}

func newPicking(placeholder string) picking {
	p := picking{field: composer.New(placeholder, 1)}
	p.field.Focus()
	return p
}

func (p *picking) text() string { return session.CleanLine(p.field.Text()) }

// move chooses another of n rows, and reports whether that was wanted.
func (p *picking) move(do intent.Intent, n, pageful int) bool {
	switch do {
	case intent.Up:
		p.chosen--
	case intent.Down:
		p.chosen++
	case intent.PageUp:
		p.chosen -= pageful
	case intent.PageDown:
		p.chosen += pageful
	default:
		return false
	}
	p.chosen = max(0, min(p.chosen, n-1))
	return true
}

// head is the field with what is said, and what can be done and clicked.
func (m *Model) pickHead(p *picking, w int, say string, hints ...hint) ([]string, []intent.Zone) {
	if say != "" {
		say += "  "
	}
	right, zones := m.hintRow(say, "  ", append(hints, hint{"esc", "leave", intent.Back}))
	room := max(8, w-pickIndent-cells.Width(right)-2)
	p.field.SetWidth(room)
	line := strings.Repeat(" ", pickIndent) + p.field.Lines(room)[0] + " "
	for i := range zones {
		zones[i].X += cells.Width(line)
	}
	return []string{cells.Fit(line+right, w), ""}, zones
}

// command is something that can be done now: an intent, or a thread to open.
type command struct {
	says   string
	right  string // its key, or how the thread is doing
	scope  intent.Scope
	do     intent.Intent
	thread session.ThreadID
	score  int
	marks  []palette.Span
}

// openPalette shows all that can be done, to be found by its words.
func (m *Model) openPalette() {
	m.without(intent.ScopeSearch)
	p := newPicking("What is to be done?")
	m.palette = &p
	m.push(intent.ScopePalette)
}

// onPalette acts on the list of commands.
func (m *Model) onPalette(do intent.Intent) tea.Cmd {
	if m.palette == nil {
		m.without(intent.ScopePalette)
		return nil
	}
	commands := m.commands()
	switch {
	case m.palette.move(do, len(commands), max(1, m.layout().body.h-pickHead-1)):
	case do == intent.Back:
		m.closePalette()
	case do == intent.Send && m.palette.chosen < len(commands):
		return m.run(commands[m.palette.chosen])
	}
	return nil
}

func (m *Model) closePalette() {
	m.palette = nil
	m.without(intent.ScopePalette)
}

// run does a command where the palette was opened.
func (m *Model) run(c command) tea.Cmd {
	m.closePalette()
	if c.thread != "" {
		return m.open(c.thread)
	}
	return m.act(c.scope, c.do)
}

// commands are those that the words of the field are in, the best first: what
// the keys do where the palette was opened, what they do after the leader, and
// the threads.
func (m *Model) commands() []command {
	words := m.palette.text()
	var out []command
	add := func(c command) {
		var ok bool
		if c.score, c.marks, ok = palette.Match(words, c.says); ok {
			out = append(out, c)
		}
	}
	seen := map[intent.Intent]bool{}
	scopes := m.commandScopes()
	for _, b := range slices.Concat(intent.For(scopes...), m.ofTranscript(), m.ofPanes()) {
		if seen[b.Do] || !m.applies(b.Scope, b.Do) {
			continue
		}
		seen[b.Do] = true
		key, _, _ := strings.Cut(b.Keys, " ")
		switch {
		case b.Scope == intent.ScopeLeader:
			key = m.o.Leader + " " + key
		case b.Scope == intent.ScopePanes:
			key = m.o.Leader + " w " + key
		case !slices.Contains(scopes, b.Scope):
			key = m.o.Leader + " h " + key
		}
		add(command{says: b.Sentence, right: key, scope: b.Scope, do: b.Do})
	}
	for i := range m.threads {
		t := &m.threads[i]
		if t.ID == m.current || t.Archived {
			continue
		}
		c := command{says: "open " + session.CleanLine(t.Title), right: m.stateOf(*t), thread: t.ID}
		if t.Project != m.b.Project() {
			c.right = session.CleanLine(m.threadList.labels[t.Project]) + " · " + c.right
		}
		add(c)
	}
	slices.SortStableFunc(out, func(a, b command) int { return cmp.Compare(b.score, a.score) })
	return out
}

// ofTranscript are the keys of the transcript that make sense while it is not
// looked at: what they do is done to all of it.
func (m *Model) ofTranscript() []intent.Binding {
	if m.current == "" {
		return nil
	}
	return slices.DeleteFunc(intent.For(intent.ScopeTranscript), func(b intent.Binding) bool {
		return b.Scope != intent.ScopeTranscript || b.Do != intent.Filter && b.Do != intent.CopyAnswer && b.Do != intent.Export
	})
}

// ofPanes are the keys of the panes that do something to the focused one, or
// open another.
func (m *Model) ofPanes() []intent.Binding {
	return slices.DeleteFunc(intent.For(intent.ScopePanes), func(b intent.Binding) bool {
		return b.Scope != intent.ScopePanes || !m.appliesToPane(b.Do)
	})
}

// appliesToPane says that an intent has something to act on in the panes of
// the current thread.
func (m *Model) appliesToPane(do intent.Intent) bool {
	t, ok := m.thread(m.current)
	if !ok || !t.Live {
		return false
	}
	switch do {
	case intent.OpenTab, intent.SplitRight, intent.SplitDown, intent.Panes:
		return true
	case intent.Zoom:
		l := m.pageFor(m.current).layout
		return l.Tabs[l.Shown].Root.Pane == ""
	case intent.ClosePane, intent.RenamePane:
		return m.pane().id != session.PaneAgent
	}
	return false // mere movement
}

// commandScopes are where the palette was opened, from the top down. What is
// answered is left out: an answer is given where the question is seen.
func (m *Model) commandScopes() []intent.Scope {
	var scopes []intent.Scope
	for i := len(m.focus) - 1; i >= 0; i-- {
		s := m.focus[i]
		if s == intent.ScopePalette {
			continue
		}
		if !offersCommands(s) {
			break
		}
		if scopes = append(scopes, s); !s.FallsThrough() {
			break
		}
	}
	return scopes
}

// offersCommands says that what is done in a scope can be named elsewhere.
func offersCommands(s intent.Scope) bool {
	switch s {
	case intent.ScopeSidebar, intent.ScopeTranscript, intent.ScopeCard, intent.ScopeComposer, intent.ScopeOffers,
		intent.ScopeEdit, intent.ScopeChoose, intent.ScopeHistory, intent.ScopeNew, intent.ScopeReview:
		return true
	}
	return false
}

// applies says that an intent is worth a row: it is no mere movement, and
// there is something for it to act on.
func (m *Model) applies(scope intent.Scope, do intent.Intent) bool {
	switch do {
	case intent.Up, intent.Down, intent.PageUp, intent.PageDown, intent.Top, intent.Bottom, intent.Next, intent.Previous,
		intent.Left, intent.Right, intent.Back, intent.Newline, intent.Answer, intent.Open, intent.Palette:
		return false
	case intent.Panes, intent.OpenTab, intent.SplitRight, intent.SplitDown, intent.Zoom, intent.ClosePane, intent.RenamePane,
		intent.PaneLeft, intent.PaneRight:
		return m.appliesToPane(do)
	case intent.Cancel:
		return scope != intent.ScopeLeader || m.slowWork(true) != nil
	case intent.NextThread, intent.PrevThread:
		return len(m.threadList.index) > 1
	case intent.Bar:
		_, ok := m.decision()
		return ok
	case intent.Card:
		_, ok := m.card()
		return ok
	case intent.History, intent.Select, intent.Links:
		return m.current != "" && m.layout().term.w > 0
	case intent.From, intent.Rename, intent.Remove, intent.Archive, intent.Stop, intent.Resume, intent.CycleView, intent.Main, intent.Transcript, intent.Composer, intent.Review:
		id := m.current
		if scope == intent.ScopeSidebar {
			id = m.chosen
		}
		t, ok := m.thread(id)
		return ok && m.fits(t, do)
	}
	return true
}

// fits says that an intent makes sense for a thread as it is.
func (m *Model) fits(t session.Thread, do intent.Intent) bool {
	switch do {
	case intent.From:
		return m.lineage(t) != ""
	case intent.Stop:
		return t.Live // its helper may still host shell panes
	case intent.Resume:
		return !agentRuns(t)
	}
	return true // archiving too: why an agent at work is not archived is said
}

// paletteLines are the field and the commands, and the row of each line.
func (m *Model) paletteLines(r rect) ([]string, []int, []intent.Zone) {
	if m.palette == nil {
		return nil, nil, nil
	}
	commands := m.commands()
	lines, hints := m.pickHead(m.palette, r.w, "", hint{"enter", "do it", intent.Send})
	l := palette.List{Chosen: m.palette.chosen}
	for _, c := range commands {
		l.Rows = append(l.Rows, palette.Row{Title: c.says, Marks: c.marks, Right: c.right})
	}
	if len(commands) == 0 {
		return append(lines, "  "+m.th.Dim.Paint("nothing that can be done now says so")), nil, hints
	}
	rows, targets := l.Draw(m.th, r.w, r.h-pickHead)
	return append(lines, rows...), targets, hints
}

// clickPick does what a row of the palette or of the search says.
func (m *Model) clickPick(ms tea.Mouse, l layout) tea.Cmd {
	_, targets, _ := m.pickLines(l.body)
	y := ms.Y - l.body.y - pickHead
	if y < 0 || y >= len(targets) {
		return nil
	}
	if m.top() == intent.ScopePalette {
		m.palette.chosen = targets[y]
		return m.onPalette(intent.Send)
	}
	m.search.chosen = targets[y]
	return m.onSearch(intent.Send)
}

// picks says that a list to pick from is on top.
func (m *Model) picks() bool {
	return m.top() == intent.ScopePalette && m.palette != nil || m.top() == intent.ScopeSearch && m.search != nil
}

// pickLines are the lines of the list to pick from that is on top, the row of
// each, and what else can be clicked.
func (m *Model) pickLines(r rect) ([]string, []int, []intent.Zone) {
	if m.has(intent.ScopePalette) {
		return m.paletteLines(r)
	}
	return m.searchLines(r)
}

// pickField is the field of the list to pick from that is on top.
func (m *Model) pickField() *composer.Field {
	switch {
	case !m.picks():
		return nil
	case m.top() == intent.ScopePalette:
		return m.palette.field
	}
	return m.search.field
}

// picked follows what is written in the field of a list to pick from.
func (m *Model) picked() tea.Cmd {
	if m.top() == intent.ScopePalette {
		m.palette.chosen = 0
		return nil
	}
	return m.lookUp()
}

// wheelPick chooses another row.
func (m *Model) wheelPick(by int) {
	do := intent.Up
	if by < 0 {
		do = intent.Down
	}
	m.act(m.top(), do)
}
