import { useId, useState } from 'react';
import type { CallOutcome } from '../../../../shared/states/telephony.ts';
import type { Call } from '../../../api/calls.ts';
import { t } from '../../../texts/call-log.ts';
import { IconButton } from '../../../ui/button.tsx';
import { formatCount, formatDuration, formatFully, formatWhen, usePhoneFormat } from '../../../ui/format.ts';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { StateWord, type Tone } from '../../../ui/state-word.tsx';
import { CallFacts, modeText } from './call-facts.tsx';
import styles from './call-log.module.css';

const words = t.callLog;

const SIGNS: Readonly<Record<CallOutcome, { readonly tone: Tone; readonly icon: IconName }>> = {
  delivered: { tone: 'ok', icon: 'ok' },
  received: { tone: 'ok', icon: 'ok' },
  busy: { tone: 'danger', icon: 'alert' },
  no_answer: { tone: 'danger', icon: 'alert' },
  failed: { tone: 'danger', icon: 'alert' },
  refused: { tone: 'danger', icon: 'alert' },
  unconfirmed: { tone: 'warn', icon: 'question' },
  incomplete: { tone: 'warn', icon: 'warn' },
  canceled: { tone: 'plain', icon: 'close' },
};

const COLUMNS = 7;

/** Row of a call, with its details below once it is opened. */
export function CallRow({ call }: { call: Call }) {
  const [isOpen, setOpen] = useState(false);
  const facts = useId();
  const phone = usePhoneFormat();
  const at = call.started_at ?? call.answered_at ?? call.ended_at ?? call.recorded_at;
  const number = call.number === null ? words.unknownNumber : phone(call.number);
  const who = call.contact?.name ?? number;
  const { tone, icon } = SIGNS[call.outcome];
  return (
    <>
      <tr data-open={isOpen || undefined}>
        <td>
          <time dateTime={at} title={formatFully(at)}>
            {formatWhen(at)}
          </time>
        </td>
        <td>
          <Other call={call} number={number} />
        </td>
        <td>
          <span className={styles['result']}>
            <StateWord tone={tone} icon={icon} size="body">
              <span className={styles['sentence']}>{call.sentence}</span>
            </StateWord>
          </span>
        </td>
        <td data-end>{pagesOf(call)}</td>
        <td data-room="wide">
          {modeText(call).map((part) => (
            <span key={part} className={styles['way']}>
              {part}
            </span>
          ))}
        </td>
        <td data-end data-room="wide">
          {call.seconds !== null && formatDuration(call.seconds)}
        </td>
        <td data-end>
          <IconButton
            icon="down"
            label={words.showDetails(who, formatWhen(at))}
            isSmall
            aria-expanded={isOpen}
            aria-controls={facts}
            onPress={() => setOpen(!isOpen)}
          />
        </td>
      </tr>
      {isOpen && (
        <tr id={facts} className={styles['facts']}>
          <td colSpan={COLUMNS}>
            <CallFacts call={call} />
          </td>
        </tr>
      )}
    </>
  );
}

/** Shows the other party of the call: the contact where there is one, and the number. */
function Other({ call: { direction, contact }, number }: { call: Call; number: string }) {
  return (
    <span className={styles['who']} title={words.directions[direction]}>
      <Icon name={direction === 'outgoing' ? 'sent' : 'inbox'} size={16} />
      <span>
        <span className="visually-hidden">{words.directions[direction]} </span>
        <span className={styles['direction']}>{direction === 'outgoing' ? words.to : words.from}</span>{' '}
        <span className={contact ? undefined : styles['number']}>{contact?.name ?? number}</span>
        {contact && <span className={`${styles['quiet']} ${styles['number']}`}>{number}</span>}
      </span>
    </span>
  );
}

function pagesOf({ pages_sent: sent, pages_confirmed: confirmed }: Call): string {
  if (confirmed === null) return '';
  return sent === null ? formatCount(confirmed) : words.pagesOf(confirmed, sent);
}
