import { LIMITS } from '../../../shared/limits.ts';
import { INVISIBLE_CHARACTERS } from '../../../shared/visible-text.ts';
import { titlesOfDocuments } from './errors.ts';

/**
 * Returns the title of each document: the given one, or the name of its file where none is given. Throws a 400 refusal
 * when the titles are fewer or more than the documents.
 */
export function documentTitles(titles: readonly string[], fileNames: readonly string[]): string[] {
  if (titles.length > 0 && titles.length !== fileNames.length) throw titlesOfDocuments();
  return fileNames.map((fileName, i) => titles[i]?.trim() || titleOfFile(fileName, i + 1));
}

function titleOfFile(fileName: string, number: number): string {
  const title = fileName
    .replaceAll(INVISIBLE_CHARACTERS, '')
    .replace(/\.pdf$/iu, '')
    .trim();
  return title.slice(0, LIMITS.titleLength) || `Document ${number}`;
}
