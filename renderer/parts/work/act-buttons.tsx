import { t } from '../../texts/work.ts';
import { Button } from '../../ui/button.tsx';
import type { ActKind } from './acts.ts';
import type { Triage } from './use-triage.ts';

const KEYS = { acknowledge: 'e', take: 'o', assign: 'a', done: 'd', reopen: undefined } as const;
const ORDER = ['acknowledge', 'take', 'assign', 'done', 'reopen'] as const;

/** A button for everything that can be done with the items; `isPrimary` for what the person most likely does next. */
export function ActButtons(props: { triage: Triage; isPrimary?: (kind: ActKind) => boolean }) {
  const { triage, isPrimary } = props;
  const { acts, can } = triage;
  const runs: Readonly<Record<ActKind, () => void>> = {
    acknowledge: triage.acknowledge,
    take: triage.take,
    assign: () => triage.open('assign'),
    done: () => triage.open('done'),
    reopen: triage.reopen,
  };
  return ORDER.filter(can).map((kind) => (
    <Button
      key={kind}
      variant={isPrimary?.(kind) ? 'primary' : 'default'}
      {...(KEYS[kind] && { keys: KEYS[kind] })}
      {...(kind === 'reopen' && { icon: 'undo' as const })}
      isPending={acts.isPending && kind !== 'assign' && kind !== 'done'}
      onPress={runs[kind]}
    >
      {t.work.acts[kind]}
    </Button>
  ));
}
