import { access } from '../../../api/access.ts';
import { useWhole } from '../lists/everything.ts';
import { usePages } from '../lists/pages.ts';

/** The mailboxes by label. */
export const useMailboxes = () =>
  usePages({
    key: ['mailboxes'],
    read: (query, signal) => access.mailboxes.listMailboxes({ query, signal }),
  });

export type Mailbox = ReturnType<typeof useMailboxes>['items'][number];

/** The numbers whose faxes are filed in a mailbox. */
export const useRules = (mailboxId: string) =>
  useWhole({
    key: ['rules', mailboxId],
    read: (page, signal) =>
      access.mailboxes.listInboundRules({ query: { ...page, mailbox_id: mailboxId }, signal }),
  });

export type Rule = ReturnType<typeof useRules>['items'][number];
