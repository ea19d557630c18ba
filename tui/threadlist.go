package tui

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"aside/session"
	"aside/tui/composer"
	"aside/tui/intent"
	"aside/tui/sidebar"
)

// threadList is the list of threads: its rows in their order, and how the
// person has set it. While it has the focus the order stays as it is, so that
// no row moves under a key that is being pressed; new rows come to the end of
// their group, and one that has gone leaves no row behind that a key would
// then act on.
type threadList struct {
	rows    []listRow // the gone ones too
	shown   []listRow // those that are there
	heights []int     // of the shown ones
	index   map[session.ThreadID]int
	labels  map[string]string // the names of the projects
	waiting int               // threads that need the person

	current session.ThreadID // that the rows were made for

	stale bool // the rows must be made anew
	anew  bool // and their order, though the list has the focus
	held  bool // the order is kept
	wide  bool // rows may be tall
	top   int  // the first of shown that is seen
	eyed  eyed

	archived bool            // archived threads are shown
	field    *composer.Field // of the filter, while it is written
	words    string          // of the filter
}

// listRow is a thread in the list, or the heading of a group.
type listRow struct {
	thread  session.ThreadID // "" is a heading
	group   int
	heading string // of the group
	live    bool   // it runs, or needs the person
	gone    bool
}

// eyed is what the list was scrolled for last.
type eyed struct {
	at         session.ThreadID
	room, rows int
	wide, held bool
}

// The groups: the project's own threads, its archived ones, and those of other
// projects from groupOthers on.
const (
	groupOwn = iota
	groupArchived
	groupOthers
)

// tallLeast is the width from which on rows have a second line.
const tallLeast = 30

// placed is a thread and its place in the list.
type placed struct {
	*session.Thread
	group, rank int
}

// listed puts threads in the order of the list: the project's own, its archived
// ones, and those of other projects by their folders; in each group what needs
// the person, then what is live, both the newest first, then the rest by its
// last change.
func listed(threads []session.Thread, project string, needs func(session.Thread) bool) []placed {
	var others []string
	for i := range threads {
		if p := threads[i].Project; p != project && !slices.Contains(others, p) {
			others = append(others, p)
		}
	}
	slices.Sort(others)
	all := make([]placed, 0, len(threads))
	for i := range threads {
		p := placed{Thread: &threads[i]}
		switch {
		case p.Project != project:
			p.group = groupOthers + slices.Index(others, p.Project)
		case p.Archived:
			p.group = groupArchived
		}
		switch {
		case needs(*p.Thread):
		case p.Live:
			p.rank = 1
		default:
			p.rank = 2
		}
		all = append(all, p)
	}
	slices.SortStableFunc(all, func(a, b placed) int {
		at, bt := a.CreatedAt, b.CreatedAt
		if a.rank == 2 {
			at, bt = changedAt(*a.Thread), changedAt(*b.Thread)
		}
		return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.rank, b.rank), bt.Compare(at))
	})
	return all
}

// changedAt is when a thread's state last changed, or zero when it is not
// known.
func changedAt(t session.Thread) time.Time {
	if t.StateAt.After(t.CreatedAt) {
		return t.StateAt
	}
	return t.CreatedAt
}

// opening returns the thread that a screen opens on: one of the project that
// needs the person, else the one shown last, else the first of the list.
func opening(threads []session.Thread, project string, last session.ThreadID) session.ThreadID {
	all := listed(threads, project, func(t session.Thread) bool { return t.NeedsYou })
	if len(all) == 0 || all[0].group != groupOwn {
		return ""
	}
	if !all[0].NeedsYou && slices.ContainsFunc(all, func(p placed) bool { return p.ID == last && p.group == groupOwn }) {
		return last
	}
	return all[0].ID
}

