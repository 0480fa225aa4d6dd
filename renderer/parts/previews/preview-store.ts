import { useMemo, useSyncExternalStore } from 'react';
import { client } from '../../api/client.ts';
import { sessionMayHaveEnded } from '../../api/queries.ts';
import { ApiError, isRefused, sentenceOf } from '../../api/sentence.ts';
import type { DraftFile } from '../draft-files.ts';
import { areSameEdits, pageEditsOf } from '../edit-pages/page-order.ts';
import {
  type Drawing,
  dropPreview,
  followPreview,
  type Preview,
  pause,
  redraw,
  uploadForPreview,
} from './preview-run.ts';
import { findRefusedFile } from './refused-file.ts';

export interface PreviewState {
  /** `uploading` until the pages are counted, `drawing` until all are there. */
  readonly phase: 'none' | 'uploading' | 'drawing' | 'ready' | 'failed';
  /** Of the upload, 0 to 1. */
  readonly part: number;
  readonly preview: Preview | null;
  /** Ids of the files the preview is made of, in order. */
  readonly files: readonly string[];
  /** Error of the preview that is not about one of the files. */
  readonly failure: unknown;
  /** The sentence about each file that cannot be faxed, by its id. The others are previewed without it. */
  readonly refused: ReadonlyMap<string, string>;
}

/** Thrown when the pages cannot be drawn. The message has the reason, which concerns all files together. */
class PreviewProblem extends Error {
  override name = 'PreviewProblem';
}

const BAD_DOCUMENT = ['document_invalid', 'document_too_large', 'document_unsupported'] as const;
const NOTHING: PreviewState = {
  phase: 'none',
  part: 0,
  preview: null,
  files: [],
  failure: null,
  refused: new Map(),
};
/** Files that are added or moved one after the other are uploaded once: all but the first wait this long. */
const SETTLE_MS = 250;
/** Changes to pages come one after the other as well. */
const EDITS_SETTLE_MS = 600;
/** All pictures of a preview that is gone fail together. */
const CHECK_INTERVAL_MS = 3_000;
const RETRY_MS = [2_000, 5_000, 10_000];

const isSameDrawing = (one: Drawing, other: Drawing): boolean =>
  (['cleanGreys', 'to', 'byCall', 'headerName'] as const).every((name) => one[name] === other[name]);

/** Keeps the picture of what will be printed in step with the files of a draft. */
export class PreviewStore {
  readonly #listeners = new Set<() => void>();
  /** True while a request to the gateway is under way. */
  #isRequesting = false;
  #state = NOTHING;
  #files: readonly DraftFile[] = [];
  #drawing: Drawing = { cleanGreys: false, to: null, byCall: false, headerName: null, pageEdits: null };
  #running: { ids: string; drawing: Drawing; abort: AbortController } | null = null;
  /** Previews of the present files at the gateway: with greys and without, with each number that was typed. */
  #ids = new Set<string>();
  /** Epoch milliseconds. */
  #checkedAt = 0;
  /** The last upload, epoch milliseconds. */
  #uploadedAt = 0;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly get = (): PreviewState => this.#state;

