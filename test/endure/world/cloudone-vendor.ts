import { type CloudoneEmulator, startCloudoneEmulator } from '../../setup/emulators/cloudone/index.ts';
import {
  atGateway,
  createListenerSwitch,
  digestOf,
  downloadDocument,
  OWN_NUMBER,
  PUBLIC_URL,
  type Report,
  type Vendor,
  type VendorFax,
} from './vendor.ts';

const KEYS = { apiKey: 'trial-key', apiSecret: 'trial-secret', callbackToken: 'trial-token' };
const NOTIFICATIONS = '/cloudone-inbound';

/** The provider that signs what it reports. */
export async function startCloudoneVendor(clock: { now(): number }): Promise<Vendor> {
  const emulator = await startCloudoneEmulator({ ...KEYS, clock });
  const listener = createListenerSwitch(emulator);
  return {
    name: 'cloudone',
    environment: {
      CLOUDONE_API_URL: emulator.url,
      CLOUDONE_API_KEY: KEYS.apiKey,
      CLOUDONE_API_SECRET: KEYS.apiSecret,
      CLOUDONE_CALLBACK_TOKEN: KEYS.callbackToken,
    },
    sent: () => sentOf(emulator),
    complete: (id, isSuccess, pages = 1) =>
      void emulator.complete(id, isSuccess ? { pages } : { errorId: 50 }),
    setBusy: (id) => void emulator.complete(id, { status: 'failure', errorType: 'lineError', errorId: 17 }),
    fetchDocument: (id, gatewayUrl) => fetchDocument(emulator, id, gatewayUrl),
    documentOf: (id) => emulator.faxes.get(id)?.document ?? null,
    report: (id, gatewayUrl, report) => sendReport(emulator, { id, gatewayUrl, report }),
    receive: (document, pages, from = '+12025550199', to = OWN_NUMBER) =>
      String(emulator.receive({ from, to, document, pages }).id),
    notify: (id, gatewayUrl, report) => notify(emulator, { id, gatewayUrl, report }),
    setFault: (fault) => emulator.setFault(fault),
    clearFaults: async () => {
      emulator.clearFaults();
      emulator.release();
      await listener.open();
    },
    release: () => emulator.release(),
    refuseConnections: listener.close,
    acceptConnections: listener.open,
    close: async () => {
      await listener.open();
      await emulator.close();
    },
  };
}

interface Sending {
  readonly id: string;
  readonly gatewayUrl: string;
  readonly report: Report;
}

function sentOf({ faxes }: CloudoneEmulator): VendorFax[] {
  return [...faxes.values()]
    .filter(({ direction }) => direction === 'sent')
    .map((fax) => ({
      vendor: 'cloudone',
      id: String(fax.id),
      to: fax.recipients[0]?.phone_number ?? '',
      state: fax.completedAt === null ? 'open' : fax.status === 'success' ? 'success' : 'failure',
      sha256: fax.document === null ? null : digestOf(fax.document),
    }));
}

async function fetchDocument(emulator: CloudoneEmulator, id: string, gatewayUrl: string): Promise<boolean> {
  const fax = emulator.state.faxes.get(id);
  if (!fax || fax.document !== null) return fax !== undefined;
  fax.document = await downloadDocument(fax.contentUrls[0], gatewayUrl);
  return fax.document !== null;
}

async function sendReport(
  emulator: CloudoneEmulator,
  { id, gatewayUrl, report }: Sending,
): Promise<number | null> {
  const address = emulator.faxes.get(id)?.callbackUrl ?? null;
  if (address === null) return null;
  const lie = { status: 'success', completed_at: new Date().toISOString(), num_pages: 7 };
  const delivery = await emulator.sendCallback(id, {
    url: atGateway(address, gatewayUrl),
    signedUrl: address,
    ...(report.isForged ? { fax: lie, callbackToken: 'guessed' } : {}),
  });
  return delivery.attempts.at(-1)?.status ?? null;
}

async function notify(emulator: CloudoneEmulator, { id, gatewayUrl, report }: Sending): Promise<boolean> {
  const delivery = await emulator.sendCallback(id, {
    url: `${gatewayUrl}${NOTIFICATIONS}`,
    signedUrl: `${PUBLIC_URL}${NOTIFICATIONS}`,
    ...(report.omitsDocument ? { file: null } : {}),
    ...(report.isForged ? { callbackToken: 'guessed', fax: { id: 1_000 + Number(id) } } : {}),
  });
  return delivery.attempts.at(-1)?.status === 200;
}
