import type { z } from 'zod';
import type { AboutProposal } from '../../../../shared/api/outbound-about-shapes.ts';
import { NO_ABOUT } from '../../../platform/fax-about.ts';
import { requestedNumber } from '../../../platform/phone-number.ts';
import type { Caller } from '../../access/service.ts';
import type { OutboundParts } from '../parts.ts';
import type { LastAbout } from '../port.ts';
import { listJobs } from '../store/job-list.ts';
import { testFaxesFor, visibleFaxes } from '../visibility.ts';

/** Number of faxes among which the last one with values is looked for. */
const MAX_SCANNED = 20;

/** Proposes what a fax to a number, as typed, is about: as the last visible one with it that says so. */
export async function proposeAbout(
  parts: Pick<OutboundParts, 'db' | 'settings' | 'received'>,
  caller: Caller,
  typed: string,
): Promise<z.infer<typeof AboutProposal>> {
  const number = requestedNumber(typed, parts.settings.country());
  const found = number === null ? [] : await lastOfBoth(parts, caller, number);
  const [last] = found.sort((a, b) => b.fax.at.localeCompare(a.fax.at));
  return last ?? { ...NO_ABOUT, fax: null };
}

async function lastOfBoth(
  parts: Pick<OutboundParts, 'db' | 'received'>,
  caller: Caller,
  number: string,
): Promise<LastAbout[]> {
  const { items } = await listJobs(parts.db.read, {
    scope: visibleFaxes(caller),
    testFaxes: testFaxesFor(caller, false),
    to: number,
    limit: MAX_SCANNED,
  });
  const sent = items.find(({ subject, reference, document_type }) => subject ?? reference ?? document_type);
  const received = await parts.received.lastAbout(caller, number);
  return [
    ...(sent
      ? [
          {
            subject: sent.subject,
            reference: sent.reference,
            document_type: sent.document_type,
            fax: { direction: 'sent' as const, id: sent.id, at: sent.created_at },
          },
        ]
      : []),
    ...(received === null ? [] : [received]),
  ];
}
