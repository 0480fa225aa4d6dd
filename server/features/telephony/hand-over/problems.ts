import type { Clock } from '../../../platform/clock.ts';
import type { HandOverFailure } from './failure.ts';

/** Time for which a warning is shown: by then it was read, or it was a single failure. */
const SHOWN_MS = 24 * 3_600_000;

const WARNINGS: Readonly<Partial<Record<HandOverFailure, string>>> = {
  secret_refused:
    'The telephone engine gave a wrong inbound secret, so its faxes arrive late. Check that Asterisk reads telephony/inbound-secret of this data folder.',
  no_secret:
    'Asterisk found no inbound secret, so its faxes arrive late. Check that its user can read telephony/inbound-secret of this data folder.',
};

/** Warnings about faxes that could not be handed over; kept while the gateway runs. */
export interface HandOverProblems {
  /** Records that a fax could not be handed over. Only failures of the secret lead to a warning. */
  recordFailure(failure: HandOverFailure): void;
  /** Records that the telephone engine gave the right secret. */
  recordAcceptedSecret(): void;
  /** Returns the warnings, for a day after the last failure, or until the secret was right. */
  warnings(): string[];
}

export function createHandOverProblems(clock: Clock): HandOverProblems {
  let last: { readonly warning: string; readonly at: number } | null = null;
  return {
    recordFailure(failure) {
      const warning = WARNINGS[failure];
      if (warning !== undefined) last = { warning, at: clock.now() };
    },
    recordAcceptedSecret() {
      last = null;
    },
    warnings: () => (last !== null && clock.now() - last.at < SHOWN_MS ? [last.warning] : []),
  };
}
