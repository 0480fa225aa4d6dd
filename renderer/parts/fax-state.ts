import type { z } from 'zod';
import type { FaxJob } from '../../shared/api/outbound-shapes.ts';
import { t } from '../texts/index.ts';
import { formatMoment } from '../ui/format.ts';
import type { IconName } from '../ui/icon.tsx';
import type { Tone } from '../ui/state-word.tsx';

export type Fax = z.infer<typeof FaxJob>;

export interface StateSign {
  readonly tone: Tone;
  readonly icon: IconName;
  readonly word: string;
}

/**
 * The state of a sent fax in a few words with its sign; nothing is called delivered that is not, and a person's word is
 * told from the machine's.
 */
export function faxState(fax: Pick<Fax, 'delivery_state' | 'send_at' | 'decision'>): StateSign {
  switch (fax.delivery_state) {
    case 'held':
      return { tone: 'plain', icon: 'pause', word: t.fax.held };
    case 'ready':
      return fax.send_at === null
        ? { tone: 'plain', icon: 'clock', word: t.fax.waiting }
        : { tone: 'plain', icon: 'clock', word: t.fax.scheduled(formatMoment(fax.send_at)) };
    case 'preparing':
      return { tone: 'go', icon: 'going', word: t.fax.preparing };
    case 'submitting':
      return { tone: 'go', icon: 'going', word: t.fax.submitting };
    case 'in_progress':
      return { tone: 'go', icon: 'going', word: t.fax.sending };
    case 'success':
      return {
        tone: 'ok',
        icon: 'ok',
        word: fax.decision ? t.fax.deliveredAsToldBy(fax.decision.by) : t.fax.delivered,
      };
    case 'failed':
      return {
        tone: 'danger',
        icon: 'alert',
        word: fax.decision ? t.fax.failedAsToldBy(fax.decision.by) : t.fax.failed,
      };
    case 'cancelled':
      return { tone: 'plain', icon: 'close', word: t.fax.cancelled };
    case 'reconciliation_required':
      return { tone: 'warn', icon: 'question', word: t.fax.needsConfirmation };
  }
}
