package storage

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"

	"aside/proposals"
	"aside/session"
)

// claimChild takes the proposal of each line it reads.
func claimChild(path string, in *bufio.Scanner) error {
	db, err := Open(path, nil)
	if err != nil {
		return err
	}
	fmt.Println("ready")
	for in.Scan() {
		order := proposals.Order{Proposal: session.ProposalID(in.Text()), ProposedIn: "aaa", Title: "T", Prompt: "P"}
		by := proposals.Taker{PID: os.Getpid(), Stamp: "now", Nonce: session.NewID()}
		_, err := db.Take(ctx, order, session.ThreadID(session.NewID()), by, epoch, nobodyDied)
		switch session.CodeOf(err) {
		case 0:
			fmt.Println("won")
		case session.CodeSettled:
			fmt.Println("settled")
		default:
			return err
		}
	}
	return db.Close()
}

func nobodyDied(proposals.Taker) bool { return false }

func TestOfEightProcessesOneTakesAProposal(t *testing.T) {
	path := newPath(t)
	db := open(t, path)
	addThreads(t, db, "aaa")
	var all []*child
	for range 8 {
		all = append(all, startChild(t, "claim", path))
	}
	for _, c := range all {
		c.hear()
	}
	for round := range 15 {
		id := mustOffer(t, db, offered("aaa", fmt.Sprint("call", round), fmt.Sprint("Work ", round)))
		for _, c := range all {
			c.say(string(id))
		}
		var said []string
		for _, c := range all {
			said = append(said, c.hear())
		}
		if got := strings.Join(said, " "); strings.Count(got, "won") != 1 || strings.Count(got, "settled") != 7 {
			t.Fatalf("round %d: %s", round, got)
		}
	}
}
