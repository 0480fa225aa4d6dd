import type { ReadingOptions, ReadMail } from './reading-port.ts';

/** Message to a reader thread. */
export type ThreadInput =
  | { readonly kind: 'read'; readonly path: string; readonly options: ReadingOptions }
  | { readonly kind: 'found'; readonly id: number; readonly records: string[] | string[][] }
  | { readonly kind: 'missing'; readonly id: number; readonly code: string };

/** Request of a thread for a DNS lookup while it reads. */
export interface LookupRequest {
  readonly kind: 'lookup';
  readonly id: number;
  readonly name: string;
  readonly type: string;
}

/** Result of reading a message; at first, the notice that the thread is ready. */
export type ThreadOutput =
  | { readonly kind: 'ready' }
  | { readonly kind: 'read'; readonly mail: ReadMail }
  | { readonly kind: 'unreadable'; readonly sentence: string }
  | { readonly kind: 'failed'; readonly message: string };
