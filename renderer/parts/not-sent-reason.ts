import type { z } from 'zod';
import type { FaxEvent } from '../../shared/api/outbound-shapes.ts';
import type { Fax } from './fax-state.ts';

/**
 * Returns why a fax that was to be sent waits, or is held although it was not accepted as held, from its history. Null
 * for others.
 */
export function notSentReason(
  {
    delivery_state,
    held_reason,
    arrival_warning,
  }: Pick<Fax, 'delivery_state' | 'held_reason' | 'arrival_warning'>,
  history: readonly Pick<z.infer<typeof FaxEvent>, 'kind' | 'text'>[],
): string | null {
  if (held_reason !== null) return held_reason;
  const last = history.at(-1);
  const waits = delivery_state === 'ready' && last?.kind === 'waiting';
  const wasHeld = delivery_state === 'held' && last?.kind === 'held' && history.length > 1;
  // A warning is shown by itself.
  const isNews = last !== undefined && last.text !== arrival_warning;
  return isNews && (waits || wasHeld) ? last.text : null;
}
