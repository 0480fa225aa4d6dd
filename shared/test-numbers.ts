/**
 * Outcomes of test faxes by the number they are sent to. The numbers are fictitious: North America reserves 555-0100 to
 * 555-0199 of every area for that, so that none of them is anybody's. Every other number is delivered.
 */
export const TEST_OUTCOMES = {
  delivered: { ending: '00', text: 'delivered, after a few seconds' },
  busy: { ending: '01', text: 'not delivered: the line is busy' },
  no_answer: { ending: '02', text: 'not delivered: nobody answers' },
  refused: { ending: '03', text: 'refused: it is not accepted at all' },
  cut_off: { ending: '04', text: 'not delivered: the call breaks off before the last page' },
  delayed: { ending: '05', text: 'delivered, after two minutes' },
  unconfirmed: { ending: '06', text: 'the outcome stays unknown: a question for a person' },
} as const;

export type TestOutcome = keyof typeof TEST_OUTCOMES;

const FICTITIOUS = /^\+1\d{3}55501(\d\d)$/u;

/** Returns the outcome of a test fax to a number (E.164). */
export function testOutcomeOf(to: string): TestOutcome {
  const ending = FICTITIOUS.exec(to)?.[1];
  const found = Object.entries(TEST_OUTCOMES).find(([, outcome]) => outcome.ending === ending);
  return (found?.[0] as TestOutcome | undefined) ?? 'delivered';
}
