package transcript

import (
	"testing"
	"time"
)

func TestTook(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "0s", 0: "0.0s", 1530 * time.Millisecond: "1.5s", 42 * time.Second: "42s",
		123 * time.Second: "2m 03s", 2*time.Hour + 5*time.Minute + 9*time.Second: "2h 05m", 50 * time.Hour: "50h 00m",
	} {
		if got := Took(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

func TestPassed(t *testing.T) {
	zone := time.FixedZone("", 2*60*60)
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, zone)
	for _, tt := range []struct {
		before, at time.Time
		want       string
	}{
		{now, now.Add(29 * time.Minute), ""},
		{now, now.Add(30 * time.Minute), "12:30"},
		{now, now.Add(-time.Hour), ""}, // clocks differ
		{time.Date(2026, 2, 28, 21, 59, 0, 0, time.UTC), time.Date(2026, 2, 28, 22, 1, 0, 0, time.UTC), "Sunday, 1 March 00:01"},
		{time.Time{}, time.Date(2025, 12, 31, 9, 0, 0, 0, time.UTC), "Wednesday, 31 December 2025 11:00"},
		{time.Time{}, time.Time{}, ""},
	} {
		if got := Passed(tt.before, tt.at, now); got != tt.want {
			t.Errorf("%v to %v: %q, want %q", tt.before, tt.at, got, tt.want)
		}
	}
}
