import type { WriteTx } from '../../../db/database.ts';
import { isoTime } from '../../../platform/clock.ts';
import { maskNumber } from '../../../platform/logger.ts';
import type { FaxEvents, OutboundParts } from '../parts.ts';
import type { ChangedFax } from '../store/history-store.ts';
import type { BusinessEvent } from '../transition/change.ts';
import type { Actor, JobRow } from '../types.ts';

/** Publishes a change of a job that its history records: log, audit record and event, once it is committed. */
export function announceChange(
  parts: OutboundParts,
  tx: WriteTx,
  job: JobRow,
  change: { event: BusinessEvent; kind: string; actor: Actor },
): void {
  const at = isoTime(parts.clock.now());
  parts.db.onCommit(tx, () => announce(parts, job, change, at));
}

function announce(
  parts: OutboundParts,
  job: JobRow,
  change: { event: BusinessEvent; kind: string; actor: Actor },
  at: string,
): void {
  const facts = {
    job_id: job.id,
    delivery_state: job.delivery_state,
    delivery_version: job.delivery_version,
    backend: job.backend,
  };
  parts.logger.info(
    { ...facts, event: change.event, kind: change.kind, to: maskNumber(job.to_number) },
    'fax changed',
  );
  parts.audit.write({
    at,
    event: change.event,
    request_id: change.actor.requestId,
    actor_id: change.actor.id,
    credential_kind: change.actor.credentialKind,
    ...facts,
  });
  publishChange(parts, job);
}

/** Publishes a version change without a history entry, such as another failed retry: consoles compare the version. */
export function announceVersion(parts: OutboundParts, tx: WriteTx, job: JobRow): void {
  parts.db.onCommit(tx, () => publishChange(parts, job));
}

/** Returns the event about a fax for consoles. */
export function eventOf(fax: ChangedFax): FaxEvents['fax.changed'] {
  const { id, delivery_version: version, created_by, mailbox_id } = fax;
  return { id, version, created_by, mailbox_id };
}

function publishChange(parts: OutboundParts, job: JobRow): void {
  parts.announcer.publish('fax.changed', eventOf(job));
}

/** Publishes progress of the call of a fax. Progress is not stored, so consoles query it. */
export function announceProgress(parts: OutboundParts, job: JobRow): void {
  publishChange(parts, job);
}

/** A provider fetched the document by its link: an event, not an outcome. */
export function pdfServed(parts: OutboundParts, jobId: string, requestId: string): void {
  parts.logger.info(
    { job_id: jobId, event: 'pdf_served', request_id: requestId },
    'document fetched by its link',
  );
  parts.audit.write({
    at: isoTime(parts.clock.now()),
    event: 'pdf_served',
    request_id: requestId,
    job_id: jobId,
  });
}
