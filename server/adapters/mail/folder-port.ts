import type { Readable } from 'node:stream';
import type { MailSecurity } from '../../../shared/mail-server.ts';

/** A folder of a mailbox, and as whom it is opened. */
export interface MailAccount {
  readonly host: string;
  readonly port: number;
  /** `none` sends everything, the password too, as it is. */
  readonly security: MailSecurity;
  readonly username: string;
  readonly password: string;
  readonly folder: string;
}

/** A message as the server lists it. */
export interface ListedMail {
  /** Names the message in the folder as long as its UID validity stays the same. */
  readonly uid: number;
  readonly sizeBytes: number;
  /** Time at which the server received the message, in epoch ms; null where the server does not report it. */
  readonly arrivedAt: number | null;
}

/** A folder that is open on a server. All of it throws MailFolderError when the server or the connection fails. */
export interface MailFolder {
  /** With another one, every UID means another message. */
  readonly uidValidity: string;
  /** Lists the messages that were not filed away yet, oldest first. */
  list(): Promise<ListedMail[]>;
  /** The message as it lies there, or its first `maxBytes` bytes; null when it is gone. */
  open(uid: number, maxBytes?: number): Promise<Readable | null>;
  /**
   * Moves a message to a folder, which is made where it is missing; where the server allows no move, it is marked, so that it
   * is listed no more. Nothing is deleted.
   */
  moveMessage(uid: number, folder: string): Promise<void>;
  close(): Promise<void>;
}

/** A connection that waits for new messages. */
export interface MailWatch {
  close(): void;
}

export interface MailFolders {
  open(account: MailAccount): Promise<MailFolder>;
  /** Calls `onMail` whenever the server announces a new message, until it is closed. Reconnects by itself. */
  watch(account: MailAccount, onMail: () => void): MailWatch;
}

/** The server cannot be had, or refuses. `publicMessage` is one sentence for a person. */
export class MailFolderError extends Error {
  override name = 'MailFolderError';
  readonly publicMessage: string;
  constructor(publicMessage: string, cause: unknown) {
    super(publicMessage, { cause });
    this.publicMessage = publicMessage;
  }
}
