#!/bin/sh
# Runs Faxdesk with the Node.js beside it. In the copy of the service, which names its data folder in service.env, root works as the
# account of the service, so that no file of the data folder ever belongs to root. Nothing is written beside the program.
self=$0
if [ -L "$self" ]; then self=$(readlink "$self"); fi
folder=$(cd "$(dirname "$self")/.." && pwd -P)
word=${1-}
NODE_DISABLE_COMPILE_CACHE=1
export NODE_DISABLE_COMPILE_CACHE
set -- "$folder/bin/node" --max-semi-space-size=2 "--env-file-if-exists=$folder/service.env" "$folder/server/faxdesk.mjs" "$@"
if [ -f "$folder/service.env" ] && [ "$(id -u)" = 0 ]; then
  case "$word" in
    # They ask the service manager, which is for root.
    service | logs | restart) ;;
    *) exec sudo -H -u _faxdesk "$@" ;;
  esac
fi
exec "$@"
