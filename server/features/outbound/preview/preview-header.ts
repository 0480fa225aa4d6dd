import { drawnHeader, headerOf } from '../accept/header.ts';
import type { OutboundParts } from '../parts.ts';
import type { PreviewHeader } from './preview-drawing.ts';

/**
 * The header line as it stands now, for a fax to `to` (E.164; null while it is not known), as the first transport prints
 * it. Null while nobody is named as its sender, and where no line is printed.
 */
export function previewHeader(
  { settings, clock, transports }: Pick<OutboundParts, 'settings' | 'clock' | 'transports'>,
  { to, byCall }: { to: string | null; byCall: boolean },
): PreviewHeader | null {
  const header = headerOf(settings, to);
  if (header === null) return null;
  const plan = transports.plan({ to: to ?? '', byCall });
  const step = 'refusal' in plan ? null : (plan.steps[0] ?? null);
  if (step?.traits.printsHeader === false) return null;
  const prints = step?.traits ?? { printsOurTime: true, numbersPages: true };
  return {
    words: drawnHeader(header, clock.now(), prints),
    hasRecipient: header.hasRecipient,
    backend: step?.transport.backend ?? null,
    ownForm: [
      ...(prints.printsOurTime ? [] : (['time'] as const)),
      ...(prints.numbersPages ? [] : (['page_number'] as const)),
    ],
  };
}
