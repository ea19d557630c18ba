#!/bin/sh
# Opens aside on its demo agent, with a home that ends with the screen.
ASIDE_HOME=$(mktemp -d)
export ASIDE_HOME
bin/aside demo
for thread in $(bin/aside threads | awk 'NR > 1 { print $1 }'); do
	bin/aside stop "$thread"
done
rm -rf "$ASIDE_HOME"
