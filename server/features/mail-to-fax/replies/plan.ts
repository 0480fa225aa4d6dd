import type { WriteTx } from '../../../db/database.ts';
import type { MailToFaxParts } from '../parts.ts';
import type { MessageRow, ReplyRow } from '../types.ts';
import { insertReply } from './reply-store.ts';

/** Maximum length kept of a person's subject. */
const MAX_SUBJECT_LENGTH = 200;

export const subjectContext = (mailId: string) => `mail_reply.subject/${mailId}`;

/**
 * Records the replies to a message that was decided. Only verified senders on the list are answered: other messages may
 * be forged.
 */
export async function planReplies(
  { settings, seal }: Pick<MailToFaxParts, 'settings' | 'seal'>,
  tx: WriteTx,
  { id, state, sender, principal_id, updated_at }: MessageRow,
  subject: string | undefined,
): Promise<void> {
  if (settings.replyConnector() === null || sender === null || principal_id === null) return;
  if (state !== 'accepted' && state !== 'refused') return;
  const common: Omit<ReplyRow, 'kind' | 'state'> = {
    mail_id: id,
    version: 1,
    address: sender,
    subject:
      subject === undefined ? null : seal.seal(subject.slice(0, MAX_SUBJECT_LENGTH), subjectContext(id)),
    problem: null,
    failures: 0,
    retry_at: null,
    recorded_at: updated_at,
    updated_at,
  };
  await insertReply(tx, { ...common, kind: state, state: 'waiting' });
  if (state === 'accepted') await insertReply(tx, { ...common, kind: 'ended', state: 'pending' });
}
