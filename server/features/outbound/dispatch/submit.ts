import type { ReadDb } from '../../../db/database.ts';
import { aboutOf } from '../../../platform/fax-about.ts';
import type { FileToRead } from '../../../platform/file-cipher.ts';
import { NO_LIMITS } from '../../contacts/line-memory-port.ts';
import type { OutboundParts } from '../parts.ts';
import { transportOf } from '../plan/transport-of.ts';
import { readFax } from '../record/record.ts';
import { isTaken } from '../store/attempt-store.ts';
import type { Fact, Fax } from '../transition/fact.ts';
import { acceptedReport } from '../transition/report.ts';
import { type FaxToSend, type SubmittedFax, TransportError } from '../transport-port.ts';
import { type AttemptRow, type JobRow, PROVIDER, SYSTEM } from '../types.ts';
import { readingProblem, sentPdf } from './artifact.ts';
import type { BegunCall } from './attempt.ts';
import type { CallDocument, CallDocuments } from './call-document.ts';
import type { CallFacts } from './call-facts.ts';
import { mintLink } from './link.ts';

type Parts = Pick<OutboundParts, 'db' | 'clock' | 'logger' | 'storage' | 'transports' | 'contacts'> & {
  readonly callDocuments: CallDocuments;
  readonly callFacts: CallFacts;
};

type SubmitResult = SubmittedFax | TransportError;

/** Maximum attempts to record an outcome before the fax is left to the rule for lost workers. */
const MAX_RECORDING_TRIES = 5;
const RECORDING_WAIT_MS = 200;

/** Document that is submitted: that of the fax, or that of the whole call. */
type DocumentToSubmit = CallDocument & { readonly artifact: string };

/** Submits calls that have begun. */
export interface Submitter {
  /**
   * Submits a call to its transport exactly once: `submitting` is flushed first, then the call is made with no
   * transaction open, then the outcome is recorded. An uncertain result leaves the fax for a person to confirm. Returns
   * the lead after the result was recorded; null when the result changed nothing.
   */
  submit(call: BegunCall): Promise<Fax | null>;
}

export function createSubmitter(parts: Parts): Submitter {
  return { submit: (call) => submit(parts, call) };
}

async function submit(parts: Parts, call: BegunCall): Promise<Fax | null> {
  const sent = await documentOf(parts, call);
  if (sent === null) return parts.callFacts.recordForAll(call, { kind: 'parted' });
  let isLent = false;
  try {
    return await parts.storage.withFile(sent.artifact, (file) => {
      isLent = true;
      return submitDocument(parts, call, { ...sent, file });
    });
  } catch (error) {
    if (isLent) throw error;
    return parts.callFacts.recordForAll(call, readingProblem(parts, call.lead.job, error));
  }
}

/** Null when the documents of the call cannot be merged. */
async function documentOf(
  parts: Pick<Parts, 'logger' | 'callDocuments'>,
  { lead, faxes, artifact }: BegunCall,
): Promise<DocumentToSubmit | null> {
  if (artifact === null) return sentPdf(lead.job, lead.attempt);
  const jobs = faxes.map(({ job }) => job);
  const made = await parts.callDocuments.create(artifact, jobs).catch((error: unknown) => {
    // Each finds on its own what is wrong with its document.
    readingProblem(parts, lead.job, error);
    return null;
  });
  return made && made.pages === lead.attempt.call_pages ? { ...made, artifact } : null;
}

async function submitDocument(
  parts: Omit<Parts, 'storage' | 'callDocuments'>,
  call: BegunCall,
  sent: DocumentToSubmit & { readonly file: FileToRead },
): Promise<Fax | null> {
  const request = await markSubmitting(parts, call, sent);
  if (!request) return null;
  const { account, transport } = call.lead.step;
  const jobs = call.faxes.map(({ job }) => job);
  const handOver = async () => transportOf(parts, jobs, transport).submit(account.credentials, request);
  const answer = await handOver().catch((error: unknown) => {
    if (error instanceof TransportError) return error;
    parts.logger.error({ error, job_id: call.lead.job.id }, 'submitting failed in an unforeseen way');
    return new TransportError('unforeseen error while submitting', {
      certainty: 'unknown',
      category: 'transport_ambiguous',
      publicMessage: 'Something went wrong while the fax was being sent.',
      cause: error,
    });
  });
  return recordAnswer(parts, call, answer);
}

