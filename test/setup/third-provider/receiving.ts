import { writeFile } from 'node:fs/promises';
import { z } from 'zod';
import {
  DocumentError,
  type ReceivedReport,
  type ReceivingProvider,
} from '../../../server/features/inbound/receiving-port.ts';
import type { HouseAccount } from './definition.ts';
import { assertKey } from './sending.ts';
import { type ArrivedFax, type FaxHouse, proofOf } from './vendor.ts';

const notification = z.object({ id: z.string(), from: z.string(), to: z.string() });

export function receiveThrough(house: FaxHouse): ReceivingProvider<HouseAccount> {
  const find = (wanted: string) => house.arrived.find(({ id }) => id === wanted);
  return {
    verifyHead: (_account, headers) =>
      headers['x-house-proof'] === undefined
        ? { kind: 'refused', problem: 'no_signature', reason: 'it bears no proof', challenge: null }
        : { kind: 'open' },
    verifyNotification: ({ key }, { url, headers }) =>
      headers['x-house-proof'] === proofOf(key, url)
        ? { kind: 'genuine', how: 'signature', mayUseAttachment: true }
        : { kind: 'refused', problem: 'wrong_signature', reason: 'its proof is wrong', challenge: null },
    readNotification({ json }) {
      const reported = notification.safeParse(json);
      return reported.success
        ? { kind: 'received', report: reportOf(reported.data), attachment: null }
        : { kind: 'malformed', reason: 'It names no fax.' };
    },
    async lookUp(account, providerId) {
      assertKey(house, account);
      const fax = find(providerId);
      return fax ? reportOf(fax) : null;
    },
    async listReceived(account) {
      assertKey(house, account);
      return house.arrived.map(reportOf);
    },
    async fetchDocument(account, providerId, path) {
      assertKey(house, account);
      const fax = find(providerId);
      if (!fax) throw new DocumentError('document_missing', 'faxhouse: no document', 'There is no document.');
      await writeFile(path, fax.document, { mode: 0o600, flag: 'wx' });
      return { sizeBytes: fax.document.length, mediaType: 'application/pdf' };
    },
  };
}

function reportOf({ id, from, to }: Pick<ArrivedFax, 'id' | 'from' | 'to'>): ReceivedReport {
  return {
    providerId: id,
    from,
    to,
    pages: 1,
    rawStatus: 'complete',
    state: 'complete',
    isTest: false,
    completedAt: null,
  };
}
