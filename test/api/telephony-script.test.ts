import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readTemplates, renderConfiguration } from '../../server/features/telephony/configuration/render.ts';
import { engineImage } from '../fixtures/engine-image.ts';
import { lineSetup } from '../fixtures/line-setup.ts';
import { freePort } from '../setup/free-port.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { needTools } from '../setup/tools.ts';
import { OWN_NUMBER, SENDER } from './inbound-setup.ts';
import { CALL, EngineGateway } from './telephony-setup.ts';

const FACTS = [CALL, OWN_NUMBER, SENDER, 'SUCCESS', '1'];

let folder: string;
let inbound: EngineGateway;
beforeEach(async (context) => {
  needTools(context, 'curl');
  if (process.platform === 'win32') context.skip('the engine runs elsewhere');
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-script-'));
  inbound = await EngineGateway.start({ port: await freePort() });
  await writeScript();
});
afterEach(async () => {
  await inbound.close();
  await rm(folder, { recursive: true });
});

/** The script as it is written for this gateway, and a `sleep` that notes how long it would have taken. */
async function writeScript(): Promise<void> {
  const { dataFolder, url } = inbound.gateway;
  const setup = lineSetup({}, { folder: dataFolder, gatewayUrl: url });
  const { 'faxdesk-hand-over.sh': script } = renderConfiguration(await readTemplates(), setup);
  await mkdir(join(folder, 'bin'));
  await writeProgram('hand-over.sh', script);
  await writeProgram('bin/sleep', '#!/bin/sh\necho "$1" >>"$0.log"\n');
  await writeFile(join(folder, 'bin/sleep.log'), '');
}

async function writeProgram(name: string, text: string): Promise<void> {
  await writeFile(join(folder, name), text);
  await chmod(join(folder, name), 0o755);
}

