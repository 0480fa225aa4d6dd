import type { EvidenceCheck } from '../features/work/offline.ts';
import { CommandFailure } from './exit-codes.ts';
import { facts } from './terminal.ts';

/** Throws a CommandFailure with every fault, one on a line. */
export function assertIntact({ faults }: Pick<EvidenceCheck, 'faults'>): void {
  if (faults.length === 0) return;
  throw new CommandFailure(['The archive was changed after it was made.', ...faults].join('\n'));
}

/** Describes an intact archive; `isCompared` when its key was compared with a fingerprint. */
export function evidenceWords(
  { manifest, fingerprint, missing }: EvidenceCheck,
  isCompared: boolean,
): string {
  const made = manifest?.export;
  return [
    'The archive is complete and unchanged.',
    facts([
      ['Work item', manifest?.item.id ?? null],
      ['Received fax', manifest?.item.inbound_fax_id ?? null],
      ['Document SHA-256', manifest?.document.sha256 ?? null],
      ['History', `${manifest?.history.length ?? 0} entries, unchanged`],
      ['Made at', made?.created_at ?? null],
      ['Signed with', fingerprint],
    ]),
    ...missing.map(({ part, text }) => `Not in it: ${part}. ${text}`),
    isCompared
      ? 'It was signed with the key with that fingerprint.'
      : 'The archive cannot prove whose key that is. Ask the office for its fingerprint, and give it with --fingerprint.',
  ].join('\n');
}
