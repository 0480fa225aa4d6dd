import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendingSettings } from '../setup/gateway.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

let cli: CommandLine;
beforeAll(async () => {
  cli = await openCommandLine();
  await cli.serve(sendingSettings(cli.emulator));
});
afterAll(() => cli.close());

test('faxdesk routes adds, shows, changes and removes a route', async () => {
  const add = ['routes', 'create', 'Germany', 'cloudone', '--prefix', '+49', '+43', '--lines', '2'];
  const made = await cli.run([...add, '--account', '-'], {}, 'CLOUDONE_API_KEY=k\nCLOUDONE_API_SECRET=s=1\n');
  expect([made.code, made.err]).toEqual([0, '']);
  expect(made.out).toMatch(/^Account: +its own$/mu);
  expect(made.out).toMatch(/^Numbers: +\+43 \+49$/mu);
  expect(made.out).not.toContain('s=1');
  const trunk = [
    'TELEPHONY_PASSWORD=engine',
    'TRUNK_HOST=sip.example.com',
    'TRUNK_USER=5551234',
    'TRUNK_PASSWORD=x',
  ];
  const lines = [...trunk, 'TRUNK_LINES=4', 'TRUNK_T38=no', ''].join('\n');
  const line = await cli.run(['routes', 'create', 'Trunk', 'sip', '--account', '-'], {}, lines);
  expect([line.code, line.err]).toEqual([0, '']);
  expect((await cli.run(['routes', 'remove', 'Trunk'])).code).toBe(0);
  const change = ['routes', 'change', 'germany'];
  const nothing = ['--prefix', '', '--lines', '', '--account', ''];
  const changed = await cli.run([...change, ...nothing, '--enabled', 'no', '--next-route', 'no']);
  expect(changed.out).toMatch(/^Account: +the one in the settings$/mu);
  expect(changed.out).toMatch(/^Numbers: +all$/mu);
  expect(changed.out).toMatch(/^State: +off$/mu);
  expect(changed.out).toMatch(/^Next route after a failure: +no$/mu);
  expect((await cli.run(change)).code).toBe(2);
  expect((await cli.run([...change, '--account', 'nonsense'])).code).toBe(2);
  expect((await cli.run([...change, '--prefix', '49'])).code).toBe(9);
  expect((await cli.run(['routes', 'list'])).out).toMatch(/^Germany +cloudone +all +100 +off +/mu);
  expect((await cli.run(['routes', 'remove', 'Germany'])).out).toBe('Removed Germany.\n');
  expect((await cli.run(['routes', 'show', 'Germany'])).code).toBe(5);
});
