import { z } from 'zod';
import { defineProvider } from '../../../server/adapters/providers/define-provider.ts';
import type { Provider } from '../../../server/adapters/providers/provider-port.ts';
import { secretSetting, textSetting } from '../../../server/platform/setting-kinds.ts';
import { receiveThrough } from './receiving.ts';
import { sendThrough } from './sending.ts';
import { type FaxHouse, proofOf } from './vendor.ts';

const group = 'Faxhouse';
const settings = {
  FAXHOUSE_OFFICE: textSetting({
    group,
    label: 'Office',
    help: 'The name of the office at the provider.',
    schema: z.string('must be a name').min(1, 'must be a name').max(40, 'must be a name'),
    format: 'line',
    most: 40,
  }),
  FAXHOUSE_KEY: secretSetting({
    group,
    label: 'House key',
    help: 'The key that the provider gave the office.',
  }),
  FAXHOUSE_URL: textSetting({
    group,
    label: 'House address',
    help: 'The address of the provider, which must use HTTPS.',
    schema: z.string('must be a web address').max(200, 'must be a web address'),
    format: 'web_address',
    most: 200,
    default: 'https://house.example.com',
  }),
};

const account = z
  .object({
    backend: z.literal('faxhouse'),
    accountId: z.string(),
    office: z.string(),
    key: z.string(),
    url: z.string(),
  })
  .readonly();
export type HouseAccount = z.infer<typeof account>;

/** Complete provider that no file of the product mentions: it is added by passing it to the gateway, nothing more. */
export function defineFaxHouse(house: FaxHouse): Provider {
  return defineProvider({
    backend: 'faxhouse',
    displayName: 'Fax House',
    help: 'A provider of the tests. Needs an office and its key.',
    printsOurTime: true,
    numbersPages: true,
    settings,
    essentials: ['FAXHOUSE_OFFICE', 'FAXHOUSE_KEY'],
    addresses: {
      FAXHOUSE_URL: (url) => (url.startsWith('https://') ? null : 'The provider address must use HTTPS.'),
    },
    account,
    accountOf({ FAXHOUSE_OFFICE: office, FAXHOUSE_KEY: key, FAXHOUSE_URL: url }) {
      if (!office || !key) return 'The fax provider has no credentials yet: set its office and key first.';
      return { backend: 'faxhouse', accountId: `faxhouse:${office}`, office, key, url };
    },
    routes: {
      callback: {
        summary: 'Outcome of a fax, proved by the Fax House',
        reader: {
          headProblem: (_account, header) =>
            header('x-house-proof') === undefined ? 'callback_no_signature' : null,
          verifyCallback: ({ key }, { url, header }) => header('x-house-proof') === proofOf(key, url),
          readCallback: () => ({ kind: 'inflight' }),
        },
      },
      notification: { summary: 'Notification of a received fax from the Fax House' },
    },
    connect: () => house,
    send: sendThrough,
    receive: receiveThrough,
  });
}
