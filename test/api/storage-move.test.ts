import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { z } from 'zod';
import type { StorageStep } from '../../shared/api/storage.ts';
import { startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';
import { type S3Server, startS3Server } from '../setup/s3-server.ts';

type Step = z.infer<typeof StorageStep>;

let s3: S3Server;
let gateway: TestGateway;
beforeEach(async () => {
  s3 = await startS3Server();
  const settings = { ...s3.settings(), STORAGE_BACKEND: 'local' };
  gateway = await startTestGateway({ settings });
});
afterEach(async () => {
  await gateway.close();
  await s3.close();
});

async function localDocuments(): Promise<string[]> {
  const files = join(gateway.dataFolder, 'files');
  const entries = await readdir(files, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name !== 'installation.json')
    .map((entry) => join(entry.parentPath, entry.name).slice(files.length + 1))
    .sort();
}

const documents = () =>
  s3
    .keys()
    .filter((key) => key !== 'office/installation.json')
    .map((key) => key.slice('office/'.length));

async function step(kind: 'move' | 'check', after?: string): Promise<Step> {
  const answer = await gateway.request('POST', `/console/storage/${kind}`, { json: { after } });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Step;
}

async function all(kind: 'move' | 'check'): Promise<Omit<Step, 'next' | 'to'>> {
  const failed: Step['failed'] = [];
  let done = 0;
  for (let after: string | undefined; ; ) {
    const found = await step(kind, after);
    done += found.done;
    failed.push(...found.failed);
    if (found.next === null) return { done, failed };
    after = found.next;
  }
}

/** Ids of faxes with a document each. */
async function send(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1)
    ids.push((await gateway.send({ to: `+120255501${String(number).padStart(2, '0')}` })).id);
  return ids;
}

