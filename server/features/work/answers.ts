import type { DeliveryState } from '../../../shared/states/outbound.ts';
import type { AnswerListener } from '../outbound/port.ts';
import { changeItemOf } from './create-item.ts';
import type { WorkParts } from './parts.ts';

/** Records answers to a received fax in the history of its item: when one is accepted, and what became of it. */
export function answersInHistory(parts: WorkParts): AnswerListener {
  return {
    accepted: (tx, { id, answers, by }) =>
      changeItemOf(parts, tx, answers, {
        changes: {},
        newEntries: [
          {
            kind: 'answered',
            text: `${by.name} answered by fax. The answer is not delivered yet (fax ${id}).`,
            by,
          },
        ],
      }),
    ended: (tx, { id, answers, state }) =>
      changeItemOf(parts, tx, answers, {
        changes: {},
        newEntries: [{ kind: 'answer_ended', text: `The answer ${endOf(state)} (fax ${id}).` }],
      }),
  };
}

function endOf(state: DeliveryState): string {
  if (state === 'success') return 'was delivered';
  return state === 'cancelled' ? 'was canceled before it was sent' : 'was not delivered';
}
