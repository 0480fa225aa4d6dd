import type { HistoryEvent } from '../store/history-store.ts';
import type { ReceiptFact } from '../transport-port.ts';
import type { JobRow } from '../types.ts';
import type { AttemptFacts, Confirmation } from './facts.ts';

/** Confirms what comes over our own phone line: the line itself proves nothing. */
const FAR_MACHINE = 'the fax machine that answered';

interface Found {
  readonly job: JobRow;
  readonly attempts: readonly AttemptFacts[];
  readonly receipt: readonly ReceiptFact[];
  readonly ended: HistoryEvent | undefined;
}

/**
 * Lists the statements about the delivery: the outcome that the transport of each attempt reported, and the decision of a
 * person. Only what is recorded: nothing follows from an attempt that nobody reported about.
 */
export function confirmationsOf({ job, attempts, receipt, ended }: Found): Confirmation[] {
  const last = attempts.at(-1);
  const reported = attempts.flatMap((attempt) => {
    // A person who decided the newest attempt ended it as well: that is their statement alone.
    const isDecided = attempt === last && job.decided_by_name !== null;
    return isDecided ? [] : (reportedOutcome(attempt, receipt) ?? []);
  });
  return [...reported, ...decisionOf(job, ended)];
}

function reportedOutcome(attempt: AttemptFacts, receipt: readonly ReceiptFact[]): Confirmation | null {
  if (attempt.phase === 'failed') return reportedFailure(attempt);
  if (attempt.phase !== 'success') return null;
  const { completed_at: at, by, transport } = attempt;
  const pages = pagesText(attempt);
  switch (transport) {
    case 'provider':
      return { kind: 'provider', by, at, text: `Reported the fax as delivered${pages}.` };
    case 'line':
      return { kind: 'line', by: FAR_MACHINE, at, text: `Confirmed the fax at the end of the call${pages}.` };
    case 'own_number':
      return { kind: 'installation', by, at, text: `Filed as a received fax${pages}, without a call.` };
    case 'direct': {
      const [signer] = receipt;
      const text = 'Signed a receipt for this document, byte for byte.';
      return signer ? { kind: 'receipt', by: signer.value, at, text } : null;
    }
    case 'test':
      return null;
    default:
      return transport satisfies never;
  }
}

/** Null for an attempt that ended before anybody accepted it. */
function reportedFailure({
  transport,
  reference,
  completed_at: at,
  by,
  unreached,
}: AttemptFacts): Confirmation | null {
  if (reference === null || at === null || (transport !== 'provider' && transport !== 'line')) return null;
  const text = `Reported the fax as not delivered.${unreached === null ? '' : ` ${REASONS[unreached]}`}`;
  return { kind: transport, by, at, text };
}

const REASONS = { busy: 'The line was busy.', no_answer: 'Nobody answered.' } as const;

function pagesText({ pages_confirmed: pages, encoded_pages }: AttemptFacts): string {
  if (pages === null) return '';
  return `, ${pages} ${encoded_pages === null ? '' : 'encoded '}${pages === 1 ? 'page' : 'pages'}`;
}

function decisionOf(
  { decided_by_name: by, decided_note: note, delivery_state, error }: JobRow,
  ended: HistoryEvent | undefined,
): Confirmation[] {
  if (by === null) return [];
  const outcome =
    delivery_state === 'success'
      ? `Recorded as delivered by ${by}.`
      : (error ?? `Recorded as not delivered by ${by}.`);
  const text = note === null ? outcome : `${outcome} Note: ${note}`;
  return [{ kind: 'person', by, at: ended?.occurred_at ?? null, text }];
}
