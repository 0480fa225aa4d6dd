import type { OutboundParts } from '../parts.ts';
import { transportOf } from '../plan/transport-of.ts';
import type { Fact } from '../transition/fact.ts';
import { TransportError } from '../transport-port.ts';
import { artifactProblem } from './artifact.ts';
import type { BegunFax } from './attempt.ts';

/** Checks before a call is submitted. */
export interface CallCheck {
  /** Returns the reason why the stored document of a fax cannot be sent, or not now; null when it can. */
  documentProblem(fax: BegunFax): Promise<Fact | null>;
  /** Returns the error of a transport that cannot be reached; null when it can. */
  reachProblem(lead: BegunFax): Promise<TransportError | null>;
}

export function createCallCheck(parts: Pick<OutboundParts, 'logger' | 'storage' | 'transports'>): CallCheck {
  return {
    documentProblem: (fax) => artifactProblem(parts, fax),
    reachProblem: (lead) => reachProblem(parts, lead),
  };
}

async function reachProblem(
  { transports }: Pick<OutboundParts, 'transports'>,
  { job, step }: BegunFax,
): Promise<TransportError | null> {
  try {
    await transportOf({ transports }, [job], step.transport).reach(step.account.credentials);
    return null;
  } catch (error) {
    if (error instanceof TransportError) return error;
    throw error;
  }
}
