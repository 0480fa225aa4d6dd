import { useMemo } from 'react';
import type { Partner } from '../../../api/partners.ts';
import type { Column } from '../../../parts/lists/list-table.tsx';
import { t } from '../../../texts/partners.ts';
import { formatFully, formatWhen, usePhoneFormat } from '../../../ui/format.ts';
import { PartnerState } from './partner-state.tsx';

const words = t.partners;

/** Returns the columns of the partners table. */
export function usePartnerColumns(): readonly Column<Partner>[] {
  const phone = usePhoneFormat();
  return useMemo(
    () => [
      {
        id: 'organization',
        head: words.columns.organization,
        title: ({ organization }) => organization,
        cell: ({ organization }) => organization,
      },
      {
        id: 'number',
        head: words.columns.number,
        isQuiet: true,
        cell: ({ fax_number }) => <span dir="ltr">{phone(fax_number)}</span>,
      },
      {
        id: 'exchange',
        head: words.columns.exchange,
        isQuiet: true,
        room: 'wide',
        cell: ({ last_exchange_at: at }) =>
          at === null ? words.never : <span title={formatFully(at)}>{formatWhen(at)}</span>,
      },
      {
        id: 'state',
        head: words.columns.state,
        room: 'medium',
        title: ({ status }) => status,
        cell: (partner) => <PartnerState partner={partner} />,
      },
    ],
    [phone],
  );
}
