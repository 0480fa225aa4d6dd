import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { createDocuments } from '../../server/documents/documents.ts';
import type { TelephonyCheck } from '../../shared/api/telephony.ts';
import { firstDifference, fromNetpbm } from '../fixtures/bitmaps.ts';
import { engineImage } from '../fixtures/engine-image.ts';
import { mixedFiles } from '../fixtures/mixed-files.ts';
import { referee } from '../fixtures/referees.ts';
import { eventually } from '../setup/eventually.ts';
import { OFFICE_NUMBER, type Rig, startRig } from '../setup/telephony/rig.ts';
import { needTools, type Skippable } from '../setup/tools.ts';
import type { Inbound } from './inbound-setup.ts';
import { pagesOf } from './outbound-engine-setup.ts';
import { EngineGateway } from './telephony-setup.ts';

type Check = z.infer<typeof TelephonyCheck>;

let rig: Rig | { readonly unavailable: string };
let inbound: EngineGateway | null = null;
/** To fetch the engine the first time takes a minute or several. */
const FETCHING_MS = 900_000;

beforeAll(async () => {
  rig = await startRig();
  if ('unavailable' in rig) return;
  const { dataFolder, gatewayPort: port, settings } = rig;
  await drawImages(dataFolder);
  inbound = await EngineGateway.start({ dataFolder, port, settings });
}, FETCHING_MS);
afterAll(async () => {
  await inbound?.close();
  if ('stop' in rig) await rig.stop();
});

/** The engines and the gateway; skips the test, with the reason, where they cannot run. */
function needRig(context: Skippable): { rig: Rig; inbound: EngineGateway } {
  if ('unavailable' in rig) return context.skip(rig.unavailable);
  if (inbound === null) throw new Error('the gateway did not start');
  return { rig, inbound };
}

const IMAGES = [
  'a page of text',
  'three pages of text, drawing and photograph',
  'a page that is one line long',
] as const;
const WAYS = {
  'over T.38 with error correction': { t38: true, ecm: true },
  'as sound with error correction': { t38: false, ecm: true },
  'as sound without error correction': { t38: false, ecm: false },
};
const [TEXT, MIXED, LINE] = IMAGES;
const CALLS = [
  ...[TEXT, MIXED].flatMap((what) => Object.entries(WAYS).map(([way, how]) => ({ what, way, ...how }))),
  { what: LINE, way: 'over T.38 with error correction', t38: true, ecm: true },
].map((call, n) => ({ ...call, from: `+1202555011${n}` }));

describe('a fax that somebody calls in', () => {
  for (const { what, way, from, t38, ecm } of CALLS)
    test.concurrent(`is received as it was sent: ${what} ${way}`, async (context) => {
      needTools(context, 'pdfimages', 'curl');
      const { rig, inbound } = needRig(context);
      const image = imageOf(rig.dataFolder, what);
      const sent = await pagesOf(await readFile(image));
      expect(await rig.call({ image, from, t38, ecm })).toMatchObject({
        Status: 'SUCCESS',
        Pages: String(sent.length),
        Mode: t38 ? 'T38' : 'audio',
      });
      const fax = await eventually(() => faxFrom(inbound, from));
      expect(fax).toMatchObject({
        to: OFFICE_NUMBER,
        pages: sent.length,
        recovered: false,
        to_inferred: false,
      });
      const [call] = await callsFrom(inbound, from);
      expect(call).toMatchObject({
        outcome: 'received',
        received_fax_id: fax.id,
        own_number: OFFICE_NUMBER,
        mode: t38 ? 't38' : 'audio',
        pages_confirmed: sent.length,
        rate_bps: expect.any(Number),
        resolution: expect.stringMatching(/^204x/u),
        seconds: expect.any(Number),
        station_id: expect.any(String),
      });
      const received = await picturesOf(inbound, fax);
      expect(received.length).toBe(sent.length);
      // Without error correction a line of a page may come damaged, and the page is good all the same.
      if (!ecm) return;
      for (const [n, page] of sent.entries()) expect(firstDifference(received[n] ?? page, page)).toBeNull();
    });
});

async function callsFrom({ gateway }: EngineGateway, from: string): Promise<object[]> {
  const answer = await gateway.request('GET', `/telephony/calls?number=${encodeURIComponent(from)}`);
  return ((await answer.json()) as { items: object[] }).items;
}

