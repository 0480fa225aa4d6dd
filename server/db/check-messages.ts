/**
 * Kind of check: the quick one reads whether each page and index is well formed, the full one also whether tables and
 * indexes match.
 */
export type CheckKind = 'quick' | 'full';

export interface CheckOrder {
  readonly file: string;
  readonly kind: CheckKind;
  /** Of a thread: 1 when it is to end after the table at hand. */
  readonly stop?: Int32Array<SharedArrayBuffer>;
}

export type CheckResult =
  | { readonly state: 'sound' | 'stopped' }
  | { readonly state: 'damaged'; readonly findings: readonly string[] }
  | { readonly state: 'unread'; readonly code: string; readonly message: string };
