/** Stage of a call over the phone line: it rings, it was answered, pages are being sent. */
export const CALL_STAGES = ['dialing', 'answered', 'sending'] as const;
export type CallStage = (typeof CALL_STAGES)[number];

/** Mode of the pages of a call over the phone line: as data (T.38), or as tones within the sound of the call. */
export const CALL_MODES = ['t38', 'audio'] as const;
export type CallMode = (typeof CALL_MODES)[number];

/** Direction of a call. */
export const CALL_DIRECTIONS = ['outgoing', 'incoming'] as const;
export type CallDirection = (typeof CALL_DIRECTIONS)[number];

/** Outcome of a call over the phone line. The last three are for incoming calls. */
export const CALL_OUTCOMES = [
  'delivered',
  'busy',
  'no_answer',
  'failed',
  'unconfirmed',
  'canceled',
  'received',
  'incomplete',
  'refused',
] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];
