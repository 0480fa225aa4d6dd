import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type RunningGateway, runGateway } from '../../server/composition/run-gateway.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { WAY_BACK_FILE } from '../../shared/data-folder.ts';
import { bootOptions } from '../setup/boot-options.ts';
import type { CloudoneEmulator } from '../setup/emulators/cloudone/index.ts';
import { INSTALLATION_KEY, sendingSettings, startTestEmulator, textFile } from '../setup/gateway.ts';
import { lendDocumentProcess } from '../setup/shared-documents.ts';

let folder: string;
let emulator: CloudoneEmulator;
let running: RunningGateway | null;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-way-back-'));
  emulator = await startTestEmulator();
  running = null;
});

afterEach(async () => {
  await running?.stop();
  await emulator.close();
  await rm(folder, { recursive: true, force: true });
});

/** Starts a gateway as this release does. Without `sends` it accepts faxes and leaves them waiting. */
async function start({ sends = false, settings = {} } = {}): Promise<RunningGateway> {
  const boot = { ...bootOptions(folder, null), apiKey: INSTALLATION_KEY };
  const environment = { ...sendingSettings(emulator), ...settings };
  const logger = createLogger({ level: 'error', write: () => undefined });
  const parts = { boot, environment, logger, startDocumentProcess: lendDocumentProcess, checkStore: false };
  running = await runGateway({ ...parts, automatic: sends }, () => undefined);
  return running;
}

function request(path: string, options: RequestInit = {}): Promise<Response> {
  const headers = { 'X-API-Key': INSTALLATION_KEY };
  return fetch(`${running?.current.url}${path}`, { ...options, headers });
}

async function send(text?: string): Promise<string> {
  const body = new FormData();
  body.append('to', '+12025550123');
  body.append('file', textFile(text));
  const answer = await request('/fax', { method: 'POST', body });
  expect(answer.status).toBe(202);
  return ((await answer.json()) as { id: string }).id;
}

async function faxes(): Promise<{ id: string; delivery_state: string }[]> {
  const { items } = (await (await request('/fax')).json()) as {
    items: { id: string; delivery_state: string }[];
  };
  return items;
}

/** Leaves the store as a newer release does that migrates it and gets no further. */
function migrateAsNewer(): void {
  const store = new BetterSqlite(join(folder, 'faxdesk.sqlite'));
  store.pragma('foreign_keys = off');
  store.exec("insert into migration (name) values ('999-later'); drop table fax_job");
  store.close();
}

const isOpen = () => existsSync(join(folder, WAY_BACK_FILE));
const aside = async () => (await readdir(folder)).filter((name) => name.startsWith('before_restore_'));

it('rule (installation): after an update that never opened, the release before restores the backup, and a fax that was waiting is sent once', async () => {
  const before = await start();
  const id = await send();
  expect(await before.stopAndBackUp()).toMatchObject({ problem: null, isStopped: true });
  expect(isOpen()).toBe(true);
  migrateAsNewer();
  await start({ sends: true });
  expect(isOpen()).toBe(false);
  await expect.poll(faxes).toMatchObject([{ id, delivery_state: 'in_progress' }]);
  expect(emulator.counts.accepted).toBe(1);
  const [name = ''] = await aside();
  const left = new BetterSqlite(join(folder, name, 'faxdesk.sqlite'), { readonly: true });
  expect(left.prepare("select name from migration where name = '999-later'").get()).toBeDefined();
  left.close();
  const { warnings } = (await (await request('/console/status')).json()) as { warnings: string[] };
  expect(warnings.join(' ')).toContain('No fax was lost. The data that the newer release left is in');
});

it('rule (installation): a gateway that has opened is never replaced by the backup of an update', async () => {
  const before = await start();
  const first = await send();
  await before.stopAndBackUp();
  const newer = await start();
  expect(isOpen()).toBe(false);
  const second = await send('Accepted after the update.\n');
  await newer.stop();
  running = null;
  const store = new BetterSqlite(join(folder, 'faxdesk.sqlite'));
  store.exec("insert into migration (name) values ('999-later')");
  await expect(start()).rejects.toThrow(/^The data was written by a newer release \(999-later\)/u);
  expect(store.prepare('select id from fax_job order by created_at').pluck().all()).toEqual([first, second]);
  store.close();
  expect(await aside()).toEqual([]);
});

it('rule (installation): the backup of an update has every fax that was accepted before the gateway stopped', async () => {
  const before = await start();
  const accepted: string[] = [];
  const sending = (async () => {
    for (let number = 1; ; number += 1) accepted.push(await send(`Letter ${number}.\n`));
  })().catch(() => undefined);
  await expect.poll(() => accepted.length).toBeGreaterThan(2);
  await before.stopAndBackUp();
  await sending;
  migrateAsNewer();
  await start();
  const kept = (await faxes()).map(({ id }) => id);
  expect(accepted.filter((id) => !kept.includes(id))).toEqual([]);
});

it('an encrypted backup is restored by a person only', async () => {
  const recipient = 'age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj';
  const before = await start({ settings: { BACKUP_RECIPIENTS: recipient } });
  expect(await before.stopAndBackUp()).toMatchObject({ problem: null });
  expect(isOpen()).toBe(false);
  migrateAsNewer();
  await expect(start()).rejects.toThrow(/^The data was written by a newer release/u);
});

it('a backup that is damaged changes nothing, and the start says so', async () => {
  const before = await start();
  const { file } = await before.stopAndBackUp();
  await writeFile(file ?? '', 'no backup');
  migrateAsNewer();
  await expect(start()).rejects.toThrow(/Going back to .+ failed\. This file is not a backup/u);
  expect(isOpen()).toBe(true);
  expect(await aside()).toEqual([]);
});

it('without a folder for backups the gateway works on', async () => {
  const before = await start();
  await writeFile(join(folder, 'backups'), 'no folder');
  expect(await before.stopAndBackUp()).toMatchObject({
    problem: expect.stringMatching(/^The backup folder .* cannot be created/u),
    isStopped: false,
  });
  await send();
});
