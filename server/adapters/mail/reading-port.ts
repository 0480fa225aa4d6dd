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

/** Whether the domain of the sender vouches for the message and all that decides about it. Sentences are for a person. */
export type SenderCheck =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly sentence: string }
  /** The DNS did not answer, or the check took too long. */
  | { readonly kind: 'later'; readonly sentence: string };

/** What a message says of itself, of which nothing is checked. */
export interface MailHead {
  /** In lower case; null where it is not exactly one. */
  readonly sender: string | null;
  /** As it stands, with its brackets. */
  readonly messageId: string | null;
  /** Why nobody wrote it or a list sent it on, as a sentence; null for what a person sent. */
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

/** What is read beside a message. */
export interface ReadingOptions {
  /** Folder for the attachments. */
  readonly into: string;
  /** The file has the beginning of the message alone: its header is checked, and nothing is read. */
  readonly isBeginning?: boolean;
  /** Whose Authentication-Results are believed; null for nobody's. */
  readonly trustedServer: string | null;
  /** When the message came into the mailbox, in epoch milliseconds. */
  readonly arrivedAt: number;
}

export interface MailReader {
  /** Reads what a message says of itself from its first `headBytes` bytes. Throws UnreadableMailError. */
  readHead(beginning: Buffer): MailHead;
  /** Bytes that the header of a message has to end in. */
  readonly headBytes: number;
  /**
   * Checks the message of a file, and reads it when it passed, in a thread of its own and within seconds: what takes longer is
   * told as a check to be made later. Names in the DNS that are `silent` are not asked for, and those that nobody answers for
   * are added. Throws UnreadableMailError.
   */
  read(path: string, options: ReadingOptions, silent?: Set<string>): Promise<ReadMail>;
}

/** What is no message. `publicMessage` is one sentence for a person. */
export class UnreadableMailError extends Error {
  override name = 'UnreadableMailError';
  readonly publicMessage: string;
  constructor(publicMessage: string, options?: ErrorOptions) {
    super(publicMessage, options);
    this.publicMessage = publicMessage;
  }
}
