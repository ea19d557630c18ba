// Package tui is the screen: one Bubble Tea model over components that are
// plain structs. Nothing in Update waits; what waits is a command that calls
// the Backend, and what comes unasked arrives as a message from the relay.
package tui

import (
	"context"
	"hash/maphash"
	"os/exec"
	"time"

	"aside/session"
	"aside/tui/composer"
	"aside/tui/intent"
	"aside/tui/panes"
	"aside/tui/theme"
	"aside/tui/transcript"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
)

// DefaultLeader is the leader key where the configuration names none.
const DefaultLeader = "ctrl+space"

// Options are what a Model is made of. Backend and Context are required.
type Options struct {
	Backend Backend
	// Context ends the backend's calls when the screen closes.
	Context context.Context
	// Leader is the leader key as Bubble Tea spells it; "" is DefaultLeader.
	Leader string
	// Editor is the command line of the person's editor, as in $VISUAL; "" is
	// none.
	Editor string
	// Theme is one of the Theme words; "" is ThemeAuto.
	Theme string
	// ReducedMotion says that nothing changes by time alone.
	ReducedMotion bool
	// Exec gives the terminal to another program until that ends; nil is
	// tea.ExecProcess.
	Exec func(*exec.Cmd, tea.ExecCallback) tea.Cmd
	// Notify is how the person is called when something needs them while the
	// window does not have the focus; "" is NotifyOff.
	Notify string
	// Clipboard says whether the program in the terminal in view may write
	// the clipboard; "" is ClipboardAllow.
	Clipboard string
	// Thread is the thread to show first; "" is one that needs the person, or
	// else the one that was shown last.
	Thread session.ThreadID

	// Now and Tick are the clock; nil is the real one.
	Now  func() time.Time
	Tick func(time.Duration, func(time.Time) tea.Msg) tea.Cmd
}

// Model is the screen. It is a tea.Model; all its methods belong to the one
// goroutine of the program.
type Model struct {
	o    Options
	b    Backend
	keys intent.Keys
	on   map[intent.Scope]func(intent.Intent) tea.Cmd

	th         theme.Theme
	looks      *transcript.Looks
	clusters   bool           // the terminal has confirmed mode 2027
	rev        uint64         // rises when everything must be drawn anew
	colors     session.Colors // the terminal's own
	colored    time.Time      // when the terminal was asked for them last
	unanswered int            // times that it was, and has not told them
	leaving    bool           // the screen closes as soon as it can
	unlit      bool           // nothing is drawn before the ground is known
	w, h       int
	away       bool                      // the window does not have the focus
	called     map[session.ThreadID]bool // the person, meanwhile

	threads []session.Thread
	places  map[session.ThreadID]int // in threads
	current session.ThreadID
	pages   map[session.ThreadID]*page
	visited []session.ThreadID // the one shown last is the last
	loaded  bool
	loading bool
	stale   bool // the store has changed since loading began
	drafts  int  // rises when saving a draft begins or ends
	seed    maphash.Seed

	offers   []session.Proposal // the project's, standing first
	props    map[session.ProposalID]session.Proposal
	offered  map[session.ThreadID]int // standing ones
	cards    map[session.ProposalID]*cardState
	starting session.ProposalID          // whose form for the start was shown last
	steps    map[session.ThreadID]string // what starts are at
	list     *transcript.List            // of the offers
	offer    session.ProposalID
	filter   *composer.Field
	filtered string

	decisions   map[session.ThreadID][]session.Decision
	bar         barState
	panes       map[session.ThreadID][]session.PaneInfo
	layouts     map[session.ThreadID]session.Layout     // of them, as their helpers have them
	actionCards map[session.ThreadID]session.ActionCard // those that wait
	deed        actState
	asks        []ask
	form        *form
	naming      naming
	working     []*work
	rename      *composer.Field
	paneField   *composer.Field // for the name of a pane
	finder      *composer.Field // of words in the terminal
	reviewing   *reviewing      // of the thread that was reviewed last, or nil
	tallies     tallies
	palette     *picking
	search      *searching
	exporting   exporting
	reader      pager // help and the whole detail
	notice      flash

	focus  []intent.Scope
	topWas intent.Scope
	pageOf session.ThreadID // the page that had the focus at the last sync
	paneOf session.PaneID   // and the pane of it
	leader leader
	chosen session.ThreadID // in the list of threads

	threadList threadList
	noSidebar  bool
	kept       keeping
	views      map[session.ThreadID]view // as the store has them
	shown      shown
	border     *panes.Border  // the one that is dragged
	drag       session.PaneID // the pane that a mouse button went down in
	selecting  selecting
	choosing   *pane // where text is selected by keys, nil when none is
	linking    linking
	held       map[rune]session.PaneID // the panes that the presses of keys went to
	tickAt     time.Time
	rows       []string // of the last frame, used again
}

// leader is the leader key's state. A decision it answers is the one that was
// on the screen when it was pressed.
type leader struct {
	armed    bool
	decision session.DecisionID
}

// flash is a sentence that is shown for a moment.
type flash struct {
	text  string
	until time.Time
}

// shown are the panes that the backend was told to be in view.
type shown struct {
	thread session.ThreadID
	sizes  map[session.PaneID]size
}

type size struct{ cols, rows int }

