import { useQuery } from '@tanstack/react-query';
import { contextQuery } from '../../api/queries.ts';
import { t } from '../../texts/index.ts';
import { Chip } from '../../ui/chip.tsx';

/** Chip that shows test faxes in a list. Only there where they can exist, or are shown. */
export function TestFaxesChip({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  const canExist = useQuery(contextQuery).data?.test_faxes === true;
  if (!canExist && !isOn) return null;
  return (
    <Chip isOn={isOn} onChange={onChange}>
      {t.fax.testFaxes}
    </Chip>
  );
}
