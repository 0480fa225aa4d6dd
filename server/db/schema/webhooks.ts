import type { WebhookDeliveryState, WebhookType } from '../../../shared/states/webhooks.ts';

type Flag = 0 | 1;

/** Address to which events about the faxes of an integration are sent. */
export interface WebhookEndpointTable {
  id: string;
  principal_id: string;
  url: string;
  /** JSON list. */
  events: string;
  enabled: Flag;
  /** 1 for an endpoint of events about test faxes, and of no others. Never changes. */
  test: Flag;
  /** Sealed. */
  secret: string;
  /** Sealed; signs as well until `former_until`. Null for none. */
  former_secret: string | null;
  former_until: string | null;
  /** Null unless it was paused. */
  paused_reason: string | null;
  /** First failed attempt since the last accepted one. */
  failing_since: string | null;
  last_accepted_at: string | null;
  /** Time before which nothing is sent, because the server asked for a pause; null when it asked for none. */
  wait_until: string | null;
  version: number;
  created_by_name: string;
  created_at: string;
  updated_at: string;
}

/** Event that is sent to the endpoints for it. */
export interface WebhookEventTable {
  /** Value of the header `webhook-id`. */
  id: string;
  type: WebhookType;
  /** ID of the fax or work item; null for a test. */
  subject_id: string | null;
  /** 1 for an event about a test fax. */
  test: Flag;
  /** JSON as it is signed and sent: ids and states only. */
  body: string;
  occurred_at: string;
}

/** Event on its way to one endpoint. */
export interface WebhookDeliveryTable {
  id: string;
  event_id: string;
  endpoint_id: string;
  state: WebhookDeliveryState;
  /** A sentence: why it was not accepted. */
  problem: string | null;
  attempts: number;
  /** Attempts since `begun_at`, from which the wait before the next one follows. */
  failures: number;
  /** Time when it was recorded, or sent again: it is tried for a day from then on. */
  begun_at: string;
  /** Time of the next attempt; null unless it waits. */
  retry_at: string | null;
  version: number;
  occurred_at: string;
  updated_at: string;
}

export interface WebhookAttemptTable {
  delivery_id: string;
  number: number;
  at: string;
  duration_ms: number;
  /** HTTP status; null without an answer. */
  status: number | null;
  problem: string | null;
}

export interface WebhooksTables {
  webhook_endpoint: WebhookEndpointTable;
  webhook_event: WebhookEventTable;
  webhook_delivery: WebhookDeliveryTable;
  webhook_attempt: WebhookAttemptTable;
}
