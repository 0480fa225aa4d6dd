import { formatHours } from '../../../../shared/allowed-hours.ts';
import { listsOf } from '../contact-row.ts';
import type { ExportedNames } from '../import/names.ts';
import type { ContactRow } from '../types.ts';
import { OWN_NAMES, type OwnText } from './own-properties.ts';

/** Octets of a line without its end. */
const LINE_OCTETS = 75;

/** Writes a contact as vCard of version 3 (RFC 2426) or 4 (RFC 6350), as `read-cards.ts` reads it back. */
export function writeCard(row: ContactRow, version: 3 | 4, named: ExportedNames): string {
  const { other_fax_numbers, tags, allowed_hours } = listsOf(row);
  const own: Record<OwnText, string | null> = {
    mailbox: named.mailboxOf(row),
    opted_out: row.opted_out_at,
    consent_note: row.consent_note,
    allowed_hours: allowed_hours && formatHours(allowed_hours),
    cover_id: row.cover_id,
    accepts_references: row.accepts_references === 1 ? 'yes' : 'no',
    send_together_minutes: String(row.send_together_minutes),
    preferred_route: named.routeOf(row),
    encoded_pages: row.encoded_pages,
    blocked: row.blocked === 1 ? 'yes' : 'no',
  };
  const lines = [
    'BEGIN:VCARD',
    `VERSION:${version}.0`,
    'PRODID:-//Faxdesk//Contacts//EN',
    `UID:faxdesk-${row.id}`,
    `FN:${escape(row.name)}`,
    // Version 3 requires it.
    `N:${escape(row.name)};;;;`,
    row.organization === null ? [] : `ORG:${escape(row.organization)}`,
    telephone(row.fax_number, version, ['fax', 'work'], true),
    other_fax_numbers.map((number) => telephone(number, version, ['fax', 'work'], false)),
    row.voice_number === null ? [] : telephone(row.voice_number, version, ['voice', 'work'], false),
    row.address === null ? [] : `ADR;TYPE=work:;;${escape(row.address)};;;;`,
    tags.length === 0 ? [] : `CATEGORIES:${tags.map(escape).join(',')}`,
    row.note === null ? [] : `NOTE:${escape(row.note)}`,
    row.time_zone === null ? [] : `TZ${version === 3 ? ';VALUE=text' : ''}:${row.time_zone}`,
    (Object.keys(OWN_NAMES) as OwnText[]).flatMap((field) => {
      const value = own[field];
      return value === null ? [] : `${OWN_NAMES[field]}:${escape(value)}`;
    }),
    'END:VCARD',
  ];
  return lines
    .flat()
    .map((line) => `${folded(line)}\r\n`)
    .join('');
}

function telephone(number: string, version: 3 | 4, types: readonly string[], isFirst: boolean): string {
  if (version === 3) return `TEL;TYPE=${[...types, ...(isFirst ? ['pref'] : [])].join(',')}:${number}`;
  return `TEL;VALUE=uri;TYPE="${types.join(',')}"${isFirst ? ';PREF=1' : ''}:tel:${number}`;
}

const escape = (text: string) =>
  text.replaceAll(/[\\,;]/gu, String.raw`\$&`).replaceAll('\n', String.raw`\n`);

/** Folds a line at 75 octets, never within a character. */
function folded(line: string): string {
  const parts: string[] = [];
  let part: string[] = [];
  let octets = 0;
  for (const sign of line) {
    const size = Buffer.byteLength(sign);
    if (octets + size > LINE_OCTETS) {
      parts.push(part.join(''));
      // The space at the begin of a continuation counts.
      part = [];
      octets = 1;
    }
    part.push(sign);
    octets += size;
  }
  return [...parts, part.join('')].join('\r\n ');
}
