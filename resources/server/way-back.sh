#!/bin/sh
# Goes back to the release before an upgrade: its package, and the backup that the upgrade made.
set -eu

folder=/var/backups/faxdesk

refuse() {
  echo "$1 Nothing was changed." >&2
  exit 1
}

if [ "$#" = 0 ] || [ "$1" = --help ]; then
  echo 'Usage: faxdesk-way-back <package of the release before> [--identity <file>]'
  exit 2
fi
[ "$(id -u)" = 0 ] || refuse 'Only root can go back to another release: use sudo.'
package=$(readlink -f -- "$1")
shift
[ "$(dpkg-deb --field "$package" Package)" = faxdesk ] || refuse "$package is no package of Faxdesk."
older=$(dpkg-deb --field "$package" Version)
newer=$(dpkg-query --show --showformat='${Version}' faxdesk)
dpkg --compare-versions "$older" lt "$newer" || refuse "$older is not older than $newer, which is installed."
backup=$(find "$folder" -maxdepth 1 -name "before-$newer-*.zip*" | sort | tail -n 1)
[ -n "$backup" ] || refuse "There is no backup from before the upgrade to $newer in $folder."
faxdesk backup check "$backup" "$@" || refuse "The backup $backup cannot be used."

echo "Faxdesk goes back from $newer to $older, with $backup. What came since then is kept beside it, and faxes that waited at that time are held."
if [ -t 0 ]; then
  printf 'Go back? [y/N] '
  read -r answer
  case "$answer" in
    y | Y | yes) ;;
    *) refuse 'Faxdesk stays as it is.' ;;
  esac
fi

systemctl stop faxdesk
if ! DEBIAN_FRONTEND=noninteractive apt-get install --yes --allow-downgrades -o Dpkg::Options::=--force-confold "$package"; then
  echo "Faxdesk $older could not be installed. Faxdesk is stopped; start it with: systemctl start faxdesk" >&2
  exit 1
fi
if ! faxdesk restore "$backup" --replace "$@"; then
  echo "Faxdesk $older is installed and stopped. Restore the backup before it starts: faxdesk restore $backup --replace" >&2
  exit 1
fi
systemctl start faxdesk
