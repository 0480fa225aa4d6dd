/** State of a broadcast: `scheduled` before its time, `finished` once every recipient has an outcome. */
export const BROADCAST_STATES = ['scheduled', 'sending', 'paused', 'finished', 'cancelled'] as const;
export type BroadcastState = (typeof BROADCAST_STATES)[number];

/** State of a recipient: `waiting` has no fax yet, `refused` never gets one, and the others follow the fax. */
export const RECIPIENT_STATES = [
  'waiting',
  'queued',
  'held',
  'sending',
  'delivered',
  'failed',
  'unconfirmed',
  'cancelled',
  'refused',
] as const;
export type RecipientState = (typeof RECIPIENT_STATES)[number];