// arrange makes the rows anew, if something has changed that they hang on.
func (m *Model) arrange() {
	l := &m.threadList
	focused := m.has(intent.ScopeSidebar)
	if !focused && l.held {
		l.field, l.words = nil, ""
		l.stale = true
	}
	if l.stale = l.stale || l.current != m.current; !l.stale {
		l.held = focused
		return
	}
	rows := m.wanted()
	if focused && l.held && !l.anew {
		rows = hold(l.rows, rows)
	}
	l.rows, l.current, l.stale, l.anew, l.held = rows, m.current, false, false, focused
	m.layOut()
}

// wanted are the rows as they would be without regard to those there are.
func (m *Model) wanted() []listRow {
	l := &m.threadList
	m.nameProjects()
	l.waiting = 0
	var rows []listRow
	for _, p := range listed(m.threads, m.b.Project(), m.needs) {
		if p.rank == 0 {
			l.waiting++
		}
		if p.Archived && !l.archived && p.ID != m.current || !m.filterLets(*p.Thread) {
			continue
		}
		heading := ""
		switch p.group {
		case groupOwn:
		case groupArchived:
			heading = "archived"
		default:
			heading = l.labels[p.Project]
		}
		rows = append(rows, listRow{thread: p.ID, group: p.group, heading: heading, live: p.rank < 2})
	}
	return rows
}

// hold returns the rows in the order that they have, with those that are new
// at the end of their groups.
func hold(rows, wanted []listRow) []listRow {
	now := make(map[session.ThreadID]listRow, len(wanted))
	for _, r := range wanted {
		now[r.thread] = r
	}
	known := make(map[session.ThreadID]bool, len(rows))
	out := make([]listRow, 0, len(rows)+1)
	for _, r := range rows {
		known[r.thread] = true
		_, there := now[r.thread]
		r.gone = !there
		out = append(out, r)
	}
	for _, r := range wanted {
		if known[r.thread] {
			continue
		}
		at := len(out)
		for i, o := range out {
			if o.group > r.group {
				at = i
				break
			}
		}
		out = slices.Insert(out, at, r)
	}
	return out
}

// layOut puts the headings between the rows that are there, and notes where
// each is.
func (m *Model) layOut() {
	l := &m.threadList
	l.shown, l.heights = l.shown[:0], l.heights[:0]
	l.index = make(map[session.ThreadID]int, len(l.rows))
	l.wide = m.sideWidth() >= tallLeast
	group := groupOwn
	for _, r := range l.rows {
		if r.gone {
			continue
		}
		if r.group != group {
			group = r.group
			l.shown, l.heights = append(l.shown, listRow{group: group, heading: r.heading}), append(l.heights, 1)
		}
		l.index[r.thread] = len(l.shown)
		l.shown, l.heights = append(l.shown, r), append(l.heights, m.height(r))
	}
}

// height is how many lines a row takes.
func (m *Model) height(r listRow) int {
	t, _ := m.thread(r.thread)
	return sidebar.Row{Tall: m.tall(r, t)}.Height()
}

// tall says that a row has a second line.
func (m *Model) tall(r listRow, t session.Thread) bool {
	return m.threadList.wide && r.live && place(t.Checkout) != ""
}

// nameProjects names each project by its folder, with the one above it where
// two have the same name.
func (m *Model) nameProjects() {
	folders := map[string]bool{m.b.Project(): true}
	for i := range m.threads {
		folders[m.threads[i].Project] = true
	}
	count := map[string]int{}
	for f := range folders {
		count[filepath.Base(f)]++
	}
	labels := make(map[string]string, len(folders))
	for f := range folders {
		labels[f] = filepath.Base(f)
		if count[labels[f]] > 1 {
			labels[f] = filepath.Join(filepath.Base(filepath.Dir(f)), labels[f])
		}
	}
	m.threadList.labels = labels
}

