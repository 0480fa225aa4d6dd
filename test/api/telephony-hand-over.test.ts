import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { firstDifference, fromNetpbm } from '../fixtures/bitmaps.ts';
import { engineImage, enginePages } from '../fixtures/engine-image.ts';
import { referee, unlessMissing } from '../fixtures/referees.ts';
import { textFile } from '../setup/gateway.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { OWN_NUMBER, SENDER } from './inbound-setup.ts';
import { CALL, EngineGateway, orderOf } from './telephony-setup.ts';

let inbound: EngineGateway;
beforeEach(async () => {
  inbound = await EngineGateway.start();
});
afterEach(() => inbound.close());

const pdfOf = async (id: string) =>
  Buffer.from(await (await inbound.gateway.request('GET', `/inbound/${id}/pdf`)).arrayBuffer());

describe('a fax that the telephone engine hands over', () => {
  test('waits, is received as a PDF, and its image goes', async () => {
    const path = await inbound.dropImage(`${CALL}.tiff`, engineImage(2));
    const { status, body } = await inbound.handOver(orderOf(path, { faxpages: 2 }));
    const waiting = await inbound.only();
    expect([status, body]).toEqual([200, { id: waiting.id, status: 'ok' }]);
    expect(waiting).toMatchObject({
      status: 'waiting',
      backend: 'sip',
      provider_account: 'sip:telephony',
      provider_fax_id: CALL,
      fr: SENDER,
      to: OWN_NUMBER,
      pages: 2,
      source_received_at: null,
      recovered: false,
      to_inferred: false,
    });
    expect(await inbound.listImages()).toEqual([`${CALL}.tiff`]);
    await inbound.work();
    const held = await inbound.only();
    expect(held).toMatchObject({ id: waiting.id, status: 'received', pages: 2, problem: null, conflicts: 0 });
    expect(await inbound.listImages()).toEqual([]);
    expect(await inbound.inWork()).toEqual([]);
    const pdf = await pdfOf(held.id);
    expect(createHash('sha256').update(pdf).digest('hex')).toBe(held.sha256);
    expect(await inbound.stored()).toEqual([`${held.id}-${held.sha256?.slice(0, 12)}.pdf`]);
    const evidence = await inbound.evidence(held.id);
    expect(evidence.map(({ kind, checked_by, actor }) => [kind, checked_by, actor])).toEqual([
      ['notification', 'secret', 'Telephone engine'],
      ['document', 'none', 'Faxdesk'],
    ]);
    expect(evidence[0]?.notification).toMatchObject({ body: { uniqueid: CALL, faxstatus: 'SUCCESS' } });
    expect(JSON.stringify(evidence)).not.toContain(await inbound.secret());
  });

  const tools = unlessMissing('pdfimages');
  for (const [pages, height] of [
    [2, 240],
    [200, 24],
  ] as const)
    test.skipIf(tools.skip)(`keeps every pixel of ${pages} pages${tools.reason}`, async () => {
      await inbound.handOver(orderOf(await inbound.dropImage('a.tif', engineImage(pages, 7, height))));
      await inbound.work();
      const fax = await inbound.only();
      expect(fax.pages).toBe(pages);
      const file = join(inbound.gateway.dataFolder, 'got.pdf');
      await writeFile(file, await pdfOf(fax.id));
      referee('pdfimages', [file, join(inbound.gateway.dataFolder, 'page')]);
      for (const [n, page] of enginePages(pages, 7, height).entries()) {
        const name = `page-${String(n).padStart(3, '0')}.pbm`;
        const picture = fromNetpbm(await readFile(join(inbound.gateway.dataFolder, name)));
        expect(firstDifference(picture, page)).toBeNull();
      }
    });

  test('includes the engine’s facts about the call', async () => {
    const call = {
      did: '2025550100',
      caller: '(202) 555-0199',
      started_at: '2026-11-21T09:57:00+01:00',
      answered_at: null,
      ended_at: '2026-11-21T09:58:30+01:00',
      t38: true,
      remote_station_id: 'EXAMPLE CLINIC',
    };
    const path = await inbound.dropImage('a.tif');
    await inbound.handOver({ tiff_path: path, uniqueid: CALL, to_number: '', from_number: null, call });
    const fax = await inbound.only();
    expect(fax).toMatchObject({
      fr: SENDER,
      to: OWN_NUMBER,
      to_inferred: false,
      source_received_at: '2026-11-21T08:58:30.000Z',
    });
    expect((await inbound.evidence(fax.id))[0]?.notification).toMatchObject({ body: { call } });
  });

  test('without numbers came to the own number, from Unknown', async () => {
    const path = await inbound.dropImage('a.tif');
    await inbound.handOver({ tiff_path: path, from_number: 'anonymous', to_number: 's', uniqueid: 'one' });
    expect(await inbound.only()).toMatchObject({ fr: 'Unknown', to: OWN_NUMBER, to_inferred: true });
    await inbound.handOver({
      tiff_path: path,
      from_number: SENDER,
      to_number: '+12025550111',
      uniqueid: 'one',
    });
    expect(await inbound.only()).toMatchObject({
      fr: SENDER,
      to: '+12025550111',
      to_inferred: false,
      conflicts: 0,
    });
  });

  test('without a call id is named by its path', async () => {
    const path = await inbound.dropImage('a.tif');
    const { body } = await inbound.handOver({ tiff_path: path });
    await inbound.handOver({ tiff_path: 'inbound/a.tif', uniqueid: '' });
    const hash = createHash('sha256').update(path).digest('hex');
    expect(await inbound.only()).toMatchObject({ id: body.id, provider_fax_id: `file:${hash.slice(0, 32)}` });
  });

  test('twice and at once is one fax', async () => {
    const order = orderOf(await inbound.dropImage('a.tif'));
    const answers = await Promise.all([
      inbound.handOver(order),
      inbound.handOver(order),
      inbound.handOver(order),
    ]);
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    await Promise.all([inbound.work(), inbound.handOver(order)]);
    await inbound.work();
    const held = await inbound.only();
    expect(held).toMatchObject({ status: 'received', conflicts: 0 });
    // The answer to the first was lost, and the image has gone.
    expect(await inbound.handOver(order)).toEqual({ status: 200, body: { id: held.id, status: 'ok' } });
    await inbound.work();
    expect(await inbound.only()).toMatchObject({ id: held.id, sha256: held.sha256, conflicts: 0 });
  });

  test('with another image keeps the first document and sets the image aside', async () => {
    await inbound.handOver(orderOf(await inbound.dropImage('a.tif')));
    await inbound.work();
    const { sha256 } = await inbound.only();
    const other = engineImage(1, 2);
    await inbound.handOver(orderOf(await inbound.dropImage('a.tif', other)));
    await inbound.work();
    const held = await inbound.only();
    expect(held).toMatchObject({ status: 'received', sha256, conflicts: 1 });
    expect((await inbound.evidence(held.id)).at(-1)?.text).toMatch(
      /^The telephone engine delivered another/u,
    );
    const [aside = '', ...others] = await inbound.listImages();
    expect([aside, others]).toEqual([expect.stringMatching(/^a\.tif\.[0-9a-f]{12}\.conflict$/u), []]);
    expect(await readFile(inbound.path(aside))).toEqual(other);
    await inbound.dropImage('a.tif', Buffer.concat([engineImage().subarray(0, 900)]));
    await inbound.handOver(orderOf(inbound.path('a.tif')));
    await inbound.work();
    expect(await inbound.only()).toMatchObject({ sha256, conflicts: 2 });
    expect(await inbound.listImages()).toHaveLength(2);
    for (let i = 0; i < 3; i += 1) await inbound.after(11 * MINUTE);
    expect(await inbound.only()).toMatchObject({ conflicts: 2 });
  });
});

