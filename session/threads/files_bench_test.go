package threads

import (
	"fmt"
	"testing"
)

func BenchmarkFilesOf50000(b *testing.B) {
	var names []name
	for i := range 50_000 {
		names = append(names, newName(fmt.Sprintf("src/module%02d/component%03d/file_%05d.go", i%40, i%700, i)))
	}
	for _, typed := range []string{"f", "file_123", "mod7comp3", "zzz"} {
		b.Run(typed, func(b *testing.B) {
			for b.Loop() {
				best(names, typed, 20)
			}
		})
	}
}
