import { t } from '../../../texts/access.ts';
import { Pane, PaneHead } from '../../../ui/pane.tsx';

export function DevicesPart() {
  return (
    <Pane label={t.access.devices}>
      <PaneHead title={t.access.devices} />
    </Pane>
  );
}
