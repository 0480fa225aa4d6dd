import { t } from '../../../texts/access.ts';
import { Pane, PaneHead } from '../../../ui/pane.tsx';

export function AuditPart() {
  return (
    <Pane label={t.access.audit}>
      <PaneHead title={t.access.audit} />
    </Pane>
  );
}
