import type { Random } from '../../fuzz/random.ts';
import { MAILBOX } from '../../setup/dovecot-server.ts';
import { type MailDomain, mail } from '../../setup/signed-mail.ts';
import { numberOf, pagePdf } from './client.ts';
import type { ClientFax } from './records.ts';

/** The sender whose messages become faxes. */
export const SENDERS = ['ann', 'bea', 'carl', 'dan'].map((name) => `${name}@clinic.example`);

/** A message to the mailbox whose messages become faxes. */
export interface Letter {
  /** `unnumbered`: without a number to send it to; `forged`: signed by another domain than its sender's. */
  readonly kind: 'fax' | 'unnumbered' | 'forged';
  readonly messageId: string;
  readonly raw: Buffer;
  /** Number of deliveries. */
  readonly copies: number;
  /** The fax that it has to become, with its id once the gateway named it. */
  readonly fax: ClientFax;
}

/** The decisions about the message with this number, which no other has. */
export async function createLetter(
  random: Random,
  number: number,
  domains: { clinic: MailDomain; elsewhere: MailDomain },
): Promise<Letter> {
  const kind = random.pick(['fax', 'fax', 'fax', 'fax', 'fax', 'unnumbered', 'forged'] as const);
  const messageId = `<letter-${number}@clinic.example>`;
  const to = numberOf(number);
  const content = pagePdf(`letter ${number}`, random.chance(10) ? 300_000 : random.int(2_000));
  const text = `Letter ${number}\n`.repeat(1 + random.int(30));
  const message = await mail({
    from: random.pick(SENDERS),
    to: MAILBOX,
    subject: kind === 'unnumbered' ? 'Referral' : to,
    text: 'Please fax this.',
    messageId,
    attachments: random.chance(60)
      ? [{ filename: 'letter.pdf', content }]
      : [{ filename: 'letter.txt', content: text }],
  });
  return {
    kind,
    messageId,
    raw: await (kind === 'forged' ? domains.elsewhere : domains.clinic).sign(message),
    copies: random.chance(25) ? 2 : 1,
    fax: { key: messageId, to, id: null, sha256: null, isCancelled: false },
  };
}
