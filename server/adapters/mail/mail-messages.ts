import type { ReadingOptions, ReadMail } from './reading-port.ts';

/** What a thread is sent. */
export type ThreadOrder =
  | { readonly kind: 'read'; readonly path: string; readonly options: ReadingOptions }
  | { readonly kind: 'found'; readonly id: number; readonly records: string[] | string[][] }
  | { readonly kind: 'missing'; readonly id: number; readonly code: string };

/** What a thread asks while it reads. */
export interface ThreadQuestion {
  readonly kind: 'lookup';
  readonly id: number;
  readonly name: string;
  readonly type: string;
}

/** What became of a message; at first, that the thread is ready for one. */
export type ThreadAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'read'; readonly mail: ReadMail }
  | { readonly kind: 'unreadable'; readonly sentence: string }
  | { readonly kind: 'failed'; readonly message: string };
