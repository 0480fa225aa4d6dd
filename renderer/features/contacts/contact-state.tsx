import type { Contact } from '../../api/contacts.ts';
import { t } from '../../texts/contacts.ts';
import { formatWhen } from '../../ui/format.ts';
import { StateWord } from '../../ui/state-word.tsx';

const words = t.contacts.states;

/** Shows whether the contact is blocked, and the results of recent faxes. */
export function ContactState({ contact }: { contact: Contact }) {
  const { blocked, recent_failures: failures, last_success_at: reached } = contact;
  if (blocked)
    return (
      <StateWord tone="danger" icon="alert" size="body">
        {words.blocked}
      </StateWord>
    );
  if (failures > 0)
    return (
      <StateWord tone="warn" icon="warn" size="body">
        {words.failed(failures)}
      </StateWord>
    );
  if (reached === null)
    return (
      <StateWord tone="plain" icon="info" size="body">
        {words.never}
      </StateWord>
    );
  return (
    <StateWord tone="ok" icon="ok" size="body">
      {words.reached(formatWhen(reached))}
    </StateWord>
  );
}
