/** Mailbox of the office. Everything in it bears a word or an area code that nothing else has. */
interface Mailbox {
  readonly label: string;
  /** Number that people fax to. */
  readonly number: string;
  /** Area code of its senders, and of the recipients of its sent faxes. */
  readonly area: string;
}

export const MAILBOXES = [
  { label: 'Quillon', number: '+12025550111', area: '312' },
  { label: 'Borzoi', number: '+12025550112', area: '415' },
  { label: 'Tamarisk', number: '+12025550113', area: '617' },
  { label: 'Vesper', number: '+12025550114', area: '206' },
] as const satisfies readonly Mailbox[];

export type Label = (typeof MAILBOXES)[number]['label'];

/** Returns a pattern for whatever belongs to mailboxes other than these; null where they are all. */
export function foreignTo(labels: readonly Label[]): RegExp | null {
  const others = MAILBOXES.filter(({ label }) => !labels.includes(label));
  if (others.length === 0) return null;
  const areas = others.map(({ area }) => area).join('|');
  const words = others.map(({ label }) => label).join('|');
  return new RegExp(`${words}|\\+1[ .(-]*(?:${areas})[ .)-]*\\d{3}[ -]?\\d{4}`, 'u');
}

export function mailboxOf(label: Label): Mailbox {
  const found = MAILBOXES.find((mailbox) => mailbox.label === label);
  if (!found) throw new Error(`no mailbox ${label}`);
  return found;
}
