import type { ReadDb } from '../../../db/database.ts';
import type { FileToRead } from '../../../platform/file-cipher.ts';
import type { OutboundParts } from '../parts.ts';
import { type FaxToSend, TransportError } from '../port.ts';
import { isTaken } from '../store/attempt-store.ts';
import type { Fact, Fax } from '../transition/fact.ts';
import { readFax, record } from '../transition/record.ts';
import { acceptedReport } from '../transition/report.ts';
import { type AttemptRow, type JobRow, PROVIDER, SYSTEM } from '../types.ts';
import type { BegunFax } from './attempt.ts';
import { mintLink } from './link.ts';

type Answer = { readonly reference: string } | TransportError;

/** How often recording an outcome is tried before the fax is left to the rule for lost workers. */
const RECORDING_TRIES = 5;
const RECORDING_WAIT_MS = 200;

/**
 * Hands a fax to its transport exactly once: `submitting` is flushed first, then the call with no transaction open, then
 * the outcome. What the call did not tell for certain becomes a question. Returns the fax as the answer left it; null
 * when the answer changed nothing.
 */
export async function submit(parts: OutboundParts, fax: BegunFax): Promise<Fax | null> {
  return parts.storage.lend(fax.job.artifact ?? '', (file) => handOver(parts, fax, file));
}

async function handOver(parts: OutboundParts, fax: BegunFax, file: FileToRead): Promise<Fax | null> {
  const request = await markSubmitting(parts, fax, file);
  if (!request) return null;
  const { account, transport } = fax.step;
  const answer = await parts.transports
    .of(transport)
    .begin(account.credentials, request)
    .catch((error: unknown) => {
      if (error instanceof TransportError) return error;
      parts.logger.error({ error, job_id: fax.job.id }, 'submitting failed in an unforeseen way');
      return new TransportError('unforeseen error while submitting', {
        certainty: 'unknown',
        category: 'transport_ambiguous',
        publicMessage: 'Something went wrong while the fax was being submitted.',
        cause: error,
      });
    });
  return recordAnswer(parts, fax, answer);
}

/** What a transport means that did not take a fax. */
export function refusalOf(error: TransportError): Fact {
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
  parts: OutboundParts,
  fax: BegunFax,
  file: FileToRead,
): Promise<FaxToSend | null> {
  const { attempt, step } = fax;
  const stored = typeof file === 'string' ? { path: file } : file;
  return parts.db.transaction(async (tx) => {
    const submitting = await record(parts, tx, fax, { kind: 'submitting' }, SYSTEM);
    if (!submitting) return null;
    const { job } = submitting;
    return {
      to: job.to_number,
      document: { ...stored, sizeBytes: job.document_size, fileName: `fax_${job.id}.pdf` },
      documentUrl: await mintLink(parts, tx, submitting, step),
      header: step.header,
      callbackUrl: attempt.callback_url,
    };
  });
}

/** The store may be full just now: an answer we hold is worth a few tries, and is logged before it could be lost. */
async function recordAnswer(parts: OutboundParts, fax: BegunFax, answer: Answer): Promise<Fax | null> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await parts.db.transaction(async (tx) => {
        const now = await readFax(tx, fax.job.id);
        // A callback may have been faster than the answer itself.
        if (now?.attempt?.id !== fax.attempt.id || !awaitsAnswer(now.job, now.attempt)) return null;
        return record(parts, tx, now, await factOf(tx, now.attempt, answer), PROVIDER);
      });
    } catch (error) {
      const reference = answer instanceof TransportError ? null : answer.reference;
      parts.logger.error(
        { error, job_id: fax.job.id, provider_fax: reference },
        'the answer of the provider could not be recorded',
      );
      if (tried === RECORDING_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, RECORDING_WAIT_MS * tried));
    }
  }
}

/** Also true of a fax that was taken for lost while its answer was under way: the answer settles what was unknown. */
function awaitsAnswer(job: JobRow, attempt: AttemptRow): boolean {
  if (job.delivery_state === 'submitting') return attempt.phase === 'submitting';
  return job.delivery_state === 'reconciliation_required' && attempt.provider_sid === null;
}

async function factOf(tx: ReadDb, attempt: AttemptRow, answer: Answer): Promise<Fact> {
  if (answer instanceof TransportError) return refusalOf(answer);
  const { reference } = answer;
  const taken = { account: attempt.provider_account, providerSid: reference, exceptAttempt: attempt.id };
  if (!(await isTaken(tx, taken))) return { kind: 'reported', report: acceptedReport(reference) };
  return {
    kind: 'unknown',
    reason: `The provider answered with fax ${reference}, which belongs to another attempt. Check with the recipient, then decide.`,
    category: 'provider_id_mismatch',
  };
}
