package cli

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"aside/session"
	"aside/session/client"
	"aside/session/transcript"
)

var update = flag.Bool("update", false, "write the golden file")

// full returns a value with something in every field.
func full(t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	switch {
	case t == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Unix(1, 0).UTC()))
	case t.Kind() == reflect.String:
		v.SetString("x")
	case v.CanInt():
		v.SetInt(1)
	case v.CanUint():
		v.SetUint(1)
	case t.Kind() == reflect.Bool:
		v.SetBool(true)
	case t.Kind() == reflect.Pointer:
		v.Set(full(t.Elem()).Addr())
	case t.Kind() == reflect.Slice:
		v.Set(reflect.Append(v, full(t.Elem())))
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			v.Field(i).Set(full(t.Field(i).Type))
		}
	}
	return v
}

// names lists the fields of a JSON value, those of what is in them after a
// dot.
func names(v any, prefix string, all map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for k, below := range v {
			all[prefix+k] = true
			names(below, prefix+k+".", all)
		}
	case []any:
		for _, below := range v {
			names(below, prefix, all)
		}
	}
}

func fields(t *testing.T, v any) []string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var decoded any
	if err := json.Unmarshal(b, &decoded); err != nil {
		t.Fatal(err)
	}
	all := map[string]bool{}
	names(decoded, "", all)
	return slices.Sorted(maps.Keys(all))
}

// What --json prints is stable: scripts rely on the names, and on absent
// values being left out.
func TestJSONFieldNames(t *testing.T) {
	var b strings.Builder
	for _, o := range []struct {
		name  string
		value any
	}{
		{"thread", session.Thread{}},
		{"proposal", session.Proposal{}},
		{"decision", session.Decision{}},
		{"transcript entry", transcript.Entry{}},
		{"receipt", session.Receipt{}},
		{"screen", client.Screen{}},
	} {
		always := fields(t, o.value)
		fmt.Fprintf(&b, "%s\n", o.name)
		for _, f := range fields(t, full(reflect.TypeOf(o.value)).Interface()) {
			if slices.Contains(always, f) {
				f += " (always)"
			}
			fmt.Fprintf(&b, "  %s\n", f)
		}
	}
	golden := filepath.Join("testdata", "json.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("the fields are now\n%s\nthey were\n%s", b.String(), want)
	}
}

func TestAListOfNothingIsAnEmptyArray(t *testing.T) {
	var b strings.Builder
	if err := list[session.Thread](Program{Out: &b}, nil); err != nil || b.String() != "[]\n" {
		t.Errorf("%v: %q", err, b.String())
	}
}
