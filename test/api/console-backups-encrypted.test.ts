import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { openArchive } from '../../server/backup/archive.ts';
import { RELEASE } from '../../server/config/release.ts';
import { migrations } from '../../server/db/migrations/index.ts';
import { identityFileText, makeIdentity, recipientOf } from '../../server/platform/age/keys.ts';
import type { Backup, BackupList, ConsoleStatus } from '../../shared/api/console.ts';
import { ErrorAnswer } from '../../shared/api/errors.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { DAY } from '../setup/manual-clock.ts';

type Item = z.infer<typeof Backup>;

const identity = makeIdentity();
const identityText = identityFileText(identity, '2026-11-21T09:00:00.000Z');

let gateway: TestGateway;
const restored: { file: string; count: number | null }[] = [];
beforeEach(async () => {
  restored.length = 0;
  gateway = await startTestGateway({
    hasBackup: false,
    restore: (file, _by, identities) => restored.push({ file, count: identities?.length ?? null }),
  });
  await gateway.set({ BACKUP_RECIPIENTS: [recipientOf(identity)] });
});
afterEach(() => gateway.close());

const folder = () => join(gateway.dataFolder, 'backups');
const read = async <T>(path: string) => (await (await gateway.request('GET', path)).json()) as T;
const list = () => read<z.infer<typeof BackupList>>('/console/backups');

async function make(): Promise<Item> {
  const { name } = (await (await gateway.request('POST', '/console/backups')).json()) as Item;
  const item = () => read<Item>(`/console/backups/${name}`);
  await expect.poll(async () => (await item()).state).toBe('done');
  return item();
}

async function restore(name: string, body?: object): Promise<[number, string]> {
  const answer = await gateway.request(
    'POST',
    `/console/backups/${name}/restore`,
    body ? { json: body } : {},
  );
  const json = await answer.json();
  return [answer.status, answer.status === 202 ? '' : ErrorAnswer.parse(json).detail];
}

describe('with a recipient in the settings', () => {
  test('a backup made by hand is encrypted, listed as such and downloaded as it is', async () => {
    await gateway.send();
    const item = await make();
    expect(item).toMatchObject({ name: 'faxdesk-2026-11-21-090000.zip.age', encrypted: true });
    expect(await readdir(folder())).toEqual([item.name, `${item.name}.contents`, `${item.name}.sha256`]);
    expect((await list()).recipients).toEqual([recipientOf(identity)]);
    expect((await read<z.infer<typeof ConsoleStatus>>('/console/status')).last_backup).toEqual(item);
    const answer = await gateway.request('GET', `/console/backups/${item.name}/file`);
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.equals(await readFile(join(folder(), item.name)))).toBe(true);
    expect(bytes.subarray(0, 21).toString()).toBe('age-encryption.org/v1');
    const archive = await openArchive(join(folder(), item.name), {
      release: RELEASE,
      migrations: migrations.map(({ name }) => name),
      identities: [identity],
    });
    expect(archive.has('keys/data.key')).toBe(true);
    await archive.close();
  });

  test('removing a backup removes what lies beside it', async () => {
    const { name } = await make();
    expect((await gateway.request('DELETE', `/console/backups/${name}`)).status).toBe(200);
    expect(await readdir(folder())).toEqual([]);
  });

  test('a plain backup of before stays listed, and without recipients the next is plain again', async () => {
    const encrypted = await make();
    await gateway.set({ BACKUP_RECIPIENTS: [] });
    const plain = await make();
    expect(plain.encrypted).toBe(false);
    expect((await list()).items.map(({ name }) => name)).toEqual([plain.name, encrypted.name]);
  });

  test('a setting that is no public key is refused', async () => {
    const json = { changes: { BACKUP_RECIPIENTS: ['age1nothing'] } };
    const answer = await gateway.request('PUT', '/admin/settings', { json });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(await answer.json())).toContain('BACKUP_RECIPIENTS');
  });
});

describe('a restore of an encrypted backup', () => {
  test('needs its identity before the gateway stops, and passes it on without storing it', async () => {
    const { name } = await make();
    expect(await restore(name)).toEqual([
      422,
      'This backup is encrypted and opens only with its identity; nothing was changed.',
    ]);
    expect(await restore(name, { identity: 'quiet harbour lantern' })).toEqual([
      422,
      'This is not an identity. Give the whole text of the identity file, with the line that begins with AGE-SECRET-KEY-1.',
    ]);
    const other = identityFileText(makeIdentity(), '2026-11-21T09:00:00.000Z');
    expect(await restore(name, { identity: other })).toEqual([
      422,
      'This identity does not open the backup, which was encrypted for another recipient; nothing was changed.',
    ]);
    expect(restored).toEqual([]);
    expect(await restore(name, { identity: identityText })).toEqual([202, '']);
    expect(restored).toEqual([{ file: join(folder(), name), count: 1 }]);
    const secret = /AGE-SECRET-KEY-1[A-Z0-9]+/u.exec(identityText)?.[0] ?? 'none';
    expect(gateway.logLines.join('\n')).not.toContain(secret);
    for (const part of ['faxdesk.sqlite', 'faxdesk.sqlite-wal'])
      expect((await readFile(join(gateway.dataFolder, part))).includes(secret)).toBe(false);
  });

  test('is refused at once when the file was cut off', async () => {
    const { name, size_bytes } = await make();
    await truncate(join(folder(), name), (size_bytes ?? 0) - 1);
    const [status, sentence] = await restore(name, { identity: identityText });
    expect(status).toBe(422);
    expect(sentence).toMatch(/^This file is not a backup, or it is damaged \(.+\); nothing was changed\.$/u);
    expect(restored).toEqual([]);
  });
});

describe('encrypted daily backups', () => {
  const names = async () => (await list()).items.map(({ name }) => name);
  async function nextDay(): Promise<void> {
    gateway.clock.advance(DAY);
    await gateway.processAll();
  }

  beforeEach(async () => {
    await gateway.set({ BACKUP_DAILY_AT: '02:00', BACKUP_KEEP: 1 });
    await gateway.processAll();
  });

  test('are kept as many as the settings say', async () => {
    const [first] = await names();
    expect(first).toMatch(/-daily\.zip\.age$/u);
    await nextDay();
    expect(await names()).toHaveLength(1);
    expect(await names()).not.toContain(first);
    expect(await readdir(folder())).toHaveLength(3);
  });

  test('rule (installation): an encrypted daily backup stays while it alone holds a lost document', async () => {
    const fax = await gateway.send();
    await nextDay();
    const [first] = await names();
    await rm(join(gateway.dataFolder, 'files', 'fax', `${fax.id}.pdf`));
    await nextDay();
    expect(await names()).toContain(first);
    await nextDay();
    expect(await names()).toContain(first);
    expect((await list()).problem).toContain('are kept');
  });

  test('rule (installation): an encrypted daily backup stays while its contents are unknown', async () => {
    const [first = ''] = await names();
    await rm(join(folder(), `${first}.contents`));
    await nextDay();
    expect(await names()).toHaveLength(2);
    await writeFile(join(folder(), `${first}.contents`), 'nonsense');
    await nextDay();
    expect(await names()).toContain(first);
  });
});
