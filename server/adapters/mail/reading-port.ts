/** Looks a name up in the DNS, as `dns.promises.resolve` does. */
export type ResolveDns = (name: string, type: string) => Promise<string[] | string[][]>;

/** A file that came with a message. */
export interface MailPart {
  readonly path: string;
  /** As the sender calls it; may be empty. */
  readonly fileName: string;
  /** Lower case. */
  readonly contentType: string;
  readonly sizeBytes: number;
}

/**
 * Result of checking that the domain of the sender vouches for the message and for every field that affects the fax.
 * Sentences are for a person.
 */
export type SenderCheck =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly sentence: string }
  /** The DNS did not answer, or the check took too long. */
  | { readonly kind: 'later'; readonly sentence: string };

/** Claims in the header of a message, none of them verified. */
export interface MailHead {
  /** In lower case; null where it is not exactly one. */
  readonly sender: string | null;
  /** As it stands, with its brackets. */
  readonly messageId: string | null;
  /**
   * Reason, as a sentence, why the message is automatic or came through a mailing list; null for one that a person
   * sent.
   */
  readonly automatic: string | null;
}

export interface ReadMail {
  readonly check: SenderCheck;
  readonly subject: string;
  /** Of the To and Cc fields, in lower case. */
  readonly recipients: readonly string[];
  /** In their order; pictures that belong to the text are left out. None unless the check passed. */
  readonly parts: readonly MailPart[];
  /** The plain text; null for none. */
  readonly text: string | null;
}

/** Options for reading a message. */
export interface ReadingOptions {
  /** Folder for the attachments. */
  readonly into: string;
  /** The file has the beginning of the message alone: its header is checked, and nothing is read. */
  readonly isBeginning?: boolean;
  /** Server whose Authentication-Results are trusted; null for none. */
  readonly trustedServer: string | null;
  /** Time at which the message arrived in the mailbox, in epoch ms. */
  readonly arrivedAt: number;
}

export interface MailReader {
  /** Reads the header of a message from its first `headBytes` bytes. Throws UnreadableMailError. */
  readHead(beginning: Buffer): MailHead;
  /** Bytes that the header of a message has to end in. */
  readonly headBytes: number;
  /**
   * Checks the message in a file, and reads it when the check passes, in a thread of its own and within seconds; a
   * timeout is reported as a check to repeat later. DNS names in `unanswered` are not looked up; names that get no answer
   * are added to it. Throws UnreadableMailError.
   */
  read(path: string, options: ReadingOptions, unanswered?: Set<string>): Promise<ReadMail>;
}

/** Thrown when a file is not an e-mail. `publicMessage` is one sentence for a person. */
export class UnreadableMailError extends Error {
  override name = 'UnreadableMailError';
  readonly publicMessage: string;
  constructor(publicMessage: string, options?: ErrorOptions) {
    super(publicMessage, options);
    this.publicMessage = publicMessage;
  }
}
