import type { PeerResult } from '../../../adapters/peers/port.ts';
import type { PartnerRow } from '../types.ts';
import type { Manifest } from '../wire/manifest.ts';
import {
  type DeliveryRefusal,
  openSigned,
  type ReceiptStatement,
  type Signed,
  type StatementOf,
} from '../wire/statement.ts';
import { isReceiptOf } from './receipt.ts';

/**
 * Certainty after a request about a document. `open`: none, so Faxdesk asks the partner again. Only a signature of the
 * partner settles anything.
 */
export type Finding =
  | { readonly kind: 'accepted'; readonly receipt: Signed<ReceiptStatement> }
  /** It did not arrive, and never will under this id. */
  | { readonly kind: 'not_delivered'; readonly reason: DeliveryRefusal | 'not_received' | 'not_sent' }
  | { readonly kind: 'open'; readonly reason: string };

/** The document, and the keys of the one who may sign an answer about it. */
export interface Expected {
  readonly messageId: string;
  /** Null when it is not known any more: then no receipt can be checked. */
  readonly manifest: Manifest | null;
  /** Own keys to which an answer may be addressed. */
  readonly ownKeys: readonly string[];
  readonly partnerKeys: readonly string[];
}

const OTHER_DOCUMENT = 'The partner has another document under the ID of this one.';
const UNSIGNED = 'The partner’s installation gave no signed answer.';

/** Judges the answer to an upload. */
export function judgeUpload(result: PeerResult, expected: Expected): Finding {
  if (result.kind !== 'answered')
    return result.kind === 'not_sent'
      ? { kind: 'not_delivered', reason: 'not_sent' }
      : { kind: 'open', reason: result.sentence };
  const signed = open(() => openSigned(result.body, ['receipt', 'refused']));
  if (signed === null) return { kind: 'open', reason: UNSIGNED };
  const { statement } = signed;
  if (statement.type === 'receipt') return judgeReceipt({ statement, signature: signed.signature }, expected);
  return judgeRefusal(statement, expected);
}

/** Judges the answer to the question whether a document arrived. */
export function judgeStatus(result: PeerResult, expected: Expected): Finding {
  if (result.kind !== 'answered') return { kind: 'open', reason: result.sentence };
  const signed = open(() => openSigned(result.body, ['status']));
  if (signed === null || !isFor(signed.statement, expected)) return { kind: 'open', reason: UNSIGNED };
  const { statement } = signed;
  if (statement.message_id !== expected.messageId) return { kind: 'open', reason: UNSIGNED };
  if (statement.state === 'not_received') return { kind: 'not_delivered', reason: 'not_received' };
  return judgeReceipt(statement.receipt, expected);
}

function judgeReceipt(receipt: Signed<ReceiptStatement>, { manifest, partnerKeys }: Expected): Finding {
  const isOurs = manifest !== null && isReceiptOf(receipt, manifest, partnerKeys);
  return isOurs ? { kind: 'accepted', receipt } : { kind: 'open', reason: OTHER_DOCUMENT };
}

/** A refusal because the id has another document says nothing about this one. */
function judgeRefusal(statement: StatementOf<'refused'>, expected: Expected): Finding {
  const isAbout = 'message_id' in statement && statement.message_id === expected.messageId;
  if (!isAbout || !isFor(statement, expected)) return { kind: 'open', reason: UNSIGNED };
  if (statement.reason === 'other_document') return { kind: 'open', reason: OTHER_DOCUMENT };
  return { kind: 'not_delivered', reason: statement.reason };
}

const isFor = (
  { from, to }: { readonly from: string; readonly to: string },
  { partnerKeys, ownKeys }: Expected,
): boolean => partnerKeys.includes(from) && ownKeys.includes(to);

/** Null for what is not signed as the wire has it. */
function open<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** Returns the keys of a partner row that could have signed an answer, whenever it was given. */
export const everyKeyOf = ({
  signing_key,
  previous_signing_key,
}: Pick<PartnerRow, 'signing_key' | 'previous_signing_key'>): string[] =>
  previous_signing_key === null ? [signing_key] : [signing_key, previous_signing_key];
