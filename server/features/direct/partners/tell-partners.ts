import { z } from 'zod';
import type { WriteTx } from '../../../db/database.ts';
import { DONE, defineJob, type JobDefinition, type JobResult } from '../../../jobs/define-job.ts';
import { isoTime } from '../../../platform/clock.ts';
import { readOwnCard } from '../own-card.ts';
import { keysFor } from '../own-keys.ts';
import { targetOf } from '../peer-target.ts';
import { findPartner, listPartners } from '../store/partner-store.ts';
import type { PartnerRow } from '../types.ts';
import { signedText, signStatement } from '../wire/statement.ts';
import { changePartner, requirePartner } from './partner-changes.ts';
import type { PartnerParts } from './parts.ts';
import { headOf } from './requests.ts';

const HOUR_MS = 3_600_000;
const PATH = '/direct/statements';
/** A removed partner is told a few times; its requests are refused from the start. */
const REVOKED_TRIES = 3;

const Payload = z.strictObject({ partner_id: z.string(), what: z.enum(['revoked', 'key_change']) });
type Payload = z.infer<typeof Payload>;

const job = { kind: 'direct.tell', schema: Payload } as const;

/** Plans a statement to a partner, in the transaction of what it is about. */
export async function planTelling(
  { queue }: Pick<PartnerParts, 'queue'>,
  tx: WriteTx,
  payload: Payload,
): Promise<void> {
  await queue.enqueue(tx, job, { payload, key: `${job.kind} ${payload.what} ${payload.partner_id}` });
}

/** Plans a statement to each partner who does not know the own keys in force. Repeated each day until they do. */
export async function planKeyChanges(
  parts: Pick<PartnerParts, 'queue' | 'identity' | 'db'>,
  tx: WriteTx,
  signingKey: string,
): Promise<void> {
  for (const row of await listPartners(tx))
    if (isUntold(row, signingKey)) await planTelling(parts, tx, { partner_id: row.id, what: 'key_change' });
}

/** A partner with whom nothing was exchanged has no keys of ours to replace. */
const isUntold = ({ revoked_at, told_signing_key }: PartnerRow, signingKey: string) =>
  revoked_at === null && told_signing_key !== null && told_signing_key !== signingKey;

/** Sends the statements. Run twice, they change nothing more at the partner. */
export function defineTelling(parts: PartnerParts): JobDefinition<Payload> {
  return defineJob({
    ...job,
    concurrency: 2,
    lost: 'repeat',
    run: ({ partner_id, what }, { attempt, signal }) =>
      what === 'revoked'
        ? tellRevoked(parts, partner_id, { attempt, signal })
        : tellKeyChange(parts, partner_id, signal),
  });
}

async function tellRevoked(
  parts: PartnerParts,
  id: string,
  { attempt, signal }: { attempt: number; signal: AbortSignal },
): Promise<JobResult> {
  const row = await findPartner(parts.db.read, id);
  // Added again meanwhile.
  if (!parts.settings.enabled() || !row || row.revoked_at === null) return DONE;
  const keys = await keysFor(parts, row);
  const statement = {
    ...headOf(parts, 'revoked', { from: keys.signingKey, to: row.signing_key }),
    time: row.revoked_at,
  };
  const text = signedText(signStatement(statement, keys.signing));
  const result = await parts.peers.post(targetOf(parts, row, signal), PATH, text);
  if (result.kind === 'answered' || attempt >= REVOKED_TRIES) return DONE;
  return { kind: 'retry', at: parts.clock.now() + HOUR_MS, reason: result.sentence };
}

async function tellKeyChange(parts: PartnerParts, id: string, signal: AbortSignal): Promise<JobResult> {
  const row = await findPartner(parts.db.read, id);
  if (!parts.settings.enabled() || !row) return DONE;
  const current = await parts.identity.current();
  if (!isUntold(row, current.signingKey)) return DONE;
  const keys = await keysFor(parts, row);
  // The keys that the partner knows have ended, so it does not accept a statement of ours.
  if (keys.signingKey === current.signingKey) return DONE;
  const { card } = await readOwnCard(parts);
  const statement = {
    ...headOf(parts, 'key_change', { from: keys.signingKey, to: row.signing_key }),
    card,
  };
  const text = signedText(signStatement(statement, keys.signing));
  const result = await parts.peers.post(targetOf(parts, row, signal), PATH, text);
  // The daily upkeep plans the next try.
  if (result.kind !== 'answered' || result.status !== 200) return DONE;
  await parts.db.transaction(async (tx) => {
    const before = await requirePartner(parts, tx, { id, version: null });
    if (before.told_signing_key !== keys.signingKey) return;
    const at = isoTime(parts.clock.now());
    const told = { told_signing_key: card.signing_key, last_exchange_at: at };
    await changePartner(parts, tx, before, told, null);
  });
  return DONE;
}
