/** Reasons why a fax of an archive stays in the store, in words that continue “12 faxes stay: ”. */
export const STAYING_REASONS = {
  legal_hold: 'under a legal hold',
  unfinished: 'not finished',
  recent: 'changed within the last 30 days',
  changed: 'changed since the archive was made',
  document: 'with a document that the archive does not have as it is here',
  case: 'part of a case',
  broadcast: 'part of a broadcast',
  linked: 'linked to open work, an e-mail that needs a check, or a fax that is not finished',
} as const;
export type StayingReason = keyof typeof STAYING_REASONS;
export const STAYING_REASON_KEYS = Object.keys(STAYING_REASONS) as [StayingReason, ...StayingReason[]];
