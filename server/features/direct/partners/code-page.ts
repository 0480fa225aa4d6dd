import type { CodePageContent } from '../../../documents/documents.ts';
import { epochOf } from '../../../platform/clock.ts';
import { type Locality, localMoment } from '../../../platform/local-time.ts';
import { formatNumber } from '../../../platform/phone-number.ts';
import type { Card } from '../wire/card.ts';
import { groupedCode } from './codes.ts';

/** Returns the texts of the page that is faxed with a code. */
export function codePageOf(challenge: {
  readonly from: Pick<Card, 'organization' | 'fax_number'>;
  /** E.164. */
  readonly to: string;
  readonly code: string;
  /** ISO 8601 UTC. */
  readonly expiresAt: string;
  readonly locality: Locality;
}): CodePageContent {
  const { from, to, code, expiresAt, locality } = challenge;
  const { organization } = from;
  return {
    title: 'Code for direct delivery with Faxdesk',
    from: [organization, `Fax ${formatNumber(from.fax_number)}`],
    purpose: `${organization} wants to send its faxes to you directly over the internet, encrypted, instead of by phone line. The code below shows that this fax number, ${formatNumber(to)}, is yours.`,
    code: groupedCode(code),
    lastDay: `Valid until ${localMoment(epochOf(expiresAt), locality)}`,
    steps: {
      title: 'What to do',
      items: [
        'In Faxdesk, open Contacts > Partners.',
        `Choose ${organization}. If it is not in the list, ask them for their card and add it first.`,
        'Choose “Type the code that they faxed”, and type the digits above.',
      ],
    },
    unexpected: {
      title: 'You did not expect this page?',
      text: `Do not type the code, and give it to nobody. Call ${organization} at a number that you already know. Without the code nothing changes, and faxes keep coming by phone line.`,
    },
  };
}
