/** Every kind of background work, with the words that the health page and the command line show for what waits. */
export const JOB_KINDS = {
  'fax.dispatch': 'Faxes to hand to the provider',
  'fax.wait': 'Faxes that go later',
  'fax.poll': 'Outcomes to ask the provider for',
  'fax.cleanup': 'Cleanups of old documents',
  'inbound.fetch': 'Received documents to fetch',
  'inbound.poll': 'Questions to the provider for received faxes',
  'inbound.recover': 'Searches for received faxes that were left over',
  'inbound.cleanup': 'Cleanups of old received documents',
} as const;
export type JobKind = keyof typeof JOB_KINDS;

const isJobKind = (kind: string): kind is JobKind => Object.hasOwn(JOB_KINDS, kind);

/** A kind of work in words; one of another release stands as it is. */
export const jobKindWords = (kind: string): string => (isJobKind(kind) ? JOB_KINDS[kind] : kind);
