import type { ReportProblem } from '../../../shared/report-problems.ts';
import { type Certainty, TransportError } from '../outbound/transport-port.ts';

/** Report of a provider about a received fax. */
export interface ReceivedReport {
  readonly providerId: string;
  /** E.164, or null when unknown: a number without its country code is not guessed at. */
  readonly from: string | null;
  /** E.164, or null when unknown. */
  readonly to: string | null;
  readonly pages: number | null;
  /** The provider's own word, one line. */
  readonly rawStatus: string;
  /** `receiving` also stands for every unrecognized word. */
  readonly state: 'receiving' | 'complete' | 'failed';
  readonly isTest: boolean;
  /** ISO 8601 UTC, only what the provider reported. */
  readonly completedAt: string | null;
}

/** A notification as it arrived, before anybody believed it. */
export interface NotificationRequest {
  /** The public address it was sent to (public address of the gateway and the path), never taken from headers. */
  readonly url: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly contentType: 'json' | 'multipart' | 'form';
  /** Of a form: decoded values in wire order. Empty for JSON. */
  readonly fields: ReadonlyArray<readonly [name: string, value: string]>;
  /** The parsed body of a JSON notification, else null; without the file it may have held. */
  readonly json: unknown;
  /**
   * Attached files in wire order: the name of the part or member, the path of the bytes, and their lowercase SHA-1. The
   * path is null when nothing proved the source before the file was read, and it was too large to be kept.
   */
  readonly files: ReadonlyArray<{
    readonly name: string;
    readonly path: string | null;
    readonly sha1Hex: string;
    readonly sizeBytes: number;
  }>;
}

export type NotificationReading =
  | {
      readonly kind: 'received';
      readonly report: ReceivedReport;
      /** Of use only when the notification is genuine; null: the document is fetched by the fax's id. */
      readonly attachment: { readonly path: string } | null;
    }
  /** Outcome of a sent fax, a transmitted page, or an unrecognized kind: acknowledged and ignored. */
  | { readonly kind: 'other'; readonly event: string }
  | { readonly kind: 'malformed'; readonly reason: string };

/** Refusal of a notification; `reason` is for the log and contains nothing of the notification. */
export interface RefusedNotification {
  readonly kind: 'refused';
  readonly problem: ReportProblem;
  readonly reason: string;
  /** Value of the answer's `WWW-Authenticate` when other credentials could succeed; else null. */
  readonly challenge: string | null;
}

export type Verification =
  | { readonly kind: 'genuine'; readonly how: 'signature' | 'basic'; readonly mayUseAttachment: true }
  /** Must be looked up at the provider before anything is recorded; its attachment is never used. */
  | { readonly kind: 'hint' }
  /** 401. */
  | RefusedNotification;

/** Result of checking the headers of a notification before its body is read. */
export type HeadVerification =
  /** Nothing in it can prove where it comes from: it will be looked up. */
  | { readonly kind: 'hint' }
  /** 401 already now: the body could not change it. */
  | RefusedNotification
  /** It bears what may prove it: the whole notification decides. */
  | { readonly kind: 'open' }
  /** The head alone proves who sends it. */
  | { readonly kind: 'genuine' };

/** Reason why a document was not available although the provider answered; a fax of the account may still get one. */
type DocumentProblem = 'document_missing' | 'document_too_large';

/** See DocumentProblem. Its category is `response_unusable`. */
export class DocumentError extends TransportError {
  override name = 'DocumentError';
  readonly problem: DocumentProblem;
  constructor(problem: DocumentProblem, message: string, publicMessage: string, cause?: unknown) {
    const certainty: Certainty = 'try_later';
    super(message, { certainty, category: 'response_unusable', publicMessage, cause });
    this.problem = problem;
  }
}

export interface FetchedDocument {
  readonly sizeBytes: number;
  /** Without parameters, lowercase, e.g. `application/pdf`; null when the provider named none. Not to be relied on. */
  readonly mediaType: string | null;
}

/**
 * Port for receiving through a provider. It depends on the vendor's wire format and not on rooms. As with sending, a
 * folder implements it for its own kind of account, and rooms use it for any.
 */
export interface ReceivingProvider<Account = unknown> {
  /** Looks at the headers alone, by their lower-case names. Constant time. */
  verifyHead(account: Account, headers: NotificationRequest['headers']): HeadVerification;
  /** Runs in constant time. Does not validate the content of the notification. */
  verifyNotification(account: Account, request: NotificationRequest): Verification;
  readNotification(request: NotificationRequest): NotificationReading;
  /**
   * Looks a received fax up. Null when the account has none of that id, or when it is not a received one. Throws
   * TransportError when the provider cannot be asked.
   */
  lookUp(account: Account, providerId: string): Promise<ReceivedReport | null>;
  /**
   * Received faxes that began or completed at `since` (ISO 8601) or later, all pages of the listing, oldest first; those
   * still coming in are among them. Throws TransportError.
   */
  listReceived(account: Account, since: string): Promise<ReceivedReport[]>;
  /**
   * Streams the document to `path`, created new and readable by the owner only; not synced, and removed when this
   * throws. Throws DocumentError (`document_missing`: not there, perhaps not yet), TransportError for every other answer
   * or none, and the error of the disk as it is. Only contacts the account's host, follows no redirect, and times out
   * after 30 s in all.
   */
  fetchDocument(
    account: Account,
    providerId: string,
    path: string,
    options: { readonly maxBytes: number; readonly signal?: AbortSignal },
  ): Promise<FetchedDocument>;
}
