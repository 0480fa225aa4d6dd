import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rename, truncate } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { engineImage } from '../fixtures/engine-image.ts';
import { DAY, HOUR, MINUTE } from '../setup/manual-clock.ts';
import { CALL, EngineGateway, orderOf } from './telephony-setup.ts';

let inbound: EngineGateway;
beforeEach(async () => {
  inbound = await EngineGateway.start();
});
afterEach(() => inbound.close());

describe('an image of the telephone engine', () => {
  test('is one fax, whatever call its image is handed over with', async () => {
    const path = await inbound.dropImage('a.tif');
    const first = await inbound.handOver(orderOf(path, { uniqueid: 'call-1' }));
    const others = [
      orderOf(path, { uniqueid: 'call-2' }),
      orderOf(path, { uniqueid: '' }),
      orderOf('inbound/a.tif', { uniqueid: 'call-3' }),
    ];
    for (const order of others)
      expect((await inbound.handOver(order)).body).toEqual({ id: first.body.id, status: 'ok' });
    await inbound.work();
    expect(await inbound.only()).toMatchObject({
      status: 'received',
      provider_fax_id: 'call-1',
      conflicts: 0,
    });
    expect(await inbound.listImages()).toEqual([]);
  });

  test('is one fax when several calls come with its image at once', async () => {
    const path = await inbound.dropImage('a.tif');
    const calls = ['call-1', 'call-2', 'call-3', 'call-4'].map((uniqueid) => orderOf(path, { uniqueid }));
    const answers = await Promise.all(calls.map((order) => inbound.handOver(order)));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    await inbound.work();
    expect(await inbound.only()).toMatchObject({ status: 'received', conflicts: 0 });
  });

  test('is one fax when its image is moved before it was taken', async () => {
    const path = await inbound.dropImage('a.tif');
    await inbound.handOver(orderOf(path, { uniqueid: 'call-1' }));
    await rename(path, inbound.path('b.tif'));
    await inbound.after(11 * MINUTE);
    await inbound.work();
    expect(await inbound.only()).toMatchObject({ status: 'received', provider_fax_id: 'call-1' });
    expect(await inbound.listImages()).toEqual([]);
  });

  test('is another fax when the same pages come again in a file of its own', async () => {
    for (const [name, uniqueid] of [
      ['a.tif', 'call-1'],
      ['b.tif', 'call-2'],
      ['c.tif', 'call-3'],
    ] as const) {
      await inbound.handOver(orderOf(await inbound.dropImage(name), { uniqueid }));
      if (name !== 'a.tif') await inbound.work();
    }
    await inbound.work();
    expect((await inbound.list()).map(({ status, conflicts }) => [status, conflicts])).toEqual([
      ['received', 0],
      ['received', 0],
      ['received', 0],
    ]);
  });
});

test('the original in encoded pages that the engine received is recovered', async () => {
  const folder = new URL('../fixtures/encoded-pages/', import.meta.url);
  const { files } = JSON.parse(readFileSync(new URL('vectors.json', folder), 'utf8')) as {
    files: { name: string; pages: number; sha256: string }[];
  };
  const vector = files.find(({ name }) => name === 'stored.tif');
  const path = await inbound.dropImage('a.tif', readFileSync(new URL('stored.tif', folder)));
  const { body } = await inbound.handOver(orderOf(path, { faxpages: vector?.pages }));
  await inbound.work();
  expect(await inbound.only()).toMatchObject({ status: 'received', decode: { state: 'decoded' } });
  const original = await inbound.gateway.request('GET', `/inbound/${body.id}/original`);
  const bytes = Buffer.from(await original.arrayBuffer());
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(vector?.sha256);
});

