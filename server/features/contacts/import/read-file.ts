import { decodeCsv, readCsv } from '../../../platform/read-csv.ts';
import { readerOf } from '../csv/columns.ts';
import { fileRefused } from '../errors.ts';
import type { FileEntry, FileProblem } from './texts.ts';

/** Reads the entries of an address book. Others are served meanwhile. Throws a 400 refusal for another file. */
export async function readFile(bytes: Uint8Array): Promise<(FileEntry | FileProblem)[]> {
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
