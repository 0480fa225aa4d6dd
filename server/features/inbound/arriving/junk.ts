import { type EvidenceEntry, SYSTEM } from '../changes.ts';
import type { FaxRow } from '../types.ts';

/** Returns the evidence of a fax that goes to Junk because its sender is blocked. */
export function junkEntry({ from_number }: Pick<FaxRow, 'from_number'>): EvidenceEntry {
  const text = `${from_number ?? 'The sender'} is a blocked sender, so the fax went to Junk.`;
  return { kind: 'junk', actor: SYSTEM, text };
}
