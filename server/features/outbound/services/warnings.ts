import {
  callbackWarnings,
  type UnreportedOutcomes,
  unreportedOutcomes,
} from '../outcome/missed-callbacks.ts';
import type { OutboundParts } from '../parts.ts';
import { senderWarnings } from '../plan/header.ts';

const LOCKED =
  'Waiting faxes are not sent, and Faxdesk does not ask providers for outcomes, until the right data key is back.';

/** Reports problems of sending. */
export interface WarningService {
  /** Lists the outcomes that providers should have reported and did not. */
  reportProblems(): Promise<UnreportedOutcomes[]>;
  /** Lists sentences about problems that need attention although faxes are sent. */
  warnings(): Promise<string[]>;
}

export function createWarningService(
  parts: Pick<OutboundParts, 'db' | 'clock' | 'settings'> & {
    readonly seal: Pick<OutboundParts['seal'], 'problem'>;
  },
): WarningService {
  return {
    reportProblems: () => unreportedOutcomes(parts),
    async warnings() {
      const locked = parts.seal.problem === null ? [] : [LOCKED];
      return [...locked, ...senderWarnings(parts.settings), ...(await callbackWarnings(parts))];
    },
  };
}
