import { useQuery } from '@tanstack/react-query';
import { access } from '../../../api/access.ts';
import { client } from '../../../api/client.ts';
import { useAccessRows } from '../lists/access-rows.ts';

/** The mailboxes by label. */
export const useMailboxes = () =>
  useAccessRows({
    key: ['mailboxes'],
    read: (query, signal) => access.mailboxes.listMailboxes({ query, signal }),
  });

/** All of them at once. */
export const useEveryMailbox = () =>
  useAccessRows({
    isShort: true,
    key: ['mailboxes', 'all'],
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

/** The acknowledgement targets and backup people of all mailboxes. */
export const useWorkSettings = () =>
  useQuery({
    queryKey: ['access', 'work-settings'],
    queryFn: ({ signal }) => client.work.workSettings({ signal }),
    refetchOnMount: 'always',
  });

type WorkSettings = NonNullable<ReturnType<typeof useWorkSettings>['data']>;
export type MailboxWork = WorkSettings['mailboxes'][number];
