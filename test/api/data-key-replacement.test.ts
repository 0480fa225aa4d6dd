import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createBackup } from '../../server/backup/create-backup.ts';
import { backupSource } from '../../server/backup/installation.ts';
import { COMMAND_LINE, restoreInstallation } from '../../server/composition/backups.ts';
import { createSeal } from '../../server/platform/seal.ts';
import { createFileSealer } from '../../server/platform/sealed-file.ts';
import {
  documentOf,
  filesLeftBehind,
  finishReplacement,
  keyState,
  keysIn,
  leftBehind,
  loseSecret,
  pathOfDocument,
  replaceKey,
} from '../setup/data-keys.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { HOUR } from '../setup/manual-clock.ts';

const SETTINGS = { CLOUDONE_API_KEY: '', CLOUDONE_API_SECRET: '', ENCRYPT_DOCUMENTS: 'true' };
const ALREADY = 'The data key is being replaced already.';
const SEVERAL =
  'Several gateways may use this database. Stop the others, start one without SEVERAL_GATEWAYS, and replace the data key there.';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway({ settings: SETTINGS });
  await gateway.set({ CLOUDONE_API_KEY: 'emulator-key', CLOUDONE_API_SECRET: 'emulator-secret' });
});
afterEach(() => gateway.close());

const bootOf = (dataFolder: string) => ({
  dataFolder,
  host: '127.0.0.1',
  port: 0,
  databaseUrl: null,
  apiKey: null,
  requireApiKey: true,
  dataKey: null,
});
const warnings = async () =>
  ((await (await gateway.request('GET', '/console/status')).json()) as { warnings: string[] }).warnings;

test('rule (data-key): everything is sealed with a new data key while the gateway works, and the former one is removed at the end', async () => {
  const former = await keysIn(gateway.dataFolder);
  const { fingerprint, made_at } = await keyState(gateway);
  gateway.clock.advance(HOUR);
  const sent = await gateway.send();
  await gateway.processAll();
  const waiting = await gateway.send({ to: '+12025550124' });
  const before = await documentOf(gateway, sent.id);
  expect(before.status).toBe(200);

  const begun = await replaceKey(gateway);
  expect(begun).toMatchObject({ status: 202, body: { source: 'file', replacement: { pass: 1 } } });
  expect(begun.body).toMatchObject({ obstacle: null });
  expect(begun.body.fingerprint).not.toBe(fingerprint);
  expect(begun.body.made_at > made_at).toBe(true);
  const both = await keysIn(gateway.dataFolder);
  expect([both.length, both.subarray(0, 32).equals(former)]).toEqual([64, true]);
  expect(await replaceKey(gateway)).toMatchObject({ status: 409, body: { detail: ALREADY } });
  const during = await gateway.send({ to: '+12025550125' });

  await finishReplacement(gateway);
  const next = await keysIn(gateway.dataFolder);
  expect(next).toEqual(both.subarray(32));
  expect(await keyState(gateway)).toMatchObject({
    fingerprint: begun.body.fingerprint,
    made_at: begun.body.made_at,
    replacement: null,
  });
  expect(await leftBehind(gateway.dataFolder, next)).toEqual([]);
  expect(await filesLeftBehind(gateway.dataFolder, next)).toEqual([]);
  expect((await filesLeftBehind(gateway.dataFolder, former)).length).toBeGreaterThan(2);
  for (const { id } of [sent, waiting, during]) {
    const file = await readFile(await pathOfDocument(gateway, id));
    expect(createFileSealer(next).renewed(file)).toBeNull();
  }
  gateway = await gateway.restart();
  expect((await documentOf(gateway, sent.id)).bytes).toEqual(before.bytes);
  expect((await documentOf(gateway, during.id)).status).toBe(200);
  expect((await (await gateway.request('GET', '/health/ready')).json()) as object).toMatchObject({
    problems: [],
  });
  const audit = await gateway.request('GET', '/access/audit?operation=data_key.replaced');
  expect(((await audit.json()) as { items: unknown[] }).items).toHaveLength(1);
});

