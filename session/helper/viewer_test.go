package helper

import (
	"testing"

	"aside/session"
)

func TestOnlyWhoWaitsForAFrameIsWoken(t *testing.T) {
	for name, tt := range map[string]struct {
		views    map[session.PaneID]*view
		inFlight bool
		woken    bool
	}{
		"sees no pane":             {nil, false, false},
		"sees one":                 {map[session.PaneID]*view{"agent": {}}, false, true},
		"has not taken the last":   {map[session.PaneID]*view{"agent": {}}, true, false},
		"has just got one":         {map[session.PaneID]*view{"agent": {resting: true}}, false, false},
		"waits for one of another": {map[session.PaneID]*view{"agent": {resting: true}, "shell": {}}, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			v := newViewer(nil, nil)
			v.views, v.inFlight = tt.views, tt.inFlight
			v.changed()
			if woken := len(v.wake) == 1; woken != tt.woken {
				t.Errorf("woken: %v, want %v", woken, tt.woken)
			}
		})
	}
}

func TestAWholePictureHasALongerGapThanALine(t *testing.T) {
	line := session.Frame{Rows: 40, Changed: make([]session.RowChange, 2)}
	picture := session.Frame{Rows: 40, Changed: make([]session.RowChange, 30)}
	if gapAfter(line) != frameGap || gapAfter(picture) != pictureGap {
		t.Errorf("gaps are %v and %v, want %v and %v", gapAfter(line), gapAfter(picture), frameGap, pictureGap)
	}
}
