import { cp, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { expect } from 'vitest';
import type { CloudoneEmulator } from '../setup/emulators/cloudone/index.ts';
import {
  type Fax,
  sendingSettings,
  startTestEmulator,
  startTestGateway,
  type TestGateway,
  type TestGatewayOptions,
  textFile,
} from '../setup/gateway.ts';
import { ManualClock, SECOND } from '../setup/manual-clock.ts';
import { ChildGateway, type CopiedStep, type KillPoint } from './child-gateway.ts';

export const KEY = 'one-fax-only';
const POLL = 31 * SECOND;

/** Result of one run, killed or not. */
export interface Run {
  readonly folder: string;
  readonly emulator: CloudoneEmulator;
  readonly child: ChildGateway;
  readonly environment: Record<string, string>;
}

export interface CopiedRun extends Run {
  readonly copies: string;
}

/** Parts that all runs share to save time: a data folder that is set up, compiled modules, and an emulator. */
export class RunTemplate {
  readonly root: string;
  readonly emulator: CloudoneEmulator;
  readonly environment: Record<string, string>;

  readonly #records: Record<string, string> | undefined;

  constructor(
    root: string,
    emulator: CloudoneEmulator,
    given: { settings: Record<string, string>; records?: Record<string, string> | undefined },
  ) {
    const { settings, records } = given;
    this.#records = records;
    this.root = root;
    this.emulator = emulator;
    this.environment = { ...sendingSettings(emulator), ...settings };
  }

  /** `records` are those of the DNS. */
  static async open(
    settings: Record<string, string> = {},
    records?: Record<string, string>,
  ): Promise<RunTemplate> {
    const root = await mkdtemp(join(tmpdir(), 'faxdesk-template-'));
    const template = new RunTemplate(root, await startTestEmulator(), { settings, records });
    const child = template.child(join(root, 'data'), {});
    if (!(await child.ready())) throw new Error(`the child did not start: ${child.errors}`);
    child.order({ stop: true });
    await child.ended;
    return template;
  }

  child(folder: string, options: { killAt?: KillPoint; copies?: string }): ChildGateway {
    const codeCache = process.env['NODE_COMPILE_CACHE'] ?? join(this.root, 'code');
    const records = this.#records;
    return new ChildGateway(folder, this.environment, {
      ...options,
      codeCache,
      ...(records === undefined ? {} : { records }),
    });
  }

  /** A gateway on a copy of the data, with an emulator that remembers nothing. */
  async start(options: { killAt?: KillPoint; copies?: string } = {}): Promise<Run> {
    const folder = await mkdtemp(join(tmpdir(), 'faxdesk-restart-'));
    await cp(join(this.root, 'data'), folder, { recursive: true });
    this.emulator.clearFaults();
    this.emulator.state.faxes.clear();
    this.emulator.calls.length = 0;
    const child = this.child(folder, options);
    if (!(await child.ready())) throw new Error(`the child did not start: ${child.errors}`);
    await recordRouteUse(child);
    return { folder, child, emulator: this.emulator, environment: this.environment };
  }

  /** A gateway that keeps at each step what a kill would leave; `eachKilled` shows it once the gateway has ended. */
  async startCopied(): Promise<CopiedRun> {
    const copies = await mkdtemp(join(this.root, 'copies-'));
    return { ...(await this.start({ copies })), copies };
  }

  async close(): Promise<void> {
    await this.emulator.close();
    await rm(this.root, { recursive: true, force: true });
  }
}

export async function endRun({ folder, child }: Run): Promise<void> {
  if (child.isRunning) await child.kill();
  await rm(folder, { recursive: true, force: true });
}

/** Puts the data as it was at each step, in their order, where the gateway had it. */
export async function* eachKilled({ folder, copies }: CopiedRun): AsyncGenerator<CopiedStep> {
  const { length } = (await readdir(copies)).filter((name) => name.endsWith('.json'));
  for (let step = 1; step <= length; step += 1) {
    await rm(folder, { recursive: true, force: true });
    await rename(join(copies, String(step)), folder);
    yield JSON.parse(await readFile(join(copies, `${step}.json`), 'utf8')) as CopiedStep;
  }
}

/**
 * The first use of a route by the installation key within an hour is a commit of its own. With it behind them, the commits
 * of a run are those of its fax.
 */
async function recordRouteUse(child: ChildGateway): Promise<void> {
  await child.request('POST', '/fax', new FormData());
  for (const path of ['/fax', '/fax/unknown', '/inbound']) await child.request('GET', path);
}

/** The answer of an accepted fax, or null when the gateway died before it answered. */
export async function sendTo(child: ChildGateway): Promise<Fax | null> {
  const form = new FormData();
  form.append('to', '+12025550123');
  form.append('file', textFile());
  const answer = await child.request<Fax & { detail?: string }>('POST', '/fax', form, {
    'Idempotency-Key': KEY,
  });
  if (answer?.detail !== undefined) throw new Error(answer.detail);
  return answer;
}

/** Waits for the fax to come into one of these states in the child. False when the child died first. */
export async function waitForState(run: Run, id: string, states: readonly string[]): Promise<boolean> {
  let state = '';
  await expect
    .poll(
      async () => {
        state = (await run.child.request<Fax>('GET', `/fax/${id}`))?.delivery_state ?? '';
        return !run.child.isRunning || states.includes(state);
      },
      { interval: 50, timeout: 240_000 },
    )
    .toBe(true);
  return states.includes(state) && run.child.isRunning;
}

/** Returns the stored states after the kill, read from a copy so that the gateway itself has to recover the store. */
export async function storedStates(folder: string): Promise<string[]> {
  const copy = await mkdtemp(join(tmpdir(), 'faxdesk-look-'));
  for (const name of await readdir(folder))
    if (name.startsWith('faxdesk.sqlite')) await cp(join(folder, name), join(copy, name));
  const store = new BetterSqlite(join(copy, 'faxdesk.sqlite'));
  const rows = store.prepare('select delivery_state from fax_job').all() as { delivery_state: string }[];
  store.close();
  await rm(copy, { recursive: true, force: true });
  return rows.map((row) => row.delivery_state);
}

/** The next start on the same data, here in the test's process. */
export async function restart(run: Run, options: TestGatewayOptions = {}): Promise<TestGateway> {
  const clock = new ManualClock(new Date(Date.now() + 2 * POLL).toISOString());
  return startTestGateway({
    ...options,
    dataFolder: run.folder,
    emulator: run.emulator,
    clock,
    settings: run.environment,
  });
}

/** Lets background work and the provider go on until nothing moves any more. */
export async function processUntilIdle(gateway: TestGateway): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    await gateway.processAll();
    for (const [id, fax] of gateway.emulator.faxes)
      if (fax.completedAt === null) gateway.emulator.complete(id);
    gateway.clock.advance(POLL);
  }
}

export async function allFaxes(gateway: TestGateway): Promise<Fax[]> {
  return ((await (await gateway.request('GET', '/fax')).json()) as { items: Fax[] }).items;
}
