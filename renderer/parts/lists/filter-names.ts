/** Names by which filters of lists stand in addresses; what an address says beside them is dropped. */
export const FILTER_NAMES = [
  'q',
  'view',
  'state',
  'by',
  'month',
  'mailbox',
  'of',
  'role',
  'on',
  'who',
  'what',
  'since',
  'until',
  'outcome',
] as const;

/** A filter as the address says it: only what is set, so that the address stays short. */
export type FilterInAddress = { readonly [Name in (typeof FILTER_NAMES)[number]]?: string };
