import { useQuery } from '@tanstack/react-query';
import { type WorkItem, workQuery } from '../../api/work.ts';
import { t } from '../../texts/work.ts';
import { formatWhen } from '../../ui/format.ts';
import { StateWord } from '../../ui/state-word.tsx';
import { useMinute } from '../use-minute.ts';
import { ActButtons } from './act-buttons.tsx';
import { ActProblem } from './act-problem.tsx';
import { AssignField } from './assign-field.tsx';
import { DueWord } from './due-word.tsx';
import { OwnerMark, ownerName } from './owner-mark.tsx';
import type { Triage } from './use-triage.ts';
import styles from './work.module.css';
import { useWorkState } from './work-words.ts';

/** Bar with the state of an open item, its owner and its actions. */
export function ItemBar({ item, triage }: { item: WorkItem; triage: Triage }) {
  const now = useMinute();
  const { tone, icon, word } = useWorkState(item);
  const hint = hintFor(item);
  const since = item.owner && item.assigned_at;
  return (
    <section className={styles['bar']} aria-label={t.work.keys.thisItem}>
      <div className={styles['line']}>
        <StateWord tone={tone} icon={icon} size="body">
          {word}
        </StateWord>
        {item.state === 'open' && item.due_at !== null && (
          <DueWord item={item} now={now} isSentence size="body" />
        )}
        <span className={styles['owner']}>
          <OwnerMark item={item} />
          {since ? t.work.owner.since(ownerName(item), formatWhen(since, now)) : ownerName(item)}
        </span>
      </div>
      {item.state === 'done' && item.done_note !== null && (
        <p>
          {item.done_note}{' '}
          <span className={styles['hint']}>
            {t.work.doneBy(item.done_by, formatWhen(item.done_at ?? '', now))}
          </span>
        </p>
      )}
      <Notes itemId={item.id} now={now} />
      {triage.form === 'assign' ? (
        <AssignField
          key={`assign ${item.id}`}
          itemId={item.id}
          typed={triage.refusedTo ?? ''}
          onPick={triage.assign}
          onCancel={triage.leave}
        />
      ) : (
        <div className={styles['line']} role="group" aria-label={t.work.acts.label}>
          <ActButtons
            triage={triage}
            isPrimary={(kind) => kind === 'acknowledge' || (kind === 'take' && item.owner === null)}
          />
        </div>
      )}
      {hint !== null && <p className={styles['hint']}>{hint}</p>}
      <ActProblem key={`problem ${item.id}`} acts={triage.acts} />
    </section>
  );
}

/** Most notes shown beside the fax; all are in the history. */
const MOST_NOTES = 3;

/** Notes that did not finish the item, the newest last. */
function Notes({ itemId, now }: { itemId: string; now: Date }) {
  const notes = useQuery(workQuery(itemId)).data?.notes.slice(-MOST_NOTES) ?? [];
  if (notes.length === 0) return null;
  return (
    <ul className={styles['notes']} aria-label={t.work.notes}>
      {notes.map(({ at, by, text }) => (
        <li key={`${at} ${text}`}>
          {text} <span className={styles['hint']}>{t.work.notedBy(by, formatWhen(at, now))}</span>
        </li>
      ))}
    </ul>
  );
}

function hintFor(item: WorkItem): string | null {
  if (item.actions.length > 0) return item.owner === null && item.state === 'open' ? t.work.takeFirst : null;
  if (item.state === 'done') return null;
  return item.owner === null ? t.work.onlyManager : t.work.onlyOwner(item.owner.name);
}
