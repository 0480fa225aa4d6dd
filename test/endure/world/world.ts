import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DAY } from '../../setup/manual-clock.ts';
import { startCloudoneVendor } from './cloudone-vendor.ts';
import { startCloudtwoVendor } from './cloudtwo-vendor.ts';
import type { Databases } from './durable-postgres.ts';
import { GatewayProcess } from './gateway-process.ts';
import type { ClientFax, IncomingFax } from './records.ts';
import { OWN_NUMBER, PUBLIC_URL, type Vendor } from './vendor.ts';

export type Store = 'sqlite' | 'postgres';

export interface WorldOptions {
  readonly store: Store;
  readonly postgres: Databases | null;
  /** True when providers can reach the gateway: they report and notify. Otherwise the gateway polls them. */
  readonly isReachable: boolean;
  readonly backend: Vendor['name'];
  /** Beside what sending and receiving need. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Returns the address under which the gateway reaches its database, when it differs from the real one. */
  readonly mapDatabaseUrl?: (databaseUrl: string) => string;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly bytes: Buffer;
}

interface RequestOptions {
  readonly form?: FormData;
  readonly json?: unknown;
  readonly headers?: Record<string, string>;
  readonly timeoutMs?: number;
}

export const INSTALLATION_KEY = 'installation-key-of-a-trial-0123456789';
const REQUEST_TIMEOUT_MS = 15_000;
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 20;
const EARLIEST_MS = -90 * DAY;
const LATEST_MS = 300 * DAY;

/** A gateway with its data, and everything around it that survives its death. */
export class World {
  readonly folder: string;
  readonly store: Store;
  readonly isReachable: boolean;
  readonly databaseUrl: string | null;
  readonly vendors: readonly Vendor[];
  readonly clients: ClientFax[] = [];
  readonly incoming: IncomingFax[] = [];
  /** Answers and ends that must not be, one sentence each. */
  readonly complaints: string[] = [];
  /** Said to every gateway process that is started from now on. */
  readonly environment: Record<string, string>;
  /** Maximum number of open files of the gateway; null for the limit of the system. */
  descriptors: number | null = null;
  kills = 0;
  hasJumped = false;
  gateway: GatewayProcess | null = null;
  /** Further gateways on the same database, each with the difference of its clock. */
  readonly others: { process: GatewayProcess; readonly skewMs: number }[] = [];
  readonly #options: WorldOptions;
  #aheadMs = 0;
  #turn = 0;

  constructor(parts: {
    folder: string;
    databaseUrl: string | null;
    vendors: readonly Vendor[];
    options: WorldOptions;
    clock: { aheadMs: () => number };
  }) {
    const { options } = parts;
    this.folder = parts.folder;
    this.databaseUrl = parts.databaseUrl;
    this.vendors = parts.vendors;
    this.store = options.store;
    this.isReachable = options.isReachable;
    this.#options = options;
    parts.clock.aheadMs = () => this.#aheadMs;
    this.environment = environmentOf(parts);
  }

  static async open(options: WorldOptions): Promise<World> {
    const folder = await mkdtemp(join(tmpdir(), 'faxdesk-endure-'));
    const clock = { aheadMs: () => 0, now: () => Date.now() + clock.aheadMs() };
    const vendors = [await startCloudoneVendor(clock), await startCloudtwoVendor(clock)];
    const databaseUrl = options.store === 'postgres' ? await openDatabase(options) : null;
    return new World({ folder, databaseUrl, vendors, options, clock });
  }

  /** Address of the gateway, of several in turn as by a load balancer, or one without a listener. */
  get address(): string {
    const up = this.#listUp();
    this.#turn += 1;
    return up[this.#turn % Math.max(1, up.length)] ?? (this.gateway?.url || 'http://127.0.0.1:1');
  }

  /** Addresses of the gateways that run. */
  #listUp(): string[] {
    const all = [this.gateway, ...this.others.map(({ process }) => process)];
    return all.flatMap((each) => (each?.isRunning && each.url !== '' ? [each.url] : []));
  }

  get dataFolder(): string {
    return join(this.folder, 'data');
  }

  /** The provider by its name. */
  vendor(name: Vendor['name']): Vendor {
    const found = this.vendors.find((vendor) => vendor.name === name);
    if (!found) throw new Error(`no provider ${name}`);
    return found;
  }

  /** Number of faxes accepted, submitted and acknowledged so far. */
  get actionCount(): number {
    const accepted = this.clients.filter(({ id }) => id !== null).length;
    const acknowledged = this.incoming.filter(({ isAcknowledged }) => isAcknowledged).length;
    return accepted + acknowledged + this.vendors.reduce((sum, vendor) => sum + vendor.sent().length, 0);
  }

  get aheadMs(): number {
    return this.#aheadMs;
  }

  /** The clock of the gateway and of the providers jumps, forwards or backwards, but not out of its bounds. */
  jump(ms: number): void {
    if (ms === 0) return;
    this.hasJumped = true;
    const target = this.#aheadMs + ms;
    const within = target < EARLIEST_MS || target > LATEST_MS ? this.#aheadMs - ms : target;
    this.#setAhead(Math.min(LATEST_MS, Math.max(EARLIEST_MS, within)));
  }

  /** Time goes on. */
  advance(ms: number): void {
    this.#setAhead(this.#aheadMs + ms);
  }

