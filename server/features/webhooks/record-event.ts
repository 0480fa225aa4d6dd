import { IMPORT_BACKEND } from '../../../shared/backends.ts';
import { type DeliveryState, STATUS_OF } from '../../../shared/states/outbound.ts';
import type { WebhookEvent } from '../../../shared/states/webhooks.ts';
import type { WriteTx } from '../../db/database.ts';
import { isoTime } from '../../platform/clock.ts';
import { sha256Hex } from '../../platform/hash.ts';
import type { FiledHandler } from '../inbound/port.ts';
import type { FiledFax } from '../inbound/types.ts';
import type { StateListener } from '../outbound/port.ts';
import type { OverdueListener } from '../work/port.ts';
import type { WebhookParts } from './parts.ts';
import { announceJob } from './queued.ts';
import { insertEvent } from './store/delivery-store.ts';
import { activeEndpoints } from './store/endpoint-store.ts';
import { isFor } from './subscriptions.ts';

type RecordingParts = Pick<WebhookParts, 'db' | 'queue' | 'clock' | 'settings'>;

/** Something to announce. */
interface Announced {
  readonly type: WebhookEvent;
  /** ID of the fax or work item. */
  readonly id: string;
  /** Distinguishes events of one type about the same subject; the same after a restore. */
  readonly occasion: string;
  /** True for a test fax. */
  readonly isTest?: boolean;
  /** IDs and states only. */
  readonly data: Readonly<Record<string, unknown>>;
}

const EVENT_OF: Partial<Record<DeliveryState, WebhookEvent>> = {
  success: 'fax.delivered',
  failed: 'fax.failed',
  cancelled: 'fax.failed',
  reconciliation_required: 'fax.question',
};

/** Records events about sent faxes in the transaction of the change. */
export function sentFaxEvents(parts: RecordingParts): StateListener {
  return {
    async changed(tx, { id, state, version, isTest }) {
      const type = EVENT_OF[state];
      if (type === undefined || !parts.settings.enabled()) return;
      const data = { id, status: STATUS_OF[state], delivery_state: state, delivery_version: version };
      await record(parts, tx, { type, id, occasion: String(version), isTest, data });
    },
  };
}

/**
 * Records events about received faxes in the transaction that files the document. A fax from a blocked sender is announced
 * when a person takes it out of Junk. Documents that another system received are not.
 */
export function receivedFaxEvents(parts: RecordingParts): FiledHandler {
  const received = async (tx: WriteTx, { id, isOfTestKey: isTest }: FiledFax) => {
    if (!parts.settings.enabled()) return;
    const data = { id, status: 'received' };
    await record(parts, tx, { type: 'inbound.received', id, occasion: '', isTest, data });
  };
  return {
    async onFiled(tx, fax) {
      if (!fax.isJunk && fax.backend !== IMPORT_BACKEND) await received(tx, fax);
    },
    async onDecoded(tx, { id, originalSha256: sha256 }) {
      if (sha256 === null || !parts.settings.enabled()) return;
      await record(parts, tx, { type: 'inbound.original', id, occasion: sha256, data: { id, sha256 } });
    },
    onReturned: (tx, { fax }) => received(tx, fax),
  };
}

/** Records events about work items in the transaction that marks them as overdue. */
export function overdueEvents(parts: RecordingParts): OverdueListener {
  return {
    async passed(tx, { id, faxId }) {
      if (!parts.settings.enabled()) return;
      const data = { id, fax_id: faxId, state: 'overdue' };
      await record(parts, tx, { type: 'work.overdue', id, occasion: '', data });
    },
  };
}

/**
 * Records an event with the job that announces it, once however often it is reported. The id follows from the event, so
 * that a receiver recognizes it also after a restore.
 */
async function record(parts: RecordingParts, tx: WriteTx, announced: Announced): Promise<void> {
  const { type, id, occasion, isTest = false, data } = announced;
  const test = isTest ? 1 : 0;
  const endpoints = await activeEndpoints(tx);
  if (!endpoints.some((endpoint) => isFor(endpoint, { type, test }))) return;
  const occurred_at = isoTime(parts.clock.now());
  const marked = isTest ? { ...data, test: true } : data;
  const row = {
    id: eventId(`${type} ${id} ${occasion}`),
    type,
    subject_id: id,
    test,
    body: JSON.stringify({ type, timestamp: occurred_at, data: marked }),
    occurred_at,
  } as const;
  if (await insertEvent(tx, row))
    await parts.queue.enqueue(tx, announceJob, { payload: { event_id: row.id } });
}

const ID_DIGITS = 32;

/** Returns the `webhook-id` of what `name` stands for. */
export const eventId = (name: string): string => `msg_${sha256Hex(name).slice(0, ID_DIGITS)}`;
