import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readBackupContents } from '../../server/backup/read-contents.ts';
import { sealBytes } from '../../server/platform/file-cipher.ts';
import { createFileSealer } from '../../server/platform/sealed-file.ts';
import type { Fax, TestGateway } from '../setup/gateway.ts';
import { startTestGateway } from '../setup/gateway.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../setup/manual-clock.ts';

const SECRETS = { CLOUDONE_API_KEY: 'emulator-key', CLOUDONE_API_SECRET: 'emulator-secret' };
const UNTIL = 'Nothing is sent or received until the right key is back and Faxdesk is started again.';
const REFUSED = {
  detail:
    'This needs data that was encrypted with another data key. Put the right data key back and start Faxdesk again.',
};

let gateway: TestGateway;
const keyFile = () => join(gateway.dataFolder, 'data.key');
beforeEach(async () => {
  const blank = { CLOUDONE_API_KEY: '', CLOUDONE_API_SECRET: '' };
  gateway = await startTestGateway({ settings: { ...blank, INBOUND_ENABLED: 'true' } });
  await gateway.set(SECRETS);
});
afterEach(() => gateway.close());

async function workLater(ms: number): Promise<void> {
  gateway.clock.advance(ms);
  await gateway.processAll();
}

interface Ready {
  status: string;
  problems: string[];
  warnings: string[];
}
const ready = async () => (await (await gateway.request('GET', '/health/ready')).json()) as Ready;

/** One that the provider has, one that waits, and one that is planned for later. */
async function threeFaxes() {
  const taken = await gateway.send();
  await gateway.processAll();
  const waiting = await gateway.send();
  const later = await gateway.send({ send_at: new Date(gateway.clock.now() + DAY).toISOString() });
  return { taken, waiting, later };
}

const secretWarning = async () => {
  const { settings } = (await (await gateway.request('GET', '/admin/settings')).json()) as {
    settings: { name: string; is_set: boolean; warning: string | null }[];
  };
  const found = settings.find(({ name }) => name === 'CLOUDONE_API_SECRET');
  return { isSet: found?.is_set, warning: found?.warning };
};

const lastOf = async ({ id }: Fax) => (await gateway.history(id)).at(-1)?.text;

interface BackupsStatus {
  problem: string | null;
  items: { name: string; daily: boolean; state: string; sentence: string | null }[];
}
const backups = async () =>
  (await (await gateway.request('GET', '/console/backups')).json()) as BackupsStatus;
const keysIn = async (name: string) => {
  const contents = await readBackupContents(join(gateway.dataFolder, 'backups', name), []);
  return contents === 'unknown' ? contents : (contents?.keyDigest ?? null);
};

describe('the backups of a gateway whose data key goes away', () => {
  beforeEach(() => gateway.set({ BACKUP_DAILY_AT: '02:00', BACKUP_KEEP: 1 }));

  test('hold the key that it works with, and the warning says that its file is missing', async () => {
    await rm(keyFile());
    expect((await ready()).warnings).toContain(
      'The data key (data.key) has been missing from the data folder since Faxdesk was started. Put the file back before the next start, or make a backup now: Faxdesk still has the key.',
    );
    await gateway.processAll();
    const [daily] = (await backups()).items;
    expect([daily?.daily, await keysIn(daily?.name ?? '')]).toEqual([true, expect.any(String)]);
  });

  test('are neither made nor removed by the day once it was started again, and those made by hand say what they lack', async () => {
    await gateway.processAll();
    const before = (await backups()).items.map(({ name }) => name);
    await rm(keyFile());
    gateway = await gateway.restart();
    for (let day = 0; day < 3; day += 1) await workLater(DAY);
    const problem = `No daily backup is made and none is removed, because it could not be restored. The data key of this installation is missing: data.key in its data folder. ${UNTIL}`;
    expect((await backups()).problem).toBe(problem);
    expect((await ready()).warnings).toContain(problem);
    expect(gateway.logLines.filter((line) => line.includes('no daily backup is made'))).toHaveLength(1);
    expect((await backups()).items.map(({ name }) => name)).toEqual(before);
    expect(await keysIn(before[0] ?? '')).not.toBeNull();

    await gateway.request('POST', '/console/backups');
    await expect.poll(async () => (await backups()).items[0]?.state).toBe('done');
    const [byHand] = (await backups()).items;
    expect(byHand?.name).toMatch(/-without-key\.zip$/u);
    expect(byHand?.sentence).toMatch(/^The data key \(data\.key\) is not in this backup\. /u);
    expect(byHand?.daily).toBe(false);
  });
});