// New returns the screen. It asks the backend for nothing before Init.
func New(o Options) *Model {
	if o.Leader == "" {
		o.Leader = DefaultLeader
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Tick == nil {
		o.Tick = tea.Tick
	}
	if o.Exec == nil {
		o.Exec = tea.ExecProcess
	}
	m := &Model{
		o: o, b: o.Backend, keys: intent.NewKeys(), current: o.Thread,
		pages: map[session.ThreadID]*page{}, views: map[session.ThreadID]view{}, props: map[session.ProposalID]session.Proposal{}, offered: map[session.ThreadID]int{},
		cards: map[session.ProposalID]*cardState{}, decisions: map[session.ThreadID][]session.Decision{},
		list: transcript.NewList(), seed: maphash.MakeSeed(), held: map[rune]session.PaneID{}, called: map[session.ThreadID]bool{}, steps: map[session.ThreadID]string{},
		panes: map[session.ThreadID][]session.PaneInfo{}, layouts: map[session.ThreadID]session.Layout{}, actionCards: map[session.ThreadID]session.ActionCard{}, focus: []intent.Scope{intent.ScopeSidebar},
	}
	m.on = m.handlers()
	m.setTheme(true, theme.Colors16)
	return m
}

// Init asks for the colours of the terminal and for everything there is.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{m.askColors(), m.reload()}
	switch m.o.Theme {
	case ThemeDark, ThemeLight, ThemeNone:
	default:
		m.unlit = true
		cmds = append(cmds, m.o.Tick(groundPatience, func(time.Time) tea.Msg { return groundLate{} }))
	}
	return tea.Batch(cmds...)
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.handle(msg)
	switch msg.(type) {
	case FrameMsg, tea.KeyMsg, tea.MouseMsg, tea.PasteMsg, tickMsg:
	default:
		m.threadList.stale = true
	}
	return m, tea.Batch(cmd, m.sync(), m.tick())
}

func (m *Model) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return m.press(tea.Key(msg))
	case tea.KeyReleaseMsg:
		m.release(tea.Key(msg))
	case tea.PasteMsg:
		return m.paste(msg)
	case tea.MouseMsg:
		return m.mouse(msg)
	case tickMsg:
		m.expire(msg)
	case tea.WindowSizeMsg, tea.FocusMsg, tea.BlurMsg, tea.ForegroundColorMsg, tea.BackgroundColorMsg, tea.ColorProfileMsg, tea.ModeReportMsg,
		tea.ResumeMsg, uv.DarkColorSchemeEvent, uv.LightColorSchemeEvent:
		return m.window(msg)
	case FrameMsg, StoreChangedMsg, DecisionMsg, DecisionGoneMsg, StatusMsg, ExitMsg, CardMsg, PanesMsg, StepMsg, NoticeMsg, ClipboardMsg, AskMsg:
		return m.relayed(msg)
	case result:
		return msg.arrive(m)
	}
	return nil
}

// result is what a command brings back.
type result interface {
	arrive(m *Model) tea.Cmd
}

// relayed takes what comes from the relay.
func (m *Model) relayed(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case FrameMsg:
		if _, seen := m.shown.sizes[msg.Frame.Pane]; seen && msg.Thread == m.shown.thread {
			m.pageFor(msg.Thread).pane(msg.Frame.Pane).term.Apply(msg.Frame)
		}
	case StoreChangedMsg:
		return m.reload()
	case DecisionMsg:
		return m.decisionCame(msg.Decision)
	case DecisionGoneMsg:
		m.decisionGone(msg.ID, msg.Reason)
	case StatusMsg:
		return m.reported(msg)
	case ExitMsg:
		if msg.Pane == session.PaneAgent {
			m.ended(msg)
		}
		return m.reload()
	case NoticeMsg:
		m.saidBy(msg)
	case ClipboardMsg:
		return m.copiedByProgram(msg)
	case AskMsg:
		m.asked(msg)
	default:
		return m.told(msg)
	}
	return nil
}

// told takes what the relay tells of starts, panes and action cards.
func (m *Model) told(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case CardMsg:
		return m.cardCame(msg.Card)
	case PanesMsg:
		m.panesCame(msg)
	case StepMsg:
		return m.stepped(msg)
	}
	return nil
}

// reported takes a thread's new state.
func (m *Model) reported(msg StatusMsg) tea.Cmd {
	needs := msg.Status.State == session.StateNeedsYou
	if i, ok := m.places[msg.Thread]; ok {
		m.threads[i].State, m.threads[i].StateSource, m.threads[i].StateAt = msg.Status.State, msg.Status.Source, msg.Status.At
		m.threads[i].NeedsYou = needs
	}
	if needs {
		return m.notify(msg.Thread, "needs you")
	}
	return nil
}

// ended notes that a thread's agent is gone, before the store says so.
func (m *Model) ended(msg ExitMsg) {
	if i, ok := m.places[msg.Thread]; ok {
		m.threads[i].ExitCode = &msg.Code
		if !m.threads[i].State.Ended() {
			m.threads[i].State = session.StateExited
		}
	}
}

// thread returns a thread that the screen has.
func (m *Model) thread(id session.ThreadID) (session.Thread, bool) {
	if i, ok := m.places[id]; ok {
		return m.threads[i], true
	}
	return session.Thread{}, false
}
