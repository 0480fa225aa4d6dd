/** Names of list filters in addresses; any other parameters are dropped. */
export const FILTER_NAMES = [
  'q',
  'view',
  'state',
  'by',
  'month',
  'mailbox',
  'tag',
  'of',
  'role',
  'on',
  'who',
  'what',
  'since',
  'until',
  'outcome',
  'tests',
  'case',
  'hold',
] as const;

/** Filter as the address contains it: only values that are set, so that the address stays short. */
export type FilterInAddress = { readonly [Name in (typeof FILTER_NAMES)[number]]?: string };