  #setAhead(ms: number): void {
    this.#aheadMs = ms;
    this.gateway?.setClockOffset(ms);
    for (const { process, skewMs } of this.others) process.setClockOffset(ms + skewMs);
  }

  /** Runs a command on the data folder, such as `serve`, as a process of its own. */
  run(
    words: readonly string[],
    environment: Readonly<Record<string, string>> = {},
    { dataFolder = this.dataFolder, skewMs = 0 }: { dataFolder?: string; skewMs?: number } = {},
  ): GatewayProcess {
    return new GatewayProcess({
      words,
      dataFolder,
      environment: { ...this.environment, ...environment },
      aheadMs: this.#aheadMs + skewMs,
      descriptors: this.descriptors,
    });
  }

  /** Starts the gateway; false when it ended before it was ready. */
  async start(environment: Readonly<Record<string, string>> = {}): Promise<boolean> {
    this.launch(environment);
    return this.waitUntilReady();
  }

  /** Starts the gateway without waiting for it. */
  launch(environment: Readonly<Record<string, string>> = {}): GatewayProcess {
    this.gateway = this.run(['serve', '--port', '0'], environment);
    return this.gateway;
  }

  async waitUntilReady(): Promise<boolean> {
    const started = this.gateway;
    const isReady = (await started?.ready()) ?? false;
    if (!isReady || !started?.isRunning) return false;
    // The clock may have been moved since the process was started.
    started.setClockOffset(this.#aheadMs);
    return true;
  }

  /** Ends the gateway at once, as a crash would. */
  async kill(): Promise<void> {
    this.kills += 1;
    await this.gateway?.kill();
  }

  /** Ends the gateway and what it started at once, as a power failure does. */
  async cutPower(): Promise<void> {
    this.kills += 1;
    await this.gateway?.killAll();
  }

  /** Tells the gateway to stop, and complains when it takes more than the eight seconds that are promised. */
  async stop(gateway: GatewayProcess | null = this.gateway): Promise<void> {
    if (!gateway?.isRunning) return;
    gateway.signal('SIGTERM');
    const isLate = pause(STOP_TIMEOUT_MS, true, { ref: false });
    if (await Promise.race([gateway.ended.then(() => false), isLate])) {
      this.complaints.push('the gateway did not stop in time');
      await gateway.kill();
    }
  }

  /** The gateway's address once it is up; null when it does not come up, or the signal says that nobody waits any more. */
  async waitUntilUp(signal?: AbortSignal): Promise<string | null> {
    const end = performance.now() + START_TIMEOUT_MS;
    while (performance.now() < end) {
      if (signal?.aborted) return null;
      const [url] = this.#listUp();
      if (url !== undefined) return url;
      await pause(POLL_MS);
    }
    return null;
  }

  /** A request with the installation key; null when no whole answer came. */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<Answer | null> {
    const headers = new Headers({ 'X-API-Key': INSTALLATION_KEY, ...options.headers });
    if (options.json !== undefined) headers.set('Content-Type', 'application/json');
    const body = options.json === undefined ? options.form : JSON.stringify(options.json);
    const signal = AbortSignal.timeout(options.timeoutMs ?? REQUEST_TIMEOUT_MS);
    try {
      const answer = await fetch(`${this.address}${path}`, { method, headers, body, signal });
      return this.#parseAnswer(`${method} ${path}`, answer.status, Buffer.from(await answer.arrayBuffer()));
    } catch {
      return null;
    }
  }

  /** Parses an answer, and records a complaint when it contains a raw error sentence. */
  #parseAnswer(what: string, status: number, bytes: Buffer): Answer {
    const isJson = bytes[0] === 0x7b || bytes[0] === 0x5b;
    const body: unknown = isJson ? parseJson(bytes) : null;
    const { detail } = (body ?? {}) as { detail?: unknown };
    if (status >= 400 && typeof detail === 'string' && RAW_ERROR.test(detail))
      this.complaints.push(`${what} was answered ${status} with a raw sentence: ${detail}`);
    return { status, body, bytes };
  }

  /** Ends everything and removes the data. */
  async close(): Promise<void> {
    for (const gateway of [this.gateway, ...this.others.map(({ process }) => process)])
      if (gateway?.isRunning) await gateway.kill();
    for (const vendor of this.vendors) await vendor.close();
    const { postgres } = this.#options;
    if (this.databaseUrl !== null) await postgres?.dropDatabase(this.databaseUrl).catch(() => undefined);
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Eight are promised; the process itself needs a moment to end, more on a busy machine. */
const STOP_TIMEOUT_MS = 14_000;
/** Sentences of the store, the system and the language, which say nothing to a person. */
const RAW_ERROR =
  /SQLITE|not a database|malformed|disk is full\b(?!\.)|readonly database|disk I\/O|E(?:IO|NOSPC|MFILE|ACCES|NOENT)\b|constraint|undefined|\bat .+:\d+:\d+/u;

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    return null;
  }
}

async function openDatabase({ postgres }: WorldOptions): Promise<string> {
  if (!postgres) throw new Error('there is no PostgreSQL server');
  return postgres.createDatabase();
}

function environmentOf({
  databaseUrl,
  vendors,
  options,
}: {
  databaseUrl: string | null;
  vendors: readonly Vendor[];
  options: WorldOptions;
}): Record<string, string> {
  const mapDatabaseUrl = options.mapDatabaseUrl ?? ((url: string) => url);
  return {
    API_KEY: INSTALLATION_KEY,
    FAX_BACKEND: options.backend,
    FAX_ORGANIZATION: 'Example Clinic',
    FAX_NUMBER: OWN_NUMBER,
    TIME_ZONE: 'UTC',
    INBOUND_ENABLED: 'true',
    LOG_LEVEL: 'warn',
    ...(options.isReachable ? { PUBLIC_API_URL: PUBLIC_URL } : {}),
    ...(databaseUrl === null ? {} : { DATABASE_URL: mapDatabaseUrl(databaseUrl) }),
    ...Object.assign({}, ...vendors.map(({ environment }) => environment)),
    ...options.environment,
  };
}
