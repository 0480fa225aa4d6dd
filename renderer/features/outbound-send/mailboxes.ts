import { useMe } from '../../api/queries.ts';
import { t } from '../../texts/index.ts';

export interface Mailbox {
  readonly id: string;
  readonly label: string;
}

/** Stands for no mailbox; ids are longer. */
export const NONE = 'none';

export interface Mailboxes {
  /** Empty when there is nothing to choose. */
  readonly choices: readonly Mailbox[];
  /** Id of the choice; null while one is missing. */
  readonly chosen: string | null;
}

/** The mailboxes that the fax can be sent for. Who may send everywhere may also choose none. */
export function useMailboxes(all: readonly Mailbox[] = [], wanted: string): Mailboxes {
  const none = useMe()?.permissions.includes('fax:send') ? [{ id: NONE, label: t.send.noMailbox }] : [];
  const choices = [...none, ...all];
  // The mailbox of an older draft may be gone; then the person chooses although only one is left.
  if (choices.length < 2 && wanted === '') return { choices: [], chosen: null };
  return { choices, chosen: choices.find(({ id }) => id === (wanted || NONE))?.id ?? null };
}
