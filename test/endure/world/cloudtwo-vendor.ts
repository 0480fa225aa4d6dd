import { type CloudtwoEmulator, startCloudtwoEmulator } from '../../setup/emulators/cloudtwo/index.ts';
import {
  atGateway,
  createListenerSwitch,
  digestOf,
  downloadDocument,
  OWN_NUMBER,
  type Report,
  type Vendor,
  type VendorFax,
} from './vendor.ts';

const KEYS = { projectId: 'trial-project', apiKey: 'trial-key', apiSecret: 'trial-secret' };
const BASIC = { user: 'trial-user', password: 'trial-password' };

/** The provider that signs nothing: what it says of a sent fax is a hint. */
export async function startCloudtwoVendor(clock: { now(): number }): Promise<Vendor> {
  const emulator = await startCloudtwoEmulator({ ...KEYS, clock });
  const listener = createListenerSwitch(emulator);
  return {
    name: 'cloudtwo',
    environment: {
      CLOUDTWO_API_URL: emulator.url,
      CLOUDTWO_PROJECT_ID: KEYS.projectId,
      CLOUDTWO_API_KEY: KEYS.apiKey,
      CLOUDTWO_API_SECRET: KEYS.apiSecret,
      CLOUDTWO_INBOUND_BASIC_USER: BASIC.user,
      CLOUDTWO_INBOUND_BASIC_PASS: BASIC.password,
    },
    sent: () => sentOf(emulator),
    complete: (id, isSuccess, pages = 1) =>
      // No proof that no page left, as a busy number is.
      void emulator.complete(id, isSuccess ? { pages } : { errorType: 'FAX_ERROR', errorCode: 50 }),
    setBusy: (id) => void emulator.complete(id, { pagesSent: 0, errorType: 'LINE_ERROR', errorCode: 17 }),
    fetchDocument: (id, gatewayUrl) => fetchDocument(emulator, id, gatewayUrl),
    documentOf: (id) => emulator.faxes.get(id)?.document ?? null,
    report: (id, gatewayUrl, report) => sendReport(emulator, { id, gatewayUrl, report }),
    receive: (document, pages, from = '+12025550198', to = OWN_NUMBER) =>
      emulator.receive({ from, to, document, pages }).id,
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

function sentOf({ faxes }: CloudtwoEmulator): VendorFax[] {
  return [...faxes.values()]
    .filter(({ direction }) => direction === 'OUTBOUND')
    .map((fax) => ({
      vendor: 'cloudtwo',
      id: fax.id,
      to: fax.to ?? '',
      state: fax.completedAt === null ? 'open' : fax.status === 'COMPLETED' ? 'success' : 'failure',
      sha256: fax.document === null ? null : digestOf(fax.document),
    }));
}

async function fetchDocument(emulator: CloudtwoEmulator, id: string, gatewayUrl: string): Promise<boolean> {
  const fax = emulator.state.faxes.get(id);
  if (!fax || fax.document !== null) return fax !== undefined;
  fax.document = await downloadDocument(fax.contentUrls[0], gatewayUrl);
  return fax.document !== null;
}

async function sendReport(
  emulator: CloudtwoEmulator,
  { id, gatewayUrl, report }: Sending,
): Promise<number | null> {
  const address = emulator.faxes.get(id)?.callbackUrl ?? null;
  if (address === null) return null;
  const lie = { status: 'COMPLETED', numberOfPages: 7, completedTime: new Date().toISOString() };
  const delivery = await emulator.sendCallback(id, {
    url: atGateway(address, gatewayUrl),
    ...(report.isForged ? { fax: lie } : {}),
  });
  return delivery.attempts.at(-1)?.status ?? null;
}

async function notify(emulator: CloudtwoEmulator, { id, gatewayUrl, report }: Sending): Promise<boolean> {
  const delivery = await emulator.sendCallback(id, {
    url: `${gatewayUrl}/cloudtwo-inbound`,
    credentials: report.isForged ? { ...BASIC, password: 'guessed' } : BASIC,
    ...(report.omitsDocument ? { file: null } : {}),
    ...(report.isForged ? { fax: { id: `${id.slice(0, -2)}ZZ` } } : {}),
  });
  return delivery.attempts.at(-1)?.status === 200;
}
