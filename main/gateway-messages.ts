import type { UpdateBackup } from '../server/index.ts';

/** Program of a process that the gateway needs and cannot start itself. */
export type ChildProgram = 'documents' | 'terminal';

/**
 * Message from main to the gateway's process. Secrets are passed this way and not in arguments, which other programs
 * can read.
 */
export type ToGateway =
  | {
      readonly kind: 'start';
      readonly dataFolder: string;
      /** The port of the run before, so that what pages keep stays theirs; null for the usual one. */
      readonly port: number | null;
      /** Null when the key file of the data folder is to be used. */
      readonly dataKey: Uint8Array | null;
      readonly proofSecret: string;
      /** Once, as `faxdesk serve --accept-empty-store`. */
      readonly acceptEmptyStore: boolean;
      /** The office has decided that it opens itself to no other computer. */
      readonly isNetworkOff: boolean;
    }
  | { readonly kind: 'quit' }
  | { readonly kind: 'suspend' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'first-owner-key'; readonly id: number }
  | { readonly kind: 'back-up'; readonly id: number }
  /** With the port to it. */
  | { readonly kind: 'process-started'; readonly id: number }
  | { readonly kind: 'process-ended'; readonly id: number; readonly lastWords: string };

/** Message from the gateway's process to main. */
export type FromGateway =
  | { readonly kind: 'ready'; readonly url: string }
  /** It cannot start, and trying again by itself would not help. */
  | { readonly kind: 'refused'; readonly sentence: string }
  | { readonly kind: 'submitting'; readonly submitting: boolean }
  | { readonly kind: 'suspended' }
  /** Request to start a process under this number. */
  | { readonly kind: 'start-process'; readonly program: ChildProgram; readonly id: number }
  | { readonly kind: 'end-process'; readonly id: number }
  | { readonly kind: 'first-owner-key'; readonly id: number; readonly key: string | null }
  /** Before another version is installed: the gateway has stopped, unless a backup was impossible from the start. */
  | ({ readonly kind: 'back-up'; readonly id: number } & UpdateBackup);
