import type { z } from 'zod';
import type { InboundFax } from '../../shared/api/inbound-shapes.ts';
import type { InboundRecovery } from '../../shared/api/telephony.ts';
import { DIRECT_BACKEND } from '../../shared/backends.ts';
import { aboutFacts } from './about-words.ts';
import { STATE_WORDS } from './fax-words.ts';
import { holdFacts } from './hold-words.ts';
import { facts } from './terminal.ts';

type Inbound = z.infer<typeof InboundFax>;

/** Also that pages may be missing. */
export function stateWords({ status, status_text, incomplete, junk, test }: Inbound): string {
  const words = incomplete && status === 'received' ? `${status_text}, pages may be missing` : status_text;
  if (test) return `${words}, test`;
  return junk ? `${words}, in Junk` : words;
}

export function describeInbound(fax: Inbound): string {
  return facts([
    ['Fax', fax.id],
    ['From', fax.fr],
    ['To', fax.to_inferred ? `${fax.to} (not reported; our only number)` : fax.to],
    ['State', `${fax.status_text} (${fax.status})`],
    ...(fax.problem
      ? [[fax.incomplete && fax.status === 'received' ? 'Problem' : 'Reason', fax.problem] as const]
      : []),
    ...(fax.retry_at ? [['Next attempt', fax.retry_at] as const] : []),
    ...aboutFacts(fax),
    ...holdFacts(fax),
    ['Mailbox', fax.mailbox],
    ['Pages', fax.pages],
    ...(fax.turned_pages.length > 0
      ? [
          [
            'Rotated pages',
            fax.turned_pages.map(({ page, quarter_turns }) => `${page} by ${quarter_turns * 90}°`).join(', '),
          ] as const,
        ]
      : []),
    ['Size', fax.size_bytes === null ? null : `${fax.size_bytes} bytes`],
    ['SHA-256', fax.sha256],
    ...(fax.decode === null ? [] : originalFacts(fax.decode)),
    ['Recorded', fax.received_at],
    ...(fax.source_system === null
      ? ([
          ['Complete at provider', fax.source_received_at],
          ['Provider fax', `${fax.provider_fax_id} (${fax.provider_account})`],
        ] as const)
      : fax.backend === DIRECT_BACKEND
        ? ([
            ['Arrived', `directly from ${fax.source_system}, verified`],
            ['Message', fax.provider_fax_id],
          ] as const)
        : ([
            ['Imported from', fax.source_system],
            ['Received there', fax.source_received_at],
            ['Operation ID', fax.provider_fax_id],
          ] as const)),
    ...(fax.conflicts > 0 ? [['Conflicts', fax.conflicts] as const] : []),
    ...(fax.recovered ? [['Recovered', 'from an image that the telephone engine left'] as const] : []),
    ...fax.answered_by.map(answeredBy),
    ...(fax.is_test ? [['Test', 'yes'] as const] : []),
    ...(fax.junk ? [['Junk', 'yes, its sender was blocked'] as const] : []),
  ]);
}

/** The date and state are those of the answer, which may not be delivered. */
const answeredBy = ({ fax_id, delivery_state, created_at, by }: Inbound['answered_by'][number]) =>
  ['Answered by', `fax ${fax_id} of ${created_at} from ${by}: ${STATE_WORDS[delivery_state]}`] as const;

function originalFacts(decode: NonNullable<Inbound['decode']>): [string, string][] {
  const facts: [string, string][] = [['Original', `${decode.sentence} (${decode.state})`]];
  return decode.sha256 === null ? facts : [...facts, ['SHA-256 of it', decode.sha256]];
}

export function describeRecovery({ found, received, waiting }: z.infer<typeof InboundRecovery>): string {
  if (found === 0) return 'The telephone engine left no images.';
  return facts([
    ['Images', found],
    ['Already received', received],
    ['Being received now', waiting],
  ]);
}
