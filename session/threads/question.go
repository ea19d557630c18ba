package threads

import (
	"context"
	"fmt"

	"aside/proposals"
	"aside/session"
)

// Question is what a person is asked before a start goes on.
type Question struct {
	Thread session.ThreadID
	Title  string   // of the thread
	Lines  []string // a sentence each; safe to show
	Yes    string   // what yes does, as a short label
	No     string   // what no does
}

// consent asks whether a thread may run in the shared checkout. Nobody to
// ask is a no.
func (s *Service) consent(ctx context.Context, a proposals.Ask) bool {
	q := Question{
		Thread: a.Thread, Title: a.Title,
		Yes: "Start in the shared checkout", No: "Keep it as a draft",
	}
	if a.Why != "" {
		q.Lines = append(q.Lines, session.MarkLine(a.Why)+".")
	}
	q.Lines = append(q.Lines, fmt.Sprintf("“%s” would run in %s itself, beside what you do there.",
		session.MarkLine(a.Title), session.MarkLine(a.Path)))
	yes, _ := s.ask(ctx, q)
	return yes
}

func (s *Service) ask(ctx context.Context, q Question) (yes, asked bool) {
	if s.o.Ask == nil {
		return false, false
	}
	return s.o.Ask(ctx, q)
}
