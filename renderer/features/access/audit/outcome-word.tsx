import { t } from '../../../texts/access.ts';
import { StateWord } from '../../../ui/state-word.tsx';
import type { AuditEvent } from './event-words.ts';

const words = t.access.event;

/** Shows the outcome as an icon and a word. */
export function OutcomeWord({ outcome }: { outcome: AuditEvent['outcome'] }) {
  return outcome === 'done' ? (
    <StateWord tone="ok" icon="ok" size="body">
      {words.done}
    </StateWord>
  ) : (
    <StateWord tone="danger" icon="alert" size="body">
      {words.refusedWord}
    </StateWord>
  );
}
