import { t } from '../../../texts/access.ts';
import { Pane, PaneHead } from '../../../ui/pane.tsx';

export function RolesPart() {
  return (
    <Pane label={t.access.roles}>
      <PaneHead title={t.access.roles} />
    </Pane>
  );
}
