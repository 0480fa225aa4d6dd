import { type Client, createClient } from '../../../shared/client/index.ts';
import { readRunning } from '../../config/running-file.ts';
import { fetchWithTimeout } from '../connection.ts';
import { bootOf } from '../data-folder.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { installationKeyFor, localGateway } from '../local-gateway.ts';
import { isReady } from '../system-service.ts';
import type { ServiceState } from './computer-service.ts';
import type { ServiceSystem } from './service-system.ts';

/** A start migrates the database, so it is waited for, in ms. */
const READY_MS = 120_000;
/** A fax that is being handed over is waited for, in ms. */
const IDLE_MS = 300_000;
const PAUSE_MS = 500;
const LAST_LINES = 5;

/** Address of a gateway on this computer for its windows. */
interface ServiceAddress {
  readonly gateway: string;
  /** Fingerprint of its root. */
  readonly certificate: string;
}

/** Connects to the gateway that runs on a data folder, for an account that can read the installation key there. */
async function connectTo(dataFolder: string): Promise<Client> {
  const boot = await bootOf(dataFolder);
  const baseUrl = await localGateway(dataFolder);
  if (baseUrl === null) throw new Error('no gateway runs there');
  const apiKey = await installationKeyFor(new URL(baseUrl), boot);
  return createClient({ baseUrl, fetch: fetchWithTimeout, ...(apiKey === null ? {} : { apiKey }) });
}

/** Waits until no fax is being handed over, for five minutes. Does not wait for a gateway that does not answer. */
export async function waitUntilIdle(
  { dataFolder }: Pick<ServiceState, 'dataFolder'>,
  pause: ServiceSystem['pause'],
): Promise<void> {
  for (let waited = 0; waited < IDLE_MS; waited += PAUSE_MS) {
    const isBusy = await isSubmitting(dataFolder).catch(() => false);
    if (!isBusy) return;
    await pause(PAUSE_MS);
  }
}

async function isSubmitting(dataFolder: string): Promise<boolean> {
  const { items } = await (await connectTo(dataFolder)).outbound.listFaxes({
    query: { state: 'submitting', limit: 1 },
  });
  return items.length > 0;
}

/** Waits for the gateway that the service started. Returns its address. Throws CommandFailure with its last words. */
export async function waitUntilReady(
  { dataFolder, log }: Pick<ServiceState, 'dataFolder' | 'log'>,
  { read, pause }: Pick<ServiceSystem, 'read' | 'pause'>,
  formerPid: number | null,
): Promise<string> {
  for (let waited = 0; waited < READY_MS; waited += PAUSE_MS) {
    const running = await readRunning(dataFolder);
    if (running !== null && running.pid !== formerPid && (await isReady(running.url))) return running.url;
    await pause(PAUSE_MS);
  }
  const words = ((await read(log)) ?? '').trim().split(/\r?\n/u).slice(-LAST_LINES).join('\n');
  throw new CommandFailure(
    `The service was started, but its gateway is not ready.${words === '' ? '' : ` Its last words, in ${log}:\n${words}`}`,
    EXIT.unreachable,
  );
}

/** Returns where the windows of this computer reach the gateway; null without HTTPS of its own authority. */
export async function readServiceAddress(dataFolder: string): Promise<ServiceAddress | null> {
  const { listening, root } = await (await connectTo(dataFolder)).https.state();
  if (listening === null || root === null) return null;
  return { gateway: `https://localhost:${listening.port}`, certificate: root.fingerprint };
}
