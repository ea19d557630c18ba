#!/bin/sh
# Opens aside in an empty project, where Claude Code seems to be installed: what
# stands for it here is never started.
. docs/pictures/home.sh
mkdir -p "$HOME/bin" "$HOME/src/app"
printf '#!/bin/sh\nexit 1\n' >"$HOME/bin/claude"
chmod +x "$HOME/bin/claude"
cd "$HOME/src/app" && git init --quiet && PATH=$HOME/bin:$PATH "$aside"
