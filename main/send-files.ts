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

/** Documents of *Send as fax* on their way to the Send screen. Each is for the person who was signed in when it came. */
export function createWaitingFiles(): WaitingFiles {
  return new WaitingFiles();
}

export type { WaitingFiles };

/** Id of a person; null for no one, undefined until a page reports a person. */
type Person = string | null | undefined;

interface WaitingFile {
  readonly file: DesktopFile;
  readonly person: Person;
  /** Person who was asked about a file of no one. */
  readonly askedOf?: string;
}

class WaitingFiles {
  #files: WaitingFile[] = [];
  #person: Person;
  /** The first person that a page reported, to whom the files of the start belong. */
  #first: Person;

  /** Reads the files at once, because a program may remove what it handed over. Answers those that are not taken. */
  async add(paths: readonly string[]): Promise<RefusedFile[]> {
    const person = this.#person;
    const refused: RefusedFile[] = [];
    for (const path of paths) {
      const name = basename(path);
      const read = await this.#read(path).catch(() => 'It could not be read.');
      if (typeof read === 'string') refused.push({ name, reason: read });
      else this.#files.push({ file: { name, type: documentTypeOf(name) ?? '', bytes: read }, person });
    }
    // Another person may have signed in meanwhile.
    if (person !== this.#person) this.#follow();
    return refused;
  }

  /** Number of files for the person who is signed in. */
  get count(): number {
    return this.#files.filter((file) => this.#isTheirs(file)).length;
  }

  /** Follows a page that begins with the sign-in: files of the start then belong to no one, as those after a sign-out. */
  beginSignIn(): void {
    if (this.#person === undefined) this.setPerson(null);
  }

  /**
   * Follows who is signed in; null for no one. Removes the files of another person, and returns how many these were, with the
   * names of those that came while no one was signed in: `claim` settles them.
   */
  setPerson(person: string | null): { removed: number; unclaimed: string[] } {
    this.#first = this.#first === undefined ? person : this.#first;
    this.#person = person;
    const removed = this.#follow();
    this.#files = this.#files.map(({ askedOf: _askedOf, ...file }) => file);
    return { removed, unclaimed: this.askAgain()?.names ?? [] };
  }

  /**
   * Returns the person who is signed in with the names of files of no one that they were not asked about, as of those that were still
   * read at the sign-in; null without any. Counts them as asked about.
   */
  askAgain(): { person: string; names: string[] } | null {
    const person = this.#person;
    if (person === null || person === undefined) return null;
    const isNew = (file: WaitingFile) => file.person === null && file.askedOf !== person;
    const names = this.#files.filter(isNew).map(({ file }) => file.name);
    this.#files = this.#files.map((file) => (isNew(file) ? { ...file, askedOf: person } : file));
    return names.length === 0 ? null : { person, names };
  }

  /** Gives the files that this person was asked about to them, or removes these. Does nothing once another person is signed in. */
  claim(person: string, isTheirs: boolean): void {
    if (person !== this.#person) return;
    this.#files = this.#files.flatMap((file) => {
      if (file.person !== null || file.askedOf !== person) return [file];
      return isTheirs ? [{ ...file, person }] : [];
    });
  }

  /** Hands those of the person who is signed in over, once. */
  take(): DesktopFile[] {
    const taken = this.#files.filter((file) => this.#isTheirs(file));
    this.#files = this.#files.filter((file) => !taken.includes(file));
    return taken.map(({ file }) => file);
  }

  #isTheirs({ person }: WaitingFile): boolean {
    return person !== null && person === this.#person;
  }

  /** Files of the start are for the first person, and those of any other person go. Returns how many went. */
  #follow(): number {
    this.#files = this.#files.map((each) =>
      each.person === undefined ? { ...each, person: this.#first } : each,
    );
    const kept = this.#files.filter(({ person }) => person === null || person === this.#person);
    const removed = this.#files.length - kept.length;
    this.#files = kept;
    return removed;
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
      const waiting = this.#files.reduce((sum, { file: { bytes } }) => sum + bytes.length, 0);
      if (facts.size > MAX_BYTES) return `It is larger than ${MAX_BYTES / MB} MB.`;
      if (waiting + facts.size > MAX_WAITING_BYTES) return 'Together, the documents are too large.';
      return new Uint8Array(await file.readFile());
    } finally {
      await file.close();
    }
  }
}
