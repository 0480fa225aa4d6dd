import { t } from '../../../texts/access.ts';
import { Pane, PaneHead } from '../../../ui/pane.tsx';

export function GroupsPart() {
  return (
    <Pane label={t.access.groups}>
      <PaneHead title={t.access.groups} />
    </Pane>
  );
}
