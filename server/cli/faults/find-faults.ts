import { createClient } from '../../../shared/client/index.ts';
import { type Fault, faultOf, faultOfSentence, inOrder } from '../../../shared/fault-kinds.ts';
import type { BootOptions } from '../../config/boot.ts';
import { NO_PROXIES, setProxies } from '../../platform/outgoing-proxy.ts';
import { fetchWithTimeout, trustSystemRoots } from '../connection.ts';
import { installationKeyFor } from '../local-gateway.ts';
import { callbackFault, clockFault, lineFault, mailFault } from './outside-checks.ts';
import { certificateFault, portFault, sentencesWithoutGateway, type Values } from './own-checks.ts';

/** Facts of the store for the checks; nothing of them is shown. */
export interface StoredFacts {
  /** Values of settings that are no secrets. */
  readonly values: Values;
  readonly keyProof: string | null;
  /** Time of the database, in epoch ms; null where it is that of this computer. */
  readonly databaseTime: number | null;
}

/** Parts of the report that the faults come from. */
interface Facts {
  readonly gateway: {
    readonly running: boolean;
    readonly url: string | null;
    readonly problems: readonly string[];
    readonly warnings: readonly string[];
  };
  readonly store: { readonly problem: string | null; readonly faxes: Readonly<Record<string, number>> };
  readonly unused: string | null;
}

/** Finds the faults of an installation, whether or not its gateway runs. A check that cannot be made finds none. */
export async function findFaults(
  boot: BootOptions,
  facts: Facts,
  stored: StoredFacts | null,
): Promise<Fault[]> {
  setProxies(boot.proxies ?? NO_PROXIES);
  trustSystemRoots();
  const { gateway, store, unused } = facts;
  const client = gateway.url === null ? null : await ownClient(gateway.url, boot);
  const values = await presentValues(client, stored?.values ?? new Map());
  const sentences = [
    unused,
    store.problem,
    ...gateway.problems,
    ...gateway.warnings,
    ...(gateway.running ? [] : await sentencesWithoutGateway(boot, stored).catch(() => [])),
  ];
  const checks = [
    gateway.running ? null : portFault(boot),
    certificateFault(values),
    callbackFault(values, gateway.running),
    clockFault(values, stored?.databaseTime ?? null),
    client && lineFault(values, client),
    client && mailFault(client),
  ];
  const checked = await Promise.all(checks.map((check) => Promise.resolve(check).catch(() => null)));
  return inOrder(
    [
      ...sentences.map((sentence) => sentence && faultOfSentence(sentence)),
      ...checked,
      notRunning(facts),
      heldFaxes(facts),
    ].filter((fault): fault is Fault => fault !== null && fault !== ''),
  );
}

/** Creates a client with the installation key of the data folder; null where there is none. */
async function ownClient(url: string, boot: BootOptions) {
  const apiKey = await installationKeyFor(new URL(url), boot).catch(() => null);
  return apiKey === null ? null : createClient({ baseUrl: url, apiKey, fetch: fetchWithTimeout });
}

/** Returns the values that the gateway uses, with defaults and environment; without it the stored ones. */
async function presentValues(
  client: ReturnType<typeof createClient> | null,
  stored: Values,
): Promise<Values> {
  const read = await client?.settings.read().catch(() => null);
  if (!read) return stored;
  return new Map(read.settings.filter(({ secret }) => !secret).map(({ name, value }) => [name, value]));
}

function notRunning({ gateway: { running, url, problems } }: Facts): Fault | null {
  if (!running) return faultOf('not_running', 'Faxdesk does not run, so nothing is sent or received.');
  const isSilent = problems.includes('It does not answer.');
  return isSilent ? faultOf('not_running', `Faxdesk does not answer at ${url}.`) : null;
}

function heldFaxes({ store }: Facts): Fault | null {
  const held = store.faxes['held'] ?? 0;
  if (held === 0) return null;
  return faultOf('faxes_held', held === 1 ? '1 fax is held.' : `${held} faxes are held.`);
}
