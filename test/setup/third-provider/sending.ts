import type { Sender } from '../../../server/adapters/providers/provider-port.ts';
import { TransportError, type TransportReport } from '../../../server/features/outbound/transport-port.ts';
import type { HouseAccount } from './definition.ts';
import type { FaxHouse, SentFax } from './vendor.ts';

/** Throws as an adapter does when the vendor refuses the key. */
export function assertKey(house: FaxHouse, { key, url }: HouseAccount): void {
  house.calls.push({ url, key });
  if (key === house.key) return;
  throw new TransportError('faxhouse: wrong key', {
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
      return { reference: (await house.take(request)).id };
    },
    async fetchReport(account, reference) {
      assertKey(house, account);
      return reportOf(
        house.sent.find(({ id }) => id === reference),
        reference,
      );
    },
    async checkAccount(account) {
      try {
        assertKey(house, account);
        return { ok: true, detail: `The Fax House knows the office ${account.office}.` };
      } catch (error) {
        if (error instanceof TransportError) return { ok: false, detail: error.publicMessage };
        throw error;
      }
    },
  };
}

function reportOf(fax: SentFax | undefined, reference: string): TransportReport {
  const delivered = fax?.state === 'delivered';
  return {
    reference,
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
