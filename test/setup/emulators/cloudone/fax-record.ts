import { errorTypeOf } from './error-catalog.ts';

interface EmulatedRecipient {
  phone_number: string;
  status: string | null;
  retry_count: number;
  completed_at: string | null;
  bitrate: number | null;
  resolution: number | null;
  error_type: string | null;
  error_id: number | null;
  error_message: string | null;
}

/** One fax as the emulator keeps it. Times are epoch milliseconds. */
export interface EmulatedFax {
  readonly id: number;
  readonly direction: 'sent' | 'received';
  status: string;
  readonly isTest: boolean;
  readonly createdAt: number;
  completedAt: number | null;
  pages: number;
  cost: number;
  readonly tags: Readonly<Record<string, string>>;
  readonly callerId: string | null;
  readonly fromNumber: string | null;
  readonly toNumber: string | null;
  readonly recipients: EmulatedRecipient[];
  errorId: number | null;
  errorType: string | null;
  errorMessage: string | null;
  /** The uploaded or fetched bytes; null before a content address is fetched and after deletion. */
  document: Buffer | null;
  readonly contentUrls: readonly string[];
  readonly headerText: string;
  readonly callbackUrl: string | null;
  readonly testFail: string | null;
  readonly resendOf: number | null;
}

/** End of a fax. Without `status` it is a success, or a failure when an error is given. */
export interface FaxOutcome {
  readonly status?: string;
  readonly pages?: number;
  /** Cents. */
  readonly cost?: number;
  readonly bitrate?: number;
  readonly resolution?: number;
  readonly errorId?: number;
  readonly errorType?: string;
  readonly errorMessage?: string;
  /** Laid over the recipients one by one, e.g. for `partialsuccess`. */
  readonly recipients?: ReadonlyArray<Partial<EmulatedRecipient>>;
}

/** RFC 3339 with milliseconds and the account's offset, as the vendor answers: never `Z`. */
function vendorTime(epochMs: number): string {
  return new Date(epochMs - 5 * 3_600_000).toISOString().replace('Z', '-05:00');
}

/** The vendor's fax object. */
export function faxObject(fax: EmulatedFax) {
  return {
    id: fax.id,
    direction: fax.direction,
    num_pages: fax.pages,
    status: fax.status,
    is_test: fax.isTest,
    created_at: vendorTime(fax.createdAt),
    caller_id: fax.callerId,
    from_number: fax.fromNumber,
    completed_at: fax.completedAt === null ? null : vendorTime(fax.completedAt),
    caller_name: null,
    cost: fax.cost,
    tags: fax.tags,
    recipients: fax.recipients,
    to_number: fax.toNumber,
    error_id: fax.errorId,
    error_type: fax.errorType,
    error_message: fax.errorMessage,
    barcodes: [],
  };
}

/** A recipient just after queuing. */
export function queuedRecipient(phoneNumber: string): EmulatedRecipient {
  return {
    phone_number: phoneNumber,
    status: null,
    retry_count: 0,
    completed_at: null,
    bitrate: null,
    resolution: null,
    error_type: null,
    error_id: null,
    error_message: null,
  };
}

/** Ends a fax; `now` in epoch milliseconds. 7 cents a page and recipient. */
export function applyOutcome(fax: EmulatedFax, outcome: FaxOutcome, now: number): void {
  const failed = outcome.errorId !== undefined || outcome.errorType !== undefined;
  fax.status = outcome.status ?? (failed ? 'failure' : 'success');
  fax.completedAt = now;
  fax.pages = outcome.pages ?? (fax.status === 'failure' ? 0 : Math.max(fax.pages, 1));
  fax.cost = outcome.cost ?? fax.pages * 7 * Math.max(1, fax.recipients.length);
  const type = outcome.errorType ?? errorTypeOf(outcome.errorId);
  const message = failed ? (outcome.errorMessage ?? `Emulated error ${outcome.errorId ?? ''}`.trim()) : null;
  fax.errorId = outcome.errorId ?? null;
  fax.errorType = failed ? type : null;
  fax.errorMessage = message;
  for (const [index, recipient] of fax.recipients.entries()) {
    Object.assign(recipient, {
      status: failed ? 'failure' : fax.status,
      completed_at: vendorTime(now),
      bitrate: failed && fax.pages === 0 ? null : (outcome.bitrate ?? 14_400),
      resolution: failed && fax.pages === 0 ? null : (outcome.resolution ?? 8040),
      error_type: fax.errorType,
      error_id: fax.errorId,
      error_message: message,
      ...outcome.recipients?.[index],
    });
  }
}
