import type { WriteTx } from '../../../db/database.ts';
import { isoTime } from '../../../platform/clock.ts';
import type { EventBus } from '../../../platform/events.ts';
import { maskNumber } from '../../../platform/logger.ts';
import type { FaxEvents, OutboundParts } from '../parts.ts';
import type { ChangedFax } from '../store/history-store.ts';
import type { BusinessEvent } from '../transition/change.ts';
import type { Actor, JobRow } from '../types.ts';

type Parts = Pick<OutboundParts, 'db' | 'clock' | 'logger' | 'audit'> & {
  readonly events: EventBus<FaxEvents>;
};

/** A change of a job that its history records. */
interface RecordedChange {
  readonly event: BusinessEvent;
  readonly kind: string;
  readonly actor: Actor;
}

/** Publishes what happens to faxes: log, audit record, and the event for consoles. */
export interface FaxNotifier {
  /** Publishes a change of a job that its history records: log, audit record and event, once it is committed. */
  notifyChange(tx: WriteTx, job: JobRow, change: RecordedChange): void;
  /** Publishes a version change without a history entry, such as another failed retry: consoles compare the version. */
  notifyVersion(tx: WriteTx, job: JobRow): void;
  /** Publishes progress of the call of a fax. Progress is not stored, so consoles query it. */
  notifyProgress(job: JobRow): void;
  /** Logs that a provider fetched the document by its link: an event, not an outcome. */
  notifyServed(jobId: string, requestId: string): void;
}

export function createFaxNotifier(parts: Parts): FaxNotifier {
  const { db, clock, events } = parts;
  const publish = (job: JobRow) => events.publish('fax.changed', eventOf(job));
  return {
    notifyChange(tx, job, change) {
      const at = isoTime(clock.now());
      db.onCommit(tx, () => {
        logChange(parts, job, change, at);
        publish(job);
      });
    },
    notifyVersion: (tx, job) => db.onCommit(tx, () => publish(job)),
    notifyProgress: publish,
    notifyServed: (jobId, requestId) => logServed(parts, jobId, requestId),
  };
}

function logChange(
  parts: Pick<OutboundParts, 'logger' | 'audit'>,
  job: JobRow,
  change: RecordedChange,
  at: string,
): void {
  const facts = {
    job_id: job.id,
    delivery_state: job.delivery_state,
    delivery_version: job.delivery_version,
    backend: job.backend,
    ...(job.test === 1 ? { test: true } : {}),
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
}

/** Returns the event about a fax for consoles. */
export function eventOf(fax: ChangedFax): FaxEvents['fax.changed'] {
  const { id, delivery_version: version, created_by, mailbox_id, test } = fax;
  return { id, version, created_by, mailbox_id, test };
}

function logServed(
  parts: Pick<OutboundParts, 'clock' | 'logger' | 'audit'>,
  jobId: string,
  requestId: string,
): void {
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
