/** One fax as the emulator keeps it. Times are epoch milliseconds. */
export interface EmulatedFax {
  readonly id: string;
  readonly direction: 'OUTBOUND' | 'INBOUND';
  readonly from: string | null;
  readonly to: string | null;
  status: string;
  readonly createdAt: number;
  completedAt: number | null;
  pages: number;
  pagesSent: number | null;
  /** Decimal text, or null while it is not set. */
  price: string | null;
  errorType: string | null;
  errorCode: number | null;
  errorMessage: string | null;
  /** The uploaded or fetched bytes; null before a content address is fetched and after deletion. */
  document: Buffer | null;
  readonly contentUrls: readonly string[];
  readonly headerText: string | null;
  readonly maxRetries: number;
  readonly callbackUrl: string | null;
  readonly callbackUrlContentType: string;
  readonly labels: Readonly<Record<string, string>> | null;
  readonly serviceId: string;
}

/** End of a fax. Without `status` it is completed, or a failure when an error is given. */
export interface FaxOutcome {
  readonly status?: string;
  readonly pages?: number;
  readonly pagesSent?: number;
  /** Decimal text in USD. */
  readonly price?: string;
  readonly errorType?: string;
  readonly errorCode?: number;
  readonly errorMessage?: string;
}

/** A destination that behaves like a fax machine and costs nothing. */
const testDestination = '+19898989898';

/** Returns the vendor's fax object, without unknown values. */
export function faxObject(fax: EmulatedFax, projectId: string): Record<string, unknown> {
  const known = {
    id: fax.id,
    direction: fax.direction,
    from: fax.from,
    to: fax.to,
    contentUrl: fax.contentUrls.length > 0 ? fax.contentUrls : null,
    numberOfPages: fax.pages > 0 ? fax.pages : null,
    status: fax.status,
    price: fax.price === null ? null : { currencyCode: 'USD', amount: fax.price },
    pricePerPage: fax.price === null ? null : '0.07',
    createTime: new Date(fax.createdAt).toISOString(),
    completedTime: fax.completedAt === null ? null : new Date(fax.completedAt).toISOString(),
    pagesSentSuccessfully: fax.pagesSent,
    headerText: fax.headerText,
    labels: fax.labels,
    callbackUrl: masked(fax.callbackUrl),
    callbackUrlContentType: fax.callbackUrl === null ? null : fax.callbackUrlContentType,
    errorType: fax.errorType,
    errorCode: fax.errorCode,
    errorMessage: fax.errorMessage,
    maxRetries: fax.direction === 'OUTBOUND' ? fax.maxRetries : null,
    retryCount: fax.direction === 'OUTBOUND' ? 0 : null,
    hasFile: fax.document !== null,
    projectId,
    serviceId: fax.serviceId,
  };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null));
}

/** User and password in an address are not shown again. */
function masked(address: string | null): string | null {
  return address?.replace(/\/\/[^/@]+@/u, '//***:***@') ?? null;
}

/** Ends a fax; `now` in epoch milliseconds. 7 cents a page. */
export function applyOutcome(fax: EmulatedFax, outcome: FaxOutcome, now: number): void {
  const failed = outcome.errorCode !== undefined || outcome.errorType !== undefined;
  fax.status = outcome.status ?? (failed ? 'FAILURE' : 'COMPLETED');
  fax.completedAt = now;
  fax.pages = outcome.pages ?? Math.max(fax.pages, 1);
  fax.pagesSent = outcome.pagesSent ?? (failed ? 0 : fax.pages);
  const cents = fax.to === testDestination ? 0 : 7 * fax.pagesSent;
  fax.price = outcome.price ?? (cents / 100).toFixed(2);
  fax.errorType = failed ? (outcome.errorType ?? 'LINE_ERROR') : null;
  fax.errorCode = outcome.errorCode ?? null;
  fax.errorMessage = failed ? (outcome.errorMessage ?? 'Emulated error') : null;
}
