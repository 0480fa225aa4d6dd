import { t } from '../../../texts/access.ts';
import { Pane, PaneHead } from '../../../ui/pane.tsx';

export function PeoplePart() {
  return (
    <Pane label={t.access.people}>
      <PaneHead title={t.access.people} />
    </Pane>
  );
}

export const IntegrationsPart = PeoplePart;
