import type { z } from 'zod';
import type { broadcastsRoutes } from '../../../shared/api/broadcasts.ts';
import type { RecipientState } from '../../../shared/states/broadcasts.ts';
import type { DeliveryState } from '../../../shared/states/outbound.ts';
import type {
  BroadcastEventTable,
  BroadcastRecipientTable,
  BroadcastTable,
} from '../../db/schema/broadcasts.ts';

export type BroadcastRow = BroadcastTable;
/** A changed broadcast, as its event needs it. */
export type ChangedBroadcast = Pick<BroadcastRow, 'id' | 'changes' | 'mailbox_id' | 'created_by' | 'test'>;
export type RecipientRow = BroadcastRecipientTable;
export type EventRow = BroadcastEventTable;

export type BroadcastAnswer = z.infer<(typeof broadcastsRoutes.getBroadcast)['answer']['schema']>;
export type SentBroadcastAnswer = z.infer<(typeof broadcastsRoutes.sendBroadcast)['answer']['schema']>;
export type RecipientCounts = Readonly<Record<RecipientState, number>>;

/** The part of all broadcasts that is visible: those one person sent, and those of mailboxes. */
export interface BroadcastScope {
  readonly personId: string;
  /** Restricts what that person sent to these mailboxes; null for all of it. */
  readonly ownMailboxIds: readonly string[] | null;
  readonly mailboxIds: readonly string[];
}

/** State of a recipient by the state of its fax. */
export const RECIPIENT_STATE_OF: Readonly<Record<DeliveryState, RecipientState>> = {
  held: 'held',
  ready: 'queued',
  preparing: 'queued',
  submitting: 'sending',
  in_progress: 'sending',
  success: 'delivered',
  failed: 'failed',
  cancelled: 'cancelled',
  reconciliation_required: 'unconfirmed',
};

/** States in which the fax of a recipient can still change by itself. */
export const OPEN_STATES: readonly RecipientState[] = ['queued', 'held', 'sending', 'unconfirmed'];
