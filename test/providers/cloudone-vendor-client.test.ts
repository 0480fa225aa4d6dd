import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type CloudoneEmulator,
  startCloudoneEmulator,
  VendorClient,
} from '../setup/emulators/cloudone/index.ts';
import { testKeys, testPdf, testTime } from './cloudone-setup.ts';

let emulator: CloudoneEmulator;
let folder: string;
let file: string;

beforeEach(async () => {
  emulator = await startCloudoneEmulator({ ...testKeys, clock: { now: () => testTime } });
  folder = await mkdtemp(join(tmpdir(), 'cloudone-client-'));
  file = join(folder, 'fax.pdf');
  await writeFile(file, testPdf);
});

afterEach(async () => {
  await emulator.close();
  await rm(folder, { recursive: true, force: true });
});

/** The vendor's client has no setting for the address: each resource holds it. */
function clientOf(key = testKeys.apiKey, secret = testKeys.apiSecret, base = emulator.url): VendorClient {
  const client = new VendorClient(key, secret);
  for (const resource of [client.faxes, client.account, client.phoneNumber, client.public])
    resource.url = base;
  return client;
}

test.each(['/v2.1', '/v2'])("the vendor's own client sends, reads and downloads below %s", async (prefix) => {
  const client = clientOf(undefined, undefined, emulator.url.replace('/v2.1', prefix));
  const fax = await client.faxes.create({
    to: '+12025550123',
    file,
    tags: { job: 'j1' },
    header_text: 'Office',
  });
  expect(await fax.getInfo()).toEqual({
    success: true,
    message: 'Metadata for fax',
    data: {
      id: fax.id,
      direction: 'sent',
      num_pages: 0,
      status: 'queued',
      is_test: false,
      created_at: '2026-01-01T22:04:05.000-05:00',
      caller_id: null,
      from_number: null,
      completed_at: null,
      caller_name: null,
      cost: 0,
      tags: { job: 'j1' },
      recipients: [
        {
          phone_number: '+12025550123',
          status: null,
          retry_count: 0,
          completed_at: null,
          bitrate: null,
          resolution: null,
          error_type: null,
          error_id: null,
          error_message: null,
        },
      ],
      to_number: null,
      error_id: null,
      error_type: null,
      error_message: null,
      barcodes: [],
    },
  });
  expect(await fax.getFile()).toEqual(testPdf);
  expect((await fax.getFile('s')).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
  expect((await fax.deleteFile()).message).toBe('Deleted files successfully!');
  await expect(fax.getFile()).rejects.toThrow('404');
});

test('it cancels and sends again under a new id', async () => {
  const fax = await clientOf().faxes.create({ to: ['+12025550123', '+12025550124'], file: [file] });
  expect(await fax.cancel()).toEqual({
    success: true,
    message: 'Fax cancellation scheduled successfully.',
    data: { id: fax.id },
  });
  expect((await fax.getInfo()).data).toMatchObject({ status: 'failure', error_id: 75 });
  await expect(fax.cancel()).rejects.toThrow('422');
  const again = await fax.resend();
  expect(again.message).toBe('Fax queued for resending');
  expect(again.data.id).not.toBe(fax.id);
  expect(emulator.faxes.get(String(again.data.id))).toMatchObject({ status: 'queued', resendOf: fax.id });
  await expect(fax.testDelete()).rejects.toThrow('403');
});

test('it lists newest first, by pages and filters', async () => {
  const client = clientOf();
  const ids: number[] = [];
  for (const to of ['+12025550121', '+12025550122', '+12025550123']) {
    ids.unshift((await client.faxes.create({ to, file, tags: { to } })).id);
  }
  emulator.complete(String(ids[0]));
  const listed = async (options: object) =>
    (await client.faxes.listFaxes({ ...options })).data.map(({ id }) => id);
  expect(await listed({})).toEqual(ids);
  const second = await client.faxes.listFaxes({ per_page: 2, page: 2 });
  expect(second).toMatchObject({ data: [{ id: ids[2] }], paging: { total: 3, per_page: 2, page: 2 } });
  expect(await listed({ status: 'success' })).toEqual([ids[0]]);
  expect(await listed({ phone_number: '+12025550122' })).toEqual([ids[1]]);
  expect(await listed({ direction: 'received' })).toEqual([]);
  expect(await listed({ tags: { to: '+12025550121' } })).toEqual([ids[2]]);
  expect(await listed({ created_before: '2026-01-01T00:00:00' })).toEqual([]);
  expect(await listed({ created_after: '2026-01-02T03:04:05Z' })).toEqual(ids);
});

test('test credentials simulate failures, receive and delete', async () => {
  const client = clientOf(`test-${testKeys.apiKey}`, `test-${testKeys.apiSecret}`);
  const fax = await client.faxes.create({ to: '+12025550123', file, test_fail: 'lineError' });
  emulator.complete(String(fax.id));
  expect((await fax.getInfo()).data).toMatchObject({ is_test: true, status: 'failure', error_id: 121 });
  expect((await fax.testDelete()).message).toBe('Deleted fax successfully!');
  await expect(fax.getInfo()).rejects.toThrow('404');
  const received = await client.faxes.testReceive({
    file,
    from_number: '+12025550199',
    to_number: '+12025550100',
  });
  expect(received).toEqual({
    success: true,
    message: 'Test fax received from +12025550199 to +12025550100.  Calling back now...',
  });
  expect([...emulator.faxes.values()].at(-1)).toMatchObject({ direction: 'received', isTest: true });
});

test('it reads the account, the numbers and the public lists', async () => {
  const client = clientOf();
  expect(await client.account.status()).toMatchObject({
    message: 'Account status retrieved successfully',
    data: { balance: 5000, faxes_today: { sent: 0, received: 0 } },
  });
  expect((await client.phoneNumber.listNumbers()).data).toHaveLength(2);
  const number = (await client.phoneNumber.provisionNumber({ country_code: 1, area_code: 312 })).data
    .phone_number;
  expect((await client.phoneNumber.getNumberInfo(number)).data.phone_number).toBe(number);
  expect((await client.phoneNumber.releaseNumber(number)).message).toBe('Number released successfully!');
  expect((await client.public.getCountries()).data.map(({ alpha2 }) => alpha2)).toEqual(['US', 'CA', 'GB']);
  expect((await client.public.getAreaCodes({ country_code: 1 })).data.length).toBeGreaterThan(0);
});

test('wrong credentials are refused', async () => {
  await expect(clientOf('wrong').account.status()).rejects.toThrow('401');
  await expect(clientOf('wrong').faxes.create({ to: '+12025550123', file })).rejects.toThrow('401');
  expect(emulator.counts.accepted).toBe(0);
});
