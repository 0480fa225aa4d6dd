import type { WriteTx } from '../../../db/database.ts';
import type { OutboundParts } from '../parts.ts';
import { dispatchJob, dispatchOf } from '../queue/queued.ts';
import type { Recorder } from '../record/record.ts';
import type { Fact, Fax } from '../transition/fact.ts';
import { shareOf } from '../transition/share.ts';
import { transmittedPages } from '../transmitted-pages.ts';
import { type Actor, SYSTEM } from '../types.ts';
import type { BegunCall, BegunFax } from './attempt.ts';

/** Delay before a fax that shared a call, and of which nothing was sent, is dispatched again. */
const RETRY_DELAY_MS = 15_000;

type Parts = Pick<OutboundParts, 'db' | 'queue' | 'clock'> & { readonly recorder: Recorder };

/** Fact about a call. */
interface CallFact {
  readonly call: BegunCall;
  readonly fact: Fact;
  readonly by: Actor;
}

/** Returns the present state of a fax of a call; null leaves it as it is. */
type ReadMember = (fax: BegunFax) => Promise<Fax | null>;

/** Records facts about calls, for each of their faxes. Returns the updated lead; null when nothing changed for it. */
export interface CallFacts {
  /**
   * Records one fact for every fax of a call, in the caller's transaction. A fax that is ready again gets a dispatch; that
   * of the lead goes on with its run.
   */
  record(tx: WriteTx, fact: CallFact, read?: ReadMember): Promise<Fax | null>;
  /** Does the same in a transaction of its own. */
  recordForAll(call: BegunCall, fact: Fact): Promise<Fax | null>;
  /** Records a fact for the one fax of a call that cannot be sent; the others are put back to go without it. */
  recordForOne(call: BegunCall, one: { readonly fax: BegunFax; readonly fact: Fact }): Promise<Fax | null>;
}

export function createCallFacts(parts: Parts): CallFacts {
  return {
    record: (tx, fact, read) => recordForCall(parts, tx, fact, read),
    recordForAll: (call, fact) =>
      parts.db.transaction((tx) => recordForCall(parts, tx, { call, fact, by: SYSTEM })),
    recordForOne: (call, one) => recordForOneFax(parts, call, one),
  };
}

async function recordForCall(
  parts: Omit<Parts, 'db'>,
  tx: WriteTx,
  { call, fact, by }: CallFact,
  read: ReadMember = async (fax) => fax,
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
function shareOfFact(fact: Fact, { job, attempt }: BegunFax): Fact {
  if (fact.kind !== 'reported') return fact;
  return { kind: 'reported', report: shareOf(fact.report, attempt, transmittedPages(job, attempt)) };
}

async function retryDispatch(
  parts: Pick<OutboundParts, 'queue' | 'clock'>,
  tx: WriteTx,
  { job, attempt }: Fax,
): Promise<void> {
  const runAt = parts.clock.now() + RETRY_DELAY_MS;
  await parts.queue.enqueue(tx, dispatchJob, { ...dispatchOf(job, attempt), runAt });
}

function recordForOneFax(
  parts: Parts,
  call: BegunCall,
  { fax: one, fact }: { readonly fax: BegunFax; readonly fact: Fact },
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
