import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type ArchiveRemoval,
  archives,
  checkArchive,
  removalsChanged,
  removalsQuery,
} from '../../api/archives.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { Question } from '../../parts/forms/question.tsx';
import { t } from '../../texts/administration.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount, formatFully, formatWhen } from '../../ui/format.ts';
import type { IconName } from '../../ui/icon.tsx';
import { StateWord, type Tone } from '../../ui/state-word.tsx';
import { readArchivePeriod } from './archive-reader.ts';
import { ArchiveSection } from './archive-section.tsx';
import styles from './system.module.css';

const words = t.system.archives.removal;
const STATE_SIGNS: Record<ArchiveRemoval['state'], { tone: Tone; icon: IconName }> = {
  checking: { tone: 'go', icon: 'going' },
  ready: { tone: 'plain', icon: 'ok' },
  running: { tone: 'go', icon: 'going' },
  stopped: { tone: 'plain', icon: 'alert' },
  done: { tone: 'ok', icon: 'ok' },
  failed: { tone: 'danger', icon: 'alert' },
};

/** Section where an owner hands over an archive and removes its faxes, after the gateway checked it and the owner confirmed. */
export function ArchiveRemovals() {
  const { data } = useQuery(removalsQuery);
  // Part of the archive that is uploaded, from 0 to 1.
  const [uploadedShare, setUploadedShare] = useState(0);
  const checking = useMutation({
    mutationFn: async (file: File) => checkArchive(file, await readArchivePeriod(file), setUploadedShare),
  });
  const removals = data?.removals ?? [];
  return (
    <ArchiveSection
      words={words}
      label={checking.isPending ? words.handingOver(Math.floor(uploadedShare * 100)) : words.choose}
      isPending={checking.isPending}
      error={checking.error}
      onFile={(file) => {
        setUploadedShare(0);
        checking.mutate(file);
      }}
    >
      {removals.length > 0 && (
        <ul className={styles['list']} aria-label={words.list}>
          {removals.map((removal) => (
            <RemovalRow key={removal.id} removal={removal} />
          ))}
        </ul>
      )}
    </ArchiveSection>
  );
}

function RemovalRow({ removal }: { removal: ArchiveRemoval }) {
  const { id, version, state, created_at, created_by, problem } = removal;
  const [isConfirming, setConfirming] = useState(false);
  const request = { params: { id }, body: { version } };
  const onSettled = removalsChanged;
  const starting = useMutation({
    mutationFn: () => archives.startArchiveRemoval(request),
    onSuccess: () => setConfirming(false),
    onSettled,
  });
  const stopping = useMutation({ mutationFn: () => archives.endArchiveRemoval(request), onSettled });
  const period = periodOf(removal);
  const mayStart = (state === 'ready' || state === 'stopped') && removal.waiting > 0;
  return (
    <li className={styles['backup']}>
      <div className={styles['line']}>
        <div className={styles['words']}>
          <p className={styles['name']}>{words.of(period)}</p>
          <p className={styles['meta']} title={formatFully(created_at)}>
            {words.made(formatWhen(created_at), created_by)}
          </p>
        </div>
        <StateWord {...STATE_SIGNS[state]}>{words.states[state]}</StateWord>
        {mayStart && !isConfirming && (
          <Button
            aria-label={state === 'ready' ? words.removeOf(period) : words.goOnOf(period)}
            onPress={() => setConfirming(true)}
          >
            {state === 'ready' ? words.remove : words.goOn}
          </Button>
        )}
        {(state === 'running' || state === 'checking') && (
          <Button
            aria-label={words.stopOf(period)}
            isPending={stopping.isPending}
            onPress={() => stopping.mutate()}
          >
            {words.stop}
          </Button>
        )}
      </div>
      <p className={styles['quiet']} role="status">
        {problem ?? progressOf(removal)}
      </p>
      {stopping.error !== null && <p role="alert">{sentenceOf(stopping.error)}</p>}
      {isConfirming && (
        <Question
          title={words.askTitle(formatCount(removal.waiting), removal.waiting === 1)}
          sentence={words.askSentence}
          yes={words.askYes}
          no={words.askNo}
          isPending={starting.isPending}
          reason={null}
          onYes={() => starting.mutate()}
          onNo={() => setConfirming(false)}
        >
          {starting.error !== null && <p role="alert">{sentenceOf(starting.error)}</p>}
        </Question>
      )}
    </li>
  );
}

/** Returns the year, or the year and month such as `2026-03`. */
const periodOf = ({ year, month }: ArchiveRemoval): string =>
  month === null ? String(year) : `${year}-${String(month).padStart(2, '0')}`;

/** Returns a text with the numbers of faxes that are removed, waiting, and staying with the reasons. */
function progressOf({ state, removed, waiting, staying, not_archived, gone }: ArchiveRemoval): string {
  if (state === 'checking') return words.checking;
  const done = removed.sent + removed.received;
  return [
    done > 0 || state === 'done'
      ? words.removed(formatCount(removed.sent), formatCount(removed.received))
      : '',
    waiting > 0 ? words.waiting(formatCount(waiting)) : '',
    ...staying.map(({ faxes, words: reason }) => words.staying(formatCount(faxes), reason)),
    not_archived ? words.notArchived(formatCount(not_archived)) : '',
    gone > 0 ? words.gone(formatCount(gone)) : '',
  ]
    .filter((text) => text !== '')
    .join(' ');
}
