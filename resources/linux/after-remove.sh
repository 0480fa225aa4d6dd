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

for command in 'update-mime-database /usr/share/mime' 'update-desktop-database /usr/share/applications'; do
  $command >/dev/null 2>&1 || true
done
