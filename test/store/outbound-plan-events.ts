import fc from 'fast-check';
import { HOUR, MINUTE, SECOND } from '../setup/manual-clock.ts';
import type { Answer } from '../setup/scripted-transports.ts';

// Doubts are rare, for they end the story; what leads on to another try or step comes often.
const answer = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<Answer>('accept', 'try later', 'refuse') },
  { weight: 1, arbitrary: fc.constantFrom<Answer>('unknown', 'break', 'hang') },
);
const reach = fc.constantFrom<Answer>('accept', 'try later', 'refuse', 'hang');
const reported = fc.record({
  outcome: fc.constantFrom('success', 'failed', 'failed', 'failed', 'in_progress'),
  noPageTransmitted: fc.boolean(),
  pages: fc.constantFrom(null, 0, 1),
});
const decision = fc.constantFrom('success', 'failed');
/** Successive reports on a fax whose answer was lost. */
const found = fc.array(reported, { minLength: 1, maxLength: 2 });
const pause = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(30 * SECOND, 6 * MINUTE, 2 * HOUR) },
  { weight: 1, arbitrary: fc.constant(25 * HOUR) },
);
/** Everything that can happen to the fax, the transports and the worker of a simulation. */
export const simulationEvent = fc.oneof(
  { weight: 8, arbitrary: fc.record({ what: fc.constant('work') }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('reach'), answer: reach }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constant('answer'), answer }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('outcome'), reported }) },
  {
    weight: 3,
    arbitrary: fc.record({ what: fc.constant('report'), reported, earlier: fc.constantFrom(0, 0, 0, 1, 2) }),
  },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('time'), ms: pause }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('late'), answer }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('decide'), outcome: decision }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constantFrom('found', 'lose'), reports: found }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constantFrom('kill', 'cancel', 'switch', 'release') }) },
);
export type SimulationEvent = typeof simulationEvent extends fc.Arbitrary<infer T> ? T : never;
export type Outcome = { outcome: string; noPageTransmitted: boolean; pages: number | null };
