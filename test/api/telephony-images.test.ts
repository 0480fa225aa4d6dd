import { rename } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MINUTE } from '../setup/manual-clock.ts';
import { EngineGateway, orderOf } from './telephony-setup.ts';

let inbound: EngineGateway;
beforeEach(async () => {
  inbound = await EngineGateway.start();
});
afterEach(() => inbound.close());

describe('an image of the telephone engine', () => {
  test('is one fax, whatever call its image is handed over with', async () => {
    const path = await inbound.leave('a.tif');
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
    expect(await inbound.left()).toEqual([]);
  });

  test('is one fax when several calls come with its image at once', async () => {
    const path = await inbound.leave('a.tif');
    const calls = ['call-1', 'call-2', 'call-3', 'call-4'].map((uniqueid) => orderOf(path, { uniqueid }));
    const answers = await Promise.all(calls.map((order) => inbound.handOver(order)));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    await inbound.work();
    expect(await inbound.only()).toMatchObject({ status: 'received', conflicts: 0 });
  });

  test('is one fax when its image is moved before it was taken', async () => {
    const path = await inbound.leave('a.tif');
    await inbound.handOver(orderOf(path, { uniqueid: 'call-1' }));
    await rename(path, inbound.path('b.tif'));
    await inbound.after(11 * MINUTE);
    await inbound.work();
    expect(await inbound.only()).toMatchObject({ status: 'received', provider_fax_id: 'call-1' });
    expect(await inbound.left()).toEqual([]);
  });

  test('is another fax when the same pages come again in a file of its own', async () => {
    for (const [name, uniqueid] of [
      ['a.tif', 'call-1'],
      ['b.tif', 'call-2'],
      ['c.tif', 'call-3'],
    ] as const) {
      await inbound.handOver(orderOf(await inbound.leave(name), { uniqueid }));
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
