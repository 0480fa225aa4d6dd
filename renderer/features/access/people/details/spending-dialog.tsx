import { useState } from 'react';
import { AMOUNT_LIMIT } from '../../../../../shared/money.ts';
import { limits } from '../../../../api/costs.ts';
import { t } from '../../../../texts/access.ts';
import { TextField } from '../../../../ui/field.tsx';
import { ChangeDialog } from '../../changes/change-dialog.tsx';
import { useChange } from '../../changes/use-change.ts';

const words = t.access.spending;

type PersonSpending = Awaited<ReturnType<typeof limits.personLimit>>;

/** Dialog for the spending limit of one person; an empty amount applies the limit of each person. */
export function SpendingDialog(props: { name: string; spending: PersonSpending; onClose: () => void }) {
  const { name, spending, onClose } = props;
  const { principal, version, own, currency } = spending;
  const [perDay, setPerDay] = useState(own.per_day?.amount ?? '');
  const [perMonth, setPerMonth] = useState(own.per_month?.amount ?? '');
  const change = useChange(
    () =>
      limits.setPersonLimit({
        params: { id: principal.id },
        body: { version, per_day: amountOf(perDay), per_month: amountOf(perMonth) },
      }),
    onClose,
  );
  const field = { autoComplete: 'off', inputMode: 'decimal', maxLength: 16, after: currency } as const;
  return (
    <ChangeDialog
      title={words.changeTitle(name)}
      submit={words.save}
      onSubmit={() => change.run(undefined)}
      onClose={onClose}
      change={change}
      missing={(problemOf(perDay) ?? problemOf(perMonth)) === null ? null : t.access.change.missing.wrong}
    >
      <p>{words.sentence}</p>
      <TextField
        {...field}
        autoFocus
        label={words.perDay}
        value={perDay}
        onChange={setPerDay}
        error={problemOf(perDay)}
      />
      <TextField
        {...field}
        label={words.perMonth}
        value={perMonth}
        onChange={setPerMonth}
        error={problemOf(perMonth)}
      />
    </ChangeDialog>
  );
}

const amountOf = (typed: string): string | null => (typed.trim() === '' ? null : typed.trim());

function problemOf(typed: string): string | null {
  const amount = amountOf(typed);
  return amount === null || AMOUNT_LIMIT.test(amount) ? null : words.wrong;
}
