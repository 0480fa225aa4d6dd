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

/** Whether the domain of the sender vouches for the message, by DMARC. Sentences are for a person. */
export type SenderCheck =
  | {
      readonly kind: 'passed';
      /** Header fields that nobody changed since, in lower case; null where a server that is trusted vouches for all. */
      readonly signed: ReadonlySet<string> | null;
    }
  | { readonly kind: 'failed'; readonly sentence: string }
  /** The DNS did not answer. */
  | { readonly kind: 'later'; readonly sentence: string };

export interface ReadMail {
  /** In lower case; null where it is not exactly one. */
  readonly sender: string | null;
  /** As it stands, with its brackets. */
  readonly messageId: string | null;
  readonly subject: string;
  /** Of the To field, in lower case. */
  readonly recipients: readonly string[];
  /** Why nobody wrote it or a list sent it on, as a sentence; null for what a person sent. */
  readonly automatic: string | null;
  /** Fields that may stand once only and stand there twice. */
  readonly repeated: readonly string[];
  readonly check: SenderCheck;
  /** In their order; pictures that belong to the text are left out. */
  readonly parts: readonly MailPart[];
  /** The plain text; null for none. */
  readonly text: string | null;
}

export interface MailReader {
  /**
   * Reads the message of a file and writes its attachments into a folder. `trustedServer` names the server whose
   * Authentication-Results are believed; null for none. Throws UnreadableMailError.
   */
  read(
    path: string,
    options: { readonly into: string; readonly trustedServer: string | null; readonly now: number },
  ): Promise<ReadMail>;
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
