#!/bin/bash
# Stands in for systemctl in a root folder without an init: runs the command of a unit as its user, with its environment.
words=()
now=
quiet=
for word in "$@"; do
  case "$word" in
    --now) now=yes ;;
    --quiet) quiet=yes ;;
    --*) ;;
    *) words+=("$word") ;;
  esac
done
verb=${words[0]}
name=${words[1]%.service}
unit=/etc/systemd/system/$name.service
[ -e "$unit" ] || unit=/usr/lib/systemd/system/$name.service
state=/run/stand-in
mkdir -p "$state"

value() { sed -n "s/^$1=//p" "$unit"; }
runs() { [ -e "$state/$name.pid" ] && kill -0 "$(cat "$state/$name.pid")" 2>/dev/null; }

start() {
  if [ "$name" = postgresql ]; then
    pg_ctlcluster --skip-systemctl-redirect "$(ls /etc/postgresql)" main start
    return
  fi
  runs && return
  local user environment=() file line
  user=$(value User)
  for file in $(value EnvironmentFile); do
    [ -e "${file#-}" ] || continue
    while IFS= read -r line; do
      [[ "$line" =~ ^[A-Z_]+= ]] && environment+=("$line")
    done <"${file#-}"
  done
  install -d -m "$(value StateDirectoryMode)" -o "$user" -g "$user" "/var/lib/$(value StateDirectory)"
  : >"$state/$name.out"
  (cd / && exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 USER="$user" HOME="/var/lib/$user" "${environment[@]}" \
    setsid setpriv "--reuid=$user" "--regid=$user" --init-groups $(value ExecStart) >"$state/$name.out" 2>&1 </dev/null) &
  echo $! >"$state/$name.pid"
  # A person who types needs longer than a start does.
  for _ in $(seq 300); do
    grep -q 'ready at' "$state/$name.out" && return
    runs || { wait $!; echo $? >"$state/$name.code"; cat "$state/$name.out" >&2; return 1; }
    sleep 0.1
  done
  return 1
}

stop() {
  runs || return 0
  local pid
  pid=$(cat "$state/$name.pid")
  kill "$pid"
  while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
  rm -f "$state/$name.pid"
}

case "$verb" in
  start) start ;;
  stop) stop ;;
  restart) stop && start ;;
  enable) touch "$state/$name.enabled"; [ -z "$now" ] || start ;;
  disable) rm -f "$state/$name.enabled"; [ -z "$now" ] || stop ;;
  is-enabled) [ -e "$state/$name.enabled" ] ;;
  is-active) runs || exit 3 ;;
  status) runs && echo active ;;
  *) ;;
esac
