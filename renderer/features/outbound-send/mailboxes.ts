import { useQuery } from '@tanstack/react-query';
import { defaultsQuery } from '../../api/desk.ts';
import { useMe } from '../../api/queries.ts';
import { useComputerMailbox } from '../../parts/desktop-preferences.ts';
import { t } from '../../texts/index.ts';
import { type Draft, isEmpty } from './draft/draft.ts';

export interface Mailbox {
  readonly id: string;
  readonly label: string;
}

/** Stands for no mailbox; ids are longer. */
export const NONE = 'none';

/** Returns the draft with the mailbox that the form shows, also where nobody chose it. */
export function withShownMailbox(draft: Draft, chosen: string | null): Draft {
  const { options } = draft;
  const mailbox = chosen === NONE ? '' : (chosen ?? options.mailbox);
  if (isEmpty(draft) || mailbox === options.mailbox) return draft;
  return { ...draft, options: { ...options, mailbox } };
}

export interface Mailboxes {
  /** Empty when there is nothing to choose. */
  readonly choices: readonly Mailbox[];
  /** Id of the choice; null while one is missing. */
  readonly chosen: string | null;
}

/**
 * The mailboxes that the fax can be sent for. Who may send everywhere may also choose none. Without a choice (`wanted` is
 * empty) it is that of this computer, else the person's usual one.
 */
export function useMailboxes(all: readonly Mailbox[] = [], wanted: string): Mailboxes {
  const computer = useComputerMailbox()?.id;
  const usual = useQuery(defaultsQuery).data?.mailbox_id;
  const first = computer ?? usual ?? NONE;
  const none = useMe()?.permissions.includes('fax:send') ? [{ id: NONE, label: t.send.noMailbox }] : [];
  const choices = [...none, ...all];
  // The mailbox of an older draft may be gone; then the person chooses although only one is left.
  if (choices.length < 2 && (wanted === '' || wanted === NONE)) return { choices: [], chosen: null };
  const find = (wantedId: string) => choices.find(({ id }) => id === wantedId)?.id ?? null;
  // A usual one that is gone by now is none.
  return { choices, chosen: wanted === '' ? (find(first) ?? find(NONE)) : find(wanted) };
}
