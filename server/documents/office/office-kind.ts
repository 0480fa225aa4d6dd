import type { OfficeType } from '../../../shared/document-types.ts';
import { DocumentError } from '../document-error.ts';
import { readMember, type ZipMember, zipMembers } from './zip-archive.ts';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const ODT = 'application/vnd.oasis.opendocument.text';

/** Bytes of the member that names the type of an archive. */
const MAX_LIST_BYTES = 1024 * 1024;
/** Bytes of all files of an archive; those of 1,000 pages with pictures stay below. */
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;

const DAMAGED = 'The document is damaged or too large to be opened. Save it as PDF and add that.';
const PROTECTED = 'The document is protected by a password. Save it without one and send it again.';

/** Returns the type of a document that is a ZIP archive, by its members; null for another archive or a damaged one. */
export function officeKindOf(bytes: Buffer): OfficeType | null {
  const members = zipMembers(bytes);
  if (members === null) return null;
  if (textOf(bytes, members, 'mimetype') === ODT) return ODT;
  const types = textOf(bytes, members, '[Content_Types].xml') ?? '';
  if (types.includes(`${DOCX}.main+xml`)) return DOCX;
  return types.includes(`${XLSX}.main+xml`) ? XLSX : null;
}

function textOf(bytes: Buffer, members: readonly ZipMember[], name: string): string | null {
  const member = members.find((each) => each.name === name);
  return (member && readMember(bytes, member, MAX_LIST_BYTES)?.toString('latin1').trim()) ?? null;
}

/**
 * Unpacks every file of an archive, so that what is damaged or would fill the memory is found before another program reads
 * it. Throws a DocumentError.
 */
export function checkArchive(bytes: Buffer): void {
  const members = zipMembers(bytes) ?? [];
  if (textOf(bytes, members, 'META-INF/manifest.xml')?.includes('encryption-data'))
    throw new DocumentError('invalid', PROTECTED);
  let left = MAX_UNPACKED_BYTES;
  for (const member of members) {
    left -= readMember(bytes, member, left)?.length ?? left + 1;
    if (left < 0) throw new DocumentError('invalid', DAMAGED);
  }
}
