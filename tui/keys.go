package tui

import (
	"aside/session"
	"aside/tui/composer"
	"aside/tui/intent"

	tea "charm.land/bubbletea/v2"
)

// press takes a key. In the terminal every key but the leader is the focused
// pane's.
func (m *Model) press(k tea.Key) tea.Cmd {
	stroke := k.Keystroke()
	if modifier(k.Code) && m.top() != intent.ScopeTerminal {
		return nil
	}
	if !modifier(k.Code) {
		m.dropSelection()
	}
	switch {
	case m.leader.armed && modifier(k.Code):
		return nil
	case m.leader.armed:
		return m.afterLeader(k, stroke)
	case stroke == m.o.Leader:
		m.leader = leader{armed: true}
		if d, ok := m.decision(); ok && !m.covered() {
			m.leader.decision = d.ID
		}
		return nil
	case m.top() == intent.ScopeTerminal:
		return m.pressPane(k)
	}
	m.notice = flash{}
	if do, scope := m.means(k); do != intent.Nothing {
		return m.act(scope, do)
	}
	return m.unbound(k)
}

// unbound takes a key that means nothing in the key table where the focus is.
func (m *Model) unbound(k tea.Key) tea.Cmd {
	switch top := m.top(); {
	case top == intent.ScopeBar:
		return m.letter(k.String())
	case top == intent.ScopeLinks:
		return m.pickLink(k.String())
	case top.Types():
		return m.typed(tea.KeyPressMsg(k))
	case k.Keystroke() == "ctrl+c":
		m.say(m.o.Leader+" q closes the screen", "")
	}
	return nil
}

// pressPane takes a key for the focused pane. One whose shell has ended has
// keys of its own.
func (m *Model) pressPane(k tea.Key) tea.Cmd {
	if m.shellEnded() {
		do, scope := m.find([]intent.Scope{intent.ScopeEnded}, k)
		return m.act(scope, do)
	}
	m.toPane(k, session.ActionPress)
	return nil
}

// means returns what a key means where the focus is, and the scope that knows
// it: the list of files comes first while there is one.
func (m *Model) means(k tea.Key) (intent.Intent, intent.Scope) {
	if do, scope := m.keys.Find([]intent.Scope{intent.ScopeFiles}, k.String()); m.takesFile(do) {
		return do, scope
	}
	return m.find(m.focus, k)
}

// find looks a key up by what it types, then by where it is on the keyboard,
// so that the keys work on every layout.
func (m *Model) find(stack []intent.Scope, k tea.Key) (intent.Intent, intent.Scope) {
	do, scope := m.keys.Find(stack, k.String())
	if do == intent.Nothing && !stack[len(stack)-1].Types() {
		return m.keys.Find(stack, k.Keystroke())
	}
	return do, scope
}

// afterLeader takes the key after the leader.
func (m *Model) afterLeader(k tea.Key, stroke string) tea.Cmd {
	at := m.leader
	m.leader = leader{}
	if stroke == m.o.Leader {
		if m.top() == intent.ScopeTerminal {
			m.toPane(k, session.ActionPress)
		}
		return nil
	}
	do, _ := m.find([]intent.Scope{intent.ScopeLeader}, k)
	if n := do.Option(); n >= 0 {
		// Only the decision that was on the screen when the leader was
		// pressed; one that has taken its place since is not answered.
		if d, ok := m.decision(); ok && d.ID == at.decision {
			return m.choose(d, n)
		}
		if at.decision != "" {
			m.say("this is another request now; it was not answered", "")
		}
		return nil
	}
	return m.act(intent.ScopeLeader, do)
}

// release takes the release of a key. A pane gets those of the keys whose
// press it got.
func (m *Model) release(k tea.Key) {
	if of, ok := m.held[k.Code]; ok {
		delete(m.held, k.Code)
		if m.top() == intent.ScopeTerminal && m.pane().id == of {
			m.toPane(k, session.ActionRelease)
		}
	}
}

