import { z } from 'zod';
import { Id } from '../../../../shared/api/values.ts';
import { DIRECT_BACKEND, IMPORT_BACKEND, INTERNAL_BACKEND } from '../../../../shared/backends.ts';
import type { WriteTx } from '../../../db/database.ts';
import { isoTime } from '../../../platform/clock.ts';
import type { InboundParts } from '../parts.ts';
import { awaitDecoding } from '../store/original-store.ts';
import type { FaxRow } from '../types.ts';

const DecodePayload = z.strictObject({ fax_id: Id });
export type DecodePayload = z.infer<typeof DecodePayload>;

/** Job that looks for a document in the pages of a fax, by name and shape. Its definition is in `decode.ts`. */
export const decodeJob = { kind: 'inbound.decode', schema: DecodePayload } as const;

const decodeKey = (faxId: string) => `inbound.decode:${faxId}`;

/** Maximum time for which an e-mail waits for the original. */
const MAIL_WAIT_MS = 120_000;

/** Backends whose documents are originals already, or come from an archive that people look through themselves. */
const NOT_DECODED: readonly string[] = [IMPORT_BACKEND, INTERNAL_BACKEND, DIRECT_BACKEND];

type Parts = Pick<InboundParts, 'queue' | 'clock' | 'settings'>;

/** Queues the search for a document in the pages of a fax that is filed now, where there can be one. */
export async function decodeFiled(parts: Parts, tx: WriteTx, fax: FaxRow): Promise<void> {
  const isTest = fax.is_test === 1 || fax.test === 1;
  if (isTest || NOT_DECODED.includes(fax.backend) || !parts.settings.decodesPages()) return;
  await decodeNow(parts, tx, fax.id);
}

/** Queues the search again, as when a key was added. */
export async function decodeNow(
  { queue, clock }: Pick<InboundParts, 'queue' | 'clock'>,
  tx: WriteTx,
  faxId: string,
): Promise<void> {
  await awaitDecoding(tx, faxId, isoTime(clock.now() + MAIL_WAIT_MS));
  const key = decodeKey(faxId);
  const isNew = await queue.enqueue(tx, decodeJob, { payload: { fax_id: faxId }, key });
  if (!isNew) await queue.makeDue(tx, key);
}