describe('the account of a fax', () => {
  const office = { TRUNK_HOST: 'sip.example.com', TRUNK_USER: 'office1', TRUNK_PASSWORD: 'trunk-secret' };
  const calls = async () => {
    const answer = await inbound.gateway.request('GET', '/telephony/calls');
    return ((await answer.json()) as { items: { line: string }[] }).items.map(({ line }) => line);
  };

  test('is sip: and the user of the trunk, so that a call id under two trunks is two faxes', async () => {
    await inbound.gateway.set(office);
    await inbound.handOver(orderOf(await inbound.dropImage('a.tif')));
    await inbound.work();
    await inbound.gateway.set({ TRUNK_USER: 'branch2' });
    await inbound.handOver(orderOf(await inbound.dropImage('a.tif', engineImage(2, 9)), { faxpages: 2 }));
    await inbound.work();
    const faxes = await inbound.list();
    expect(
      faxes.map((fax) => [fax.provider_account, fax.provider_fax_id, fax.pages, fax.status, fax.conflicts]),
    ).toEqual([
      ['sip:branch2', CALL, 2, 'received', 0],
      ['sip:office1', CALL, 1, 'received', 0],
    ]);
    expect([await calls(), await inbound.listImages()]).toEqual([['sip:branch2', 'sip:office1'], []]);
  });

  test('stays that of the trunk it came over, while its image waits', async () => {
    await inbound.gateway.set(office);
    const path = await inbound.dropImage(`${CALL}.tiff`, engineImage().subarray(0, 900));
    await inbound.handOver(orderOf(path));
    await inbound.gateway.set({ TRUNK_USER: 'branch2' });
    await inbound.handOver(orderOf(path));
    await inbound.after(11 * MINUTE);
    await inbound.dropImage(`${CALL}.tiff`);
    await inbound.recover();
    await inbound.work();
    expect(await inbound.only()).toMatchObject({ provider_account: 'sip:office1', status: 'received' });
  });
});

describe('an image that cannot be converted', () => {
  test.each([
    [
      'is cut off',
      async (path: string) => truncate(path, 900),
      /cannot be converted\. The TIFF is damaged or incomplete\.$/u,
    ],
    [
      'is larger than 50 MB',
      async (path: string) => truncate(path, 51 * 1024 * 1024),
      /larger than 50 MB\.$/u,
    ],
    [
      'is taken away',
      async (path: string) => rename(path, `${path}.away`),
      /image of the fax is missing\.$/u,
    ],
  ])('because it %s leaves the fax waiting and the image in place', async (_name, spoil, sentence) => {
    const path = await inbound.dropImage('a.tif');
    await inbound.handOver(orderOf(path));
    await spoil(path);
    const files = await inbound.listImages();
    await inbound.work();
    const waiting = await inbound.only();
    expect(waiting).toMatchObject({ status: 'waiting', retry_at: '2026-11-21T09:01:00.000Z', sha256: null });
    expect(waiting.problem).toMatch(sentence);
    expect([await inbound.listImages(), await inbound.stored(), await inbound.inWork()]).toEqual([
      files,
      [],
      [],
    ]);
    expect((await inbound.gateway.request('GET', `/inbound/${waiting.id}/pdf`)).status).toBe(404);
    await inbound.dropImage('a.tif');
    await inbound.after(MINUTE);
    expect(await inbound.only()).toMatchObject({ id: waiting.id, status: 'received', problem: null });
    expect((await inbound.listImages()).filter((name) => name === 'a.tif')).toEqual([]);
  });

  test('for a day is not received, and is fetched again on request', async () => {
    const path = await inbound.dropImage('a.tif', engineImage().subarray(0, 900));
    await inbound.handOver(orderOf(path));
    for (let i = 0; i < 34; i += 1) await inbound.after(HOUR);
    const failed = await inbound.only();
    expect(failed).toMatchObject({ status: 'failed', can_fetch_again: true });
    await inbound.after(DAY);
    expect([await inbound.listImages(), (await inbound.only()).status]).toEqual([['a.tif'], 'failed']);
    await inbound.dropImage('a.tif');
    expect((await inbound.gateway.request('POST', `/inbound/${failed.id}/fetch`)).status).toBe(202);
    await inbound.work();
    expect(await inbound.only()).toMatchObject({ id: failed.id, status: 'received' });
    expect(await inbound.listImages()).toEqual([]);
  });
});
