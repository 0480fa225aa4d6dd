import type { Caller } from '../../access/service.ts';
import type { OutboundParts } from '../parts.ts';
import { drawnHeader, headerOf } from '../plan/header.ts';
import { senderOf } from '../plan/plan.ts';
import type { PreviewHeader } from './preview-drawing.ts';

/**
 * Returns the present header line for a fax of the caller to `to` (E.164; null while unknown), as the first transport
 * prints it. Null while no sender is named, and where no line is printed.
 */
export async function previewHeader(
  parts: Pick<OutboundParts, 'settings' | 'clock' | 'transports' | 'contacts' | 'desk'>,
  { caller, to, byCall }: { caller: Caller; to: string | null; byCall: boolean },
): Promise<PreviewHeader | null> {
  const { settings, clock, transports, contacts, desk } = parts;
  const { preferredRoute } = to === null ? { preferredRoute: null } : await contacts.preferencesFor(to);
  const plan = await transports.plan({ to: to ?? '', byCall, preferredRoute });
  const step = 'refusal' in plan ? null : (plan.steps[0] ?? null);
  const sender = senderOf(settings, step?.route ?? null, await desk.headerNameOf(caller));
  const header = headerOf(sender, to);
  if (header === null) return null;
  if (step?.traits.printsHeader === false) return null;
  const prints = step?.traits ?? { printsOurTime: true, numbersPages: true };
  return {
    words: drawnHeader(header, clock.now(), prints),
    sender: header.text,
    hasRecipient: header.hasRecipient,
    backend: step?.transport.backend ?? null,
    ownForm: [
      ...(prints.printsOurTime ? [] : (['time'] as const)),
      ...(prints.numbersPages ? [] : (['page_number'] as const)),
    ],
  };
}
