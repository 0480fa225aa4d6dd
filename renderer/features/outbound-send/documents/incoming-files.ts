import { documentTypeOf, isDocumentType } from '../../../../shared/document-types.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import { randomId } from '../../../api/random-id.ts';
import { type DraftFile } from '../../../parts/draft-files.ts';
import { t } from '../../../texts/index.ts';
import { formatBytes } from '../../../ui/format.ts';

interface TakenFiles {
  readonly files: readonly DraftFile[];
  /** Files that are in the draft already, byte for byte. The person decides whether to add them again. */
  readonly twice: readonly DraftFile[];
  /** One sentence for each file that was not taken. */
  readonly refusals: readonly string[];
}

/**
 * Copies dropped, pasted or chosen files, so that later changes on disk do not matter. Reports files that can never be
 * sent before anything is uploaded.
 */
export async function takeFiles(
  offered: readonly File[],
  there: readonly DraftFile[],
  maxMegabytes: number,
): Promise<TakenFiles> {
  const files: DraftFile[] = [];
  const twice: DraftFile[] = [];
  const refusals: string[] = [];
  let bytes = there.reduce((sum, file) => sum + file.content.size, 0);
  for (const file of offered) {
    const count = there.length + files.length;
    const refusal = refusalReason(file, { count, bytes, maxBytes: maxMegabytes * 1024 * 1024 });
    const content = refusal === null ? await copyOf(file) : null;
    if (content === null) refusals.push(refusal ?? t.send.unreadable(file.name));
    else {
      const taken = { id: randomId(), name: file.name || t.send.pasted, title: '', content };
      const isThere = await hasDuplicate([...there, ...files], taken);
      (isThere ? twice : files).push(taken);
      if (!isThere) bytes += content.size;
    }
  }
  return { files, twice, refusals };
}

function refusalReason(
  file: File,
  { count, bytes, maxBytes }: { count: number; bytes: number; maxBytes: number },
) {
  const words = t.send;
  if (!isAccepted(file)) return words.notFaxable(file.name);
  if (file.size === 0) return words.emptyFile(file.name);
  if (file.size > maxBytes) return words.fileTooLarge(file.name, formatBytes(file.size), megabytes(maxBytes));
  if (bytes + file.size > maxBytes) return words.allTooLarge(file.name, megabytes(maxBytes));
  if (count >= LIMITS.filesPerFax) return words.tooMany(file.name, LIMITS.filesPerFax);
  return null;
}

/** The limit is set in whole MB of 1024 KB and is named so. */
const megabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`;

/** A pasted file has a type and no extension, and for some extensions a browser has no type. */
function isAccepted({ name, type }: File): boolean {
  if (isDocumentType(type) || documentTypeOf(name) !== null) return true;
  return type === '' && !/\.[^.]+$/u.test(name);
}

/** Returns true when one of the files has the same name and bytes. */
async function hasDuplicate(files: readonly DraftFile[], { name, content }: DraftFile): Promise<boolean> {
  const same = files.filter((file) => file.name === name && file.content.size === content.size);
  if (same.length === 0) return false;
  const bytes = new Uint8Array(await content.arrayBuffer());
  for (const file of same) {
    const others = new Uint8Array(await file.content.arrayBuffer());
    if (others.every((byte, index) => byte === bytes[index])) return true;
  }
  return false;
}

async function copyOf(file: File): Promise<Blob | null> {
  try {
    return new Blob([await file.arrayBuffer()], { type: file.type });
  } catch {
    return null;
  }
}