test('rule (data-key): a gateway that is started again in the middle of a replacement goes on with both keys', async () => {
  const sent = await gateway.send();
  expect((await replaceKey(gateway)).status).toBe(202);
  gateway = await gateway.restart();
  expect((await documentOf(gateway, sent.id)).status).toBe(200);
  expect((await keyState(gateway)).replacement).toMatchObject({ pass: 1 });
  await finishReplacement(gateway);
  expect((await keysIn(gateway.dataFolder)).length).toBe(32);
  expect(await leftBehind(gateway.dataFolder, await keysIn(gateway.dataFolder))).toEqual([]);
});

test('rule (data-key): of two requests at the same moment one begins a replacement', async () => {
  const answers = await Promise.all([replaceKey(gateway), replaceKey(gateway), replaceKey(gateway)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 409, 409]);
  await finishReplacement(gateway);
  expect((await keyState(gateway)).replacement).toBeNull();
  expect(await leftBehind(gateway.dataFolder, await keysIn(gateway.dataFolder))).toEqual([]);
});

test('rule (data-key): a folder of documents that is not connected lets a replacement wait, and no document is lost', async () => {
  const sent = await gateway.send();
  const before = await documentOf(gateway, sent.id);
  const [files, away] = ['files', 'away'].map((name) => join(gateway.dataFolder, name)) as [string, string];
  await rename(files, away);
  await mkdir(files);
  await replaceKey(gateway);
  await finishReplacement(gateway);
  const problem =
    'The replacement of the data key waits for the folder with documents. Check that its disk is connected. It continues automatically.';
  expect((await keyState(gateway)).replacement).toMatchObject({ pass: 1, problem });
  expect(await warnings()).toContain(problem);
  await rm(files, { recursive: true });
  await rename(away, files);
  gateway.clock.advance(HOUR);
  await finishReplacement(gateway);
  expect((await keyState(gateway)).replacement).toBeNull();
  gateway = await gateway.restart();
  expect((await documentOf(gateway, sent.id)).bytes).toEqual(before.bytes);
});

test('replaces the key a second time right after the first', async () => {
  const sent = await gateway.send();
  for (let turn = 0; turn < 2; turn += 1) {
    const former = await keysIn(gateway.dataFolder);
    expect((await replaceKey(gateway)).status).toBe(202);
    await finishReplacement(gateway);
    expect(await keysIn(gateway.dataFolder)).not.toEqual(former);
    expect((await keyState(gateway)).replacement).toBeNull();
  }
  gateway = await gateway.restart();
  expect((await documentOf(gateway, sent.id)).status).toBe(200);
});

test('rule (data-key): the copy of the saved settings in the data folder opens with the new key', async () => {
  expect((await gateway.request('POST', '/admin/settings/persist')).status).toBe(200);
  const path = join(gateway.dataFolder, 'settings-recovery.json');
  const before = await readFile(path, 'utf8');
  await replaceKey(gateway);
  await finishReplacement(gateway);
  const copy = JSON.parse(await readFile(path, 'utf8')) as { settings: Record<string, { sealed: string }> };
  expect(before).not.toContain(copy.settings['CLOUDONE_API_SECRET']?.sealed);
  expect(await filesLeftBehind(gateway.dataFolder, await keysIn(gateway.dataFolder))).toEqual([]);
  const next = createSeal(await keysIn(gateway.dataFolder));
  const { sealed: renewed = '' } = copy.settings['CLOUDONE_API_SECRET'] ?? {};
  expect(next.open(renewed, 'setting:CLOUDONE_API_SECRET')).toBe('"emulator-secret"');
});

