import type { Readable } from 'node:stream';
import type { MailSecurity } from '../../../shared/states.ts';

/** Where mail is handed over, and as whom. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** `none` sends everything, the password too, as it is. */
  readonly security: MailSecurity;
  /** Empty for no sign-in. */
  readonly username: string;
  readonly password: string;
}

export interface MailAttachment {
  readonly fileName: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  /** Read once, only when the server takes the message. */
  open(): Promise<Readable>;
}

export interface MailMessage {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** With its angle brackets. */
  readonly messageId: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly attachment: MailAttachment | null;
}

/** What a server said of a message, as certain as it is. Sentences are for a person. */
export type MailOutcome =
  /** The server has it for every recipient but those that it refused, by address. */
  | { readonly kind: 'accepted'; readonly refused: ReadonlyMap<string, string> }
  /** Nobody has it, for certain; by address where the server said why of each. */
  | { readonly kind: 'refused'; readonly sentence: string; readonly refused: ReadonlyMap<string, string> }
  /** All of it was handed over, and no answer came. */
  | { readonly kind: 'unknown'; readonly sentence: string };

export interface Mailer {
  /**
   * Hands one message to a server, once. `beforeData` is waited for before the first byte of the message leaves; when it
   * throws, nothing was handed over, and its error is thrown. Nothing else is thrown.
   */
  send(server: MailServer, message: MailMessage, beforeData: () => Promise<void>): Promise<MailOutcome>;
}
