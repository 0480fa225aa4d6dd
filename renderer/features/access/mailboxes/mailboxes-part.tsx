import { t } from '../../../texts/access.ts';
import { Pane, PaneHead } from '../../../ui/pane.tsx';

export function MailboxesPart() {
  return (
    <Pane label={t.access.mailboxes}>
      <PaneHead title={t.access.mailboxes} />
    </Pane>
  );
}
