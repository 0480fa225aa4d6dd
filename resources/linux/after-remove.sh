#!/bin/sh
set -e

# Debian calls it with a word and RPM with the number of versions that stay. What a newer version has set up stays.
case "$1" in
  remove | purge | 0) ;;
  *) exit 0 ;;
esac

profile=/etc/apparmor.d/faxdesk-desktop
if [ -e "$profile" ]; then
  apparmor_parser --remove "$profile" >/dev/null 2>&1 || true
  rm -f "$profile"
fi

# The start at sign-in of the person who removes it; those of others name a program that is gone, and start nothing.
person=${SUDO_USER:-}
if [ -n "${PKEXEC_UID:-}" ]; then
  person=$(id -nu "$PKEXEC_UID" 2>/dev/null) || person=
fi
home=$(getent passwd "${person:-nobody}" 2>/dev/null | cut -d: -f6) || home=
entry="$home/.config/autostart/faxdesk.desktop"
if [ -n "$person" ] && [ -n "$home" ] && [ "$person" != root ]; then
  runuser -u "$person" -- sh -c 'grep -qs "^TryExec=/opt/Faxdesk/" "$1" && rm -f "$1"' sh "$entry" 2>/dev/null || true
fi

for command in 'update-mime-database /usr/share/mime' 'update-desktop-database /usr/share/applications'; do
  $command >/dev/null 2>&1 || true
done
