import type { Delivery } from '../../api/intake.ts';
import type { Column } from '../../parts/lists/list-table.tsx';
import { MAIL_SIGNS } from '../../parts/mail/mail-signs.ts';
import { t } from '../../texts/mail.ts';
import { formatFully, formatWhen } from '../../ui/format.ts';
import { StateWord } from '../../ui/state-word.tsx';

const words = t.mail;

/** Returns the sender of the fax, as far as the person may see it; `phone` formats a number. */
export function senderOf({ fax }: Delivery, phone: (number: string) => string): string {
  if (fax === null) return words.hiddenFax;
  return fax.contact?.name ?? (fax.from_number === null ? words.unknownNumber : phone(fax.from_number));
}

export function deliveryColumns(phone: (number: string) => string): readonly Column<Delivery>[] {
  return [
    {
      id: 'state',
      head: words.columns.state,
      cell: ({ state }) => <StateWord {...MAIL_SIGNS[state]}>{words.states[state]}</StateWord>,
    },
    {
      id: 'fax',
      head: words.columns.fax,
      title: (row) => senderOf(row, phone),
      cell: (row) => senderOf(row, phone),
    },
    {
      id: 'connector',
      head: words.columns.connector,
      isQuiet: true,
      room: 'medium',
      title: ({ connector }) => connector.name,
      cell: ({ connector }) => connector.name,
    },
    {
      id: 'when',
      head: words.columns.when,
      isQuiet: true,
      title: ({ recorded_at }) => formatFully(recorded_at),
      cell: ({ recorded_at }) => formatWhen(recorded_at),
    },
  ];
}
