import { mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { engineImage } from '../fixtures/engine-image.ts';
import { HOUR, MINUTE, SECOND } from '../setup/manual-clock.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { mountSmallDisk, type SmallDisk } from '../setup/small-disk.ts';
import { newPostgresDatabase, postgresUrl, withoutPostgres } from '../setup/stores.ts';
import { OWN_NUMBER, SENDER } from './inbound-setup.ts';
import { CALL, EngineGateway, orderOf } from './telephony-setup.ts';

describe('an image that was never handed over', () => {
  let inbound: EngineGateway;
  beforeEach(async () => {
    inbound = await EngineGateway.start();
  });
  afterEach(() => inbound.close());

  test('comes in once nobody has written to it for ten minutes, under the name of its call', async () => {
    await inbound.dropImage(`${CALL}.tif`, engineImage(2), 9 * MINUTE);
    await inbound.after(59 * SECOND);
    expect([await inbound.list(), await inbound.listImages()]).toEqual([[], [`${CALL}.tif`]]);
    await inbound.after(SECOND);
    const fax = await inbound.only();
    expect(fax).toMatchObject({
      status: 'received',
      backend: 'sip',
      provider_account: 'sip:telephony',
      provider_fax_id: CALL,
      fr: 'Unknown',
      to: OWN_NUMBER,
      to_inferred: true,
      recovered: true,
      source_received_at: '2026-11-21T08:51:00.000Z',
      received_at: '2026-11-21T09:01:00.000Z',
      pages: 2,
    });
    expect(await inbound.listImages()).toEqual([]);
    expect((await inbound.evidence(fax.id)).map(({ kind, checked_by }) => [kind, checked_by])).toEqual([
      ['listed', 'image'],
      ['document', 'none'],
    ]);
    await inbound.after(HOUR);
    expect(await inbound.only()).toEqual(fax);
  });

  test('comes in with 99 others that waited while nothing ran, each once', async () => {
    await inbound.gateway.stop();
    const ids = Array.from({ length: 100 }, (_, n) => `1763715600.${n}`);
    for (const [n, id] of ids.entries())
      await inbound.dropImage(`${id}.tiff`, engineImage(1, n, 16), 11 * MINUTE + n * SECOND);
    inbound = await inbound.again();
    await inbound.after(MINUTE);
    for (let i = 0; i < 3; i += 1) await inbound.after(MINUTE);
    const faxes = await inbound.list('?limit=200');
    expect(faxes.map((fax) => fax.provider_fax_id).sort()).toEqual(ids.sort());
    expect(faxes.filter(({ status, conflicts }) => status !== 'received' || conflicts > 0)).toEqual([]);
    expect(await inbound.listImages()).toEqual([]);
  });

  test('whose hand-over was refused comes in with its numbers as soon as faxes are received again', async () => {
    const path = await inbound.dropImage(`${CALL}.tiff`);
    await inbound.gateway.set({ INBOUND_ENABLED: false });
    expect((await inbound.handOver(orderOf(path, { to_number: '+12025550111' }))).status).toBe(404);
    await inbound.gateway.set({ INBOUND_ENABLED: true });
    await expect.poll(async () => (await inbound.after(MINUTE), (await inbound.list()).length)).toBe(1);
    expect(inbound.gateway.clock.now()).toBeLessThan(Date.parse('2026-11-21T09:05:00Z'));
    expect(await inbound.only()).toMatchObject({
      status: 'received',
      fr: SENDER,
      to: '+12025550111',
      to_inferred: false,
      recovered: true,
    });
    const answer = await inbound.gateway.request('GET', '/telephony/calls');
    expect(await answer.json()).toMatchObject({
      items: [
        {
          number: SENDER,
          outcome: 'received',
          sentence:
            'The fax was not accepted from the telephone engine. Receiving is off. Turn it on first. Faxdesk found the image and received the fax.',
        },
      ],
    });
  });

  test('that is still written to waits', async () => {
    await inbound.dropImage('a.tiff', engineImage(), 20 * MINUTE);
    await inbound.dropImage('a.tiff', engineImage(2));
    for (let i = 0; i < 9; i += 1) await inbound.after(MINUTE);
    expect(await inbound.list()).toEqual([]);
    await inbound.after(MINUTE);
    expect(await inbound.only()).toMatchObject({ pages: 2, provider_fax_id: 'a' });
  });

  test('is received at once on request, and only for those who may', async () => {
    await inbound.dropImage('a.tif');
    await inbound.dropImage('b.TIFF', engineImage(1, 2));
    expect(await inbound.recover()).toEqual({ found: 2, received: 0, waiting: 2 });
    await inbound.work();
    expect((await inbound.list()).map(({ status, recovered }) => [status, recovered])).toEqual([
      ['received', true],
      ['received', true],
    ]);
    expect(await inbound.recover()).toEqual({ found: 0, received: 0, waiting: 0 });
    const audit = await inbound.gateway.request('GET', '/access/audit?operation=inbound.recover');
    const { items } = (await audit.json()) as { items: { details: unknown }[] };
    expect(items.map(({ details }) => details)).toContainEqual({ found: 2, received: 0, waiting: 2 });
    const made = await inbound.gateway.request('POST', '/admin/api-keys', {
      json: { scopes: ['inbound:read'] },
    });
    const { token } = (await made.json()) as { token: string };
    expect((await inbound.gateway.request('POST', '/inbound/recover', { key: token })).status).toBe(403);
  });

  test('comes in neither by itself nor on request while receiving is off', async () => {
    await inbound.dropImage('a.tif', engineImage(), HOUR);
    await inbound.gateway.set({ INBOUND_ENABLED: false });
    for (let i = 0; i < 70; i += 1) await inbound.after(MINUTE);
    expect((await inbound.gateway.request('POST', '/inbound/recover')).status).toBe(404);
    expect(await inbound.listImages()).toEqual(['a.tif']);
    await inbound.gateway.set({ INBOUND_ENABLED: true });
    await expect.poll(async () => (await inbound.after(MINUTE), (await inbound.list()).length)).toBe(1);
    expect(await inbound.only()).toMatchObject({ status: 'received' });
  });

  test('came to Unknown when the installation has no number of its own', async () => {
    await inbound.close();
    inbound = await EngineGateway.start({ settings: { FAX_NUMBER: '' } });
    await inbound.dropImage('a.tif');
    await inbound.recover();
    expect(await inbound.only()).toMatchObject({ fr: 'Unknown', to: 'Unknown', to_inferred: false });
  });

  test('is passed over when it is a link, a folder, in a folder, hidden or no image by its name', async () => {
    await inbound.dropImage('inner/a.tif', engineImage(), HOUR);
    await mkdir(inbound.path('folder.tif'));
    const elsewhere = `${inbound.gateway.dataFolder}-elsewhere.tif`;
    await writeFile(elsewhere, engineImage());
    await symlink(elsewhere, inbound.path('link.tif'));
    for (const name of ['.tif', '.new-a.tif', 'a.pdf', 'tif', 'a.tif.part'])
      await inbound.dropImage(name, engineImage(), HOUR);
    const before = await inbound.listImages();
    expect(await inbound.recover()).toEqual({ found: 0, received: 0, waiting: 0 });
    await inbound.after(11 * MINUTE);
    expect([await inbound.list(), await inbound.listImages()]).toEqual([[], before]);
    await rm(elsewhere);
  });

  test('is not brought in from a folder behind a link', async () => {
    const elsewhere = `${inbound.gateway.dataFolder}-elsewhere`;
    await mkdir(elsewhere);
    await writeFile(`${elsewhere}/a.tif`, engineImage());
    await rm(inbound.path(''), { recursive: true });
    await symlink(elsewhere, inbound.path(''));
    expect(await inbound.recover()).toEqual({ found: 0, received: 0, waiting: 0 });
    await rm(elsewhere, { recursive: true });
  });

  test('that cannot be converted waits with a sentence beside those that can', async () => {
    await truncate(await inbound.dropImage('a.tif', engineImage(), HOUR), 700);
    await inbound.dropImage('b.tif', Buffer.from('Dear colleague'), HOUR);
    await inbound.dropImage('c.tif', engineImage(), HOUR);
    expect(await inbound.recover()).toEqual({ found: 3, received: 0, waiting: 3 });
    await inbound.work();
    const stands = (await inbound.list()).map((fax) => [
      fax.provider_fax_id,
      `${fax.status}: ${fax.problem}`,
    ]);
    expect(Object.fromEntries(stands)).toEqual({
      a: 'waiting: The image of the fax cannot be converted. The TIFF is damaged or incomplete.',
      b: 'waiting: The file is not a TIFF image.',
      c: 'received: null',
    });
    expect(await inbound.listImages()).toEqual(['a.tif', 'b.tif']);
    for (let i = 0; i < 30; i += 1) await inbound.after(MINUTE);
    expect((await inbound.list()).map(({ status }) => status).sort()).toEqual([
      'received',
      'waiting',
      'waiting',
    ]);
    // Somebody has mended it and asks, which counts as a beginning.
    await inbound.dropImage('a.tif');
    expect(await inbound.recover()).toEqual({ found: 2, received: 0, waiting: 2 });
    await inbound.work();
    expect(await inbound.listImages()).toEqual(['b.tif']);
  });
});

describe('a hand-over and the look at the folder', () => {
  let inbound: EngineGateway;
  beforeEach(async () => {
    inbound = await EngineGateway.start();
  });
  afterEach(() => inbound.close());

  const names: [string, string, Record<string, unknown>][] = [
    ['its call', `${CALL}.tif`, {}],
    ['another call than its name says', 'some-name.tif', {}],
    ['no call', 'some-name.tif', { uniqueid: undefined }],
  ];

  test.each(names)('make one fax of an image handed over for %s that waits', async (_what, name, given) => {
    const path = await inbound.dropImage(name, engineImage().subarray(0, 700), HOUR);
    const { body } = await inbound.handOver(orderOf(path, given));
    for (let i = 0; i < 12; i += 1) await inbound.after(MINUTE);
    expect(await inbound.only()).toMatchObject({ id: body.id, status: 'waiting', recovered: false });
    await inbound.dropImage(name, engineImage(), HOUR);
    await inbound.recover();
    await inbound.work();
    expect(await inbound.only()).toMatchObject({ id: body.id, status: 'received', conflicts: 0 });
    expect(await inbound.listImages()).toEqual([]);
  });

  test.each(names)('make one fax of an image handed over for %s that failed', async (_what, name, given) => {
    const path = await inbound.dropImage(name, engineImage().subarray(0, 700), HOUR);
    const { body } = await inbound.handOver(orderOf(path, given));
    for (let i = 0; i < 34; i += 1) await inbound.after(HOUR);
    expect(await inbound.only()).toMatchObject({ id: body.id, status: 'failed' });
    expect(await inbound.recover()).toEqual({ found: 1, received: 0, waiting: 1 });
    await inbound.dropImage(name);
    await inbound.work();
    expect(await inbound.only()).toMatchObject({ id: body.id, status: 'received' });
  });

  test('make one fax when the scan comes first, and the hand-over adds its facts', async () => {
    const path = await inbound.dropImage(`${CALL}.tif`);
    await inbound.recover();
    await inbound.handOver(orderOf(path, { to_number: '+12025550111' }));
    await inbound.work();
    const held = await inbound.only();
    expect(held).toMatchObject({ status: 'received', fr: SENDER, to: '+12025550111', to_inferred: false });
    expect(held).toMatchObject({ recovered: true, conflicts: 0 });
    // And once more, when the document is held and the image has gone.
    const { status, body } = await inbound.handOver(orderOf(path, { to_number: '+12025550112' }));
    expect([status, body.id]).toEqual([200, held.id]);
    expect(await inbound.only()).toMatchObject({ to: '+12025550111', conflicts: 1 });
  });

  test('make one fax at the same moment', async () => {
    const path = await inbound.dropImage(`${CALL}.tif`, engineImage(), HOUR);
    const order = orderOf(path);
    await Promise.all([
      inbound.handOver(order),
      inbound.recover(),
      inbound.after(MINUTE),
      inbound.handOver(order),
    ]);
    await inbound.work();
    expect(await inbound.only()).toMatchObject({ status: 'received', conflicts: 0 });
    expect([await inbound.listImages(), (await inbound.stored()).length]).toEqual([[], 1]);
  });

  test.skipIf(postgresUrl === null)(`make one fax in PostgreSQL${withoutPostgres}`, async () => {
    const databaseUrl = await newPostgresDatabase();
    const other = await EngineGateway.start({ databaseUrl });
    try {
      const order = orderOf(await other.dropImage('some-name.tif', engineImage(), HOUR));
      await Promise.all([other.handOver(order), other.handOver(order), other.handOver(order)]);
      await Promise.all([other.handOver(order), other.recover(), other.after(MINUTE)]);
      await other.work();
      expect(await other.only()).toMatchObject({ status: 'received', provider_fax_id: CALL, conflicts: 0 });
      expect(await other.listImages()).toEqual([]);
    } finally {
      await other.close();
      await dropPostgresDatabase(databaseUrl);
    }
  });

  test('remove the image of a held fax that came back, and set another one aside', async () => {
    await inbound.handOver(orderOf(await inbound.dropImage(`${CALL}.tif`)));
    await inbound.work();
    await inbound.dropImage(`${CALL}.tif`, engineImage(), HOUR);
    await inbound.after(MINUTE);
    expect([await inbound.listImages(), (await inbound.only()).conflicts]).toEqual([[], 0]);
    await inbound.dropImage(`${CALL}.tif`, engineImage(1, 9), HOUR);
    expect(await inbound.recover()).toEqual({ found: 1, received: 1, waiting: 0 });
    await inbound.work();
    expect(await inbound.listImages()).toEqual([expect.stringMatching(/\.conflict$/u)]);
    expect(await inbound.only()).toMatchObject({ status: 'received', conflicts: 1 });
  });
});

const disk = await mountSmallDisk(24);
const reason = 'unavailable' in disk ? ` (skipped: ${disk.unavailable})` : '';

describe.skipIf('unavailable' in disk)(`a full disk${reason}`, () => {
  const small = disk as SmallDisk;
  let inbound: EngineGateway;
  beforeAll(async () => {
    inbound = await EngineGateway.start({ dataFolder: `${small.folder}/data` });
  });
  afterAll(async () => {
    await inbound.close();
    await small.remove();
  });

  const waitingOnes = async () => (await inbound.list()).filter(({ status }) => status === 'waiting');
  /** Larger than what is left, while the store still finds room. */
  const large = (seed: number) => Buffer.concat([engineImage(1, seed), Buffer.alloc(3_000_000)]);

  test('while an image is converted leaves the fax waiting and the image in place, and costs no attempt', async () => {
    const path = await inbound.dropImage('large.tif', large(1));
    await small.fill(1_000_000);
    await inbound.handOver(orderOf(path, { uniqueid: 'large' }));
    await inbound.work();
    const [waiting] = await waitingOnes();
    expect(waiting?.problem).toMatch(/^The disk is full/u);
    expect(waiting?.retry_at).toBe('2026-11-21T09:05:00.000Z');
    expect([await inbound.listImages(), await inbound.inWork()]).toEqual([['large.tif'], []]);
    await small.makeRoom();
    await inbound.after(5 * MINUTE);
    expect([await waitingOnes(), await inbound.listImages()]).toEqual([[], []]);
  });

  test('to the last byte loses neither image nor fax', async () => {
    await inbound.dropImage('one.tif', engineImage(1, 2), HOUR);
    const path = await inbound.dropImage('two.tif', engineImage(1, 3), HOUR);
    await small.fill();
    const { status } = await inbound.handOver(orderOf(path, { uniqueid: 'two' }));
    expect([200, 507]).toContain(status);
    await inbound.after(MINUTE).catch(() => undefined);
    expect(await inbound.listImages()).toEqual(['one.tif', 'two.tif']);
    await small.makeRoom();
    for (let i = 0; i < 4; i += 1) await inbound.after(5 * MINUTE);
    const faxes = await inbound.list();
    expect(faxes).toHaveLength(3);
    expect(Object.fromEntries(faxes.map((fax) => [fax.provider_fax_id, fax.status]))).toEqual({
      large: 'received',
      one: 'received',
      two: 'received',
    });
    expect(await inbound.listImages()).toEqual([]);
  });
});
