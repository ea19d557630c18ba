package streams_test

import (
	"path/filepath"
	"reflect"
	"testing"

	"aside/e2e/streams"
)

func TestAStreamComesBackFromItsFile(t *testing.T) {
	s := streams.Stream{Name: "agent", Cols: 80, Rows: 24}
	for _, output := range []string{"\x1b[1mä<&>", "", "日\r\n"} {
		if n, err := s.Write([]byte(output)); n != len(output) || err != nil {
			t.Fatal(n, err)
		}
	}
	s.Steps = append(s.Steps, streams.Step{Mark: "start"}, streams.Step{Resize: [2]int{100, 30}})
	_, _ = s.Write([]byte("end"))
	dir := t.TempDir()
	if err := s.Save(filepath.Join(dir, "agent.cast.gz")); err != nil {
		t.Fatal(err)
	}
	all, err := streams.All(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []*streams.Stream{{Name: "agent", Cols: 80, Rows: 24, Steps: []streams.Step{
		{Output: []byte("\x1b[1mä<&>日\r\n")}, {Mark: "start"}, {Resize: [2]int{100, 30}}, {Output: []byte("end")},
	}}}
	if !reflect.DeepEqual(all, want) {
		t.Errorf("got %+v, want %+v", all[0], want[0])
	}
}

func TestWhatCannotBeKeptIsRefused(t *testing.T) {
	s := streams.Stream{Steps: []streams.Step{{Output: []byte("\xff")}}}
	if err := s.Save(filepath.Join(t.TempDir(), "agent.cast.gz")); err == nil {
		t.Error("output that is no UTF-8 was saved")
	}
	if _, err := streams.All(t.TempDir()); err == nil {
		t.Error("a folder without streams was taken")
	}
}
