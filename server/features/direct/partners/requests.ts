import type { PeerResult } from '../../../adapters/peers/port.ts';
import { isoTime } from '../../../platform/clock.ts';
import type { OwnKeys } from '../identity.ts';
import { targetOf } from '../peer-target.ts';
import type { PartnerRow } from '../types.ts';
import { DIRECT } from '../wire/card.ts';
import {
  assertFresh,
  assertSigned,
  parseSigned,
  type Signed,
  type Statement,
  type StatementOf,
  type StatementType,
  signedText,
  signStatement,
} from '../wire/statement.ts';
import { WireError } from '../wire/wire-error.ts';
import type { PartnerParts } from './parts.ts';

const DAY_MS = 24 * 3_600_000;
/** Furthest that the time of a statement may be from the present. */
export const STATEMENT_AGE_MS = DAY_MS;

/** Answer of a partner: signed by it, or without a signature; or none. */
export type PartnerAnswer<T extends StatementType> =
  | { readonly kind: 'signed'; readonly statement: StatementOf<T> }
  | { readonly kind: 'unsigned'; readonly status: number }
  | Exclude<PeerResult, { kind: 'answered' }>;

/** Head of a statement to a partner. */
export function headOf<T extends StatementType>(
  { clock }: Pick<PartnerParts, 'clock'>,
  type: T,
  { from, to }: { readonly from: string; readonly to: string },
) {
  return { direct: DIRECT, type, from, to, time: isoTime(clock.now()) } as const;
}

/** Signs a statement, posts it to a partner and opens the signed answer. */
export async function postStatement<T extends StatementType>(
  parts: PartnerParts,
  row: PartnerRow,
  request: {
    readonly path: string;
    readonly statement: Statement;
    readonly keys: OwnKeys;
    readonly answers: readonly T[];
    readonly signal?: AbortSignal;
  },
): Promise<PartnerAnswer<T>> {
  const { path, statement, keys, answers, signal } = request;
  const text = signedText(signStatement(statement, keys.signing));
  const result = await parts.peers.post(targetOf(parts, row, signal), path, text);
  if (result.kind !== 'answered') return result;
  const signed = openAnswer(parts, row, result.body, answers);
  if (signed === null || signed.statement.to !== keys.signingKey)
    return { kind: 'unsigned', status: result.status };
  return { kind: 'signed', statement: signed.statement };
}

/** Opens an answer that the partner signed just now; null for anything else. */
function openAnswer<T extends StatementType>(
  { clock }: PartnerParts,
  row: PartnerRow,
  body: Uint8Array,
  types: readonly T[],
): Signed<StatementOf<T>> | null {
  try {
    const signed = parseSigned(body, types);
    if (signed.statement.from !== row.signing_key) return null;
    assertSigned(signed);
    assertFresh(signed.statement.time, clock.now(), STATEMENT_AGE_MS);
    return signed;
  } catch (error) {
    if (error instanceof WireError) return null;
    throw error;
  }
}
