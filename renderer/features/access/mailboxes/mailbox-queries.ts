import { access } from '../../../api/access.ts';
import { useAccessRows } from '../lists/access-rows.ts';

/** The mailboxes by label. */
export const useMailboxes = () =>
  useAccessRows({
    key: ['mailboxes'],
    read: (query, signal) => access.mailboxes.listMailboxes({ query, signal }),
  });

export type Mailbox = ReturnType<typeof useMailboxes>['items'][number];

/** The numbers whose faxes are filed in a mailbox. */
export const useRules = (mailboxId: string) =>
  useAccessRows({
    isShort: true,
    key: ['rules', mailboxId],
    read: (page, signal) =>
      access.mailboxes.listInboundRules({ query: { ...page, mailbox_id: mailboxId }, signal }),
  });

export type Rule = ReturnType<typeof useRules>['items'][number];
