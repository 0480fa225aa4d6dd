import { COVER_FIELDS, COVER_PLACE, type CoverField } from '../../../shared/covers.ts';
import type { CoverContent } from '../../documents/documents.ts';
import { localDate } from '../../platform/local-time.ts';
import { formatNumber, requestedNumber } from '../../platform/phone-number.ts';
import { type Caller, mailboxLabels } from '../access/service.ts';
import type { CoversParts } from './parts.ts';
import type { CoveredFax, CoverFieldValues, Template } from './types.ts';

const LABELS: Readonly<Record<Exclude<CoverField, 'reference'>, string>> = {
  to: 'To',
  attention: 'Attention',
  from: 'From',
  pages: 'Pages',
  date: 'Date',
  subject: 'Subject',
  note: 'Note',
};

/** Returns all values of a cover page: those of the fax, and in their place what was given with it. */
export async function coverValues(
  { db, clock, contacts, desk, settings }: Omit<CoversParts, 'audit' | 'documents'>,
  caller: Caller | null,
  fax: CoveredFax,
  given: CoverFieldValues,
): Promise<CoverFieldValues> {
  const number = fax.to === '' ? null : requestedNumber(fax.to, settings.country());
  const contact =
    number === null || caller === null ? undefined : (await contacts.namesOf(caller, [number])).get(number);
  const { mailboxId } = fax;
  const mailbox = mailboxId === null ? undefined : (await mailboxLabels(db.read, [mailboxId])).get(mailboxId);
  const signature = caller === null ? null : (await desk.defaultsOf(caller)).signature;
  const where = { country: settings.country(), timeZone: settings.timeZone() };
  const values: Record<string, string> = {
    to: joined([fax.toName ?? contact?.name, number === null ? fax.to : formatNumber(number)]),
    from: joined([
      signature ?? (caller?.principal.kind === 'user' ? caller.principal.displayName : null),
      mailbox,
      settings.organization(),
      formatNumber(settings.ownNumber() ?? ''),
    ]),
    date: localDate(clock.now(), where),
    subject: fax.subject ?? '',
    reference: fax.reference ?? '',
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value.trim() !== '')),
    pages: fax.pages === null ? '' : String(fax.pages + 1),
  };
  return values;
}

const joined = (parts: readonly (string | null | undefined)[]): string => parts.filter(Boolean).join(', ');

/** Returns the content of a page with these values. */
export function coverContent(
  template: Pick<Template, 'title' | 'fields' | 'text' | 'notice' | 'logo' | 'pdf'>,
  values: CoverFieldValues,
  referenceLabel: string,
): CoverContent {
  const { title, fields, logo, pdf } = template;
  if (pdf !== null) return { kind: 'pdf', file: pdf, values };
  const rows = fields.flatMap((field) => {
    const value = values[field] ?? '';
    return value === '' ? [] : [{ label: field === 'reference' ? referenceLabel : LABELS[field], value }];
  });
  const filled = (text: string) => text.replaceAll(COVER_PLACE, (_, name: string) => values[name] ?? '');
  return { kind: 'page', title, rows, text: filled(template.text), notice: template.notice, logo };
}

/** Returns the values that the page shows, for the record of the fax. */
export function printedFields(template: Template, values: CoverFieldValues): CoverFieldValues {
  const inText = [...template.text.matchAll(COVER_PLACE)].map(([, name = '']) => name);
  const names = template.pdf === null ? [...template.fields, ...inText] : template.formFields;
  const usual: readonly string[] = COVER_FIELDS;
  const ordered = [...new Set(names)].sort((a, b) => placeIn(usual, a) - placeIn(usual, b));
  return Object.fromEntries(
    ordered.flatMap((name) => {
      const value = values[name] ?? '';
      return value === '' ? [] : [[name, value]];
    }),
  );
}

const placeIn = (names: readonly string[], name: string): number =>
  names.includes(name) ? names.indexOf(name) : names.length;
