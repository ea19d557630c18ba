package helper

import (
	"context"
	"fmt"

	"aside/hookbridge/wire"
	"aside/session"
	"aside/session/client"
)

// paneRequest answers the requests on panes and cards.
func (h *Host) paneRequest(ctx context.Context, r wire.Request) (any, error) {
	switch r.Op {
	case client.OpPanes:
		return h.paneList(), nil
	case client.OpOpenPane:
		o, err := body[client.OpenPane](r)
		if err != nil {
			return nil, err
		}
		return h.openShell(o)
	case client.OpClosePane, client.OpRestartPane, client.OpRenamePane, client.OpActivatePane:
		p, err := body[client.PaneRequest](r)
		if err != nil {
			return nil, err
		}
		return h.changePane(r.Op, p)
	case client.OpRelaunch:
		l, err := body[client.Relaunch](r)
		if err != nil {
			return nil, err
		}
		done, err := h.relaunch(ctx, l.Prompted)
		return client.Relaunched{Done: done}, err
	case client.OpCards:
		return h.actions.cards(), nil
	case client.OpConfirm, client.OpCancel:
		c, err := body[session.Confirmation](r)
		if err != nil {
			return nil, err
		}
		if r.Op == client.OpCancel {
			return h.actions.cancel(c.Card), nil
		}
		return h.actions.confirm(ctx, c)
	}
	return nil, &session.Error{
		Code: session.CodeUsage, Message: fmt.Sprintf("this helper knows no operation %q", r.Op),
		Hint: "it may be of an older aside: run aside stop and aside resume for the thread",
	}
}

func (h *Host) changePane(op string, p client.PaneRequest) (any, error) {
	switch op {
	case client.OpClosePane:
		return h.closePane(p)
	case client.OpRestartPane:
		return nil, h.restartPane(p.Pane)
	case client.OpRenamePane:
		return nil, h.renamePane(p)
	}
	return nil, h.activatePane(p.Pane)
}

// arrange keeps how the panes are placed, unless a newer layout is known, and
// tells every client.
func (h *Host) arrange(l session.Layout) {
	h.mu.Lock()
	newer := l.Whole() && l.Rev >= h.layout.Rev
	if newer {
		h.layout = l
	}
	h.mu.Unlock()
	if newer {
		h.panesChanged()
	}
}

// placed returns how the panes were placed last, nil when they were not.
func (h *Host) placed() *session.Layout {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.layout.Tabs) == 0 {
		return nil
	}
	l := h.layout
	return &l
}
