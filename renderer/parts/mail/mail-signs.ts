import type { MailRecipientState, MailState } from '../../../shared/states/intake.ts';
import type { IconName } from '../../ui/icon.tsx';
import type { Tone } from '../../ui/state-word.tsx';

interface Sign {
  readonly tone: Tone;
  readonly icon: IconName;
}

/** Tone and icon of each state of an e-mail, shown beside its word. */
export const MAIL_SIGNS: Readonly<Record<MailState, Sign>> = {
  received: { tone: 'plain', icon: 'pending' },
  sending: { tone: 'go', icon: 'going' },
  delivered: { tone: 'ok', icon: 'ok' },
  uncertain: { tone: 'warn', icon: 'question' },
  failed: { tone: 'danger', icon: 'alert' },
};

/** The same of one recipient. */
export const RECIPIENT_SIGNS: Readonly<Record<MailRecipientState, Sign>> = {
  waiting: MAIL_SIGNS.received,
  delivered: MAIL_SIGNS.delivered,
  refused: MAIL_SIGNS.failed,
  uncertain: MAIL_SIGNS.uncertain,
};
