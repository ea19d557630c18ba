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
	case client.OpClosePane, client.OpRenamePane, client.OpActivatePane:
		p, err := body[client.PaneRequest](r)
		if err != nil {
			return nil, err
		}
		return nil, h.changePane(r.Op, p)
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

func (h *Host) changePane(op string, p client.PaneRequest) error {
	switch op {
	case client.OpClosePane:
		return h.closePane(p.Pane)
	case client.OpRenamePane:
		return h.renamePane(p)
	}
	return h.activatePane(p.Pane)
}
