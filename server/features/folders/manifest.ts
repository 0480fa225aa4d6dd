import { VISIBLE_RULE, VISIBLE_TEXT } from '../../../shared/visible-text.ts';
import { requestedNumber } from '../../platform/phone-number.ts';
import type { FoundDocument } from '../../platform/watched-folder/found-files.ts';
import { badManifest, noNumber, twoNumbers } from './errors.ts';
import type { FoldersParts } from './parts.ts';
import type { FileOrder } from './types.ts';

/** Maximum size of the text beside a file, as UTF-8. */
export const MANIFEST_BYTES = 64 * 1024;

/** `letter__+12025550123`: the number is what follows the last two underscores. */
const NUMBER_IN_NAME = /__(\+\d{6,20})$/u;

export const numberInName = (base: string): string | null => NUMBER_IN_NAME.exec(base)?.[1] ?? null;

/** Returns the order of a file from its name and the text beside it (null for none). Throws UnsendableFileError. */
export function readOrder(
  parts: Pick<FoldersParts, 'checkManifest' | 'settings'>,
  { base }: Pick<FoundDocument, 'base'>,
  text: string | null,
): FileOrder {
  const named = numberInName(base);
  const given = text === null ? {} : readManifest(parts, text);
  const to = given.to ?? named;
  if (to === null) throw noNumber();
  const country = parts.settings.country();
  if (named !== null && requestedNumber(to, country) !== requestedNumber(named, country)) throw twoNumbers();
  const cover = given.cover?.replaceAll('\r\n', '\n') ?? '';
  return {
    to,
    cover: cover.trim() === '' ? null : cover,
    title: given.title ?? null,
    mailbox: given.mailbox ?? null,
    sendAt: given.send_at ?? null,
    sendBy: given.send_by,
    sendWhen: given.send_when,
    guard: given.guard ?? 'ignore',
    key: given.idempotency_key ?? null,
    subject: given.subject,
    reference: given.reference,
    document_type: given.document_type,
    cover_page: given.cover_page,
    cover_fields: given.cover_fields,
  };
}

function readManifest({ checkManifest }: Pick<FoldersParts, 'checkManifest'>, text: string) {
  const checked = checkManifest(parsed(text));
  if ('problem' in checked) throw badManifest(checked.problem);
  if (checked.cover !== undefined && !VISIBLE_TEXT.test(checked.cover.replaceAll(/[\t\r]/gu, '')))
    throw badManifest(`"cover" ${VISIBLE_RULE}.`);
  if (checked.cover !== undefined && (checked.cover_page ?? checked.cover_fields) !== undefined)
    throw badManifest('Use either "cover" or "cover_page".');
  return checked;
}

function parsed(text: string): unknown {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    // The parser's own message quotes the text.
    throw badManifest('It is not JSON.');
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw badManifest('It must be a JSON object.');
  return given;
}
