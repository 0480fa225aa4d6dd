import { useRef } from 'react';

/** Labels of the mailboxes that rows of a screen's lists were in, in order. */
export function useMailboxes(list: {
  readonly items: readonly { readonly mailbox: string | null }[];
}): readonly string[] {
  const known = useRef(new Set<string>());
  for (const { mailbox } of list.items) if (mailbox !== null) known.current.add(mailbox);
  return [...known.current].sort((a, b) => a.localeCompare(b));
}
