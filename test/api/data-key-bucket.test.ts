import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isSealed } from '../../server/platform/file-cipher.ts';
import { createFileSealer } from '../../server/platform/sealed-file.ts';
import { documentOf, finishReplacement, keyState, keysIn, replaceKey } from '../setup/data-keys.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { type S3Server, startS3Server } from '../setup/s3-server.ts';

let s3: S3Server;
let gateway: TestGateway;
beforeEach(async () => {
  s3 = await startS3Server();
  const settings = { ...s3.settings(), ENCRYPT_DOCUMENTS: 'true' };
  gateway = await startTestGateway({ settings });
});
afterEach(async () => {
  await gateway.close();
  await s3.close();
});

const documents = () => s3.keys().filter((key) => key !== 'office/installation.json');

async function send(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1)
    ids.push((await gateway.send({ to: `+120255501${String(number).padStart(2, '0')}` })).id);
  return ids;
}

/** Objects whose key the data key alone does not open. */
const left = (key: Uint8Array) =>
  documents().filter((name) => {
    try {
      return createFileSealer(key).renewed(s3.object(name)) !== null;
    } catch {
      return true;
    }
  });

const statuses = async (ids: readonly string[]) => {
  const found: number[] = [];
  for (const id of ids) found.push((await documentOf(gateway, id)).status);
  return [...new Set(found)];
};

test('rule (data-key): documents in a bucket get their keys sealed anew, and their content stays as it is', async () => {
  const ids = await send(23);
  expect(documents()).toHaveLength(23);
  const bodies = new Map(documents().map((name) => [name, s3.object(name)]));
  expect([...bodies.values()].every(isSealed)).toBe(true);
  expect((await replaceKey(gateway)).status).toBe(202);
  await gateway.processAll();
  expect(await statuses(ids)).toEqual([200]);
  s3.requests.length = 0;
  await finishReplacement(gateway);
  expect((await keyState(gateway)).replacement).toBeNull();
  const next = await keysIn(gateway.dataFolder);
  expect([next.length, left(next)]).toEqual([32, []]);
  for (const [name, body] of bodies) expect(s3.object(name).subarray(76)).toEqual(body.subarray(76));
  // The last pass reads the beginnings and stores nothing.
  expect(s3.requests.filter((request) => request.startsWith('PUT '))).toEqual([]);
  gateway = await gateway.restart();
  expect(await statuses(ids)).toEqual([200]);
});

test('a service that knows no ranges and no checksums will do', async () => {
  s3.knowsRanges = false;
  s3.knowsChecksums = false;
  const ids = await send(2);
  await replaceKey(gateway);
  await finishReplacement(gateway);
  expect((await keyState(gateway)).replacement).toBeNull();
  expect(left(await keysIn(gateway.dataFolder))).toEqual([]);
  expect(await statuses(ids)).toEqual([200]);
});

test('rule (data-key): a replacement waits for a bucket that is away, and goes on where it was', async () => {
  const ids = await send(3);
  await replaceKey(gateway);
  s3.fail('forbidden');
  await gateway.processAll();
  expect((await keyState(gateway)).replacement?.problem).toBe(
    'The replacement of the data key waits for the bucket with documents. Faxdesk is not allowed to use the bucket faxes. Allow it to list, read, write and delete there.',
  );
  gateway = await gateway.restart();
  s3.fail('loses');
  gateway.clock.advance(MINUTE);
  await gateway.processAll();
  expect((await keyState(gateway)).replacement?.problem).toContain('waits for the bucket with documents');
  s3.clear();
  gateway.clock.advance(MINUTE);
  await finishReplacement(gateway);
  expect((await keyState(gateway)).replacement).toBeNull();
  expect(left(await keysIn(gateway.dataFolder))).toEqual([]);
  expect(await statuses(ids)).toEqual([200]);
});

test('rule (data-key): documents are moved out of a bucket and into it while the data key is replaced', async () => {
  const ids = await send(3);
  const move = async () => {
    const answer = await gateway.request('POST', '/console/storage/move', { json: {} });
    expect([answer.status, await answer.json()]).toMatchObject([200, { done: 3, failed: [] }]);
  };
  await replaceKey(gateway);
  await gateway.set({ STORAGE_BACKEND: 'local' });
  await move();
  // Before the first pass the former key is the first one in the file.
  const next = (await keysIn(gateway.dataFolder)).subarray(32);
  const [first = ''] = ids;
  const file = await readFile(join(gateway.dataFolder, 'files', 'fax', `${first}.pdf`));
  expect(createFileSealer(next).renewed(file)).toBeNull();
  await gateway.set({ STORAGE_BACKEND: 's3' });
  await move();
  expect(left(next)).toEqual([]);
  await finishReplacement(gateway);
  expect((await keyState(gateway)).replacement).toBeNull();
  expect(await statuses(ids)).toEqual([200]);
});

test('rule (data-key): a document in the bucket that opens with neither key keeps the former one', async () => {
  await send(2);
  const [name = ''] = documents();
  s3.replaceStart(name, Buffer.concat([s3.object(name).subarray(0, 8), Buffer.alloc(20, 7)]));
  await replaceKey(gateway);
  await finishReplacement(gateway);
  expect((await keyState(gateway)).replacement).toMatchObject({ unreadable: 1 });
  expect((await keysIn(gateway.dataFolder)).length).toBe(64);
  await replaceKey(gateway, { leave_unreadable: true });
  await gateway.processAll();
  expect((await keyState(gateway)).replacement).toBeNull();
});

test('rule (data-key): a document whose content was altered in the bucket is counted and not stored anew', async () => {
  const ids = await send(2);
  const [name = ''] = documents();
  const whole = s3.object(name);
  s3.replaceStart(name, Buffer.concat([whole.subarray(0, 200), Buffer.from('altered')]));
  const altered = s3.object(name);
  await replaceKey(gateway);
  await finishReplacement(gateway);
  expect((await keyState(gateway)).replacement).toMatchObject({ unreadable: 1 });
  expect(s3.object(name)).toEqual(altered);
  expect(ids).toHaveLength(2);
});

test('rule (data-key): documents in a bucket that no setting names keep the former key', async () => {
  const ids = await send(2);
  await gateway.set({ STORAGE_BACKEND: 'local', S3_BUCKET: null });
  await replaceKey(gateway);
  await finishReplacement(gateway);
  expect((await keyState(gateway)).replacement?.problem).toBe(
    `The replacement of the data key waits for the bucket with documents. Documents are in ${s3.url}/faxes/office/, and the settings name no bucket.`,
  );
  await gateway.set({ S3_BUCKET: 'faxes' });
  await finishReplacement(gateway);
  expect((await keyState(gateway)).replacement).toBeNull();
  expect(await statuses(ids)).toEqual([200]);
});
