#!/bin/sh
# Tells Faxdesk of a fax that Asterisk received: faxdesk-hand-over.sh <call id> <to> <from> <status> <pages>
#   [<started> <answered> <ended> <mode> <rate> <resolution> <cause> <station id>]
# Written by "faxdesk telephony config". The dialplan lets only digits, letters, spaces and + . _ : - come here.
# What cannot be told now stays in its place: Faxdesk looks for it every minute, and takes what nobody wrote to for ten minutes.
set -u
umask 077

folder={{folder}}
address={{address}}
call=$1 to=$2 from=$3 status=$4 pages=${5:-0}
started=${6:-} answered=${7:-} ended=${8:-} mode=${9:-} rate=${10:-} resolution=${11:-} cause=${12:-} station=${13:-}

secret() { head -n 1 "$folder/telephony/inbound-secret"; }

# What is not known is left out.
text() { [ -z "$2" ] || printf ',"%s":"%s"' "$1" "$2"; }
plain() { [ -z "$2" ] || printf ',"%s":%s' "$1" "$2"; }
is_t38() { case $mode in T38) echo true ;; audio) echo false ;; esac; }

order() {
  printf '{"tiff_path":"inbound/%s.tiff","uniqueid":"%s","to_number":"%s","from_number":"%s","faxstatus":"%s","faxpages":%d,"call":{"did":"%s"' \
    "$call" "$call" "$to" "$from" "$status" "$pages" "$to"
  text started_at "$started"
  text answered_at "$answered"
  text ended_at "$ended"
  plain t38 "$(is_t38)"
  plain rate_bps "$rate"
  text resolution "$resolution"
  plain cause "$cause"
  text remote_station_id "$station"
  printf '}}'
}

# The secret goes by the standard input, where no list of processes shows it.
tell() {
  {
    printf 'header = "X-Internal-Secret: %s"\n' "$(secret)"
    printf 'header = "Content-Type: application/json"\n'
    printf 'data = "%s"\n' "$(order | sed 's/"/\\"/g')"
  } | curl --config - --silent --output /dev/null --max-time 30 --noproxy '*' --write-out '%{http_code}' \
    "$address/_internal/telephony/inbound"
}

for pause in 2 5 15 30 60 0; do
  answer=$(tell)
  case $answer in
    200) exit 0 ;;
    # Asked again, Faxdesk would say the same.
    400 | 401 | 404) break ;;
  esac
  [ "$pause" = 0 ] || sleep "$pause"
done
command -v logger >/dev/null && logger -t faxdesk "The fax of call $call was not handed over: ${answer:-no answer}."
exit 1
