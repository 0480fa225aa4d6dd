import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runGateway } from '../../server/composition/run-gateway.ts';
import type { BootOptions } from '../../server/config/boot.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { bootOptions } from '../setup/boot-options.ts';
import { BUILT_WAY_BACK } from '../setup/built-child.ts';
import type { CloudoneEmulator } from '../setup/emulators/cloudone/index.ts';
import { INSTALLATION_KEY, sendingSettings, startTestEmulator, textFile } from '../setup/gateway.ts';
import { lendDocumentProcess } from '../setup/shared-documents.ts';
import { runChild } from './run-child.ts';

export interface WayBackPlan {
  readonly boot: BootOptions;
  readonly environment: Readonly<Record<string, string>>;
  /** Step at which it is killed, from 1; null for none. */
  readonly killAt: number | null;
}

export interface WayBackResult {
  /** Steps of the way back. */
  readonly steps: number;
  /** IDs with their states. */
  readonly faxes: readonly string[];
  /** Installations that were moved aside. */
  readonly aside: number;
  /** Files of the way back and of a restore that are still there. */
  readonly left: readonly string[];
}

/** Starts at once: the rest of the time each waits for the disk. */
const AT_ONCE = 3;

let root: string;
let failed: string;
let emulator: CloudoneEmulator;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'faxdesk-way-back-kill-'));
  failed = join(root, 'failed');
  emulator = await startTestEmulator();
  await leaveFailedUpdate();
});
afterAll(async () => {
  await emulator.close();
  await rm(root, { recursive: true, force: true });
});

const bootOf = (folder: string): BootOptions => ({ ...bootOptions(folder, null), apiKey: INSTALLATION_KEY });

/** Leaves the data as a newer release does that migrates the store and gets no further. */
async function leaveFailedUpdate(): Promise<void> {
  const logger = createLogger({ level: 'error', write: () => undefined });
  const before = await runGateway(
    {
      boot: bootOf(failed),
      environment: sendingSettings(emulator),
      logger,
      startDocumentProcess: lendDocumentProcess,
      checkStore: false,
      automatic: false,
    },
    () => undefined,
  );
  const body = new FormData();
  body.append('to', '+12025550123');
  body.append('file', textFile());
  const headers = { 'X-API-Key': INSTALLATION_KEY };
  const answer = await fetch(`${before.current.url}/fax`, { method: 'POST', body, headers });
  expect(answer.status).toBe(202);
  await answer.arrayBuffer();
  expect(await before.stopAndBackUp()).toMatchObject({ problem: null });
  const store = new BetterSqlite(join(failed, 'faxdesk.sqlite'));
  store.pragma('foreign_keys = off');
  store.exec("insert into migration (name) values ('999-later'); drop table fax_job");
  store.close();
}

function start(folder: string, killAt: number | null): Promise<WayBackResult | null> {
  const plan: WayBackPlan = { boot: bootOf(folder), environment: sendingSettings(emulator), killAt };
  return runChild<WayBackResult>(BUILT_WAY_BACK, plan);
}

async function copyOf(name: string): Promise<string> {
  const folder = join(root, name);
  await cp(failed, folder, { recursive: true });
  return folder;
}

test('rule (installation): the way back from an update that is killed at any step is finished by the next start, without a lost fax', async () => {
  const whole = await start(await copyOf('whole'), null);
  expect(whole).toMatchObject({ faxes: [expect.any(String)], aside: 1, left: [] });
  const { steps, ...expected } = whole ?? expect.unreachable('it was killed');
  expect(steps).toBeGreaterThan(10);
  let next = 1;
  async function killAtEach(): Promise<void> {
    while (next <= steps) {
      const killAt = next;
      next += 1;
      const folder = await copyOf(`killed-${killAt}`);
      const killed = await start(folder, killAt);
      expect([killAt, killed]).toEqual([killAt, null]);
      expect([killAt, await start(folder, null)]).toMatchObject([killAt, expected]);
      await rm(folder, { recursive: true, force: true });
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, killAtEach));
}, 400_000);
