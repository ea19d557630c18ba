package helper

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"aside/hookbridge/wire"
)

// On a busy machine what a client said at once may not be read in time.
func TestAFullDoorTurnsAwayWhoIsSilent(t *testing.T) {
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	client, err := net.Dial("unix", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = client.Close() }()
	at, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	said := `{"v":1,"op":"status"}` + "\n"
	if _, err := client.Write([]byte(said)); err != nil {
		t.Fatal(err)
	}
	d, long := newDoor(), time.Now().Add(-time.Hour)
	d.waiting = []greeting{{wire.NewConn(at), long}}
	var silent []net.Conn
	for len(d.waiting) < maxGreeting {
		here, there := net.Pipe()
		silent = append(silent, there)
		d.waiting = append(d.waiting, greeting{wire.NewConn(here), long})
	}
	newest, _ := net.Pipe()
	if left := d.admit(wire.NewConn(newest)); left > 0 {
		t.Fatalf("nobody was turned away for another %s", left)
	}
	if r, err := d.waiting[0].conn.ReadRequest(); err != nil || r.Op != "status" {
		t.Errorf("who had spoken got %+v, %v", r, err)
	}
	gone := silent[0].SetReadDeadline(time.Now().Add(30 * time.Second))
	if gone == nil {
		_, gone = silent[0].Read(make([]byte, 1))
	}
	if errors.Is(gone, os.ErrDeadlineExceeded) {
		t.Error("who was silent for the longest is still there")
	}
}