describe('without the data key of its store, a gateway', () => {
  test('rule (installation): without the data key of its store a gateway seals, sends and backs up nothing until the key is back', async () => {
    const { taken, waiting, later } = await threeFaxes();
    const key = await readFile(keyFile());
    await rm(keyFile());
    gateway = await gateway.restart();
    expect(await readdir(gateway.dataFolder)).not.toContain('data.key');
    const told = await ready();
    expect(told.problems).toEqual([
      `The data key of this installation is missing: data.key in its data folder. ${UNTIL}`,
    ]);
    expect(told.warnings).toContain(
      'These settings cannot be opened with the current data key: CLOUDONE_API_KEY, CLOUDONE_API_SECRET. Put the right key back, or enter them again.',
    );
    expect(await secretWarning()).toEqual({
      isSet: false,
      warning: 'It cannot be opened with the current data key. Put the right key back, or enter it again.',
    });
    await expectRefused(() => gateway.request('PUT', '/admin/settings', { json: { changes: SECRETS } }));
    const callback = `/cloudone-callback?job_id=${taken.id}&attempt_id=${(await gateway.fax(taken.id)).attempt?.id}`;
    const headers = { 'X-Cloudone-Signature': '0'.repeat(40) };
    await expectRefused(() =>
      gateway.request('POST', callback, { key: null, form: new FormData(), headers }),
    );
    await expectRefused(() => gateway.sendForm({ to: '+12025550123' }, [new File(['x'], 'a.txt')]));

    await gateway.set({ HTTPS_ENABLED: true, HTTPS_PORT: 0 });
    await workLater(SECOND);
    expect((await gateway.fax(waiting.id)).delivery_state).toBe('ready');
    expect(await (await gateway.request('GET', '/console/status')).json()).toMatchObject({
      https_problem:
        'Other computers cannot reach Faxdesk over HTTPS. Its certificates cannot be opened until the right data key is back.',
    });
    await gateway.set({ HTTPS_ENABLED: false });
    await workLater(MINUTE - SECOND);
    expect((await gateway.fax(waiting.id)).delivery_state).toBe('held');
    expect(await lastOf(waiting)).toBe(
      'Held: data for this fax cannot be opened with the current data key. Nothing was sent. Put the right data key back and start Faxdesk again, then send the fax or cancel it.',
    );
    expect(await gateway.fax(taken.id)).toMatchObject({
      delivery_state: 'reconciliation_required',
      reconciliation_reason: expect.stringMatching(/^Faxdesk cannot ask Phaxio about this fax/u) as string,
    });
    await expectRefused(() => release(waiting));
    await workLater(HOUR);
    expect((await gateway.fax(later.id)).delivery_state).toBe('ready');
    expect(gateway.emulator.faxes.size).toBe(1);
    const errors = gateway.logLines.filter((line) => line.includes('"level":"error"'));
    expect(errors.filter((line) => !line.includes('gateway:https'))).toHaveLength(1);

    await writeFile(keyFile(), key, { mode: 0o600 });
    gateway = await gateway.restart();
    expect(await ready()).toMatchObject({ status: 'ok', problems: [] });
    expect(await secretWarning()).toEqual({ isSet: true, warning: null });
    gateway.emulator.complete([...gateway.emulator.faxes.keys()][0] ?? '');
    expect((await release(waiting)).status).toBe(200);
    await workLater(DAY);
    expect((await gateway.fax(taken.id)).delivery_state).toBe('success');
    for (const fax of [waiting, later])
      expect((await gateway.fax(fax.id)).delivery_state).toBe('in_progress');
    expect(gateway.emulator.faxes.size).toBe(3);
  });

  async function release(fax: Fax): Promise<Response> {
    const { delivery_version } = await gateway.fax(fax.id);
    return gateway.request('POST', `/fax/${fax.id}/release`, { json: { delivery_version } });
  }

  async function expectRefused(ask: () => Promise<Response>): Promise<void> {
    const answer = await ask();
    expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
      503,
      '60',
      REFUSED,
    ]);
  }

  test('rule (installation): the data key is compared with a proof in the store before anything is opened', async () => {
    const { waiting } = await threeFaxes();
    await writeFile(keyFile(), `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
    gateway = await gateway.restart();
    expect((await ready()).problems).toEqual([
      `The data key is not the one that this installation's secrets were encrypted with. ${UNTIL}`,
    ]);
    gateway = await gateway.restart({ boot: { acceptDataKey: true } });
    expect(await ready()).toMatchObject({ status: 'ok', problems: [] });
    expect(await secretWarning()).toMatchObject({ isSet: false });
    await workLater(MINUTE);
    expect((await gateway.fax(waiting.id)).delivery_state).toBe('held');
    await gateway.set(SECRETS);
    gateway = await gateway.restart({ boot: {} });
    expect(await secretWarning()).toEqual({ isSet: true, warning: null });
    const fax = await gateway.send();
    await gateway.processAll();
    expect((await gateway.fax(fax.id)).delivery_state).toBe('in_progress');
  });
});

test('a document that was encrypted with another data key is a question, and is said to be so', async () => {
  await gateway.set({ ENCRYPT_DOCUMENTS: true });
  const fax = await gateway.send();
  const folder = join(gateway.dataFolder, 'files', 'fax');
  const [name = ''] = await readdir(folder);
  const foreign = createFileSealer(randomBytes(32)).newKey();
  await writeFile(join(folder, name), sealBytes(foreign, Buffer.from('%PDF-')));
  const answer = await gateway.request('GET', `/fax/${fax.id}/document`);
  expect([answer.status, await answer.json()]).toEqual([503, REFUSED]);
  await gateway.processAll();
  expect((await gateway.fax(fax.id)).delivery_state).toBe('held');
  expect(gateway.emulator.faxes.size).toBe(0);
});
