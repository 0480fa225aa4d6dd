import { t } from '../../../texts/access.ts';
import { Pane, PaneHead } from '../../../ui/pane.tsx';

export function KeysPart() {
  return (
    <Pane label={t.access.keys}>
      <PaneHead title={t.access.keys} />
    </Pane>
  );
}