/** Runs the script as the dialplan does after a call, and returns its exit code. */
async function handOver(facts = FACTS): Promise<number | null> {
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH']}` };
  const child = spawn(join(folder, 'hand-over.sh'), facts, { env, stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

/** Runs the script and returns what it prints when it gives up. */
async function scriptOutput(): Promise<string> {
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH']}` };
  const child = spawn(join(folder, 'hand-over.sh'), FACTS, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  const words = await text(child.stderr);
  await ended;
  return words.trim();
}

const note = async () =>
  JSON.parse(await readFile(inbound.path(`${CALL}.json`), 'utf8')) as { reason: string };

/** Seconds between its tries. */
const pauses = async () =>
  (await readFile(join(folder, 'bin/sleep.log'), 'utf8')).split('\n').filter(Boolean);

describe('the script of the telephone engine', () => {
  test('hands a fax over, once however often it runs', async () => {
    await inbound.dropImage(`${CALL}.tiff`);
    expect([await handOver(), await handOver(), await pauses()]).toEqual([0, 0, []]);
    await inbound.work();
    expect(await handOver()).toBe(0);
    expect(await inbound.only()).toMatchObject({
      status: 'received',
      provider_fax_id: CALL,
      fr: SENDER,
      to: OWN_NUMBER,
      recovered: false,
      conflicts: 0,
    });
  });

  test('reports the facts of the call, and nothing else', async () => {
    await inbound.dropImage(`${CALL}.tiff`);
    const times = ['2026-11-21T08:57:30Z', '2026-11-21T08:57:33Z', '2026-11-21T08:58:33Z'];
    expect(await handOver([...FACTS, ...times, 'T38', '14400', '8031x3850', '16', 'EXAMPLE CLINIC'])).toBe(0);
    await inbound.dropImage('other.tiff');
    expect(await handOver(['other', ...FACTS.slice(1), '', '', '', '', '', '', '', ''])).toBe(0);
    const answer = await inbound.gateway.request('GET', '/telephony/calls');
    const { items } = (await answer.json()) as { items: object[] };
    const known = { started_at: '2026-11-21T08:57:30.000Z', seconds: 60, mode: 't38', rate_bps: 14_400 };
    const unknown = { started_at: null, seconds: null, mode: null, rate_bps: null };
    expect(items).toMatchObject([
      { ...unknown, outcome: 'received', resolution: null, cause: null, station_id: null },
      { ...known, outcome: 'received', resolution: '204x98', cause: 16, station_id: 'EXAMPLE CLINIC' },
    ]);
  });

  test('shows the secret to no list of processes', async () => {
    await inbound.dropImage(`${CALL}.tiff`);
    await writeProgram('bin/curl', '#!/bin/sh\necho "$@" >"$0.args"\ncat >"$0.read"\nprintf 200\n');
    expect(await handOver()).toBe(0);
    const secret = await inbound.secret();
    expect(await readFile(join(folder, 'bin/curl.read'), 'utf8')).toContain(`X-Internal-Secret: ${secret}`);
    expect(await readFile(join(folder, 'bin/curl.args'), 'utf8')).not.toContain(secret);
  });

  test('tries for two minutes while Faxdesk is away; the image stays, and is taken when Faxdesk is back', async () => {
    await inbound.dropImage(`${CALL}.tiff`);
    await inbound.gateway.stop();
    expect([await handOver(), await pauses()]).toEqual([1, ['2', '5', '15', '30', '60']]);
    inbound.gateway.clock.advance(10 * MINUTE);
    inbound = new EngineGateway(await inbound.gateway.restart());
    await inbound.after(MINUTE);
    expect(await inbound.only()).toMatchObject({
      status: 'received',
      provider_fax_id: CALL,
      recovered: true,
    });
    // A late hand-over of the same fax creates no second fax.
    expect(await handOver()).toBe(0);
    expect(await inbound.only()).toMatchObject({ fr: SENDER, to: OWN_NUMBER, conflicts: 0 });
    expect(await inbound.listImages()).toEqual([]);
  });

  test('does not repeat a request that Faxdesk refused', async () => {
    expect(await handOver()).toBe(1);
    await inbound.dropImage(`${CALL}.tiff`);
    await inbound.gateway.set({ INBOUND_ENABLED: false });
    expect(await handOver()).toBe(1);
    expect([await pauses(), await inbound.listImages()]).toEqual([[], [`${CALL}.json`, `${CALL}.tiff`]]);
  });

  test('says why a fax was not handed over, in its words and in a note beside the image', async () => {
    const secretFile = join(inbound.gateway.dataFolder, 'telephony', 'inbound-secret');
    const secret = await readFile(secretFile, 'utf8');
    const told = async () => [(await scriptOutput()).replace(/.*: /u, ''), (await note()).reason];
    await writeFile(secretFile, 'another\n');
    expect(await told()).toEqual(['the inbound secret was refused.', 'secret_refused']);
    await rm(secretFile);
    expect(await told()).toEqual([`${secretFile} cannot be read or is empty.`, 'no_secret']);
    await writeFile(secretFile, secret);
    expect(await told()).toEqual(['the image cannot be read.', 'image_unreadable']);
    await inbound.gateway.set({ INBOUND_ENABLED: false });
    expect(await told()).toEqual(['receiving is off.', 'receiving_off']);
    await inbound.gateway.set({ INBOUND_ENABLED: true });
    await inbound.gateway.stop();
    const { url } = inbound.gateway;
    expect((await told())[1]).toBe('unreachable');
    expect(await scriptOutput()).toContain(`Faxdesk cannot be reached at ${url} or could not take it (000).`);
    inbound = new EngineGateway(await inbound.gateway.restart());
    await inbound.dropImage(`${CALL}.tiff`);
    expect(await handOver()).toBe(0);
    expect(await inbound.listImages()).toEqual([`${CALL}.tiff`]);
  });

  test.each([
    ['secret_refused', 'The inbound secret was refused.', /gave a wrong inbound secret/u],
    ['no_secret', 'Asterisk had no inbound secret yet', /found no inbound secret/u],
  ] as const)('leaves a fax that comes in whole within a minute: %s', async (reason, sentence, warning) => {
    const secretFile = join(inbound.gateway.dataFolder, 'telephony', 'inbound-secret');
    await writeFile(secretFile, reason === 'no_secret' ? '' : 'another\n');
    await inbound.dropImage(`${CALL}.tiff`, engineImage(2));
    const times = ['2026-11-21T08:57:30Z', '2026-11-21T08:57:33Z', '2026-11-21T08:58:33Z'];
    const facts = [
      CALL,
      '+12025550111',
      SENDER,
      'SUCCESS',
      '2',
      ...times,
      'T38',
      '14400',
      '',
      '16',
      'A CLINIC',
    ];
    expect(await handOver(facts)).toBe(1);
    await inbound.after(MINUTE);
    expect(await inbound.only()).toMatchObject({
      status: 'received',
      recovered: true,
      fr: SENDER,
      to: '+12025550111',
      to_inferred: false,
      pages: 2,
    });
    expect(await inbound.listImages()).toEqual([]);
    const answer = await inbound.gateway.request('GET', '/telephony/calls');
    const { items } = (await answer.json()) as { items: object[] };
    const call = { number: SENDER, seconds: 60, mode: 't38', pages_confirmed: 2, station_id: 'A CLINIC' };
    expect(items).toMatchObject([
      { ...call, outcome: 'received', sentence: expect.stringContaining(sentence) },
    ]);
    const ready = await inbound.gateway.request('GET', '/health/ready', { key: null });
    expect(((await ready.json()) as { warnings: string[] }).warnings).toEqual([
      expect.stringMatching(warning),
    ]);
  });

  test('leaves notes that bring nothing in by themselves, and go once their image has gone', async () => {
    await handOver();
    await writeFile(inbound.path('b.json'), 'no note');
    await inbound.dropImage('b.tiff');
    for (const name of ['b.json', `${CALL}.json`]) {
      const at = new Date(inbound.gateway.clock.now());
      await utimes(inbound.path(name), at, at);
    }
    for (let i = 0; i < 9; i += 1) await inbound.after(MINUTE);
    expect([await inbound.list(), await inbound.listImages()]).toEqual([
      [],
      [`${CALL}.json`, 'b.json', 'b.tiff'],
    ]);
    await inbound.after(2 * MINUTE);
    await inbound.after(MINUTE);
    expect([(await inbound.list()).length, await inbound.listImages()]).toEqual([1, []]);
  });
});
