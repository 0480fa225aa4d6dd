import type { WriteTx } from '../../../db/database.ts';
import { limitPassedBy } from '../outcome/spending.ts';
import type { OutboundParts } from '../parts.ts';
import { takeCallTurn } from '../store/call-store.ts';
import type { Fax } from '../transition/fact.ts';
import { record } from '../transition/record.ts';
import { type PlannedStep, SYSTEM } from '../types.ts';
import { callAfter } from './lines.ts';

/** A fax whose step is about to begin. */
interface Member {
  readonly fax: Fax;
  readonly step: PlannedStep;
}

/**
 * Returns true when a fax may begin its step under the spending limits; holds a fax that would pass one. An attempt
 * from which nothing was sent is already counted.
 */
export async function beginsWithin(parts: OutboundParts, tx: WriteTx, member: Member): Promise<boolean> {
  const { fax, step } = member;
  if (!parts.spending.isOn() || fax.attempt?.phase === 'preparing') return true;
  // Calls come first wherever both are waited for.
  await takeCallTurn(tx, parts.db.capabilities);
  const text = await limitPassedBy(parts, tx, fax.job, step);
  if (text === null) return true;
  await record(parts, tx, fax, { kind: 'held', text, byLimit: true }, SYSTEM);
  return false;
}

/** Does the same as `beginsWithin` for a fax that had a line: the next fax gets it. */
export async function beginsOnItsLine(parts: OutboundParts, tx: WriteTx, member: Member): Promise<boolean> {
  if (await beginsWithin(parts, tx, member)) return true;
  const { fax, step } = member;
  if (step.traits.lines !== null)
    await callAfter(parts, tx, { lines_of: step.linesOf, to_number: fax.job.to_number });
  return false;
}

/** Those of a call that may begin. */
export async function membersWithin<M extends Member>(
  parts: OutboundParts,
  tx: WriteTx,
  members: readonly M[],
): Promise<M[]> {
  const within = [];
  for (const member of members) if (await beginsWithin(parts, tx, member)) within.push(member);
  return within;
}
