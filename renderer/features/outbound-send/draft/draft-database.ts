import { type Draft, type DraftFile, NO_OPTIONS, newDraft } from './draft.ts';

const DATABASE = 'faxdesk-drafts';
const KEPT_FOR_OTHERS_MS = 24 * 3_600_000;

/** A draft as it is stored; the contents of its files stand apart, so that typing does not write them again. */
interface StoredDraft {
  readonly owner: string;
  /** Epoch milliseconds. */
  readonly savedAt: number;
  readonly draft: Omit<Draft, 'files'>;
  readonly files: readonly Omit<DraftFile, 'content'>[];
}

/** Opens or makes the database. Rejects where the browser keeps none. */
export async function openDraftDatabase(): Promise<DraftDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.addEventListener('upgradeneeded', () => {
    request.result.createObjectStore('drafts', { keyPath: 'owner' });
    request.result.createObjectStore('contents');
  });
  const database = await resultOf(request);
  // Another release may need another shape; this page writes no more then.
  database.addEventListener('versionchange', () => database.close());
  return new DraftDatabase(database);
}

export type { DraftDatabase };

/** Drafts by person in this browser's own database. Its failures reject. */
class DraftDatabase {
  readonly #database: IDBDatabase;

  constructor(database: IDBDatabase) {
    this.#database = database;
  }

  async read(owner: string): Promise<Draft | null> {
    const transaction = this.#database.transaction(['drafts', 'contents']);
    const [drafts, contents] = [transaction.objectStore('drafts'), transaction.objectStore('contents')];
    const stored = (await resultOf(drafts.get(owner))) as StoredDraft | undefined;
    if (!stored) return null;
    const found = stored.files.map(async (file) => ({
      ...file,
      content: (await resultOf(contents.get([owner, file.id]))) as Blob | undefined,
    }));
    const files = (await Promise.all(found)).filter((file): file is DraftFile => file.content !== undefined);
    return { ...newDraft(), ...stored.draft, options: { ...NO_OPTIONS, ...stored.draft.options }, files };
  }

  /** Writes the whole draft or nothing of it. Contents that are there already are not written again. */
  async write(owner: string, { files, ...draft }: Draft): Promise<void> {
    const transaction = this.#database.transaction(['drafts', 'contents'], 'readwrite');
    const done = endOf(transaction);
    const contents = transaction.objectStore('contents');
    const named = files.map(({ id, name, title }) => ({ id, name, title }));
    transaction.objectStore('drafts').put({ owner, savedAt: Date.now(), draft, files: named });
    const there = new Set(
      ((await resultOf(contents.getAllKeys(rangeOf(owner)))) as [string, string][]).map(([, id]) => id),
    );
    for (const file of files) if (!there.delete(file.id)) contents.put(file.content, [owner, file.id]);
    for (const id of there) contents.delete([owner, id]);
    await done;
  }

  async remove(owner: string): Promise<void> {
    const transaction = this.#database.transaction(['drafts', 'contents'], 'readwrite');
    transaction.objectStore('drafts').delete(owner);
    transaction.objectStore('contents').delete(rangeOf(owner));
    await endOf(transaction);
  }

  /** On a shared computer nobody's drafts stay longer than a day unless they come back to them. */
  async removeOldOfOthers(owner: string): Promise<void> {
    const drafts = this.#database.transaction('drafts').objectStore('drafts');
    const all = (await resultOf(drafts.getAll())) as StoredDraft[];
    const isOld = ({ savedAt }: StoredDraft) => Date.now() - savedAt > KEPT_FOR_OTHERS_MS;
    for (const stored of all) if (stored.owner !== owner && isOld(stored)) await this.remove(stored.owner);
  }
}

/** All contents of one person: ids are hexadecimal. */
const rangeOf = (owner: string) => IDBKeyRange.bound([owner, ''], [owner, '~']);

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('the database refused')));
  });
}

function endOf(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve());
    const fail = () => reject(transaction.error ?? new Error('the draft was not written'));
    transaction.addEventListener('abort', fail);
    transaction.addEventListener('error', fail);
  });
}
