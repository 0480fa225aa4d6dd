import { useMemo, useSyncExternalStore } from 'react';
import { loadPart } from '../../../api/load-part.ts';
import { type Draft, isEmpty, newDraft, suggestedName, withTemplate } from './draft.ts';
import { type DraftDatabase, openDraftDatabase } from './draft-database.ts';
import { type DraftSeal, draftSeal } from './seal-draft.ts';

/** The shell knows drafts before anybody sends; what the gateway keeps of them loads when it is needed. */
const loadSaved = () => loadPart(() => import('./saved-drafts.ts'));

const SETTLE_MS = 150;

/** Channel on which windows notify each other when the draft of a person was written. */
const channelOf = (owner: string) => `faxdesk.draft.${owner}`;
const WRITTEN = 'written';

/** State of the stored draft; `saved` survives a reload. */
export type SaveState = 'nothing' | 'saving' | 'saved' | 'failed';

interface DraftState {
  readonly draft: Draft;
  readonly saveState: SaveState;
  /** False until the stored draft was looked for. */
  readonly isLoaded: boolean;
  /** Draft that was cleared last, until a new one is begun. */
  readonly cleared: Draft | null;
}

/**
 * The draft of one person on this page and, sealed, in the browser's database. Two windows share it: the one that wrote last wins,
 * and always writes the whole of it, so that they never mix.
 */
