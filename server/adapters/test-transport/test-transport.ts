import { TEST_BACKEND } from '../../../shared/backends.ts';
import { TEST_OUTCOMES, type TestOutcome, testOutcomeOf } from '../../../shared/test-numbers.ts';
import {
  EMPTY_REPORT,
  type Transport,
  TransportError,
  type TransportReport,
} from '../../features/outbound/transport-port.ts';
import { type Clock, isoTime } from '../../platform/clock.ts';

const QUICK_MS = 2_000;
const DELAYED_MS = 2 * 60_000;

/** Reference of a test fax. It holds everything that a report needs, so that nothing has to be kept. */
interface TestReference {
  readonly outcome: TestOutcome;
  /** Epoch ms. */
  readonly submittedMs: number;
  readonly pages: number;
  readonly attemptId: string;
}

/**
 * Takes test faxes and hands them to nobody: it opens no connection and no file, and its reports follow from the number of
 * the fax and the time alone.
 */
export function createTestTransport(clock: Clock): Transport {
  return {
    kind: 'test',
    backend: TEST_BACKEND,
    traits: {
      polls: true,
      callbacks: false,
      printsOurTime: true,
      numbersPages: true,
      printsHeader: true,
      stops: true,
    },
    callbacks: null,
    async reach() {
      // Nothing has to be reached.
    },
    async submit(_credentials, { to, pages, attemptId }) {
      const outcome = testOutcomeOf(to);
      if (outcome === 'refused') throw refused();
      if (outcome === 'unconfirmed') throw unconfirmed();
      return { reference: referenceOf({ outcome, submittedMs: clock.now(), pages, attemptId }) };
    },
    async fetchReport(_credentials, reference) {
      return reportOf(reference, read(reference), clock.now());
    },
    async stop(_credentials, reference) {
      const report = reportOf(reference, read(reference), clock.now());
      if (report.outcome !== 'in_progress') return null;
      return {
        ...report,
        outcome: 'failed',
        rawStatus: 'stopped',
        failure: 'Stopped before it was delivered.',
      };
    },
  };
}

const referenceOf = ({ outcome, submittedMs, pages, attemptId }: TestReference): string =>
  `test-${outcome}-${submittedMs}-${pages}-${attemptId}`;

/** Throws TransportError for any other text. */
function read(reference: string): TestReference {
  const [, outcome = '', submitted, pages, attemptId = ''] =
    /^test-([a-z_]+)-(\d{1,16})-(\d{1,6})-(.+)$/u.exec(reference) ?? [];
  if (!Object.hasOwn(TEST_OUTCOMES, outcome))
    throw new TransportError('no such test fax', {
      certainty: 'not_accepted',
      category: 'refused',
      publicMessage: 'No test fax has this ID.',
    });
  return {
    outcome: outcome as TestOutcome,
    submittedMs: Number(submitted),
    pages: Number(pages),
    attemptId,
  };
}

function refused(): TransportError {
  return new TransportError('refused, as the test number says', {
    certainty: 'not_accepted',
    category: 'refused',
    publicMessage: 'The fax was refused, as this test number says.',
  });
}

function unconfirmed(): TransportError {
  return new TransportError('unconfirmed, as the test number says', {
    certainty: 'unknown',
    category: 'transport_ambiguous',
    publicMessage: 'The connection broke off, as this test number says.',
  });
}

function reportOf(
  reference: string,
  { outcome, submittedMs, pages }: TestReference,
  now: number,
): TransportReport {
  const endMs = submittedMs + (outcome === 'delayed' ? DELAYED_MS : QUICK_MS);
  if (now < endMs) return { ...EMPTY_REPORT, reference, outcome: 'in_progress', rawStatus: 'test' };
  const ended = { ...EMPTY_REPORT, reference, completedAt: isoTime(endMs), rawStatus: outcome } as const;
  switch (outcome) {
    case 'busy':
      return {
        ...ended,
        outcome: 'failed',
        failure: 'The line was busy.',
        unreached: 'busy',
        noPageTransmitted: true,
      };
    case 'no_answer':
      return {
        ...ended,
        outcome: 'failed',
        failure: 'Nobody answered.',
        unreached: 'no_answer',
        noPageTransmitted: true,
      };
    case 'cut_off':
      return {
        ...ended,
        outcome: 'failed',
        failure: 'The call broke off before the last page.',
        pages: pages - 1,
        failureCode: 'test cut_off',
      };
    default:
      return { ...ended, outcome: 'success', pages };
  }
}
