import { ActButtons } from '../../parts/work/act-buttons.tsx';
import { ActProblem } from '../../parts/work/act-problem.tsx';
import { AssignField } from '../../parts/work/assign-field.tsx';
import { NoteField } from '../../parts/work/note-field.tsx';
import type { Triage } from '../../parts/work/use-triage.ts';
import { t } from '../../texts/work.ts';
import { IconButton } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format.ts';
import styles from './work-screen.module.css';

/** Bar with the actions for the chosen rows, or for the row under the keyboard cursor while no item is open. */
export function ChosenBar({
  triage,
  count,
  onClear,
}: {
  triage: Triage;
  count: number;
  onClear: () => void;
}) {
  const { items, acts, form } = triage;
  const [first] = items;
  if (count === 0 && form === null && acts.failure === null) return null;
  return (
    <section className={styles['chosen']} aria-label={t.work.chosenLabel}>
      {count > 0 && (
        <div className={styles['line']}>
          <strong role="status">{t.work.chosen(formatCount(count))}</strong>
          <span className={styles['gap']} />
          <ActButtons triage={triage} />
          <IconButton icon="close" label={t.work.clearChosen} onPress={onClear} />
        </div>
      )}
      {form === 'assign' && first && (
        <AssignField
          itemId={first.id}
          typed={triage.refusedTo ?? ''}
          onPick={triage.assign}
          onCancel={triage.leave}
        />
      )}
      {(form === 'done' || form === 'note') && <NoteField kind={form} items={items} triage={triage} />}
      <ActProblem acts={acts} />
    </section>
  );
}
