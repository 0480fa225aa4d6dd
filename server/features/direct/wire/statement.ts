import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson, parseCanonical } from './canonical-json.ts';
import { CardSchema, DIRECT } from './card.ts';
import { isSignatureOf, PublicKey, Sha256, Signature, signBytes } from './keys.ts';
import { WireError } from './wire-error.ts';

/** Most bytes of a signed statement, of a manifest and of its signature. */
export const STATEMENT_BYTES = 16 * 1024;

/** ISO 8601 in UTC, to the second or the millisecond. */
export const WireTime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/u)
  .refine((text) => !Number.isNaN(Date.parse(text)));
export const MessageId = z.string().regex(/^[0-9a-f]{32}$/u);

/** Reasons why a code is not confirmed. */
const CODE_REFUSALS = ['wrong_code', 'closed', 'expired'] as const;
export type CodeRefusal = (typeof CODE_REFUSALS)[number];
/** Reasons why a document is not taken. */
const DELIVERY_REFUSALS = [
  'not_verified',
  'wrong_recipient',
  'stale',
  'other_document',
  'withdrawn',
  'tampered',
  'not_a_pdf',
  'too_large',
] as const;
export type DeliveryRefusal = (typeof DELIVERY_REFUSALS)[number];

/** Members of every statement. `from` and `to` are signing keys. */
const head = <const T extends string>(type: T) => ({
  direct: z.literal(DIRECT),
  type: z.literal(type),
  from: PublicKey,
  to: PublicKey,
  time: WireTime,
});

const Receipt = z.strictObject({
  ...head('receipt'),
  message_id: MessageId,
  sha256: Sha256,
  size_bytes: z.int().min(1),
  received_at: WireTime,
  manifest_sha256: Sha256,
});

const SignedReceipt = z.strictObject({ statement: Receipt, signature: Signature });

/** Every statement by its type. */
const STATEMENTS = {
  verification: z.strictObject({ ...head('verification'), code: z.string().regex(/^\d{8,20}$/u) }),
  verified: z.strictObject({ ...head('verified'), expires_at: WireTime }),
  key_change: z.strictObject({ ...head('key_change'), card: CardSchema }),
  revoked: z.strictObject(head('revoked')),
  receipt: Receipt,
  /** Of a code, or of a document. */
  refused: z.union([
    z.strictObject({ ...head('refused'), reason: z.enum(CODE_REFUSALS), tries_left: z.int().min(0) }),
    z.strictObject({ ...head('refused'), reason: z.enum(DELIVERY_REFUSALS), message_id: MessageId }),
  ]),
  status: z.union([
    z.strictObject({
      ...head('status'),
      message_id: MessageId,
      state: z.literal('accepted'),
      receipt: SignedReceipt,
    }),
    z.strictObject({ ...head('status'), message_id: MessageId, state: z.literal('not_received') }),
  ]),
} as const;

export type StatementType = keyof typeof STATEMENTS;
export type StatementOf<T extends StatementType> = z.infer<(typeof STATEMENTS)[T]>;
export type Statement = StatementOf<StatementType>;
export type ReceiptStatement = z.infer<typeof Receipt>;

/** A statement with the signature of its `from` over its canonical JSON. */
export interface Signed<S extends Statement = Statement> {
  readonly statement: S;
  readonly signature: string;
}

/** Signs a statement with the private key of its `from`. */
export function signStatement<S extends Statement>(statement: S, signingKey: KeyObject): Signed<S> {
  return { statement, signature: signBytes(Buffer.from(canonicalJson(statement)), signingKey) };
}

/** Returns the body that carries a signed statement: canonical JSON. */
export const signedText = (signed: Signed): string => canonicalJson(signed);

/**
 * Parses a signed statement of one of these types, and verifies that its `from` signed it. Who `from` is, and whether
 * `to` and the time are right, is for the caller. Throws WireError (`oversized`, `malformed`, `signature`).
 */
export function openSigned<T extends StatementType>(
  bytes: Uint8Array,
  types: readonly T[],
): Signed<StatementOf<T>> {
  const signed = parseSigned(bytes, types);
  assertSigned(signed);
  return signed;
}

/** As {@link openSigned}, without the signature: to look its sender up before the cost of verifying it. */
export function parseSigned<T extends StatementType>(
  bytes: Uint8Array,
  types: readonly T[],
): Signed<StatementOf<T>> {
  const value = parseCanonical(bytes, STATEMENT_BYTES);
  const outer = z
    .strictObject({ statement: z.looseObject({ type: z.string() }), signature: Signature })
    .safeParse(value);
  const type = types.find((each) => outer.data?.statement.type === each);
  const inner = type === undefined ? undefined : STATEMENTS[type].safeParse(outer.data?.statement);
  if (!outer.success || !inner?.success)
    throw new WireError('malformed', 'It is not a statement of this kind.');
  return { statement: inner.data as StatementOf<T>, signature: outer.data.signature };
}

/** Throws WireError (`signature`) unless `from` signed the statement. */
export function assertSigned({ statement, signature }: Signed): void {
  if (isSignatureOf(Buffer.from(canonicalJson(statement)), signature, statement.from)) return;
  throw new WireError('signature', 'It is not signed by the key that it names.');
}

/** Throws WireError (`stale`) when a time is further than `limitMs` from now, in either direction. `now` in epoch ms. */
export function assertFresh(time: string, now: number, limitMs: number): void {
  if (Math.abs(now - Date.parse(time)) <= limitMs) return;
  throw new WireError('stale', 'Its time is too far from the present. Check the clocks of both computers.');
}