describe('what opens with neither key', () => {
  test('rule (data-key): a secret that opens with neither key keeps the former one, until a person gives it up', async () => {
    await loseSecret(gateway);
    await replaceKey(gateway);
    await finishReplacement(gateway);
    const waiting = (await keyState(gateway)).replacement;
    expect(waiting).toMatchObject({ unreadable: 1 });
    expect(waiting?.problem).toBe(
      '1 stored secret or document opens with neither data key, so the former key is kept. To give up what does not open, open System > Data key or run faxdesk data-key replace --leave-unreadable.',
    );
    expect(await warnings()).toContain(waiting?.problem);
    expect((await keysIn(gateway.dataFolder)).length).toBe(64);
    // A later try counts it once, and a start goes on waiting.
    gateway.clock.advance(2 * HOUR);
    await finishReplacement(gateway);
    expect((await keyState(gateway)).replacement).toMatchObject({ unreadable: 1 });
    gateway = await gateway.restart();
    await finishReplacement(gateway);
    expect((await keyState(gateway)).replacement).toMatchObject({ unreadable: 1 });
    expect((await replaceKey(gateway, { leave_unreadable: true })).status).toBe(202);
    await gateway.processAll();
    expect((await keyState(gateway)).replacement).toBeNull();
    const last = await keysIn(gateway.dataFolder);
    expect(last.length).toBe(32);
    // The end may come before a person gives something up, and no other replacement begins with it.
    expect(await replaceKey(gateway, { leave_unreadable: true })).toMatchObject({
      status: 409,
      body: { detail: 'The data key is not being replaced, so there is nothing to give up.' },
    });
    expect(await keysIn(gateway.dataFolder)).toEqual(last);
  });

  test('ends automatically once the secret was entered again', async () => {
    await loseSecret(gateway);
    await replaceKey(gateway);
    await finishReplacement(gateway);
    await gateway.set({ CLOUDONE_API_SECRET: 'emulator-secret' });
    gateway.clock.advance(HOUR);
    await finishReplacement(gateway);
    expect((await keyState(gateway)).replacement).toBeNull();
  });
});

describe('a backup', () => {
  test('rule (data-key): a backup made in the middle of a replacement restores with both keys and is replaced to the end', async () => {
    const sent = await gateway.send();
    await gateway.processAll();
    await replaceKey(gateway);
    await gateway.processAll();
    const during = await gateway.send({ to: '+12025550125' });
    const file = join(gateway.dataFolder, 'middle.zip');
    const parts = { release: '0.1.0', clock: gateway.clock, recipients: [] };
    const summary = await createBackup(await backupSource(bootOf(gateway.dataFolder)), file, parts);
    expect(summary.key).toBe('whole');
    const boot = bootOf(join(gateway.dataFolder, 'restored'));
    await restoreInstallation(file, boot, { replace: false, by: COMMAND_LINE });
    const restored = await startTestGateway({
      settings: SETTINGS,
      dataFolder: boot.dataFolder,
      clock: gateway.clock,
    });
    try {
      expect((await keyState(restored)).replacement).toMatchObject({ problem: null });
      for (const { id } of [sent, during]) expect((await documentOf(restored, id)).status).toBe(200);
      await finishReplacement(restored);
      expect((await keyState(restored)).replacement).toBeNull();
      const keys = await keysIn(boot.dataFolder);
      expect(keys.length).toBe(32);
      expect(await leftBehind(boot.dataFolder, keys)).toEqual([]);
      for (const { id } of [sent, during]) expect((await documentOf(restored, id)).status).toBe(200);
    } finally {
      await restored.close();
    }
  });

  test('rule (data-key): a backup made before a replacement restores with the former key', async () => {
    const sent = await gateway.send();
    await gateway.processAll();
    const former = await keysIn(gateway.dataFolder);
    const file = join(gateway.dataFolder, 'before.zip');
    const parts = { release: '0.1.0', clock: gateway.clock, recipients: [] };
    await createBackup(await backupSource(bootOf(gateway.dataFolder)), file, parts);
    await replaceKey(gateway);
    await finishReplacement(gateway);
    await gateway.stop();
    await restoreInstallation(file, bootOf(gateway.dataFolder), { replace: true, by: COMMAND_LINE });
    gateway = await gateway.restart();
    expect(await keysIn(gateway.dataFolder)).toEqual(former);
    expect((await documentOf(gateway, sent.id)).status).toBe(200);
    expect((await keyState(gateway)).replacement).toBeNull();
  });

  test('rule (data-key): a backup that was being made when a replacement began is not written', async () => {
    const source = await backupSource(bootOf(gateway.dataFolder));
    await replaceKey(gateway);
    const file = join(gateway.dataFolder, 'during.zip');
    const parts = { release: '0.1.0', clock: gateway.clock, recipients: [] };
    await expect(createBackup(source, file, parts)).rejects.toThrow(
      'The data key began to be replaced while the backup was being made, so no backup was written. Make it again.',
    );
    await expect(readFile(file)).rejects.toThrow('ENOENT');
  });
});

