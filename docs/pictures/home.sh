# Read by the scripts beside it: a home that ends with the script, with all that
# runs in it. $aside is the program.
aside=$PWD/bin/aside
HOME=$(mktemp -d)
ASIDE_HOME=$HOME/.aside
export HOME ASIDE_HOME
mkdir "$ASIDE_HOME"
leave() {
	trap '' HUP TERM
	for thread in $("$aside" threads | awk 'NR > 1 { print $1 }'); do
		"$aside" stop "$thread" 2>/dev/null
	done
	rm -rf "$HOME"
}
trap leave EXIT
trap 'exit 1' HUP TERM