  /** Sets the files and options to preview. Does nothing when they are unchanged. */
  setInput(files: readonly DraftFile[], drawing: Omit<Drawing, 'pageEdits'>): void {
    this.#files = files;
    // While no whole number is typed, that of before stays.
    const to = drawing.to ?? (files.length > 0 ? this.#drawing.to : null);
    this.#drawing = { ...drawing, to, pageEdits: null };
    const refused = new Map([...this.#state.refused].filter(([id]) => files.some((file) => file.id === id)));
    if (refused.size !== this.#state.refused.size) this.#set({ refused });
    this.#start(false);
  }

  /** Tries again at once what failed or is gone. */
  retry(): void {
    this.#start(true);
  }

  /** A picture did not come: if the preview is gone from the gateway, it is made again. */
  checkExistence(): void {
    const { preview } = this.#state;
    if (!preview || Date.now() - this.#checkedAt < CHECK_INTERVAL_MS) return;
    this.#checkedAt = Date.now();
    client.outbound.previewState({ params: { id: preview.preview_id } }).catch((error: unknown) => {
      if (isRefused(error, 'preview_expired') && this.#state.preview === preview) this.retry();
      else sessionMayHaveEnded(error);
    });
  }

  /** The fax was sent: its pages are still looked at, so the preview stays at the gateway until it expires. */
  release(): void {
    this.#running?.abort.abort();
    this.#running = null;
    this.#ids.clear();
    this.#files = [];
    this.#set(NOTHING);
  }

  /** Stops requests after sign-out until the next `setInput`. Drawn pages stay. */
  pauseRequests(): void {
    if (!this.#isRequesting) return;
    this.#running?.abort.abort();
    this.#running = null;
  }

  /** Resolves once no upload is under way. */
  async uploaded(): Promise<PreviewState> {
    while (this.#state.phase === 'uploading')
      await new Promise<void>((resolve) => {
        const stop = this.subscribe(() => {
          stop();
          resolve();
        });
      });
    return this.#state;
  }

  #set(changes: Partial<PreviewState>): void {
    this.#state = { ...this.#state, ...changes };
    for (const listener of this.#listeners) listener();
  }

  #usable(): readonly DraftFile[] {
    return this.#files.filter(({ id }) => !this.#state.refused.has(id));
  }

  #start(isForced: boolean): void {
    const files = this.#usable();
    const ids = files.map(({ id }) => id).join();
    const pageEdits = pageEditsOf(files);
    this.#drawing = { ...this.#drawing, pageEdits };
    const { cleanGreys } = this.#drawing;
    const before = this.#running?.ids === ids ? this.#running.drawing : null;
    const hasSamePages = before !== null && areSameEdits(before.pageEdits, pageEdits);
    if (!isForced && hasSamePages && isSameDrawing(before, this.#drawing)) return;
    this.#running?.abort.abort();
    const abort = new AbortController();
    this.#running = { ids, drawing: this.#drawing, abort };
    const { preview } = this.#state;
    const from = !isForced && before && preview ? preview.preview_id : null;
    if (from === null) this.#dropAll();
    // Only the header line is another: the pages that are there are shown until all new ones are.
    const isQuiet =
      from !== null && preview?.complete === true && hasSamePages && before.cleanGreys === cleanGreys;
    if (files.length === 0) this.#set({ ...NOTHING, refused: this.#state.refused });
    else {
      this.#isRequesting = true;
      const settleMs = from !== null && !hasSamePages ? EDITS_SETTLE_MS : 0;
      void this.#run(files, { from, isQuiet, settleMs }, abort.signal).finally(() => {
        if (!abort.signal.aborted) this.#isRequesting = false;
      });
    }
  }

  /** Pages with earlier changes are not drawn to their end. */
  #drop(id: string): void {
    this.#ids.delete(id);
    dropPreview(id);
  }

  #dropAll(): void {
    for (const id of this.#ids) dropPreview(id);
    this.#ids.clear();
  }

  async #run(
    files: readonly DraftFile[],
    { from, isQuiet, settleMs }: { from: string | null; isQuiet: boolean; settleMs: number },
    signal: AbortSignal,
  ): Promise<void> {
    const hadEdits = (this.#state.preview?.page_edits ?? null) !== null;
    if (settleMs > 0) await pause(settleMs, signal).catch(() => undefined);
    for (let tried = 0; !signal.aborted; tried += 1) {
      try {
        const first = await (from !== null && tried === 0
          ? redraw(from, this.#drawing, { hadEdits, signal })
          : this.#upload(files, signal));
        this.#ids.add(first.preview_id);
        if (settleMs > 0 && hadEdits && from !== null && from !== first.preview_id) this.#drop(from);
        const onPreview = (preview: Preview) => {
          if (!isQuiet || preview.complete || preview.problem !== null) this.#show(files, preview);
        };
        await followPreview(first, signal, { onPreview });
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (!(await this.#waitForRetry(files, error, { tried, signal }))) return;
      }
    }
  }

  async #upload(files: readonly DraftFile[], signal: AbortSignal): Promise<Preview> {
    this.#set({ phase: 'uploading', part: 0, preview: null, failure: null, files: [] });
    const isFirst = Date.now() - this.#uploadedAt > SETTLE_MS;
    this.#uploadedAt = Date.now();
    if (!isFirst) await pause(SETTLE_MS, signal);
    const asking = { ...this.#drawing, signal };
    return uploadForPreview(files, asking, {
      onUpload: (part) => {
        if (!signal.aborted) this.#set({ part });
      },
    });
  }

  #show(files: readonly DraftFile[], preview: Preview): void {
    if (preview.problem !== null && this.#refuse(files, preview.problem)) return;
    const isReady = preview.complete;
    const failure = preview.problem === null ? null : new PreviewProblem(preview.problem);
    const phase = failure ? 'failed' : isReady ? 'ready' : 'drawing';
    this.#set({ phase, preview, part: 1, failure, files: files.map(({ id }) => id) });
  }

  /** Puts the sentence where it belongs and goes on with the other files. False when it is about none of them. */
  #refuse(files: readonly DraftFile[], sentence: string): boolean {
    const found = findRefusedFile(files, sentence);
    if (!found) return false;
    this.#set({ refused: new Map(this.#state.refused).set(found.id, found.sentence) });
    this.#start(false);
    return true;
  }

  /** Waits, and returns true when another try is worthwhile. */
  async #waitForRetry(
    files: readonly DraftFile[],
    error: unknown,
    { tried, signal }: { tried: number; signal: AbortSignal },
  ): Promise<boolean> {
    if (isRefused(error, ...BAD_DOCUMENT) && this.#refuse(files, error.detail)) return false;
    // It is gone from the gateway: the files are uploaded again.
    if (isRefused(error, 'preview_expired')) return true;
    this.#set({ phase: 'failed', failure: error });
    sessionMayHaveEnded(error);
    const isFinal = error instanceof ApiError && error.status < 500 && error.status !== 429;
    if (isFinal) {
      this.#running = null;
      return false;
    }
    // Ends early when another preview is requested.
    await pause(RETRY_MS[Math.min(tried, RETRY_MS.length - 1)] ?? 0, signal).catch(() => undefined);
    return !signal.aborted;
  }
}

const stores = new Map<string, PreviewStore>();

/** Nobody is signed in on this page any more. */
export function pausePreviews(): void {
  for (const store of stores.values()) store.pauseRequests();
}

/** The preview of a person's draft; it stays while they look at another screen. */
export function usePreview(owner: string): PreviewState & { store: PreviewStore } {
  const store = useMemo(() => {
    const known = stores.get(owner) ?? new PreviewStore();
    stores.set(owner, known);
    return known;
  }, [owner]);
  return { ...useSyncExternalStore(store.subscribe, store.get), store };
}

/** Returns a sentence on why the preview failed. */
export function failureOf({ failure }: PreviewState): string {
  return failure instanceof PreviewProblem ? failure.message : sentenceOf(failure);
}
