/** State of the summary of a day. */
export const SUMMARY_STATES = ['waiting', 'sending', 'delivered', 'uncertain', 'failed'] as const;
export type SummaryState = (typeof SUMMARY_STATES)[number];
