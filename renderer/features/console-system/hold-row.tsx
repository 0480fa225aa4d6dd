import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { holdQuery, holds, holdsChanged, type LegalHold } from '../../api/holds.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { Question } from '../../parts/forms/question.tsx';
import { t } from '../../texts/administration.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount, formatDay, formatFully, formatWhen, usePhoneFormat } from '../../ui/format.ts';
import { announce } from '../../ui/live-region.tsx';
import { StateWord } from '../../ui/state-word.tsx';
import styles from './system.module.css';

const words = t.system.holds;

/** Row of a legal hold; its release is confirmed in its place, with the number of documents that are deleted then. */
export function HoldRow({ hold }: { hold: LegalHold }) {
  const { name, reason, placed_at, placed_by, released_at, released_by } = hold;
  const phone = usePhoneFormat();
  const [isAsked, setAsked] = useState(false);
  const release = useRef<HTMLButtonElement>(null);
  const wasAsked = useRef(isAsked);
  useEffect(() => {
    if (!isAsked && wasAsked.current) release.current?.focus();
    wasAsked.current = isAsked;
  });
  const isOpen = released_at === null;
  return (
    <li className={styles['backup']}>
      <div className={styles['line']}>
        <div className={styles['words']}>
          <p className={styles['name']}>{name}</p>
          <p className={styles['meta']}>{[coveredBy(hold, phone), reason].join(' · ')}</p>
          <p className={styles['meta']} title={formatFully(released_at ?? placed_at)}>
            {isOpen
              ? words.placed(formatWhen(placed_at), placed_by)
              : words.released(formatWhen(released_at), released_by ?? '')}
          </p>
        </div>
        <StateWord tone={isOpen ? 'go' : 'plain'} icon={isOpen ? 'lock' : 'ok'}>
          {isOpen ? words.states.open : words.states.released}
        </StateWord>
        {isOpen && !isAsked && (
          <Button ref={release} aria-label={words.releaseOf(name)} onPress={() => setAsked(true)}>
            {words.release}
          </Button>
        )}
      </div>
      {isAsked && <ReleaseQuestion hold={hold} onNo={() => setAsked(false)} />}
    </li>
  );
}

/** Returns a short text for the faxes that a hold covers; its last day is counted in. */
function coveredBy(
  { kind, case_id, numbers, contact, mailbox, since, until }: LegalHold,
  phone: (number: string) => string,
): string {
  const covered = {
    faxes: words.covers.faxes,
    case: words.covers.case(case_id ?? ''),
    number: words.covers.number(numbers.map(phone).join(', ')),
    contact: words.covers.contact(contact?.name ?? ''),
    mailbox: words.covers.mailbox(mailbox?.label ?? ''),
    period: words.covers.period,
  }[kind];
  const days = [
    since === null ? '' : words.since(formatDay(new Date(since))),
    until === null ? '' : words.until(formatDay(new Date(Date.parse(until) - 1))),
  ];
  return [covered, ...days].filter(Boolean).join(' ');
}

function ReleaseQuestion({ hold, onNo }: { hold: LegalHold; onNo: () => void }) {
  const { id, name, version } = hold;
  const details = useQuery(holdQuery(id)).data;
  const releasing = useMutation({
    mutationFn: () => holds.releaseLegalHold({ params: { id }, body: { version } }),
    onSuccess: async () => {
      announce(words.releasedNow(name));
      onNo();
      await holdsChanged();
    },
  });
  const due = details?.documents_due ?? 0;
  const at = details?.next_cleanup_at ?? null;
  const sentence =
    details === undefined
      ? words.counting
      : due === 0 || at === null
        ? words.nothingDue
        : words.due(formatCount(due), due === 1, formatWhen(at));
  return (
    <Question
      title={words.releaseTitle(name)}
      sentence={sentence}
      yes={words.releaseYes}
      no={words.releaseNo}
      isPending={releasing.isPending}
      reason={details === undefined ? words.counting : null}
      onYes={() => releasing.mutate()}
      onNo={onNo}
    >
      {releasing.error !== null && <p role="alert">{sentenceOf(releasing.error)}</p>}
    </Question>
  );
}
