import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DesktopFile } from '../shared/desktop.ts';
import { documentTypeOf, notFaxableSentence } from '../shared/document-types.ts';
import { LIMITS } from '../shared/limits.ts';

const MB = 1024 * 1024;
const MAX_BYTES = 100 * MB;
const MAX_WAITING_BYTES = 200 * MB;

export interface RefusedFile {
  readonly name: string;
  readonly reason: string;
}

/** The documents among the words of a command line: paths, or as Linux desktops write them, addresses of files. */
export function documentPaths(words: readonly string[], folder: string): string[] {
  return words
    .slice(1)
    .filter((word) => !word.startsWith('-') && documentTypeOf(basename(word)) !== null)
    .map((word) => pathOf(word, folder));
}

function pathOf(word: string, folder: string): string {
  try {
    if (word.startsWith('file:///')) return fileURLToPath(word);
  } catch {
    // It names no file of this computer; reading it will fail.
  }
  return resolve(folder, word);
}

/** Documents of *Send as fax* on their way to the Send screen. */
export function createWaitingFiles(): WaitingFiles {
  return new WaitingFiles();
}

export type { WaitingFiles };

class WaitingFiles {
  #files: DesktopFile[] = [];

  /** Reads the files at once, because a program may remove what it handed over. Answers those that are not taken. */
  async add(paths: readonly string[]): Promise<RefusedFile[]> {
    const refused: RefusedFile[] = [];
    for (const path of paths) {
      const name = basename(path);
      const read = await this.#read(path).catch(() => 'It could not be read.');
      if (typeof read === 'string') refused.push({ name, reason: read });
      else this.#files.push({ name, type: documentTypeOf(name) ?? '', bytes: read });
    }
    return refused;
  }

  get count(): number {
    return this.#files.length;
  }

  /** Hands them over, once. */
  take(): DesktopFile[] {
    return this.#files.splice(0);
  }

  /** The bytes, or why not. Opened without waiting, because a pipe would never answer. */
  async #read(path: string): Promise<Uint8Array | string> {
    if (documentTypeOf(basename(path)) === null) return notFaxableSentence(basename(path));
    if (this.#files.length >= LIMITS.filesPerFax)
      return `One fax can have at most ${LIMITS.filesPerFax} documents.`;
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const facts = await file.stat();
      if (!facts.isFile()) return 'It is not a document.';
      const waiting = this.#files.reduce((sum, { bytes }) => sum + bytes.length, 0);
      if (facts.size > MAX_BYTES) return `It is larger than ${MAX_BYTES / MB} MB.`;
      if (waiting + facts.size > MAX_WAITING_BYTES) return 'Together, the documents are too large.';
      return new Uint8Array(await file.readFile());
    } finally {
      await file.close();
    }
  }
}
