import type { MailToFaxState } from '../../../shared/states/mail-to-fax.ts';
import type { Message } from '../../api/mail-to-fax.ts';
import type { Column } from '../../parts/lists/list-table.tsx';
import { t } from '../../texts/mail-to-fax.ts';
import { formatFully, formatWhen } from '../../ui/format.ts';
import type { IconName } from '../../ui/icon.tsx';
import { StateWord, type Tone } from '../../ui/state-word.tsx';

const words = t.mailToFax;

/** Tone and icon of each state of a message, shown beside its word. */
export const MESSAGE_SIGNS: Readonly<Record<MailToFaxState, { tone: Tone; icon: IconName }>> = {
  waiting: { tone: 'warn', icon: 'pending' },
  accepted: { tone: 'ok', icon: 'ok' },
  duplicate: { tone: 'plain', icon: 'ok' },
  refused: { tone: 'danger', icon: 'alert' },
  ignored: { tone: 'plain', icon: 'pause' },
};

const whoOf = ({ sender }: Message) => sender ?? words.noSender;

/** `phone` writes a number. */
export function messageColumns(phone: (number: string) => string): readonly Column<Message>[] {
  const numberOf = ({ to_number }: Message) => (to_number === null ? '' : phone(to_number));
  return [
    {
      id: 'state',
      head: words.columns.state,
      cell: ({ state }) => <StateWord {...MESSAGE_SIGNS[state]}>{words.states[state]}</StateWord>,
    },
    { id: 'sender', head: words.columns.sender, title: whoOf, cell: whoOf },
    { id: 'to', head: words.columns.to, isQuiet: true, room: 'medium', title: numberOf, cell: numberOf },
    {
      id: 'when',
      head: words.columns.when,
      isQuiet: true,
      title: ({ recorded_at }) => formatFully(recorded_at),
      cell: ({ recorded_at }) => formatWhen(recorded_at),
    },
  ];
}
