#!/bin/sh
set -e

program=/opt/Faxdesk

# Only where the system lets no account make namespaces does the sandbox of Chromium need the rights of root.
allowed=1
for setting in /proc/sys/kernel/unprivileged_userns_clone /proc/sys/user/max_user_namespaces; do
  if [ -r "$setting" ] && [ "$(cat "$setting")" = 0 ]; then
    allowed=0
  fi
done
if [ -e "$program/chrome-sandbox" ]; then
  if [ "$allowed" = 1 ]; then
    chmod 0755 "$program/chrome-sandbox"
  else
    chmod 4755 "$program/chrome-sandbox"
  fi
fi

# Ubuntu since 24.04 lets only programs with such a profile make namespaces. Older systems cannot read it and need none.
profile=/etc/apparmor.d/faxdesk-desktop
if apparmor_status --enabled >/dev/null 2>&1 &&
  apparmor_parser --skip-kernel-load --skip-cache "$program/resources/apparmor-profile" >/dev/null 2>&1; then
  cp "$program/resources/apparmor-profile" "$profile"
  chmod 0644 "$profile"
  apparmor_parser --replace --write-cache --skip-read-cache "$profile" || true
fi

for command in 'update-mime-database /usr/share/mime' 'update-desktop-database /usr/share/applications'; do
  $command >/dev/null 2>&1 || true
done
