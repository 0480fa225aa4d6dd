import { expect, test } from 'vitest';
import {
  failedSubmission,
  followedResult,
  forgottenResult,
  printDelayMs,
  searchedResult,
  unansweredResult,
} from '../../server/features/print-rules/outcome.ts';
import { PrinterError, type PrinterJob } from '../../server/features/print-rules/printer-port.ts';

const NEW = { failures: 0 };
const BEGUN = '2026-11-23T12:00:00.000Z';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const after = (ms: number) => Date.parse(BEGUN) + ms;
const jobIn = (state: PrinterJob['state'], reason: string | null = null): PrinterJob => ({
  number: 7,
  state,
  printed: null,
  reason,
});

test('a submission is repeated only when the printer certainly has no job of it', () => {
  const certain = failedSubmission(NEW, new PrinterError('unreachable', ''));
  expect(certain).toMatchObject({ changes: { state: 'waiting', failures: 1 }, waitMs: 60_000 });
  const uncertain = failedSubmission(NEW, new PrinterError('lost', '', { mayHaveArrived: true }));
  expect(uncertain.changes.state).toBe(undefined);
  expect(failedSubmission(NEW, new PrinterError('format', ''))).toMatchObject({
    changes: { state: 'failed' },
    waitMs: null,
  });
});

test('a submission that was cut off is settled by the lists of the printer, and otherwise by a person', () => {
  const settled = (search: Parameters<typeof searchedResult>[1]) => searchedResult(NEW, search).changes.state;
  expect(settled({ job: jobIn('pending'), isConclusive: true })).toBe('accepted');
  expect(settled({ job: jobIn('completed'), isConclusive: true })).toBe('printed');
  expect(settled({ job: null, isConclusive: true })).toBe('waiting');
  expect(settled({ job: null, isConclusive: false })).toBe('doubtful');
});

test.for([
  [jobIn('processing'), 'accepted', null],
  [
    jobIn('held'),
    'accepted',
    'The printer holds the fax until a person releases it there. Look at its display.',
  ],
  [jobIn('stopped'), 'accepted', 'The printer has stopped while it printed the fax. Look at its display.'],
  [jobIn('completed'), 'printed', null],
  [jobIn('canceled'), 'failed', 'The fax was canceled at the printer.'],
  [jobIn('aborted', 'Out of memory.'), 'failed', 'The printer stopped printing the fax: Out of memory.'],
] as const)('a job of the printer %o makes a fax %s', ([job, state, problem]) => {
  expect(followedResult(NEW, job).changes).toMatchObject({ state, problem });
});

test.for([
  ['it has run since', { before: 500, now: 500 + 3_600, ms: HOUR }, 'given'],
  ['it was restarted', { before: 500, now: 3_000, ms: HOUR }, 'doubtful'],
  ['it was restarted and has run for long', { before: 500, now: 3_600, ms: HOUR }, 'doubtful'],
  ['it reports no up-time', { before: null, now: 9_000, ms: HOUR }, 'doubtful'],
  ['our clock was set back', { before: 500, now: 9_000, ms: -MINUTE }, 'doubtful'],
] as const)(
  'rule (print-rules): a printer that no longer knows a job it had accepted makes a question unless it has certainly run since [%s]',
  ([, { before, now, ms }, state]) => {
    const submitted = { printer_up_time: before, submitted_at: BEGUN };
    expect(forgottenResult(submitted, { upTime: now }, after(ms)).changes.state).toBe(state);
  },
);

test('a printer that never comes back leaves the decision to a person after a day, and after three for a job that it accepted', () => {
  const at = (state: 'submitting' | 'accepted' | 'waiting', ms: number) =>
    unansweredResult({ state, failures: 4, submitted_at: BEGUN }, 'unreachable', after(ms)).changes.state;
  expect([at('submitting', 23 * HOUR), at('submitting', 24 * HOUR)]).toEqual([undefined, 'doubtful']);
  expect([at('accepted', 71 * HOUR), at('accepted', 72 * HOUR)]).toEqual([undefined, 'doubtful']);
  expect(at('waiting', 500 * HOUR)).toBe(undefined);
});

test('a printer that is away is tried less and less often, and for as long as it takes', () => {
  expect([1, 2, 3, 4, 500].map((failures) => printDelayMs(failures) / MINUTE)).toEqual([1, 2, 5, 10, 10]);
});
