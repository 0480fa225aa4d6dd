import type { JobResult } from '../../../jobs/define-job.ts';
import type { OutboundParts } from '../parts.ts';
import type { Fax } from '../transition/fact.ts';
import type { BegunCall } from './attempt.ts';
import type { CallCheck } from './call-check.ts';
import type { CallFacts } from './call-facts.ts';
import { retryAtNextStart, retryStep, retryUntilSendingIsOn } from './retry.ts';
import { factOfError, type Submitter } from './submit.ts';
import type { Timing } from './timing.ts';

type Parts = Pick<OutboundParts, 'clock' | 'settings'> & {
  readonly callCheck: CallCheck;
  readonly callFacts: CallFacts;
  readonly submitter: Submitter;
  readonly timing: Pick<Timing, 'lateFact'>;
};

/** Run of the dispatch that sends a call: its number, counted from 1, and the signal that the gateway stops. */
interface SendingRun {
  readonly tried: number;
  readonly signal: AbortSignal;
}

/** Sends calls that have begun. */
export interface CallSender {
  /** Checks documents and transport of a call, then submits it. Returns the result for the job of its lead. */
  send(call: BegunCall, run: SendingRun): Promise<JobResult>;
}

export function createCallSender(parts: Parts): CallSender {
  return { send: (call, run) => sendCall(parts, call, run) };
}

async function sendCall(parts: Parts, call: BegunCall, { tried, signal }: SendingRun): Promise<JobResult> {
  const { clock, callCheck, callFacts } = parts;
  const retry = (after: Fax | null) => retryStep(clock.now(), after, tried);
  for (const fax of call.faxes) {
    const problem = await callCheck.documentProblem(fax);
    if (problem) return retry(await callFacts.recordForOne(call, { fax, fact: problem }));
  }
  const unreachable = await callCheck.reachProblem(call.lead);
  if (unreachable) return retry(await callFacts.recordForAll(call, factOfError(unreachable)));
  if (parts.settings.sendingDisabled()) {
    await callFacts.recordForAll(call, { kind: 'switched_off' });
    return retryUntilSendingIsOn(clock.now());
  }
  for (const fax of call.faxes) {
    const late = parts.timing.lateFact(fax.job);
    if (late) return retry(await callFacts.recordForOne(call, { fax, fact: late }));
  }
  // Nothing is handed over once the gateway stops; the next start finds the attempt half-way and takes it again.
  if (signal.aborted) return retryAtNextStart(clock.now());
  return retry(await parts.submitter.submit(call));
}
