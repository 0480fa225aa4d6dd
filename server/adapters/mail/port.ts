import type { Readable } from 'node:stream';
import type { MailOAuthProvider, MailSecurity } from '../../../shared/mail-server.ts';

/** Mail server and the credentials for it. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** `none` sends everything, the password too, as it is. */
  readonly security: MailSecurity;
  /** Empty for no sign-in. */
  readonly username: string;
  readonly password: string;
  /** Asks for an access token that signs in in place of the password; null for the password. Throws TokenRefusedError. */
  readonly accessToken: (() => Promise<string>) | null;
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
  /** In the order of the message. */
  readonly attachments: readonly MailAttachment[];
  /** Left out for what answers no message; else the Message-ID of that one, null where it has none that can be named. */
  readonly inReplyTo?: string | null | undefined;
}

/** Outcome of submitting a message, with the certainty that the reply allows. Sentences are for a person. */
export type MailOutcome =
  /** The server has it for every recipient but those that it refused, by address. */
  | { readonly kind: 'accepted'; readonly refused: ReadonlyMap<string, string> }
  /** No recipient got it, for certain; by address where the server gave a reason for each. */
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

/** Grant that a person obtained from the provider to let Faxdesk send mail. */
export interface MailGrant {
  readonly provider: MailOAuthProvider;
  readonly client_id: string;
  /** Null for an application that has none. */
  readonly client_secret: string | null;
  readonly refresh_token: string;
  /** Of Microsoft: a directory by id or domain; null for any organization. */
  readonly tenant: string | null;
}

export interface RenewedToken {
  readonly accessToken: string;
  /** Lifetime in ms. */
  readonly lifetimeMs: number;
  /** A new one that takes the place of that of the grant; null where that one stays. */
  readonly refreshToken: string | null;
}

/** No access token was given: a sentence for a person. */
export class TokenRefusedError extends Error {
  override name = 'TokenRefusedError';
  /** Only a new sign-in at the provider helps. */
  readonly needsPerson: boolean;
  constructor(sentence: string, { needsPerson }: { needsPerson: boolean }) {
    super(sentence);
    this.needsPerson = needsPerson;
  }
}

/** Token endpoint of each provider; `{tenant}` is that of the grant. */
export type TokenAddresses = Readonly<Record<MailOAuthProvider, string>>;

/** Asks the provider of a grant for an access token (RFC 6749, section 6). Throws TokenRefusedError alone. */
export type RenewToken = (grant: MailGrant) => Promise<RenewedToken>;