// toPane sends a key to the focused pane.
func (m *Model) toPane(k tea.Key, a session.Action) {
	p := m.pane()
	if a == session.ActionPress {
		if !modifier(k.Code) {
			p.term.Unselect()
		}
		if p.term.Back() > 0 && !modifier(k.Code) {
			p.term.Follow()
		}
		if reports(p.term.Modes()) && len(m.held) < 64 {
			m.held[k.Code] = p.id
		}
		if k.IsRepeat {
			a = session.ActionRepeat
		}
	}
	if e, ok := keyEvent(k, a); ok {
		m.b.Input(m.current, p.id, session.Input{Key: &e})
	}
}

// paste takes pasted text.
func (m *Model) paste(msg tea.PasteMsg) tea.Cmd {
	m.leader = leader{}
	switch {
	case m.top() == intent.ScopeTerminal && m.shellEnded():
	case m.top() == intent.ScopeTerminal && msg.Content != "":
		p := m.pane()
		p.term.Follow()
		m.b.Input(m.current, p.id, session.Input{Paste: &msg.Content})
	case m.top().Types():
		return m.typed(msg)
	}
	return nil
}

// typed gives a key or a paste to the field that has the focus.
func (m *Model) typed(msg tea.Msg) tea.Cmd {
	f := m.field()
	if f == nil {
		return nil
	}
	if !f.Update(msg) {
		m.say("not all of it was taken: this is the most that is sent at once", "write it to a file, and name that with @")
	}
	switch m.top() {
	case intent.ScopePalette, intent.ScopeSearch:
		return m.picked()
	case intent.ScopeFilter:
		m.filtered = session.CleanLine(f.Text())
		m.listOffers()
	case intent.ScopeNarrow:
		m.narrow(session.CleanLine(f.Text()))
	case intent.ScopeComposer:
		// At the end of a word, so that little is lost with the terminal.
		if k, ok := msg.(tea.KeyPressMsg); !ok || k.Code == tea.KeySpace {
			return m.saveDraft(m.pageFor(m.current))
		}
	}
	return nil
}

// field returns the field that has the focus, or nil.
func (m *Model) field() *composer.Field {
	switch m.top() {
	case intent.ScopeComposer:
		if m.current != "" {
			return m.pageFor(m.current).field
		}
	case intent.ScopeNew:
		if m.form != nil {
			return m.form.field
		}
	case intent.ScopeNote:
		return m.bar.note
	case intent.ScopeRename:
		return m.rename
	case intent.ScopeFind:
		return m.finder
	case intent.ScopePaneName:
		return m.paneField
	case intent.ScopeEdit:
		if f := m.startForm(); f != nil {
			return f.fields[f.row]
		}
	case intent.ScopeFilter:
		return m.filter
	case intent.ScopeNarrow:
		return m.threadList.field
	case intent.ScopeComment, intent.ScopeFinishEdit:
		return m.reviewing.written(m.top())
	}
	return m.pickField()
}

// handlers says who acts in which scope; the others have no keys of their own
// but the common ones.
func (m *Model) handlers() map[intent.Scope]func(intent.Intent) tea.Cmd {
	return map[intent.Scope]func(intent.Intent) tea.Cmd{
		intent.ScopeSidebar:    m.onSidebar,
		intent.ScopeTranscript: m.onTranscript,
		intent.ScopeCard:       m.onFocusedCard,
		intent.ScopeComposer:   m.onComposer,
		intent.ScopeEdit:       m.onStart,
		intent.ScopeChoose:     m.onStart,
		intent.ScopeOffers:     m.onOffers,
		intent.ScopeFilter:     m.onFilter,
		intent.ScopeNarrow:     m.onNarrow,
		intent.ScopeBar:        m.onBar,
		intent.ScopeNote:       m.onNote,
		intent.ScopePick:       m.onPick,
		intent.ScopeActions:    m.onActions,
		intent.ScopeWholeCard:  m.onActions,
		intent.ScopeConfirm:    m.onAsk,
		intent.ScopeReview:     m.onReview,
		intent.ScopeComment:    m.onComment,
		intent.ScopeFinish:     m.onFinish,
		intent.ScopeFinishEdit: m.onFinishEdit,
		intent.ScopeNew:        m.onForm,
		intent.ScopeRename:     m.onRename,
		intent.ScopeWhole:      m.onWhole,
		intent.ScopeHelp:       func(do intent.Intent) tea.Cmd { return m.onPager(intent.ScopeHelp, do) },
		intent.ScopeHistory:    m.onHistory,
		intent.ScopeFind:       m.onFind,
		intent.ScopeFiles:      m.onFiles,
		intent.ScopeSelect:     m.onSelect,
		intent.ScopeLinks:      m.onLinks,
		intent.ScopePanes:      m.onPanes,
		intent.ScopePaneName:   m.onPaneName,
		intent.ScopeEnded:      m.onPanes,
		intent.ScopePalette:    m.onPalette,
		intent.ScopeSearch:     m.onSearch,
		intent.ScopeLeader:     m.onLeader,
	}
}