async function warnings(): Promise<string[]> {
  const answer = await inbound.gateway.request('GET', '/health/ready', { key: null });
  const { warnings: all } = (await answer.json()) as { warnings: string[] };
  return all.filter((text) => text.includes('inbound secret'));
}

describe('a hand-over', () => {
  test('needs the secret, and receiving', async () => {
    const order = orderOf(await inbound.dropImage('a.tif'));
    for (const secret of [null, '', 'wrong', `${await inbound.secret()}x`]) {
      const { status, body } = await inbound.handOver(order, secret);
      expect([secret, status, body.detail]).toEqual([secret, 401, expect.stringMatching(/^[A-Z].*\.$/u)]);
    }
    expect((await inbound.handOver({ nonsense: 1 }, 'wrong')).status).toBe(401);
    expect(await warnings()).toEqual([
      expect.stringMatching(/^The telephone engine gave a wrong inbound secret/u),
    ]);
    await inbound.gateway.set({ INBOUND_ENABLED: false });
    expect((await inbound.handOver(order)).status).toBe(404);
    await inbound.gateway.set({ INBOUND_ENABLED: true });
    expect(await inbound.list()).toEqual([]);
    expect((await inbound.handOver(order)).status).toBe(200);
    expect(await warnings()).toEqual([]);
  });

  test.each([
    ['is missing', {}, '"tiff_path" is missing.'],
    ['is no text', { tiff_path: 7 }, /^"tiff_path" .*\.$/u],
    [
      'has a field that is not known',
      { tiff_path: 'a', file_url: 'http://127.0.0.1/' },
      /^"file_url" is not a field/u,
    ],
    ['counts pages in words', { tiff_path: 'a', faxpages: '2' }, '"faxpages" must be a whole number.'],
    ['has a bell in its path', { tiff_path: 'inbound/a\u0007.tif' }, /control characters\.$/u],
  ])('that %s is refused with a sentence', async (_name, order, sentence) => {
    const { status, body } = await inbound.handOver(order);
    expect([status, body.detail]).toEqual([
      400,
      typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
    ]);
  });

  async function expectRefused(path: string, sentence: string): Promise<void> {
    const { status, body } = await inbound.handOver(orderOf(path));
    expect([path, status, body.detail]).toEqual([path, 400, sentence]);
    expect(await inbound.list()).toEqual([]);
  }

  test('of an image outside the folder of images is refused, and no other file goes', async () => {
    const { dataFolder } = inbound.gateway;
    const outside = `${dataFolder}-outside.tif`;
    await writeFile(outside, engineImage());
    const sentence = 'The image is not in the folder inbound of the data folder.';
    await mkdir(join(dataFolder, 'telephony', 'outgoing'), { recursive: true });
    await writeFile(join(dataFolder, 'telephony', 'outgoing', 'a.tiff'), engineImage());
    for (const path of [
      outside,
      'telephony/outgoing/a.tiff',
      'inbound/../telephony/outgoing/a.tiff',
      'inbound',
      join(dataFolder, 'faxdesk.sqlite'),
      `${dataFolder}/inbound/../../${outside.split('/').at(-1)}`,
      '../a.tif',
      '/',
      '.',
    ])
      await expectRefused(path, sentence);
    expect(await readdir(join(dataFolder, 'telephony', 'outgoing'))).toEqual(['a.tiff']);
    await rm(outside);
  });

  test('of an image behind a symbolic link is refused', async () => {
    const { dataFolder } = inbound.gateway;
    const elsewhere = `${dataFolder}-elsewhere`;
    await mkdir(elsewhere);
    await writeFile(join(elsewhere, 'a.tif'), engineImage());
    const sentence = 'The image must not be reached through a symbolic link.';
    await symlink(join(elsewhere, 'a.tif'), inbound.path('link.tif'));
    await expectRefused(inbound.path('link.tif'), sentence);
    await symlink(elsewhere, inbound.path('folder'));
    await expectRefused(inbound.path('folder/a.tif'), sentence);
    await inbound.dropImage('real.tif');
    await symlink(inbound.path('real.tif'), inbound.path('within.tif'));
    await expectRefused(inbound.path('within.tif'), sentence);
    await symlink(join(elsewhere, 'nothing'), inbound.path('dangling.tif'));
    await expectRefused(inbound.path('dangling.tif'), sentence);
    await rm(elsewhere, { recursive: true });
  });

  test('of what is no image is refused', async () => {
    await expectRefused(inbound.path('none.tif'), 'There is no image at that path.');
    await expectRefused(inbound.path('none/a.tif'), 'There is no image at that path.');
    await mkdir(inbound.path('folder.tif'));
    await expectRefused(inbound.path('folder.tif'), 'The image cannot be read.');
    await expectRefused(inbound.path('x'.repeat(300)), 'The image cannot be read.');
    await expectRefused(
      await inbound.dropImage('text.tif', Buffer.from('Dear colleague')),
      'The file is not a TIFF image.',
    );
    await expectRefused(
      await inbound.dropImage('empty.tif', Buffer.alloc(0)),
      'The file is not a TIFF image.',
    );
    expect(await inbound.listImages()).toEqual(['empty.tif', 'folder.tif', 'text.tif']);
  });
});

