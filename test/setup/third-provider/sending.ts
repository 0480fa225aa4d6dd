import { ProviderError, type ProviderReport, type Sender } from '../../../server/adapters/providers/port.ts';
import type { HouseAccount } from './definition.ts';
import type { FaxHouse, SentFax } from './vendor.ts';

/** Throws as an adapter does when the vendor refuses the key. */
export function assertKey(house: FaxHouse, { key, url }: HouseAccount): void {
  house.calls.push({ url, key });
  if (key === house.key) return;
  throw new ProviderError('faxhouse: wrong key', {
    certainty: 'not_accepted',
    category: 'refused',
    publicMessage: 'The Fax House does not know this key.',
  });
}

export function sendThrough(house: FaxHouse): Sender<HouseAccount> {
  return {
    reach: () => house.reach(),
    async submit(account, request) {
      assertKey(house, account);
      return { providerId: (await house.take(request)).id };
    },
    async fetchReport(account, providerId) {
      assertKey(house, account);
      return reportOf(
        house.sent.find(({ id }) => id === providerId),
        providerId,
      );
    },
    async checkAccount(account) {
      try {
        assertKey(house, account);
        return { ok: true, detail: `The Fax House knows the office ${account.office}.` };
      } catch (error) {
        if (error instanceof ProviderError) return { ok: false, detail: error.publicMessage };
        throw error;
      }
    },
  };
}

function reportOf(fax: SentFax | undefined, providerId: string): ProviderReport {
  const delivered = fax?.state === 'delivered';
  return {
    providerId,
    outcome: delivered ? 'success' : 'in_progress',
    rawStatus: fax?.state ?? 'unknown',
    direction: 'sent',
    pages: delivered ? 1 : null,
    rateBps: null,
    cost: null,
    completedAt: null,
    to: fax?.request.to ?? null,
    failure: null,
    unreached: null,
    noPageTransmitted: false,
    failureCode: null,
  };
}
