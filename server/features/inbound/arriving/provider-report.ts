import type { ProviderAccount } from '../../../adapters/providers/provider-port.ts';
import type { CheckedReport } from '../types.ts';

const OPENING_SENTENCES = {
  signature: (vendor) => `${vendor} reported the fax. Its signature was verified.`,
  basic: (vendor) => `${vendor} reported the fax. Its user name and password were verified.`,
  look_up: (vendor) => `The fax was reported and found in the account at ${vendor}.`,
  listing: (vendor) => `The fax was found in the list of ${vendor}.`,
} as const satisfies Record<string, (vendor: string) => string>;

interface ReportInput
  extends Pick<CheckedReport, 'report' | 'notification' | 'hasDocument' | 'isUnreported'> {
  readonly account: ProviderAccount;
  readonly vendor: string;
  readonly checkedBy: keyof typeof OPENING_SENTENCES;
}

/** Makes the report of a provider on a fax: its document can be fetched with the account. */
export function providerReport({ vendor, ...input }: ReportInput): CheckedReport {
  const unreported = input.isUnreported ? ` ${vendor} had not reported it.` : '';
  return {
    ...input,
    source: input.account,
    text: `${OPENING_SENTENCES[input.checkedBy](vendor)}${unreported}`,
  };
}
