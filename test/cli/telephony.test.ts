import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../setup/free-port.ts';
import { sendingSettings } from '../setup/gateway.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

let cli: CommandLine;
let port: number;
beforeAll(async () => {
  cli = await openCommandLine();
  port = await freePort();
  await cli.serve({ ...sendingSettings(cli.emulator), FAX_BACKEND: 'sip', TELEPHONY_PORT: String(port) });
});
afterAll(() => cli.close());

test('faxdesk telephony writes the configuration of Asterisk and says what is missing', async () => {
  const out = join(cli.folder, 'asterisk');
  const config = ['telephony', 'config', '--output', out];
  const early = await cli.run(config);
  expect([early.code, early.err]).toEqual([
    6,
    'The phone line is not set up yet: set the password of the telephone engine first.\n',
  ]);

  const preset = await cli.run(['telephony', 'presets', 'telnyx']);
  expect(preset.out).toMatch(/^TRUNK_HOST: +sip\.telnyx\.com \(checked, documentation of the carrier\)$/mu);
  expect(preset.out).toMatch(/^TRUNK_T38: +true \(to be checked, general knowledge\)$/mu);
  const trunk = ['TELEPHONY_PASSWORD=manager-secret', 'TRUNK_USER=office', 'TRUNK_PASSWORD=trunk-secret'];
  const set = await cli.run([
    'settings',
    'set',
    ...trunk,
    'TRUNK_HOST=sip.example.com',
    'TRUNK_PRESET=skyetel',
  ]);
  expect(set.code).toBe(0);

  const written = await cli.run([...config, '--sip-port', '5070']);
  expect([written.code, written.err]).toEqual([
    0,
    `Wrote 8 files to ${out}. Restart Asterisk, then run "faxdesk telephony check".\n`,
  ]);
  const pjsip = await readFile(join(out, 'pjsip.conf'), 'utf8');
  for (const line of [
    'bind=0.0.0.0:5070',
    'client_uri=sip:office@sip.example.com:5060',
    'password=trunk-secret',
    // Of the preset: addresses that the carrier calls from.
    'match=52.41.52.34',
  ])
    expect(pjsip.split('\n')).toContain(line);
  expect(await readFile(join(out, 'manager.conf'), 'utf8')).toContain(`port=${port}\n`);
  const script = join(out, 'faxdesk-hand-over.sh');
  expect(await readFile(script, 'utf8')).toContain(`address='${cli.url}'\n`);
  const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
  expect([await modeOf(join(out, 'pjsip.conf')), await modeOf(script)]).toEqual([0o640, 0o750]);
  expect(await modeOf(join(cli.folder, 'telephony', 'configuration', 'pjsip.conf'))).toBe(0o600);

  const check = await cli.run(['telephony', 'check']);
  expect([check.code, check.err]).toEqual([1, 'The phone line is not ready.\n']);
  expect(check.out).toMatch(/^settings +ok +The phone line is set up\.$/mu);
  expect(check.out).toContain(`No telephone engine answers at 127.0.0.1:${port}.`);
}, 120_000);

test('faxdesk telephony config says what is wrong with a folder or an address', async () => {
  const file = join(cli.folder, 'a-file');
  await writeFile(file, '');
  const config = async (...words: string[]) => {
    const { code, err } = await cli.run(['telephony', 'config', ...words]);
    return [code, err];
  };
  expect(await config('--output', file)).toEqual([
    1,
    `${file} is not a folder. Give another one with --output.\n`,
  ]);
  if (process.platform === 'linux')
    expect(await config('--output', '/proc/asterisk')).toEqual([
      1,
      'The folder /proc/asterisk cannot be created.\n',
    ]);
  expect(await config('--output', join(cli.folder, 'out'), '--gateway', 'desk')).toEqual([
    9,
    '--gateway must be a web address without a path.\n',
  ]);
}, 120_000);

test('faxdesk telephony call-log lists the calls, newest first, by every filter', async () => {
  const log = ['telephony', 'call-log'];
  expect((await cli.run(log)).out).toBe('No calls.\n');
  await cli.run(['settings', 'change', 'INBOUND_ENABLED=true']);
  const secret = (await readFile(join(cli.folder, 'telephony', 'inbound-secret'), 'utf8')).trim();
  for (const n of [1, 2]) {
    const order = {
      tiff_path: `/nowhere/${n}.tiff`,
      uniqueid: `call.${n}`,
      from_number: `+1202555019${n}`,
      call: { started_at: `2026-11-21T09:0${n}:00Z`, t38: true },
      faxpages: n,
    };
    await fetch(`${cli.url}/_internal/telephony/inbound`, {
      method: 'POST',
      headers: { 'X-Internal-Secret': secret, 'Content-Type': 'application/json' },
      body: JSON.stringify(order),
    });
  }
  const refused =
    'The fax was not accepted from the telephone engine. The image is not in the folder inbound of the data folder.';
  const all = (await cli.run(log)).out.trimEnd().split('\n');
  expect(all.map((line) => line.split(/ {2,}/u))).toEqual([
    ['TIME', 'DIRECTION', 'NUMBER', 'RESULT', 'PAGES', 'HOW', 'SECONDS'],
    ['2026-11-21T09:02:00.000Z', 'incoming', '+12025550192', refused, '2', 'T.38', '-'],
    ['2026-11-21T09:01:00.000Z', 'incoming', '+12025550191', refused, '1', 'T.38', '-'],
  ]);
  const numbers = async (...filter: string[]) =>
    (await cli.json<{ items: { number: string }[] }>(...log, ...filter)).items.map(({ number }) => number);
  expect(await numbers('--number', '(202) 555-0191')).toEqual(['+12025550191']);
  expect(await numbers('--outcome', 'refused,busy', '--limit', '1')).toEqual(['+12025550192']);
  expect(await numbers('--direction', 'outgoing')).toEqual([]);
  expect(await numbers('--until', '2026-01-01T00:00')).toEqual([]);
  expect((await cli.run([...log, '--limit', '1'])).out).toMatch(/\nMore with --cursor \S+\n$/u);
  const wrong = await cli.run([...log, '--outcome', 'lost']);
  expect([wrong.code, wrong.err]).toEqual([9, expect.stringContaining('--outcome must be one of')]);
}, 120_000);

test('faxdesk telephony config leaves the files of others alone', async () => {
  const out = join(cli.folder, 'of-others');
  await mkdir(out);
  await writeFile(join(out, 'pjsip.conf'), '; mine\n');
  const config = ['telephony', 'config', '--output', out];
  const refused = await cli.run(config);
  expect([refused.code, refused.err]).toEqual([
    6,
    `${out} has files that Faxdesk did not write: pjsip.conf. Save them somewhere else, then use --overwrite.\n`,
  ]);
  expect(await readFile(join(out, 'pjsip.conf'), 'utf8')).toBe('; mine\n');
  expect((await cli.run([...config, '--overwrite'])).code).toBe(0);
  expect(await readFile(join(out, 'pjsip.conf'), 'utf8')).toContain('type=registration');
}, 120_000);
