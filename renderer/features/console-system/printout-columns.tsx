import type { Printout } from '../../api/print-rules.ts';
import type { Column } from '../../parts/lists/list-table.tsx';
import { printedSender } from '../../parts/printouts/printed-sender.ts';
import { PRINT_SIGNS } from '../../parts/printouts/printout-signs.ts';
import { t } from '../../texts/printouts.ts';
import { formatFully, formatWhen } from '../../ui/format.ts';
import { StateWord } from '../../ui/state-word.tsx';

const words = t.printouts;

export function printoutColumns(phone: (number: string) => string): readonly Column<Printout>[] {
  return [
    {
      id: 'state',
      head: words.columns.state,
      cell: ({ state }) => <StateWord {...PRINT_SIGNS[state]}>{words.states[state]}</StateWord>,
    },
    {
      id: 'fax',
      head: words.columns.fax,
      title: (row) => printedSender(row, phone),
      cell: (row) => printedSender(row, phone),
    },
    {
      id: 'printer',
      head: words.columns.printer,
      isQuiet: true,
      room: 'medium',
      title: ({ printer }) => printer,
      cell: ({ printer }) => printer,
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
