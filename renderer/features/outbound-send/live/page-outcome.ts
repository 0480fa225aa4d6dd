import { documentPagesSent, type Fax } from '../../../parts/fax-state.ts';
import type { PageMark } from '../../../parts/pages/page-props.ts';
import { t } from '../../../texts/index.ts';

/** Returns the outcome of each page; empty when the provider reported no page count, and for a test fax. */
export function pageOutcomes(fax: Fax): ReadonlyMap<number, PageMark> {
  const sent = documentPagesSent(fax);
  if (sent === null || fax.test) return new Map();
  return new Map(
    Array.from({ length: fax.document.pages }, (_, index) => [index + 1, outcomeOf(fax, index + 1, sent)]),
  );
}

function outcomeOf({ delivery_state }: Fax, page: number, sent: number): PageMark {
  const words = t.send.steps;
  if (page <= sent) return { tone: 'ok', icon: 'check', word: words.confirmed };
  if (delivery_state === 'reconciliation_required')
    return { tone: 'warn', icon: 'question', word: words.unknown };
  return { tone: 'plain', icon: 'close', word: words.notConfirmed };
}
