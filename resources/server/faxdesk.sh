#!/bin/sh
# Root works as the account of the service, so that no file of the data folder ever belongs to root.
program=/usr/lib/faxdesk
settings=/etc/faxdesk/faxdesk.env

run() {
  exec "$@"
}

if [ "$(id -u)" = 0 ]; then
  case "${1-}" in
    # They ask the service manager, which is for root. Nothing is written beside the program.
    logs | restart)
      NODE_DISABLE_COMPILE_CACHE=1
      export NODE_DISABLE_COMPILE_CACHE
      ;;
    *)
      HOME=/var/lib/faxdesk
      export HOME
      run() {
        exec setpriv --reuid=faxdesk --regid=faxdesk --init-groups -- "$@"
      }
      ;;
  esac
fi
if [ -r "$settings" ]; then
  # Node reads these before its own --env-file.
  for name in NODE_EXTRA_CA_CERTS NODE_USE_SYSTEM_CA; do
    value=$(sed -n "s/^[[:space:]]*$name=//p" "$settings" | tail -n 1 | tr -d "\"'\r")
    [ -z "$value" ] || export "$name=$value"
  done
  set -- "--env-file=$program/service.env" "--env-file=$settings" "$program/server/faxdesk.mjs" "$@"
else
  set -- "$program/server/faxdesk.mjs" "$@"
fi
run "$program/bin/node" --max-semi-space-size=2 "$@"
