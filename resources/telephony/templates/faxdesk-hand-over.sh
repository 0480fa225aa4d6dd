#!/bin/sh
# Tells Faxdesk of a fax that Asterisk received: faxdesk-hand-over.sh <call id> <to> <from> <status> <pages>
#   [<started> <answered> <ended> <mode> <rate> <resolution> <cause> <station id>]
# Written by "faxdesk telephony config". The dialplan lets only digits, letters, spaces and + . _ : - come here.
# What cannot be handed over stays in its place, with a note beside it that says why: Faxdesk looks for it every minute.
set -u
umask 077

folder={{folder}}
address={{address}}
call=$1 to=$2 from=$3 status=$4 pages=${5:-0}
started=${6:-} answered=${7:-} ended=${8:-} mode=${9:-} rate=${10:-} resolution=${11:-} cause=${12:-} station=${13:-}
note=$folder/inbound/$call.json

secret() { head -n 1 "$folder/telephony/inbound-secret" 2>/dev/null; }

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

# Answers the headers of the answer, and below them its status. The secret goes by the standard input, where no list of processes shows it.
tell() {
  {
    printf 'header = "X-Internal-Secret: %s"\n' "$(secret)"
    printf 'header = "Content-Type: application/json"\n'
    printf 'data = "%s"\n' "$(order | sed 's/"/\\"/g')"
  } | curl --config - --silent --output /dev/null --dump-header - --max-time 30 --noproxy '*' --write-out '\n%{http_code}' \
    "$address/_internal/telephony/inbound"
}

# Why the fax was not taken; nothing when it was.
failure() {
  code=$(printf '%s\n' "$1" | tr -d '\r' | sed -n 's/^[Xx]-[Ee]rror-[Cc]ode: *//p' | tail -n 1)
  case $(printf '%s\n' "$1" | tail -n 1)/$code in
    200/*) ;;
    */no_inbound_secret) echo no_secret ;;
    401/*) echo secret_refused ;;
    404/receiving_off) echo receiving_off ;;
    400/image_refused) echo image_unreadable ;;
    400/*) echo refused ;;
    *) echo unreachable ;;
  esac
}

# Faxdesk reads it in the shared folder, which nobody else enters, and removes it with the image.
keep_note() {
  (umask 022 && printf '{"reason":"%s","order":%s}\n' "$1" "$(order)" >"$note.new") 2>/dev/null && mv -f "$note.new" "$note"
}

sentence() {
  case $1 in
    no_secret) echo "no inbound secret yet: $folder/telephony/inbound-secret cannot be read or is empty" ;;
    secret_refused) echo "the inbound secret was refused" ;;
    receiving_off) echo "receiving is off" ;;
    image_unreadable) echo "the image cannot be read" ;;
    refused) echo "Faxdesk did not take what was said of the call" ;;
    *) echo "Faxdesk cannot be reached at $address or could not take it (${2:-no answer})" ;;
  esac
}

for pause in 2 5 15 30 60 0; do
  answer=
  reason=no_secret
  if [ -n "$(secret)" ]; then
    answer=$(tell)
    reason=$(failure "$answer")
  fi
  if [ -z "$reason" ]; then
    rm -f "$note"
    exit 0
  fi
  keep_note "$reason"
  # Asked again, Faxdesk would say the same.
  case $reason in secret_refused | receiving_off | image_unreadable | refused) break ;; esac
  [ "$pause" = 0 ] || sleep "$pause"
done
said="The fax of call $call was not handed over: $(sentence "$reason" "$(printf '%s\n' "$answer" | tail -n 1)")."
echo "$said" >&2
command -v logger >/dev/null && logger -t faxdesk "$said"
exit 1
