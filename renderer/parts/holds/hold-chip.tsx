import { usePermission } from '../../api/queries.ts';
import { t } from '../../texts/index.ts';
import { Chip } from '../../ui/chip.tsx';

/** Chip that restricts a list to faxes under a legal hold, for people who place them. */
export function HoldChip({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  const mayManage = usePermission('holds:manage');
  if (!mayManage && !isOn) return null;
  return (
    <Chip isOn={isOn} onChange={onChange}>
      {t.fax.legalHold}
    </Chip>
  );
}
