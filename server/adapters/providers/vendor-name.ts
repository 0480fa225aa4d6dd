import { TransportError } from '../../features/outbound/transport-port.ts';

/** The folders of providers share their sentences, which name no vendor; what leaves them names the one that is meant. */
const VENDOR_PLACEHOLDER = /\b[Tt]he fax provider\b/gu;

/** `The fax provider did not answer.` is `Phaxio did not answer.` */
export function nameVendor(sentence: string, vendor: string): string {
  return sentence.replaceAll(VENDOR_PLACEHOLDER, () => vendor);
}

/** The answer of a provider; what it throws names the vendor to people. */
export async function nameVendorInErrors<T>(vendor: string, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    const { certainty, category, retryAfterMs, accountProblem } = error;
    const publicMessage = nameVendor(error.publicMessage, vendor);
    throw new TransportError(error.message, {
      certainty,
      category,
      retryAfterMs,
      accountProblem,
      publicMessage,
      cause: error.cause,
    });
  }
}

/** A report whose failure names the vendor. */
export function nameVendorInReport<R extends { readonly failure: string | null }>(
  report: R,
  vendor: string,
): R {
  const { failure } = report;
  return failure === null ? report : { ...report, failure: nameVendor(failure, vendor) };
}
