import { LIMITS } from '../../../../shared/limits.ts';
import { decodeCsv, readCsv } from '../../../platform/read-csv.ts';
import { readerOf } from '../csv/columns.ts';
import { fileRefused } from '../errors.ts';
import { readCards } from '../vcard/read-cards.ts';
import type { FileEntry, FileProblem } from './texts.ts';

/** Reads the entries of an address book. Others are served meanwhile. Throws a 400 refusal for another file. */
export async function readFile(bytes: Uint8Array): Promise<(FileEntry | FileProblem)[]> {
  if (isVcard(bytes)) return readCards(bytes);
  if (bytes.length > LIMITS.contactsFileBytes)
    throw fileRefused('The file is larger than 5 MB. Split it and import the parts.');
  const [head, ...rest] = await readCsv(decodeCsv(bytes, fileRefused), fileRefused);
  if (!head) throw fileRefused('The file is empty.');
  const textsOf = readerOf(head);
  return rest.map((line) => ({
    line: line.line,
    get texts() {
      return textsOf(line);
    },
  }));
}

/** True for a file that begins with a card, whatever its encoding. */
function isVcard(bytes: Uint8Array): boolean {
  const begin = Buffer.from(bytes.subarray(0, 200))
    .toString('latin1')
    .replaceAll(/[^A-Za-z:]/gu, '');
  return begin.toUpperCase().startsWith('BEGIN:VCARD');
}
