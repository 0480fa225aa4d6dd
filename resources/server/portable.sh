#!/bin/sh
# Runs Faxdesk with the Node.js beside it, wherever the folder lies.
bin=$(dirname "$(readlink -f "$0")")
exec "$bin/node" --max-semi-space-size=2 "$bin/../server/faxdesk.mjs" "$@"