describe('the secret', () => {
  test.skipIf(process.platform === 'win32')(
    'can be read by the group that its folder was opened to',
    async () => {
      const folder = join(inbound.gateway.dataFolder, 'telephony');
      await chmod(folder, 0o750);
      inbound = await inbound.again();
      const modes = [folder, join(folder, 'inbound-secret'), inbound.gateway.dataFolder];
      const found = await Promise.all(
        modes.map(async (path) => ((await stat(path)).mode & 0o777).toString(8)),
      );
      expect(found).toEqual(['750', '640', '700']);
    },
  );

  test('is made once, sealed, readable by its owner only, and written at every start', async () => {
    const file = join(inbound.gateway.dataFolder, 'telephony', 'inbound-secret');
    const secret = await inbound.secret();
    expect(secret).toMatch(/^[\w-]{43}$/u);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const answer = await inbound.gateway.request('GET', '/admin/settings');
    const { settings } = (await answer.json()) as { settings: { name: string }[] };
    expect(settings.find(({ name }) => name === 'TELEPHONY_INBOUND_SECRET')).toMatchObject({
      value: null,
      is_set: true,
      source: 'stored',
      secret: true,
    });
    await rm(file);
    inbound = await inbound.again();
    expect([await inbound.secret(), (await stat(file)).mode & 0o777]).toEqual([secret, 0o600]);
    for (const name of ['faxdesk.sqlite', 'faxdesk.sqlite-wal'])
      expect((await readFile(join(inbound.gateway.dataFolder, name))).includes(secret)).toBe(false);
    expect(inbound.gateway.logLines.join('')).not.toContain(secret);
  });

  test('of the environment takes precedence', async () => {
    const made = await inbound.secret();
    const settings = { INBOUND_ENABLED: 'true', TELEPHONY_INBOUND_SECRET: 'a-secret-of-the-office' };
    inbound = await inbound.again({ settings });
    expect(await inbound.secret()).toBe('a-secret-of-the-office');
    const order = orderOf(await inbound.dropImage('a.tif'));
    expect((await inbound.handOver(order, made)).status).toBe(401);
    expect((await inbound.handOver(order)).status).toBe(200);
    inbound = await inbound.again({ settings: { INBOUND_ENABLED: 'true' } });
    expect(await inbound.secret()).toBe(made);
  });

  test('that is changed or taken away in the settings is in its file at once', async () => {
    const made = await inbound.secret();
    await inbound.gateway.set({ TELEPHONY_INBOUND_SECRET: 'another-secret' });
    await expect.poll(() => inbound.secret()).toBe('another-secret');
    await inbound.gateway.set({ TELEPHONY_INBOUND_SECRET: null });
    await expect.poll(() => inbound.secret()).toMatch(/^[\w-]{43}$/u);
    expect(await inbound.secret()).not.toBe(made);
    const order = orderOf(await inbound.dropImage('a.tif'));
    expect((await inbound.handOver(order)).status).toBe(200);
  });
});

test('a telephone engine beside sending disturbs neither', async () => {
  const [sent] = await Promise.all([
    inbound.gateway.sendForm({ to: '+12025550123' }, [textFile()]),
    inbound.handOver(orderOf(await inbound.dropImage('a.tif'))),
  ]);
  expect(sent?.status).toBe(202);
  await inbound.work();
  expect(await inbound.only()).toMatchObject({ status: 'received' });
});
