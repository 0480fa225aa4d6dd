import { useRef } from 'react';
import type { InboxList } from './use-inbox-list.ts';

/** Labels of the mailboxes whose faxes were in a list of this screen, in order. */
export function useMailboxes(list: InboxList): readonly string[] {
  const known = useRef(new Set<string>());
  for (const { mailbox } of list.items) if (mailbox !== null) known.current.add(mailbox);
  return [...known.current].sort((a, b) => a.localeCompare(b));
}
