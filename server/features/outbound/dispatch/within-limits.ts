import type { WriteTx } from '../../../db/database.ts';
import type { OutboundParts } from '../parts.ts';
import type { Lines } from '../queue/lines.ts';
import type { Recorder } from '../record/record.ts';
import { exceededLimit } from '../record/spending.ts';
import { lockCalls } from '../store/call-store.ts';
import type { Fax } from '../transition/fact.ts';
import { type PlannedStep, SYSTEM } from '../types.ts';

/** A fax whose step is about to begin. */
interface CallMember {
  readonly fax: Fax;
  readonly step: PlannedStep;
}

/**
 * Returns true when a fax may begin its step under the spending limits; holds a fax that would pass one. An attempt
 * from which nothing was sent is already counted.
 */
async function mayBeginWithinLimits(
  parts: Pick<OutboundParts, 'db' | 'spending'> & { readonly recorder: Recorder },
  tx: WriteTx,
  member: CallMember,
): Promise<boolean> {
  const { fax, step } = member;
  if (!parts.spending.isOn() || fax.attempt?.phase === 'preparing') return true;
  // Calls come first wherever both are waited for.
  await lockCalls(tx, parts.db.capabilities);
  const text = await exceededLimit(parts, tx, fax.job, step);
  if (text === null) return true;
  await parts.recorder.record(tx, fax, { kind: 'held', text, byLimit: true }, SYSTEM);
  return false;
}

/** Does the same as `mayBeginWithinLimits` for a fax that had a line: the next fax gets it. */
export async function mayBeginOnLine(
  parts: Pick<OutboundParts, 'db' | 'spending'> & { readonly lines: Lines; readonly recorder: Recorder },
  tx: WriteTx,
  member: CallMember,
): Promise<boolean> {
  if (await mayBeginWithinLimits(parts, tx, member)) return true;
  const { fax, step } = member;
  if (step.traits.lines !== null)
    await parts.lines.release(tx, { lines_of: step.linesOf, to_number: fax.job.to_number });
  return false;
}

/** Those of a call that may begin. */
export async function filterWithinLimits<M extends CallMember>(
  parts: Pick<OutboundParts, 'db' | 'spending'> & { readonly recorder: Recorder },
  tx: WriteTx,
  members: readonly M[],
): Promise<M[]> {
  const within = [];
  for (const member of members) if (await mayBeginWithinLimits(parts, tx, member)) within.push(member);
  return within;
}
