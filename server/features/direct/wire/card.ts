import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import { LIMITS } from '../../../../shared/limits.ts';
import { VISIBLE_LINE } from '../../../../shared/visible-text.ts';
import { canonicalJson, parseJson } from './canonical-json.ts';
import { isSignatureOf, PublicKey, Signature, signBytes } from './keys.ts';
import { WireError } from './wire-error.ts';

/** Version of the wire. */
export const DIRECT = 1;
/** Begins the text form of a card. */
const CARD_PREFIX = 'faxdesk-card:';

const LIMIT = LIMITS.direct;

const Endpoint = z
  .string()
  .max(LIMIT.endpoint)
  .regex(/^https?:\/\/[!-~]+$/u)
  .refine(isBaseAddress, 'must be a web address without user, query, fragment and final slash');

const CardContent = z.strictObject({
  direct: z.literal(DIRECT),
  organization: z.string().min(1).max(LIMIT.organization).regex(VISIBLE_LINE),
  fax_number: z.string().regex(/^\+[1-9]\d{6,14}$/u),
  endpoint: Endpoint,
  signing_key: PublicKey,
  exchange_key: PublicKey,
});
const SignedCard = CardContent.extend({ signature: Signature });

export type CardContent = z.infer<typeof CardContent>;
/** Visiting card of an installation: signed, and without secrets. */
export type Card = z.infer<typeof SignedCard>;

/** Schema of a card within a statement. Its signature has to be verified as well: {@link assertCardSigned}. */
export const CardSchema = SignedCard;

/** Signs a card. Throws WireError (`malformed`) where a part does not fit. */
export function makeCard(content: Omit<CardContent, 'direct'>, signingKey: KeyObject): Card {
  const checked = CardContent.safeParse({ direct: DIRECT, ...content });
  if (!checked.success) throw new WireError('malformed', 'The card cannot be made of these values.');
  return { ...checked.data, signature: signBytes(signedBytes(checked.data), signingKey) };
}

/** Returns a card as one line of text, for people to copy and for QR codes. */
export function cardText(card: Card): string {
  return `${CARD_PREFIX}${Buffer.from(canonicalJson(card)).toString('base64url')}`;
}

/**
 * Parses a card that a person pasted or scanned: its line of text or its JSON, with white space around and within a
 * line that a program wrapped. Throws WireError with a sentence for that person.
 */
export function parseCard(pasted: string): Card {
  if (pasted.length > 2 * LIMIT.cardBytes) throw new WireError('oversized', 'This is too long for a card.');
  const card = checkCard(jsonOf(pasted.trim()));
  assertCardSigned(card);
  return card;
}

function jsonOf(text: string): unknown {
  if (text.startsWith('{')) return parsedOf(Buffer.from(text));
  const compact = text.replace(/\s+/gu, '');
  const [, body] = /^faxdesk-card:([\w-]+)$/u.exec(compact) ?? [];
  if (body === undefined) throw notACard();
  return parsedOf(Buffer.from(body, 'base64url'));
}

function parsedOf(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes, LIMIT.cardBytes).parsed;
  } catch {
    throw notACard();
  }
}

function checkCard(value: unknown): Card {
  const version = z.looseObject({ direct: z.int() }).safeParse(value);
  if (version.success && version.data.direct !== DIRECT)
    throw new WireError('version', 'This card is of another version of direct delivery.');
  const card = SignedCard.safeParse(value);
  if (!card.success) throw notACard();
  return card.data;
}

/** Throws WireError (`signature`) unless the card is signed by the key that it names. */
export function assertCardSigned({ signature, ...content }: Card): void {
  if (isSignatureOf(signedBytes(content), signature, content.signing_key)) return;
  throw new WireError('signature', 'The signature of this card is not valid. Copy the whole card again.');
}

const signedBytes = (content: CardContent) => Buffer.from(canonicalJson(content));

function isBaseAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || url.hostname === '') return false;
  return !/[?#]/u.test(text) && !text.endsWith('/');
}

const notACard = () => new WireError('malformed', 'This is not a card of Faxdesk. Copy the whole card.');
