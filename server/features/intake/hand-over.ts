import type { MailMessage, MailOutcome } from '../../adapters/mail/port.ts';
import { messageId } from './message.ts';
import type { IntakeParts } from './parts.ts';
import { serverOf, unencryptedProblem } from './server-of.ts';
import { listConnectors } from './store/connector-store.ts';

/** A message without a document. */
export interface HandOver extends Pick<MailMessage, 'to' | 'subject' | 'text' | 'html' | 'at' | 'inReplyTo'> {
  /** Name or id of the connector whose server and sender are used, also when it is off for faxes. */
  readonly connector: string;
  /** The first part of its Message-ID; the same whenever it is sent. */
  readonly idName: string;
}

/** Hands the message over once, as `Mailer.send` does. Returns a refusal when it cannot be tried. */
export async function handOver(
  parts: IntakeParts,
  { connector: wanted, idName, ...message }: HandOver,
  beforeData: () => Promise<void>,
): Promise<MailOutcome> {
  const all = await listConnectors(parts.db.read);
  const named = all.filter(({ name }) => name.toLowerCase() === wanted.trim().toLowerCase());
  const [connector, second] = all.some(({ id }) => id === wanted)
    ? all.filter(({ id }) => id === wanted)
    : named;
  if (!connector) return refused(`There is no e-mail connector named “${wanted}”.`);
  if (second) return refused(`Several e-mail connectors are named “${wanted}”.`);
  const problem = unencryptedProblem(parts, connector);
  if (problem !== null) return refused(problem);
  const from = connector.from_address;
  const mail = {
    ...message,
    from,
    messageId: messageId(`${idName}.${connector.id}`, from),
    attachments: [],
  };
  return parts.mailer.send(serverOf(parts, connector), mail, beforeData);
}

const refused = (sentence: string): MailOutcome => ({ kind: 'refused', sentence, refused: new Map() });
