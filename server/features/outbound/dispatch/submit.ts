import { ProviderError, type SubmitRequest } from '../../../adapters/providers/port.ts';
import { isoTime } from '../../../platform/clock.ts';
import { openRoute } from '../accept/capture.ts';
import { recordChange } from '../events.ts';
import { applyReport, becomeDoubtful, fail, ProviderIdMismatchError } from '../outcome/outcome.ts';
import type { OutboundParts } from '../parts.ts';
import { changeAttempt, findAttempt } from '../store/attempt-store.ts';
import { findJob, moveJob } from '../store/job-store.ts';
import { type AttemptRow, type CapturedRoute, type JobRow, PROVIDER, SYSTEM } from '../types.ts';
import { mintLink } from './link.ts';

interface Fax {
  readonly job: JobRow;
  readonly attempt: AttemptRow;
}

/** How often recording an outcome is tried before the fax is left to the rule for lost workers. */
const RECORDING_TRIES = 5;
const RECORDING_WAIT_MS = 200;

/**
 * Hands a fax to its provider exactly once: `submitting` is flushed first, then the call with no transaction open, then
 * the outcome. What the call did not tell for certain becomes a question.
 */
export async function submit(parts: OutboundParts, prepared: Fax): Promise<void> {
  const route = openRoute(parts.seal, prepared.job);
  const begun = await markSubmitting(parts, prepared, route);
  if (!begun) return;
  const { fax, request } = begun;
  const transport = parts.transports.of(fax.job.backend);
  const answer = await transport.submit(route.account, request).catch((error: unknown) => {
    if (error instanceof ProviderError) return error;
    parts.logger.error({ error, job_id: fax.job.id }, 'submitting failed in an unforeseen way');
    return new ProviderError('unforeseen error while submitting', {
      certainty: 'unknown',
      category: 'transport_ambiguous',
      publicMessage: 'Something went wrong while the fax was being handed over.',
      cause: error,
    });
  });
  await recordOutcome(parts, fax, answer);
}

async function markSubmitting(
  parts: OutboundParts,
  { job, attempt }: Fax,
  route: CapturedRoute,
): Promise<{ fax: Fax; request: SubmitRequest } | null> {
  const path = parts.storage.localPath(job.artifact ?? '');
  if (path === null) throw new Error('the storage is not local');
  const at = isoTime(parts.clock.now());
  return parts.db.transaction(async (tx) => {
    const moved = await moveJob(tx, job, 'submitting', { at });
    if (!moved) return null;
    const documentUrl = await mintLink(parts, tx, moved, route);
    const changes = { phase: 'submitting', submitted_at: at, error_category: null } as const;
    await changeAttempt(tx, attempt.id, changes);
    await recordChange(parts, tx, moved, {
      event: 'job_dispatch',
      kind: 'submitting',
      text: `Being handed to the provider, attempt ${attempt.number}.`,
      actor: SYSTEM,
    });
    const request = {
      to: moved.to_number,
      document: { path, sizeBytes: moved.document_size, fileName: `fax_${moved.id}.pdf` },
      documentUrl,
      headerText: route.headerText,
      callbackUrl: attempt.callback_url,
    };
    return { fax: { job: moved, attempt: { ...attempt, ...changes } }, request };
  });
}

/** The store may be full just now: an answer we hold is worth a few tries, and is logged before it could be lost. */
async function recordOutcome(
  parts: OutboundParts,
  fax: Fax,
  answer: { providerId: string } | ProviderError,
): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      await parts.db.transaction(async (tx) => {
        const job = await findJob(tx, fax.job.id);
        const attempt = await findAttempt(tx, fax.attempt.id);
        // A callback may have been faster than the answer itself.
        if (!job || !attempt || !awaitsAnswer(job, attempt)) return;
        if (answer instanceof ProviderError) await recordFailure(parts, tx, { job, attempt }, answer);
        else await recordAccepted(parts, tx, { job, attempt }, answer.providerId);
      });
      return;
    } catch (error) {
      const provider_fax = answer instanceof ProviderError ? null : answer.providerId;
      parts.logger.error(
        { error, job_id: fax.job.id, provider_fax },
        'the answer of the provider could not be recorded',
      );
      if (tried === RECORDING_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, RECORDING_WAIT_MS * tried));
    }
  }
}

/** Also true of a fax that was taken for lost while its answer was under way: the answer settles the doubt. */
function awaitsAnswer(job: JobRow, attempt: AttemptRow): boolean {
  if (job.delivery_state === 'submitting') return attempt.phase === 'submitting';
  return job.delivery_state === 'reconciliation_required' && attempt.provider_sid === null;
}

type Tx = Parameters<Parameters<OutboundParts['db']['transaction']>[0]>[0];

async function recordAccepted(parts: OutboundParts, tx: Tx, fax: Fax, providerId: string): Promise<void> {
  const report = {
    providerId,
    outcome: 'in_progress',
    rawStatus: 'accepted',
    direction: 'sent',
    pages: null,
    rateBps: null,
    cost: null,
    completedAt: null,
    to: null,
    failure: null,
  } as const;
  try {
    await applyReport(parts, tx, fax, report, PROVIDER);
  } catch (error) {
    if (!(error instanceof ProviderIdMismatchError)) throw error;
    await becomeDoubtful(parts, tx, fax, {
      reason: `The provider answered with fax ${providerId}, which belongs to another attempt. Ask the receiver, then decide.`,
      category: 'provider_id_mismatch',
      actor: PROVIDER,
    });
  }
}

async function recordFailure(parts: OutboundParts, tx: Tx, fax: Fax, error: ProviderError): Promise<void> {
  const facts = { category: error.category, actor: PROVIDER };
  switch (error.certainty) {
    case 'not_accepted':
    case 'refused':
      await fail(parts, tx, fax, { sentence: error.publicMessage, ...facts });
      return;
    case 'unknown':
      await becomeDoubtful(parts, tx, fax, {
        reason: `${error.publicMessage} Ask the receiver, then decide.`,
        ...facts,
      });
      return;
    default:
      error.certainty satisfies never;
  }
}
