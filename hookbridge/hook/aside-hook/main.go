// Command aside-hook is what agents start on every event: the hook room
// alone, because the whole of aside takes ten times as long to start.
package main

import (
	"context"
	"os"

	"aside/hookbridge/hook"
)

func main() {
	hook.Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv)
}