export class DraftStore {
  /** Resolves when the stored draft was looked for. */
  readonly loaded: Promise<void>;
  readonly #owner: string;
  readonly #listeners = new Set<() => void>();
  readonly #channel: BroadcastChannel;
  #state: DraftState = {
    draft: newDraft(),
    saveState: 'nothing',
    isLoaded: false,
    cleared: null,
  };
  #store: Promise<SealedStore> | null = null;
  readonly #left = new AbortController();
  #isEnded = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isDirty = false;
  #writing: Promise<void> | null = null;

  constructor(owner: string) {
    this.#owner = owner;
    this.#channel = new BroadcastChannel(channelOf(owner));
    this.#channel.addEventListener('message', () => void this.#follow());
    window.addEventListener('pagehide', () => void this.written(), { signal: this.#left.signal });
    this.loaded = this.#load();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly get = (): DraftState => this.#state;

  /** Changes and stores the draft. Changes made before the stored draft is loaded wait for it. */
  change(change: (draft: Draft) => Draft): void {
    if (!this.#state.isLoaded) {
      void this.loaded.then(() => this.change(change));
      return;
    }
    const draft = change(this.#state.draft);
    if (draft === this.#state.draft) return;
    this.#set({ draft, cleared: null, saveState: this.#state.saveState === 'failed' ? 'failed' : 'saving' });
    this.#isDirty = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.written(), SETTLE_MS);
  }

  /** Begins anew; `undo` brings back what was there. */
  clear(): void {
    this.#replace(newDraft(), isEmpty(this.#state.draft) ? null : this.#state.draft);
  }

  undo(): void {
    if (this.#state.cleared) this.#replace(this.#state.cleared, null);
  }

  /** The draft became a fax. Another one that was begun in the meantime, e.g. in another window, stays. */
  sent(key: string): void {
    if (this.#state.draft.key === key) this.#replace(newDraft(), null);
  }

  /** Saves the draft on the gateway under a name and begins anew. Rejects, and leaves it, where it cannot be saved. */
  async saveForLater(name: string): Promise<void> {
    const { draft } = this.#state;
    if (isEmpty(draft)) return;
    // A copy first: a page that dies in between has it twice, and its key lets it become one fax only.
    await this.putAside(draft, name);
    // A change made meanwhile stays on the form.
    if (this.#state.draft === draft) this.#replace(newDraft(), null);
    await this.written();
  }

  /** Saves another draft for later; the present one stays. Rejects as above. */
  async putAside(draft: Draft, name: string): Promise<void> {
    const { saveDraft } = await loadSaved();
    await saveDraft(draft, { name, template: false });
  }

  /**
   * Goes on with a draft that was saved; the present one, unless empty, is saved under `name`. A template stays among the
   * saved ones. Rejects as above.
   */
  async openSaved(id: string, name: string): Promise<void> {
    const { readSavedDraft, removeSavedDraft } = await loadSaved();
    const { draft, isTemplate } = await readSavedDraft(id);
    await this.saveForLater(name);
    this.#replace(draft, null);
    await this.written();
    // A draft that this browser keeps nowhere stays at its place.
    if (!isTemplate && this.#state.saveState !== 'failed') await removeSavedDraft(id);
  }

  /** Adds the content of a saved template to the present draft. Rejects where it cannot be read. */
  async addTemplate(id: string): Promise<void> {
    const { readSavedDraft } = await loadSaved();
    const { draft: template } = await readSavedDraft(id);
    this.change((now) => withTemplate(now, template));
  }

  /** Resolves once what was changed so far is written, or cannot be. Never rejects. */
  async written(): Promise<void> {
    clearTimeout(this.#timer);
    if (!this.#isDirty) return this.#writing ?? undefined;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = null;
    });
    return this.#writing;
  }

  /** Writes no more. Resolves once nothing is being written. */
  async end(): Promise<void> {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    this.#channel.close();
    this.#left.abort();
    await this.#writing;
  }

  #replace(draft: Draft, cleared: Draft | null): void {
    this.#set({ draft, cleared });
    this.#isDirty = true;
    void this.written();
  }

  #set(changes: Partial<DraftState>): void {
    this.#state = { ...this.#state, ...changes };
    for (const listener of this.#listeners) listener();
  }

  async #open(): Promise<SealedStore> {
    this.#store ??= openSealed();
    try {
      return await this.#store;
    } catch (error) {
      this.#store = null;
      throw error;
    }
  }

  async #load(): Promise<void> {
    try {
      const { database, seal } = await this.#open();
      const stored = await database.read(this.#owner, seal);
      if (stored) this.#set({ draft: stored, saveState: isEmpty(stored) ? 'nothing' : 'saved' });
      await database.removeOldOfOthers(this.#owner);
    } catch {
      this.#set({ saveState: 'failed' });
    }
    this.#set({ isLoaded: true });
  }

  /** Another window wrote. What was changed here since is newer and will be written over it. */
  async #follow(): Promise<void> {
    const stored = await this.#open().then(
      ({ database, seal }) => database.read(this.#owner, seal),
      () => null,
    );
    if (this.#isDirty || this.#writing || this.#isEnded) return;
    const draft = stored ?? newDraft();
    this.#set({ draft, saveState: isEmpty(draft) ? 'nothing' : 'saved', cleared: null });
  }

  async #write(): Promise<void> {
    try {
      const { database, seal } = await this.#open();
      while (this.#isDirty && !this.#isEnded) {
        this.#isDirty = false;
        const { draft } = this.#state;
        if (isEmpty(draft)) await database.remove(this.#owner);
        else await database.write(this.#owner, draft, seal);
      }
      if (this.#isEnded) return;
      this.#set({ saveState: isEmpty(this.#state.draft) ? 'nothing' : 'saved' });
      this.#channel.postMessage(WRITTEN);
    } catch {
      // Storage that is full, forbidden or broken: the draft exists on this page only, and the page shows that.
      this.#isDirty = false;
      this.#set({ saveState: isEmpty(this.#state.draft) ? 'nothing' : 'failed' });
    }
  }
}

interface SealedStore {
  readonly database: DraftDatabase;
  readonly seal: DraftSeal;
}

async function openSealed(): Promise<SealedStore> {
  const [database, seal] = await Promise.all([openDraftDatabase(), draftSeal()]);
  return { database, seal };
}

const stores = new Map<string, DraftStore>();

/** The store of a person's draft; the same one as long as they stay signed in on this page. */
function draftStoreOf(owner: string): DraftStore {
  const known = stores.get(owner);
  if (known) return known;
  const made = new DraftStore(owner);
  stores.set(owner, made);
  return made;
}

/**
 * Nobody is signed in on this page any more: what is kept opens only for who signs in as the same person. A draft that the
 * browser could not keep stays in memory, where it is the only one.
 */
export async function closeDrafts(): Promise<void> {
  for (const [owner, store] of stores) {
    await store.written();
    if (store.get().saveState === 'failed') continue;
    stores.delete(owner);
    await store.end();
  }
}

/** Removes the draft of a person from this browser, as after they signed out. Rejects when that did not go through. */
export async function forgetDraft(owner: string): Promise<void> {
  const store = stores.get(owner);
  stores.delete(owner);
  await store?.end();
  const database = await openDraftDatabase();
  await database.remove(owner);
  const otherWindows = new BroadcastChannel(channelOf(owner));
  otherWindows.postMessage(WRITTEN);
  otherWindows.close();
}

/** Saves the draft on the form of a person on the gateway under its usual name. Rejects where that did not go through. */
export async function saveOpenDraft(owner: string): Promise<void> {
  const store = draftStoreOf(owner);
  await store.loaded;
  await store.saveForLater(suggestedName(store.get().draft));
}

/** Returns true when the person has a draft that signing out would delete. */
export async function hasDraft(owner: string): Promise<boolean> {
  const shown = stores.get(owner)?.get().draft;
  if (shown && !isEmpty(shown)) return true;
  return openDraftDatabase()
    .then((database) => database.has(owner))
    .catch(() => false);
}

export function useDraft(owner: string): DraftState & { store: DraftStore } {
  const store = useMemo(() => draftStoreOf(owner), [owner]);
  const state = useSyncExternalStore(store.subscribe, store.get);
  return { ...state, store };
}
