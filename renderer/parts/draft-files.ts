import type { FileEdits } from '../../shared/page-edits.ts';

/** Of a draft that is saved for later, in characters. */
export const NAME_LENGTH = 60;

/** A document of a draft. Its bytes are a copy: the file may be moved or changed after it was chosen. */
export interface DraftFile {
  readonly id: string;
  readonly name: string;
  /** As the person names it in the fax; empty when they did not. */
  readonly title: string;
  readonly content: Blob;
  /** Id of the sent fax whose document it is. */
  readonly resendOf?: string;
  /** First page of that document, counted from 1. */
  readonly resendFrom?: number;
  /** Id of the received fax whose pages it has. */
  readonly receivedAs?: string;
  /** Id of the printed document whose pages it has. */
  readonly printedAs?: string;
  /** Changes to its pages; left out where they are sent as they are. */
  readonly edits?: FileEdits;
}

/** The title, or the file's name without its ending. */
export function titleOf({ title, name }: DraftFile): string {
  return title || name.replace(/\.[a-z0-9]{1,5}$/iu, '') || name;
}

/** Returns unique names for the upload of the files, so that a response identifies one of them. */
export function uploadNames(files: readonly DraftFile[]): string[] {
  const seen = new Map<string, number>();
  return files.map(({ name }) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : name.replace(/(\.[^.]*)?$/u, ` (${count})$1`);
  });
}
