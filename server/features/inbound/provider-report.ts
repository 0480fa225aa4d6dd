import type { ProviderAccount } from '../../adapters/providers/port.ts';
import type { CheckedReport } from './types.ts';

const BEGINNING = {
  signature: 'The provider reported the fax. Its signature was verified.',
  basic: 'The provider reported the fax. Its user name and password were verified.',
  look_up: 'The fax was reported and found in the account at the provider.',
  listing: 'The fax was found in the provider’s list.',
} as const;

interface Told extends Pick<CheckedReport, 'report' | 'notification' | 'hasDocument' | 'isUnreported'> {
  readonly account: ProviderAccount;
  readonly checkedBy: keyof typeof BEGINNING;
}

/** What a provider told of a fax: its document can be fetched with the account. */
export function providerReport(told: Told): CheckedReport {
  const unreported = told.isUnreported ? ' The provider had not reported it.' : '';
  return { ...told, source: told.account, text: `${BEGINNING[told.checkedBy]}${unreported}` };
}