async function pdfOf(id: string): Promise<Buffer> {
  const answer = await gateway.request('GET', `/fax/${id}/document`);
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

test('rule (storage): a move brings every document to the bucket and back, in steps, and each is readable throughout', async () => {
  const ids = await send(23);
  const before = await Promise.all(ids.map(pdfOf));
  await gateway.set({ STORAGE_BACKEND: 's3' });
  const first = await step('move');
  expect(first).toMatchObject({ to: 's3', done: 20, failed: [] });
  expect([documents().length, (await localDocuments()).length]).toEqual([20, 3]);
  expect(await Promise.all(ids.map(pdfOf))).toEqual(before);
  expect(await step('move', first.next ?? '')).toEqual({ to: 's3', done: 3, failed: [], next: null });
  expect(await localDocuments()).toEqual([]);
  expect(await all('check')).toEqual({ done: 23, failed: [] });
  await gateway.set({ STORAGE_BACKEND: 'local' });
  expect(await all('move')).toEqual({ done: 23, failed: [] });
  // Nothing of this installation is left, so another bucket may be named.
  expect(s3.keys()).toEqual([]);
  expect((await localDocuments()).length).toBe(23);
  expect(await Promise.all(ids.map(pdfOf))).toEqual(before);
});

test('rule (storage): a move that was killed goes on, and what is in both places is the local one', async () => {
  const [id = ''] = await send(1);
  const before = await pdfOf(id);
  const path = join(gateway.dataFolder, 'files', 'fax', `${id}.pdf`);
  const saved = join(gateway.dataFolder, 'saved.pdf');
  await copyFile(path, saved);
  await gateway.set({ STORAGE_BACKEND: 's3' });
  await all('move');
  expect(documents()).toEqual([`fax/${id}.pdf`]);
  // Killed between the upload and the removal.
  await mkdir(dirname(path), { recursive: true });
  await copyFile(saved, path);
  gateway = await gateway.restart();
  expect(await pdfOf(id)).toEqual(before);
  expect(await all('move')).toEqual({ done: 1, failed: [] });
  expect([await localDocuments(), documents()]).toEqual([[], [`fax/${id}.pdf`]]);
  // Killed on the way back between the download and the removal.
  await gateway.set({ STORAGE_BACKEND: 'local' });
  await copyFile(saved, path);
  gateway = await gateway.restart();
  expect(await all('move')).toEqual({ done: 1, failed: [] });
  expect([await localDocuments(), s3.keys()]).toEqual([[`fax/${id}.pdf`], []]);
  expect(await pdfOf(id)).toEqual(before);
});

test('rule (storage): a move removes no document that the bucket lost, and names those that it altered', async () => {
  const ids = await send(2);
  await gateway.set({ STORAGE_BACKEND: 's3' });
  s3.fail('loses');
  expect((await step('move')).failed.map(({ reason }) => reason)).toEqual([
    'The bucket faxes confirmed a document and does not have it.',
    'The bucket faxes confirmed a document and does not have it.',
  ]);
  expect((await localDocuments()).length).toBe(2);
  s3.clear();
  await all('move');
  s3.damage(`office/fax/${ids[0]}.pdf`);
  expect(await all('check')).toEqual({
    done: 1,
    failed: [
      { name: `fax/${ids[0]}.pdf`, reason: 'The bucket faxes returns another content than was stored.' },
    ],
  });
  await gateway.set({ STORAGE_BACKEND: 'local' });
  expect(await step('move')).toMatchObject({ done: 1, failed: [{ name: `fax/${ids[0]}.pdf` }] });
  expect(documents()).toEqual([`fax/${ids[0]}.pdf`]);
});

test('a move and a check without a usable bucket say why', async () => {
  await send(3);
  await gateway.set({ STORAGE_BACKEND: 's3' });
  await step('check');
  s3.fail('forbidden');
  for (const kind of ['move', 'check']) {
    const answer = await gateway.request('POST', `/console/storage/${kind}`, { json: {} });
    expect([answer.status, await answer.json()]).toEqual([
      503,
      {
        detail:
          'Faxdesk is not allowed to use the bucket faxes. Allow it to list, read, write and delete there.',
      },
    ]);
  }
  const state = await gateway.request('GET', '/console/storage');
  expect(await state.json()).toEqual({
    backend: 's3',
    bucket: `${s3.url}/faxes/office/`,
    problem:
      'Faxdesk is not allowed to use the bucket faxes. Allow it to list, read, write and delete there.',
    waiting_removals: 0,
  });
});

test('rule (storage): documents of the installation that this one replaces are stored and removed only once they are taken over', async () => {
  const [id = ''] = await send(1);
  await gateway.set({ STORAGE_BACKEND: 's3' });
  await all('move');
  s3.put('office/installation.json', Buffer.from('{"product":"faxdesk","installation":"the former"}'));
  gateway = await gateway.restart();
  // They can be read.
  expect((await pdfOf(id)).length).toBeGreaterThan(100);
  const refused = await gateway.sendForm({ to: '+12025550123' }, [textFile()]);
  expect(refused.status).toBe(503);
  await refused.text();
  const answer = await gateway.request('POST', '/console/storage/adopt');
  expect(answer.status).toBe(200);
  await answer.text();
  await gateway.send({ to: '+12025550124' });
  expect(documents()).toHaveLength(2);
  const audit = (await (await gateway.request('GET', '/access/audit?operation=storage.adopt')).json()) as {
    items: unknown[];
  };
  expect(audit.items).toHaveLength(1);
});

test('no document is checked, moved or taken over while no bucket is named', async () => {
  await gateway.set({ S3_BUCKET: null });
  for (const kind of ['check', 'move', 'adopt']) {
    const answer = await gateway.request('POST', `/console/storage/${kind}`, { json: {} });
    expect([answer.status, await answer.json()]).toEqual([
      409,
      { detail: 'No bucket is named in the settings, so there is nothing to check, move or take over.' },
    ]);
  }
});
