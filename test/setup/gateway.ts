import { copyFile, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { z } from 'zod';
import type { TokenAddresses } from '../../server/adapters/mail/port.ts';
import type { ResolveDns } from '../../server/adapters/mail/reading-port.ts';
import type { PeerNetwork } from '../../server/adapters/peers/port.ts';
import type { Provider } from '../../server/adapters/providers/provider-port.ts';
import type { GatewayOptions } from '../../server/composition/gateway.ts';
import type { BootOptions } from '../../server/config/boot.ts';
import type { StartTerminalProcess } from '../../server/features/terminal/terminal-process-port.ts';
import { type Gateway, startGateway } from '../../server/index.ts';
import { backupNameAt } from '../../server/platform/backup-name.ts';
import { createLogger } from '../../server/platform/logger.ts';
import type { Timers } from '../../server/platform/timers.ts';
import type { FaxJob } from '../../shared/api/outbound-shapes.ts';
import { type CloudoneEmulator, startCloudoneEmulator } from './emulators/cloudone/index.ts';
import { HOUR, ManualClock } from './manual-clock.ts';
import { lendDocumentProcess } from './shared-documents.ts';
import { SQLITE_TEMPLATE } from './store-templates.ts';

export const INSTALLATION_KEY = 'test-installation-key-of-this-gateway';
export const CALLBACK_TOKEN = 'test-callback-token';
const API_KEY = 'emulator-key';
const API_SECRET = 'emulator-secret';

export type Fax = z.infer<typeof FaxJob>;

export interface TestGatewayOptions {
  readonly tokenAddresses?: TokenAddresses;
  /** Name look-ups, trusted roots and times of requests to partners. */
  readonly peerNetwork?: PeerNetwork;
  /** Settings beside those that make sending work. */
  readonly settings?: Record<string, string>;
  /** Keeps the data folder of an earlier gateway. */
  readonly dataFolder?: string;
  readonly databaseUrl?: string | null;
  /** Shares nothing with the first gateway of its database. */
  readonly hasOwnDocuments?: boolean;
  /** Default: those of this release. */
  readonly providers?: readonly Provider[];
  readonly clock?: ManualClock;
  readonly emulator?: CloudoneEmulator;
  /** Default: any free one. */
  readonly port?: number;
  /** True to check the whole database at the start and every week; default false. */
  readonly checkStore?: boolean;
  /** Resolver of DNS names. */
  readonly resolveDns?: ResolveDns;
  /** Waits of the threads that read e-mail; tests pass their own. */
  readonly mailTimers?: Timers;
  /** Places a backup, without which nothing is green; default: where the data folder is new. */
  readonly hasBackup?: boolean;
  /** Milliseconds after which a bucket without any progress is given up. */
  readonly bucketPatienceMs?: number;
  /** Starter of the processes of console terminals. */
  readonly startTerminalProcess?: StartTerminalProcess;
  /** Functions that restore a backup, or move an earlier installation over, between two starts; default: consoles cannot. */
  readonly restore?: GatewayOptions['restore'];
  readonly upgrade?: GatewayOptions['upgrade'];
  /** Further options of the start. */
  readonly boot?: Partial<BootOptions>;
}

/** A whole gateway with a provider emulator, on a manual clock; background work runs when `processAll` is called. */
export class TestGateway {
  readonly clock: ManualClock;
  readonly emulator: CloudoneEmulator;
  readonly dataFolder: string;
  readonly logLines: string[];
  readonly #gateway: Gateway;
  readonly #options: TestGatewayOptions;

  constructor(parts: {
    gateway: Gateway;
    clock: ManualClock;
    emulator: CloudoneEmulator;
    dataFolder: string;
    logLines: string[];
    options: TestGatewayOptions;
  }) {
    this.clock = parts.clock;
    this.emulator = parts.emulator;
    this.dataFolder = parts.dataFolder;
    this.logLines = parts.logLines;
    this.#gateway = parts.gateway;
    this.#options = parts.options;
  }

  get url(): string {
    return this.#gateway.url;
  }

  /** A request with the installation key, or with the given key; null sends none. */
  async request(
    method: string,
    path: string,
    options: { key?: string | null; json?: unknown; form?: FormData; headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const headers = new Headers(options.headers);
    const key = options.key === undefined ? INSTALLATION_KEY : options.key;
    if (key !== null) headers.set('X-API-Key', key);
    if (options.json !== undefined) headers.set('Content-Type', 'application/json');
    const body = options.json === undefined ? options.form : JSON.stringify(options.json);
    return fetch(`${this.url}${path}`, { method, headers, body, redirect: 'manual' });
  }

  async sendForm(
    fields: Record<string, string>,
    files: File[],
    headers?: Record<string, string>,
  ): Promise<Response> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    for (const file of files) form.append('file', file);
    return this.request('POST', '/fax', { form, headers });
  }

  /** Submits a one-page text and returns the accepted fax. */
  async send(fields: Record<string, string> = {}, headers?: Record<string, string>): Promise<Fax> {
    const response = await this.sendForm({ to: '+12025550123', ...fields }, [textFile()], headers);
    if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
    return (await response.json()) as Fax;
  }

  async fax(id: string): Promise<Fax> {
    return (await (await this.request('GET', `/fax/${id}`)).json()) as Fax;
  }

  async history(id: string): Promise<{ kind: string; text: string; actor: string }[]> {
    const answer = await this.request('GET', `/fax/${id}/history`);
    return ((await answer.json()) as { events: { kind: string; text: string; actor: string }[] }).events;
  }

  async set(changes: Record<string, unknown>): Promise<void> {
    const response = await this.request('PUT', '/admin/settings', { json: { changes } });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  }

  /** Makes a backup and waits for it: without a recent one nothing is green. */
  async makeBackup(): Promise<void> {
    const { name } = (await (await this.request('POST', '/console/backups')).json()) as { name: string };
    for (;;) {
      const { state } = (await (await this.request('GET', `/console/backups/${name}`)).json()) as {
        state: string;
      };
      if (state === 'done') return;
      if (state === 'failed') throw new Error(`the backup ${name} failed`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Runs the background work that is due, and what that makes due. */
  async processAll(): Promise<void> {
    await this.#gateway.processAll();
  }

  /** Stops the gateway alone: the emulator and the data stay. */
  async stop(): Promise<void> {
    await this.#gateway.stop();
  }

  /** Stops the gateway and starts it again on the same data, clock and emulator. */
  async restart(options: TestGatewayOptions = {}): Promise<TestGateway> {
    await this.stop();
    const { clock, emulator, dataFolder } = this;
    return startTestGateway({ ...this.#options, ...options, clock, emulator, dataFolder });
  }

  /** Stops everything and removes the data. */
  async close(): Promise<void> {
    await this.stop();
    await this.emulator.close();
    await rm(this.dataFolder, { recursive: true, force: true });
  }
}

export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const clock = options.clock ?? new ManualClock();
  const emulator = options.emulator ?? (await startTestEmulator(clock));
  const dataFolder = options.dataFolder ?? (await newDataFolder(options));
  if (options.hasBackup ?? options.dataFolder === undefined)
    await placeBackup(dataFolder, clock.now() - HOUR);
  if (options.databaseUrl && !options.hasOwnDocuments)
    await shareInstallation(options.databaseUrl, dataFolder);
  const logLines: string[] = [];
  const gateway = await startGateway({
    boot: {
      dataFolder,
      host: '127.0.0.1',
      port: options.port ?? 0,
      databaseUrl: options.databaseUrl ?? null,
      severalGateways: (options.databaseUrl ?? null) !== null,
      apiKey: INSTALLATION_KEY,
      requireApiKey: true,
      dataKey: null,
      // Another computer may have it.
      libreOffice: null,
      ...options.boot,
    },
    environment: { ...sendingSettings(emulator), ...options.settings },
    clock,
    databaseClock: clock,
    ...(options.providers ? { providers: options.providers } : {}),
    ...(options.mailTimers ? { mailTimers: options.mailTimers } : {}),
    ...(options.resolveDns ? { resolveDns: options.resolveDns } : {}),
    logger: createLogger({ level: 'debug', write: (line) => logLines.push(line) }),
    automatic: false,
    startDocumentProcess: lendDocumentProcess,
    ...(options.startTerminalProcess ? { startTerminalProcess: options.startTerminalProcess } : {}),
    ...(options.tokenAddresses ? { tokenAddresses: options.tokenAddresses } : {}),
    ...(options.bucketPatienceMs ? { bucketPatienceMs: options.bucketPatienceMs } : {}),
    ...(options.peerNetwork ? { peerNetwork: options.peerNetwork } : {}),
    ...(options.restore ? { restore: options.restore } : {}),
    ...(options.upgrade ? { upgrade: options.upgrade } : {}),
    checkStore: options.checkStore ?? false,
  });
  return new TestGateway({ gateway, clock, emulator, dataFolder, logLines, options });
}

/** A folder with the migrated store of the test run, where there is one: to migrate takes half of a first start. */
async function newDataFolder({ databaseUrl }: TestGatewayOptions): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-'));
  const template = process.env[SQLITE_TEMPLATE];
  if (!databaseUrl && template !== undefined) await copyFile(template, join(folder, 'faxdesk.sqlite'));
  return folder;
}

/** A file with the name of a backup: whether it can be restored is read only when somebody does that. */
async function placeBackup(dataFolder: string, at: number): Promise<void> {
  await mkdir(join(dataFolder, 'backups'), { recursive: true });
  await writeFile(join(dataFolder, 'backups', backupNameAt(at, 'asked')), 'placed by a test');
}

/** Data folder of the first gateway on each database. */
const firstFolders = new Map<string, string>();

/**
 * Gives the gateways on a shared database the same data key, so that each opens what another sealed, and the same
 * documents.
 */
async function shareInstallation(databaseUrl: string, dataFolder: string): Promise<void> {
  const first = firstFolders.get(databaseUrl) ?? dataFolder;
  firstFolders.set(databaseUrl, first);
  if (first === dataFolder) return;
  await cp(join(first, 'data.key'), join(dataFolder, 'data.key'), { force: false });
  await symlink(join(first, 'files'), join(dataFolder, 'files'), 'junction').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  });
}

export async function startTestEmulator(clock?: ManualClock): Promise<CloudoneEmulator> {
  return startCloudoneEmulator({
    apiKey: API_KEY,
    apiSecret: API_SECRET,
    callbackToken: CALLBACK_TOKEN,
    ...(clock ? { clock } : {}),
  });
}

/** The environment of an installation that can send through the emulator. */
export function sendingSettings(emulator: CloudoneEmulator): Record<string, string> {
  return {
    FAX_BACKEND: 'cloudone',
    FAX_ORGANIZATION: 'Example Clinic',
    FAX_NUMBER: '+12025550100',
    TIME_ZONE: 'UTC',
    CLOUDONE_API_URL: emulator.url,
    CLOUDONE_API_KEY: API_KEY,
    CLOUDONE_API_SECRET: API_SECRET,
    CLOUDONE_CALLBACK_TOKEN: CALLBACK_TOKEN,
  };
}

export function textFile(
  text = 'Dear colleague,\nplease find the referral below.\n',
  name = 'letter.txt',
): File {
  return new File([text], name, { type: 'text/plain' });
}
