import { t } from '../../../texts/access.ts';
import { Pane, PaneHead } from '../../../ui/pane.tsx';

export function AssignmentsPart() {
  return (
    <Pane label={t.access.assignments}>
      <PaneHead title={t.access.assignments} />
    </Pane>
  );
}