// act does what a person wants, in the scope that heard it.
func (m *Model) act(scope intent.Scope, do intent.Intent) tea.Cmd {
	if do == intent.Nothing {
		return nil
	}
	return m.on[scope](do)
}

// onLeader acts on the key after the leader.
func (m *Model) onLeader(do intent.Intent) tea.Cmd {
	if do == intent.Cancel {
		m.stopWork()
		return nil
	}
	return m.common(do)
}

// common does what is the same wherever it was heard.
func (m *Model) common(do intent.Intent) tea.Cmd {
	switch do {
	case intent.NextThread:
		return m.stepThread(1)
	case intent.PrevThread:
		return m.stepThread(-1)
	case intent.CycleView:
		m.cycleView()
	case intent.Sidebar:
		if m.givesWay() {
			m.goSidebar()
		} else {
			m.noSidebar = !m.noSidebar
		}
	case intent.History, intent.Select, intent.Links:
		return m.onTerminal(do)
	case intent.Attention:
		return m.attend()
	case intent.From:
		return m.openOffering()
	case intent.Review:
		return m.openReview()
	case intent.Search:
		return m.openSearch("")
	case intent.Quit:
		return m.quit()
	case intent.Panes, intent.OpenTab, intent.SplitRight, intent.SplitDown, intent.Zoom, intent.PaneLeft, intent.PaneRight:
		return m.onPanes(do)
	case intent.Rename, intent.Stop, intent.Resume, intent.Remove, intent.Archive:
		return m.onThread(m.current, do)
	default:
		m.goTo(do)
	}
	return nil
}

// onTerminal acts on what the focused pane shows.
func (m *Model) onTerminal(do intent.Intent) tea.Cmd {
	switch do {
	case intent.History:
		m.scrollBack()
	case intent.Select:
		m.startSelect()
	case intent.Links:
		return m.showLinks()
	}
	return nil
}

// goTo moves the focus to a part of the screen.
func (m *Model) goTo(do intent.Intent) {
	switch do {
	case intent.Threads:
		m.goSidebar()
	case intent.Offers:
		m.openOffers("")
	case intent.Main:
		m.comeBack()
	case intent.Transcript:
		m.goTranscript(intent.ScopeTranscript)
	case intent.Composer:
		m.goTranscript(intent.ScopeComposer)
	case intent.Bar:
		m.focusBar()
	case intent.Card:
		m.focusCard()
	case intent.New:
		m.openForm()
	case intent.Palette:
		m.openPalette()
	case intent.Help:
		m.reader = pager{}
		m.push(intent.ScopeHelp)
	}
}

// onThread changes a thread.
func (m *Model) onThread(id session.ThreadID, do intent.Intent) tea.Cmd {
	if id == "" {
		return nil
	}
	switch do {
	case intent.Open:
		return m.open(id)
	case intent.Archive:
		return m.archive(id)
	case intent.Rename:
		m.askRename(id)
	case intent.Stop:
		m.askStop(id)
	case intent.Resume:
		return m.resume(id)
	case intent.Remove:
		return m.askRemove(id)
	}
	return nil
}