// filterLets says that a thread has every word of the filter.
func (m *Model) filterLets(t session.Thread) bool {
	words := m.threadList.words
	if words == "" {
		return true
	}
	text := strings.ToLower(strings.Join([]string{
		t.Title, t.Checkout.Branch, m.threadList.labels[t.Project], t.Agent, m.stateOf(t),
	}, "\n"))
	for word := range strings.FieldsSeq(strings.ToLower(words)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// scrollList brings the row that the list is about into sight when it is
// another one now, or the list has changed around it.
func (m *Model) scrollList() {
	l := &m.threadList
	if wide := m.sideWidth() >= tallLeast; wide != l.wide {
		m.layOut()
	}
	now := eyed{at: m.current, room: m.sidebar().Room(m.h), rows: len(l.shown), wide: l.wide, held: l.held}
	if l.held {
		now.at = m.chosen
	}
	if now == l.eyed {
		return
	}
	l.eyed = now
	at, ok := l.index[now.at]
	if !ok {
		at = -1
	}
	l.top, _ = sidebar.Window(l.heights, l.top, at, now.room)
}

// wheelList scrolls the list.
func (m *Model) wheelList(by int) {
	l := &m.threadList
	room := m.sidebar().Room(m.h)
	l.top, _ = sidebar.Window(l.heights, max(0, l.top+by), -1, room)
}

// seenRows are the rows that are in sight.
func (m *Model) seenRows() []listRow {
	l := &m.threadList
	from, to := sidebar.Window(l.heights, l.top, -1, m.sidebar().Room(m.h))
	return l.shown[from:to]
}

// sidebar is the list as it is drawn, without its rows.
func (m *Model) sidebar() sidebar.List {
	l := sidebar.List{
		Name: "threads", Current: m.current, Chosen: m.chosen, Focused: m.has(intent.ScopeSidebar),
		Offers: len(m.standing()), Waiting: m.threadList.waiting, Foot: m.o.Leader + ": keys",
	}
	if l.Focused {
		l.Foot = "? keys  / filter"
	}
	if n := len(m.threadList.shown); n > 0 && m.threadList.shown[n-1].group >= groupOthers {
		l.Name = m.threadList.labels[m.b.Project()]
	}
	if m.threadList.words != "" {
		l.Name = "/ " + m.threadList.words
	}
	return l
}

func (m *Model) sidebarLines() ([]string, []sidebar.Target) {
	l, w := m.sidebar(), m.sideWidth()
	if f := m.threadList.field; f != nil {
		f.SetWidth(max(1, w-2))
		l.Field = f.Lines(max(1, w-2))[0]
	}
	l.Hidden = len(m.threadList.index)
	for _, r := range m.seenRows() {
		if r.thread == "" {
			l.Rows = append(l.Rows, sidebar.Row{Heading: r.heading})
			continue
		}
		l.Hidden--
		l.Rows = append(l.Rows, m.listRow(r))
	}
	lines, targets := l.Draw(m.th, w, m.h)
	return m.settle(lines), targets
}

// listRow is a thread's row as it is drawn.
func (m *Model) listRow(r listRow) sidebar.Row {
	t, _ := m.thread(r.thread)
	row := sidebar.Row{
		Thread: t.ID, Sign: m.sign(m.stateIs(t)), Title: t.Title, Loud: m.needs(t), Quiet: t.Archived, Offers: m.offered[t.ID],
	}
	if at := changedAt(t); !at.IsZero() {
		row.Age = ago(m.o.Now().Sub(at))
	}
	if row.Tall = m.tall(r, t); row.Tall {
		n := m.tallies.of[t.ID]
		row.Place, row.Added, row.Deleted = strings.TrimPrefix(place(t.Checkout), "aside/"), n.Added, n.Deleted
	}
	return row
}

// nextAge is when the age of a row in sight changes next, or zero.
func (m *Model) nextAge() time.Time {
	if m.away || m.sideWidth() == 0 {
		return time.Time{}
	}
	now := m.o.Now()
	var next time.Time
	for _, r := range m.seenRows() {
		t, _ := m.thread(r.thread)
		at := changedAt(t)
		if r.thread == "" || at.IsZero() {
			continue
		}
		unit := ageUnit(now.Sub(at))
		due := at.Add(max(0, now.Sub(at)).Truncate(unit) + unit)
		if next.IsZero() || due.Before(next) {
			next = due
		}
	}
	return next
}
