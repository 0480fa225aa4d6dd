import { t } from '../../texts/work.ts';
import { Button } from '../../ui/button.tsx';
import { KEYS } from './act-keys.ts';
import type { ActKind } from './acts.ts';
import type { Triage } from './use-triage.ts';

const ORDER = ['acknowledge', 'take', 'assign', 'done', 'note', 'reopen'] as const;
/** Actions that open a form first. */
const WITH_FORM: readonly ActKind[] = ['assign', 'done', 'note'];

/** A button for everything that can be done with the items; `isPrimary` for what the person most likely does next. */
export function ActButtons(props: { triage: Triage; isPrimary?: (kind: ActKind) => boolean }) {
  const { triage, isPrimary } = props;
  const { acts, can } = triage;
  const runs: Readonly<Record<ActKind, () => void>> = {
    acknowledge: triage.acknowledge,
    take: triage.take,
    assign: () => triage.open('assign'),
    done: () => triage.open('done'),
    note: () => triage.open('note'),
    reopen: triage.reopen,
  };
  return ORDER.filter(can).map((kind) => (
    <Button
      key={kind}
      variant={isPrimary?.(kind) ? 'primary' : 'default'}
      {...(KEYS[kind] && { keys: KEYS[kind] })}
      {...(kind === 'reopen' && { icon: 'undo' as const })}
      isPending={acts.isPending && !WITH_FORM.includes(kind)}
      onPress={runs[kind]}
    >
      {t.work.acts[kind]}
    </Button>
  ));
}