describe('a data key of the environment', () => {
  const keyText = (key: Uint8Array) => Buffer.from(key).toString('base64');
  const withKeys = (keys: readonly Uint8Array[], severalGateways = false) => ({
    settings: { ...SETTINGS, FAXDESK_DATA_KEY: keyText(keys[0] ?? randomBytes(32)) },
    boot: { dataKey: Buffer.concat(keys), severalGateways },
  });

  test('rule (data-key): a new key of the environment beside the former one begins a replacement at the start', async () => {
    const sent = await gateway.send();
    const [former, next] = [await keysIn(gateway.dataFolder), randomBytes(32)];
    gateway = await gateway.restart(withKeys([former]));
    expect(await replaceKey(gateway)).toMatchObject({
      status: 409,
      body: {
        detail:
          'The data key comes from the environment. Set FAXDESK_DATA_KEY to a new key and FAXDESK_DATA_KEY_FORMER to the current one, and start Faxdesk again.',
      },
    });
    gateway = await gateway.restart(withKeys([next, former]));
    await gateway.processAll();
    expect(await keyState(gateway)).toMatchObject({ source: 'environment', replacement: { pass: 2 } });
    await finishReplacement(gateway);
    expect((await keyState(gateway)).replacement).toBeNull();
    expect(await leftBehind(gateway.dataFolder, next)).toEqual([]);
    // The former key may stay for a while, and is not needed.
    for (const keys of [[next, former], [next]]) {
      gateway = await gateway.restart(withKeys(keys));
      await gateway.processAll();
      expect((await keyState(gateway)).replacement).toBeNull();
      expect((await documentOf(gateway, sent.id)).status).toBe(200);
    }
  });

  test('a former key that is another one leaves the installation closed', async () => {
    gateway = await gateway.restart(withKeys([randomBytes(32), randomBytes(32)]));
    expect((await gateway.request('GET', '/console/data-key')).status).toBe(503);
    gateway = await gateway.restart({ settings: SETTINGS, boot: { dataKey: null } });
    expect((await keyState(gateway)).replacement).toBeNull();
  });
});

test('rule (data-key): a data key in the keychain of the desktop application is not replaced, and the refusal says what to do', async () => {
  gateway = await gateway.restart({ boot: { dataKey: await keysIn(gateway.dataFolder) } });
  expect(await replaceKey(gateway)).toMatchObject({
    status: 409,
    body: {
      detail:
        'The data key is in the keychain of this computer, where Faxdesk cannot replace it. Make a backup, quit the desktop application, restore the backup with faxdesk restore, start faxdesk serve, and replace the data key there. The desktop application takes over the new one at its next start.',
    },
  });
});

test('rule (data-key): one of several gateways does not replace the data key', async () => {
  gateway = await gateway.restart({ boot: { severalGateways: true } });
  expect(await replaceKey(gateway)).toMatchObject({ status: 409, body: { detail: SEVERAL } });
  expect(await keyState(gateway)).toMatchObject({ obstacle: SEVERAL, replacement: null });
});
