import { t } from '../../../texts/access.ts';
import { Pane, PaneHead } from '../../../ui/pane.tsx';

export function SessionsPart() {
  return (
    <Pane label={t.access.sessions}>
      <PaneHead title={t.access.sessions} />
    </Pane>
  );
}
