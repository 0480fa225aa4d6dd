import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { limits } from '../../../../api/costs.ts';
import { usePermission } from '../../../../api/queries.ts';
import { t } from '../../../../texts/access.ts';
import { Button } from '../../../../ui/button.tsx';
import { formatMoney } from '../../../../ui/money.ts';
import { DetailsFacts, DetailsSection } from '../../details/details.tsx';
import type { Principal } from '../people-queries.ts';
import styles from './principal-view.module.css';
import { SpendingDialog } from './spending-dialog.tsx';

const words = t.access.spending;

/** Shows the principal's spending limit and how much of it is spent; nothing while no limit is in force. */
export default function PrincipalSpending({
  principal: { id, display_name: name },
}: {
  principal: Principal;
}) {
  const mayChange = usePermission('routing:manage');
  const [isChanging, setChanging] = useState(false);
  const { data } = useQuery({
    // Read again with what else is shown of them.
    queryKey: ['access', 'spending', id],
    queryFn: ({ signal }) => limits.personLimit({ params: { id }, signal }),
    staleTime: 0,
  });
  if (!data || data.currency === null) return null;
  const isLimited = data.day.limit !== null || data.month.limit !== null;
  return (
    <DetailsSection
      title={words.title}
      aside={
        mayChange && (
          <Button variant="link" onPress={() => setChanging(true)}>
            {words.change}
          </Button>
        )
      }
    >
      {isLimited ? (
        <DetailsFacts
          facts={(['day', 'month'] as const).map(
            (period) => [words[period], spendingText(data[period])] as const,
          )}
        />
      ) : (
        <p className={styles['quiet']}>{words.none}</p>
      )}
      {isChanging && <SpendingDialog name={name} spending={data} onClose={() => setChanging(false)} />}
    </DetailsSection>
  );
}

type Spending = Awaited<ReturnType<typeof limits.personLimit>>['day'];

/** `$1.90 of $5.00 left, and 2 faxes of unknown cost` */
function spendingText({ limit, left, unknown }: Spending): string {
  if (limit === null || left === null) return words.noLimit;
  const more = unknown === 0 ? '' : words.unknown(String(unknown), unknown === 1);
  return `${words.left(formatMoney(left), formatMoney(limit))}${more}`;
}
