import type { z } from 'zod';
import type { MailToFaxMessage } from '../../../shared/api/mail-to-fax.ts';
import { MAIL_TO_FAX_STATES, type MailToFaxState } from '../../../shared/states/mail-to-fax.ts';
import { type Caller, principalNames } from '../access/service.ts';
import type { MailToFaxParts } from './parts.ts';
import { repliesOf } from './replies/reply-store.ts';
import { countMessages, listMessages, type MessageFilter } from './store/message-store.ts';

type MessageAnswer = z.infer<typeof MailToFaxMessage>;

/** Newest first, with how many there are in every state. Number and fax only for who may see all sent faxes. */
export async function listedMessages(
  { db }: Pick<MailToFaxParts, 'db'>,
  caller: Caller,
  filter: MessageFilter,
) {
  const page = await listMessages(db.read, filter);
  const names = await principalNames(
    db.read,
    page.items.flatMap(({ principal_id }) => principal_id ?? []),
  );
  const replies = await repliesOf(
    db.read,
    page.items.map(({ id }) => id),
  );
  const sees = caller.holds('fax:read');
  const items: MessageAnswer[] = page.items.map((row) => ({
    id: row.id,
    state: row.state,
    sender: row.sender,
    principal:
      row.principal_id === null ? null : { id: row.principal_id, name: names.get(row.principal_id) ?? '' },
    to_number: sees ? row.to_number : null,
    fax_id: sees ? row.fax_id : null,
    sentence: row.problem,
    message_id: row.message_id,
    replies: replies
      .filter(({ mail_id }) => mail_id === row.id)
      .map(({ kind, state, problem, updated_at }) => ({ kind, state, sentence: problem, updated_at })),
    retry_at: row.retry_at,
    recorded_at: row.recorded_at,
    updated_at: row.updated_at,
  }));
  return { items, next_cursor: page.next_cursor, counts: await countsOf(db.read) };
}

async function countsOf(db: MailToFaxParts['db']['read']): Promise<Record<MailToFaxState, number>> {
  const none = Object.fromEntries(MAIL_TO_FAX_STATES.map((state) => [state, 0])) as Record<
    MailToFaxState,
    number
  >;
  for (const { state, messages } of await countMessages(db)) none[state] = messages;
  return none;
}
