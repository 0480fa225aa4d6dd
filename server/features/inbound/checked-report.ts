import type { ProviderAccount } from '../../adapters/providers/port.ts';
import type { ReceivedReport } from '../../adapters/providers/receiving-port.ts';
import type { Check, EngineSource } from './types.ts';

/** What a provider or the telephone engine told of a received fax, after it was checked. */
export interface CheckedReport {
  readonly report: ReceivedReport;
  readonly account: ProviderAccount | EngineSource;
  readonly checkedBy: Check;
  /** The copy for the evidence; null when there was no notification. */
  readonly notification: string | null;
  /** The document came along: fetching waits until it has been looked at. */
  readonly hasDocument: boolean;
  /** The number it was sent to was not reported; it is the only one of the line. */
  readonly toInferred?: boolean;
}
