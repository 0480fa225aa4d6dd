import { type DraftFile, uploadNames } from '../draft-files.ts';

/**
 * Returns the file that a refusal is about, with the reason. With several files the gateway's sentence begins with the
 * name. Null when it is about all of them together.
 */
export function findRefusedFile(
  files: readonly DraftFile[],
  sentence: string,
): { id: string; sentence: string } | null {
  const [only, second] = files;
  if (only && !second) return { id: only.id, sentence };
  const names = uploadNames(files);
  const index = names.findIndex((name) => sentence.startsWith(`"${nameInSentence(name)}": `));
  const file = files[index];
  if (!file) return null;
  return { id: file.id, sentence: sentence.slice(sentence.indexOf('": ') + 3) };
}

/** As the gateway writes it. */
const nameInSentence = (name: string) => name.replace(/[\p{C}"]/gu, '').slice(0, 80);
