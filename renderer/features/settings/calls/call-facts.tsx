import { Link } from '@tanstack/react-router';
import type { Call } from '../../../api/calls.ts';
import { t } from '../../../texts/call-log.ts';
import { Fact, FactList } from '../../../ui/fact-list.tsx';
import { formatCount, formatDuration, formatFully, usePhoneFormat } from '../../../ui/format.ts';
import styles from './call-log.module.css';

const words = t.callLog.facts;
const callWords = t.callLog;

/** Shows the details of a call that its row leaves out; unknown ones are omitted. */
export function CallFacts({ call }: { call: Call }) {
  const phone = usePhoneFormat();
  const causes = [
    call.cause === null ? [] : words.causeWords(call.cause),
    call.sip_status === null ? [] : words.sipWords(call.sip_status),
  ].flat();
  const how = modeText(call).join(', ');
  const facts: [name: string, value: string | null][] = [
    [words.started, timeOf(call.started_at)],
    [words.answered, timeOf(call.answered_at)],
    [words.ended, timeOf(call.ended_at)],
    [words.duration, call.seconds === null ? null : formatDuration(call.seconds)],
    [words.perPage, call.seconds_per_page === null ? null : formatDuration(call.seconds_per_page)],
    [words.how, how === '' ? null : how],
    [words.resolution, call.resolution === null ? null : words.dots(call.resolution)],
    [words.ownNumber, call.own_number === null ? null : phone(call.own_number)],
    [words.line, call.line],
    [words.cause, causes.length === 0 ? null : causes.join(', ')],
    [words.engineWords, call.failure_code],
  ];
  return (
    <FactList wordWidth={120}>
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <Fact key={name} name={name}>
              {value}
            </Fact>
          ),
      )}
      {call.station_id !== null && (
        <Fact name={words.station}>
          {call.station_id} <span className={styles['quiet']}>{words.stationHint}</span>
        </Fact>
      )}
      <Faxes call={call} />
    </FactList>
  );
}

const timeOf = (iso: string | null) => (iso === null ? null : formatFully(iso));

function Faxes({ call: { sent_fax_ids: sent, received_fax_id: received } }: { call: Call }) {
  if (sent.length === 0 && received === null) return null;
  return (
    <Fact name={words.fax}>
      <span className={styles['links']}>
        {sent.map((id, i) => (
          <Link key={id} to="/sent/{-$sentId}" params={{ sentId: id }} search={{}}>
            {sent.length === 1 ? words.sentFax : words.sentFaxOf(i + 1)}
          </Link>
        ))}
        {received !== null && (
          <Link to="/inbox/{-$receivedId}" params={{ receivedId: received }} search={{}}>
            {words.receivedFax}
          </Link>
        )}
      </span>
    </Fact>
  );
}

/** `T.38, ECM` and `14,400 bit/s`; what is unknown is left out. */
export function modeText({ mode, ecm, rate_bps: rate }: Call): string[] {
  const way = [
    mode === null ? [] : callWords.modes[mode],
    ecm === null ? [] : ecm ? callWords.ecm : callWords.noEcm,
  ].flat();
  return [
    way.length === 0 ? [] : way.join(', '),
    rate === null ? [] : callWords.rate(formatCount(rate)),
  ].flat();
}
