import type { HeaderLine } from './header-line.ts';

/** Names of mail systems, before the @. */
const SYSTEM_SENDERS = /^(?:mailer-daemon|postmaster|bounces?(?:[+-].*)?|no-?reply|do-?not-?reply)@/u;

const valueOf = ({ line }: HeaderLine) =>
  line
    .slice(line.indexOf(':') + 1)
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .toLowerCase();

/**
 * Returns a sentence that explains why a message counts as automatic, by the headers of RFC 3834 and of common mail
 * systems; null for one that a person sent. An automatic message makes no fax and is never answered.
 */
export function automaticReason(headers: readonly HeaderLine[], sender: string | null): string | null {
  const values = (key: string) => headers.filter((header) => header.key === key).map(valueOf);
  const has = (key: string) => values(key).length > 0;
  if (values('auto-submitted').some((value) => !/^no\b/u.test(value)))
    return 'A program sent the message, not a person.';
  if (values('precedence').some((value) => /^(?:bulk|list|junk|auto_reply)\b/u.test(value)) || has('list-id'))
    return 'The message came from a mailing list.';
  if (has('x-loop') || has('x-autoreply') || has('x-autorespond'))
    return 'The message is an automatic reply.';
  if (values('return-path').includes('<>') || (sender !== null && SYSTEM_SENDERS.test(sender)))
    return 'The message is a notice from a mail system.';
  if (values('content-type').some((value) => value.startsWith('multipart/report')))
    return 'The message is a notice from a mail system.';
  return null;
}
