import { type DraftFile } from '../../../parts/draft-files.ts';
import { type Draft, NO_OPTIONS, newDraft } from './draft.ts';
import type { DraftSeal } from './seal-draft.ts';

const DATABASE = 'faxdesk-drafts';
/** Before, drafts were kept as they are; those are removed. */
const SEALED = 2;
const MAX_AGE_OF_OTHERS_MS = 24 * 3_600_000;

/** A draft as it is stored; the contents of its files stand apart, so that typing does not write them again. */
interface StoredDraft {
  /** The person. */
  readonly owner: string;
  /** Epoch milliseconds. */
  readonly savedAt: number;
  /** JSON of a `WrittenDraft`. */
  readonly sealed: ArrayBuffer;
}

interface WrittenDraft extends Omit<Draft, 'files'> {
  readonly files: readonly (Omit<DraftFile, 'content'> & { readonly type: string })[];
}

/** Opens or makes the database. Rejects where the browser keeps none. */
export async function openDraftDatabase(): Promise<DraftDatabase> {
  const request = indexedDB.open(DATABASE, SEALED);
  request.addEventListener('upgradeneeded', () => {
    for (const name of request.result.objectStoreNames) request.result.deleteObjectStore(name);
    request.result.createObjectStore('drafts', { keyPath: 'owner' });
    request.result.createObjectStore('contents');
  });
  const database = await resultOf(request);
  // Another release may need another shape; this page writes no more then.
  database.addEventListener('versionchange', () => database.close());
  return new DraftDatabase(database);
}

export type { DraftDatabase };

/** Drafts by person in this browser's own database, sealed. Its failures reject. */
class DraftDatabase {
  readonly #database: IDBDatabase;

  constructor(database: IDBDatabase) {
    this.#database = database;
  }

  /** Returns true when the person has a draft. */
  async has(owner: string): Promise<boolean> {
    const drafts = this.#database.transaction('drafts').objectStore('drafts');
    return (await resultOf(drafts.count(owner))) > 0;
  }

  /** Null when there is none; one that does not open with this seal is nobody's and removed. */
  async read(owner: string, seal: DraftSeal): Promise<Draft | null> {
    const transaction = this.#database.transaction(['drafts', 'contents']);
    const contents = transaction.objectStore('contents');
    const [stored, ids, sealed] = await Promise.all([
      resultOf(transaction.objectStore('drafts').get(owner)) as Promise<StoredDraft | undefined>,
      resultOf(contents.getAllKeys(rangeOf(owner))) as Promise<[string, string][]>,
      resultOf(contents.getAll(rangeOf(owner))) as Promise<ArrayBuffer[]>,
    ]);
    if (!stored) return null;
    const sealedOf = new Map(ids.map(([, id], index) => [id, sealed[index]]));
    try {
      const { files, ...draft } = parseDraft(await seal.open(stored.sealed, contextOf(owner)));
      const opened = files.map(async ({ type, ...file }) => {
        const content = sealedOf.get(file.id);
        if (content === undefined) return null;
        const plain = await seal.open(content, contextOf(owner, file.id));
        return { ...file, content: new Blob([plain], { type }) };
      });
      const whole = (await Promise.all(opened)).filter((file) => file !== null);
      return { ...newDraft(), ...draft, options: { ...NO_OPTIONS, ...draft.options }, files: whole };
    } catch {
      await this.remove(owner);
      return null;
    }
  }

  /** Writes the whole draft or nothing of it. Contents that are there already are not sealed and written again. */
  async write(owner: string, { files, ...draft }: Draft, seal: DraftSeal): Promise<void> {
    const named = files.map(({ content, ...file }) => ({ ...file, type: content.type }));
    const written = new TextEncoder().encode(
      JSON.stringify({ ...draft, files: named } satisfies WrittenDraft),
    );
    const stored = {
      owner,
      savedAt: Date.now(),
      sealed: await seal.seal(written, contextOf(owner)),
    } satisfies StoredDraft;
    const contents = new Map<string, ArrayBuffer>();
    // A transaction does not wait for the seal, and another window may write meanwhile.
    for (;;) {
      const missing = await this.#put(
        stored,
        files.map(({ id }) => id),
        contents,
      );
      if (missing.size === 0) return;
      for (const { id, content } of files)
        if (missing.has(id))
          contents.set(id, await seal.seal(await content.arrayBuffer(), contextOf(owner, id)));
    }
  }

  /** Writes a draft with these files, unless the content of some is neither there nor given. Returns the ids of those. */
  async #put(
    stored: StoredDraft,
    ids: readonly string[],
    given: ReadonlyMap<string, ArrayBuffer>,
  ): Promise<Set<string>> {
    const { owner } = stored;
    const transaction = this.#database.transaction(['drafts', 'contents'], 'readwrite');
    const done = completionOf(transaction);
    const contents = transaction.objectStore('contents');
    const keys = (await resultOf(contents.getAllKeys(rangeOf(owner)))) as [string, string][];
    const there = new Set(keys.map(([, id]) => id));
    const missing = new Set(ids.filter((id) => !there.has(id) && !given.has(id)));
    if (missing.size === 0) {
      transaction.objectStore('drafts').put(stored);
      for (const id of ids) {
        const content = given.get(id);
        if (!there.delete(id) && content) contents.put(content, [owner, id]);
      }
      for (const id of there) contents.delete([owner, id]);
    }
    await done;
    return missing;
  }

  async remove(owner: string): Promise<void> {
    const transaction = this.#database.transaction(['drafts', 'contents'], 'readwrite');
    transaction.objectStore('drafts').delete(owner);
    transaction.objectStore('contents').delete(rangeOf(owner));
    await completionOf(transaction);
  }

  /** On a shared computer nobody's drafts stay longer than a day unless they come back to them. */
  async removeOldOfOthers(owner: string): Promise<void> {
    const drafts = this.#database.transaction('drafts').objectStore('drafts');
    const all = (await resultOf(drafts.getAll())) as StoredDraft[];
    const isOld = ({ savedAt }: StoredDraft) => Date.now() - savedAt > MAX_AGE_OF_OTHERS_MS;
    for (const stored of all) if (stored.owner !== owner && isOld(stored)) await this.remove(stored.owner);
  }
}

const contextOf = (...place: string[]): string => JSON.stringify(place);

function parseDraft(plain: ArrayBuffer): WrittenDraft {
  return JSON.parse(new TextDecoder().decode(plain)) as WrittenDraft;
}

/** All contents of one person: ids are hexadecimal. */
const rangeOf = (owner: string) => IDBKeyRange.bound([owner, ''], [owner, '~']);

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('the database refused')));
  });
}

function completionOf(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve());
    const fail = () => reject(transaction.error ?? new Error('the draft was not written'));
    transaction.addEventListener('abort', fail);
    transaction.addEventListener('error', fail);
  });
}