/** Converts the error of a transport that did not accept a fax into a fact. */
export function factOfError(error: TransportError): Fact {
  const { certainty, category, retryAfterMs, publicMessage: sentence } = error;
  switch (certainty) {
    case 'try_later':
      return { kind: certainty, sentence, category, retryAfterMs };
    case 'not_accepted':
      return { kind: certainty, sentence, category };
    case 'unknown':
      return { kind: certainty, reason: `${sentence} Check with the recipient, then decide.`, category };
    default:
      return certainty satisfies never;
  }
}

async function markSubmitting(
  parts: Pick<Parts, 'db' | 'clock' | 'contacts' | 'callFacts'>,
  call: BegunCall,
  { file, sizeBytes, sha256, pages }: DocumentToSubmit & { readonly file: FileToRead },
): Promise<FaxToSend | null> {
  const { attempt, step } = call.lead;
  const stored = typeof file === 'string' ? { path: file } : file;
  return parts.db.transaction(async (tx) => {
    const limits =
      attempt.transport === 'line'
        ? await parts.contacts.lineCalls.limitsTo(tx, call.lead.job.to_number, attempt.provider_account)
        : null;
    const fact = { kind: 'submitting', limits } as const;
    const submitting = await parts.callFacts.record(tx, { call, fact, by: SYSTEM });
    if (!submitting) return null;
    const { job } = submitting;
    return {
      attemptId: attempt.id,
      jobId: job.id,
      pages,
      to: job.to_number,
      from: step.from,
      document: { ...stored, sizeBytes, sha256, fileName: `fax_${job.id}.pdf` },
      documentUrl: await mintLink(parts, tx, submitting, step),
      header: step.header,
      callbackUrl: attempt.callback_url,
      about: aboutOf(job),
      limits: limits ?? NO_LIMITS,
    };
  });
}

/** Retries a few times, because the store may be full just now. The answer is logged before it could be lost. */
async function recordAnswer(
  parts: Pick<Parts, 'db' | 'logger' | 'transports' | 'callFacts'>,
  call: BegunCall,
  answer: SubmitResult,
): Promise<Fax | null> {
  const { job, attempt } = call.lead;
  for (let tried = 1; ; tried += 1) {
    try {
      return await parts.db.transaction(async (tx) => {
        const fact = await factOfAnswer(parts, tx, attempt, answer);
        const after = await parts.callFacts.record(tx, { call, fact, by: PROVIDER }, async (fax) => {
          const now = await readFax(tx, fax.job.id);
          // A callback may have been faster than the answer itself.
          const awaits = now?.attempt?.id === fax.attempt.id && isAwaitingAnswer(now.job, now.attempt);
          return awaits ? now : null;
        });
        if (after && fact.kind === 'reported' && 'take' in answer) await answer.take?.(tx);
        return after;
      });
    } catch (error) {
      const reference = answer instanceof TransportError ? null : answer.reference;
      parts.logger.error(
        { error, job_id: job.id, provider_fax: reference },
        'the answer of the provider could not be recorded',
      );
      if (tried === MAX_RECORDING_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, RECORDING_WAIT_MS * tried));
    }
  }
}

/**
 * True also for a fax that was treated as lost while its answer was under way: the answer settles the unknown outcome.
 */
function isAwaitingAnswer(job: JobRow, attempt: AttemptRow): boolean {
  if (job.delivery_state === 'submitting') return attempt.phase === 'submitting';
  return job.delivery_state === 'reconciliation_required' && attempt.provider_sid === null;
}

async function factOfAnswer(
  { transports }: Pick<OutboundParts, 'transports'>,
  tx: ReadDb,
  attempt: AttemptRow,
  answer: SubmitResult,
): Promise<Fact> {
  if (answer instanceof TransportError) return factOfError(answer);
  const { reference, report = acceptedReport(reference) } = answer;
  const taken = { account: attempt.provider_account, providerSid: reference, except: attempt };
  if (!(await isTaken(tx, taken))) return { kind: 'reported', report };
  return {
    kind: 'unknown',
    reason: `${transports.nameOf(attempt.backend)} answered with the ID ${reference}, which belongs to another fax. Check with the recipient, then decide.`,
    category: 'provider_id_mismatch',
  };
}