describe('the check of the line', () => {
  test.concurrent('sends a page through the engine when everything is right', async (context) => {
    const { inbound } = needRig(context);
    // The engine registers within ten seconds of its start.
    await eventually(async () => expect(await problemsOf(inbound)).toEqual([]));
    const { ok, checks } = await check(inbound, { loop: true });
    expect(checks.map(({ name, detail }) => [name, detail])).toEqual([
      ['settings', 'The phone line is set up.'],
      ['engine', expect.stringMatching(/^Asterisk \d+\.\S* answers at 127\.0\.0\.1:\d+\.$/u)],
      ['modules', 'All modules are loaded.'],
      ['configuration', 'Asterisk uses the configuration from these settings.'],
      ['trunk', 'The carrier accepts the registration.'],
      ['folder', 'Asterisk can read and write the shared folder and deliver faxes to Faxdesk.'],
      ['loop', 'A page went through Asterisk from one end to the other.'],
    ]);
    expect(ok).toBe(true);
    expect(await readdir(inbound.path('../telephony/outgoing'))).toEqual([]);
  });

  test('says what is wrong, and goes no further', async (context) => {
    const { rig, inbound } = needRig(context);
    const images = join(rig.dataFolder, 'inbound');
    await rename(images, `${images}.away`);
    expect(await problemsOf(inbound)).toEqual([
      `The Asterisk user cannot write to inbound in ${rig.setup.engine.folder}. Share inbound and telephony with its group.`,
    ]);
    await rename(`${images}.away`, images);
    rig.office.cli('module unload res_fax_spandsp.so');
    expect(await problemsOf(inbound)).toEqual([
      expect.stringMatching(/^Asterisk has not loaded res_fax_spandsp\. Install its fax modules/u),
    ]);
    await inbound.gateway.set({ TRUNK_STATION_ID: 'EXAMPLE' });
    expect(await problemsOf(inbound)).toContainEqual(
      expect.stringMatching(/^Settings were changed since the Asterisk configuration was written\./u),
    );
    await inbound.gateway.set({ TELEPHONY_USER: 'another' });
    expect(await problemsOf(inbound)).toEqual([
      expect.stringMatching(/^The telephone engine refuses the user or the password\./u),
    ]);
    await rig.office.kill();
    expect(await problemsOf(inbound)).toEqual([
      expect.stringMatching(/^No telephone engine answers at 127\.0\.0\.1:\d+\./u),
    ]);
  });
});

async function check({ gateway }: EngineGateway, order: { loop: boolean }): Promise<Check> {
  const answer = await gateway.request('POST', '/telephony/check', { json: order });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Check;
}

async function problemsOf(inbound: EngineGateway): Promise<string[]> {
  const { checks } = await check(inbound, { loop: false });
  return checks.flatMap(({ ok, detail }) => (ok ? [] : [detail]));
}

/** The fax from a number, once it is received. */
async function faxFrom(inbound: EngineGateway, from: string): Promise<Inbound> {
  await inbound.work();
  const fax = (await inbound.list()).find(({ fr }) => fr === from);
  if (fax?.status !== 'received') throw new Error('it has not come yet');
  return fax;
}

async function picturesOf({ gateway }: EngineGateway, fax: Inbound) {
  const file = join(gateway.dataFolder, `${fax.id}.pdf`);
  const answer = await gateway.request('GET', `/inbound/${fax.id}/pdf`);
  await writeFile(file, Buffer.from(await answer.arrayBuffer()));
  referee('pdfimages', [file, join(gateway.dataFolder, fax.id)]);
  const names = Array.from({ length: fax.pages ?? 0 }, (_, n) => `${fax.id}-00${n}.pbm`);
  const files = names.map((name) => readFile(join(gateway.dataFolder, name)));
  return (await Promise.all(files)).map((bytes) => fromNetpbm(bytes));
}

/** A comma would end the name for the dialplan. */
const imageOf = (folder: string, what: string) => join(folder, `${what.replaceAll(/\W/gu, '-')}.tiff`);

/** The images that are called in, for the most part as Faxdesk draws them for its own calls. */
async function drawImages(folder: string): Promise<void> {
  const files = mixedFiles({ width: 60, height: 50 });
  const documents = createDocuments({ folders: [folder], threads: 1 });
  try {
    for (const [what, of] of [
      [TEXT, files.slice(0, 1)],
      [MIXED, files],
    ] as const) {
      const sources = of.map(async (file) => ({
        bytes: new Uint8Array(await file.arrayBuffer()),
        fileName: file.name,
        declaredType: file.type,
      }));
      const pdf = join(folder, `${what}.pdf`);
      await documents.prepare(await Promise.all(sources), pdf, { maxBytes: 10_000_000 });
      const plain = { headerLine: null, cleanGreys: false, resolution: 'fine' } as const;
      await documents.rasterToTiff(pdf, imageOf(folder, what), plain);
    }
  } finally {
    await documents.close();
  }
  await writeFile(imageOf(folder, LINE), engineImage(1, 7, 1));
}
