import type { WriteTx } from '../../../db/database.ts';
import type { OutboundParts } from '../parts.ts';
import { dispatchJob, dispatchOf } from '../queue/queued.ts';
import type { Recorder } from '../record/record.ts';
import type { Fact, Fax } from '../transition/fact.ts';
import { shareOf } from '../transition/share.ts';
import { type Actor, SYSTEM } from '../types.ts';
import type { BegunCall } from './attempt.ts';

/** Delay before a fax that shared a call, and of which nothing was sent, is dispatched again. */
const RETRY_DELAY_MS = 15_000;

/**
 * Records one fact for every fax of a call, each for itself. Returns the lead as it is then; null where that changed nothing.
 * A fax that is ready again gets a dispatch: that of the lead goes on with this run.
 */
export async function recordForCall(
  parts: Pick<OutboundParts, 'queue' | 'clock'> & { readonly recorder: Recorder },
  tx: WriteTx,
  { call, fact, by }: { call: BegunCall; fact: Fact; by: Actor },
  read: (fax: BegunCall['lead']) => Promise<Fax | null> = async (fax) => fax,
): Promise<Fax | null> {
  let lead: Fax | null = null;
  for (const fax of call.faxes) {
    const now = await read(fax);
    const after = now && (await parts.recorder.record(tx, now, shareOfFact(fact, fax), by));
    if (fax === call.lead) lead = after;
    else if (after?.job.delivery_state === 'ready') await retryDispatch(parts, tx, after);
  }
  return lead;
}

/** Returns the part of a report on the call that concerns the fax. */
function shareOfFact(fact: Fact, { job, attempt }: BegunCall['lead']): Fact {
  if (fact.kind !== 'reported') return fact;
  return { kind: 'reported', report: shareOf(fact.report, attempt, job.document_pages) };
}

async function retryDispatch(
  parts: Pick<OutboundParts, 'queue' | 'clock'>,
  tx: WriteTx,
  { job, attempt }: Fax,
): Promise<void> {
  const runAt = parts.clock.now() + RETRY_DELAY_MS;
  await parts.queue.enqueue(tx, dispatchJob, { ...dispatchOf(job, attempt), runAt });
}

/** The same in a transaction of its own. */
export function recordForWholeCall(
  parts: Pick<OutboundParts, 'db' | 'queue' | 'clock'> & { readonly recorder: Recorder },
  call: BegunCall,
  fact: Fact,
): Promise<Fax | null> {
  return parts.db.transaction((tx) => recordForCall(parts, tx, { call, fact, by: SYSTEM }));
}

/** Records a fact for the one fax of a call that cannot go; the others go without it. Returns the updated lead. */
export function recordForOneFax(
  parts: Pick<OutboundParts, 'db' | 'queue' | 'clock'> & { readonly recorder: Recorder },
  call: BegunCall,
  { fax: one, fact }: { fax: BegunCall['lead']; fact: Fact },
): Promise<Fax | null> {
  return parts.db.transaction(async (tx) => {
    const recordFor = (faxes: BegunCall['faxes'], memberFact: Fact) =>
      recordForCall(parts, tx, { call: { ...call, faxes }, fact: memberFact, by: SYSTEM });
    const alone = await recordFor([one], fact);
    const others = call.faxes.filter((each) => each !== one);
    const rest = await recordFor(others, { kind: 'put_back' });
    return one === call.lead ? alone : rest;
  });
}
