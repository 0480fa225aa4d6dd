import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callFor, startLineGateway } from '../api/outbound-line-setup.ts';
import { eventually } from '../setup/eventually.ts';
import { INSTALLATION_KEY } from '../setup/gateway.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

let cli: CommandLine;
beforeAll(async () => {
  cli = await openCommandLine();
  await cli.serve();
});

test('faxdesk contacts opt-outs adds, lists, imports and removes numbers', async () => {
  const added = await run('opt-outs', 'create', '(202) 555-0144', '--note', 'By phone');
  expect([added.code, added.err]).toEqual([0, '']);
  expect(added.out).toMatch(/^On the opt-out list: +\+12025550144$/mu);
  const file = join(cli.folder, 'opt-outs.txt');
  await writeFile(file, '+12025550145\n12\n');
  expect((await run('opt-outs', 'import', file, '--check')).out).toMatch(/^Would be added: +1$/mu);
  expect((await run('opt-outs', 'import', file)).out).toMatch(/^2 +“12” is no complete fax number\.$/mu);
  expect((await run('opt-outs', 'list', '--search', '0144')).out).toMatch(
    /^\+12025550144 +- +\S+ +.+ +By phone$/mu,
  );
  expect((await run('opt-outs', 'remove', '+12025550144')).out).toBe(
    'Took +12025550144 off the opt-out list.\n',
  );
});
afterAll(() => cli.close());

const run = (...words: string[]) => cli.run(['contacts', ...words]);

test('faxdesk contacts adds, lists, shows, changes, removes, imports and exports', async () => {
  const added = await run(
    'add',
    'Bridge Pharmacy',
    '(360) 555-0151',
    '--organization',
    'Bridge',
    '--together',
    '30',
  );
  expect([added.code, added.err]).toEqual([0, '']);
  expect(added.out).toMatch(/^Fax number: +\+13605550151$/mu);
  expect(added.out).toMatch(/^Send together: +within 30 min$/mu);
  expect((await run('create', 'Bridge', '360-555-0151')).code).toBe(6);
  expect((await run('change', 'bridge pharmacy', '--blocked', 'yes', '--organization', '')).out).toMatch(
    /^Blocked: +yes$/mu,
  );
  expect((await run('show', '+13605550151')).out).toMatch(/^Organization: +-$/mu);
  expect((await run('show', 'Nobody')).code).toBe(5);
  expect((await run('change', 'Bridge Pharmacy', '--together', 'soon')).code).toBe(9);

  const csv = join(cli.folder, 'book.csv');
  await writeFile(csv, 'Name,Fax\nOrchard Dental,503-555-0133\nBridge,360-555-0151\n');
  expect((await run('import', csv, '--check')).out).toMatch(/^Would be added: +1$/mu);
  const imported = await run('import', csv);
  expect(imported.out).toMatch(/^Added: +1$/mu);
  expect(imported.out).toMatch(
    /^3 +\+13605550151 is already in the contacts\. That contact was not changed\.$/mu,
  );
  const updated = JSON.parse((await run('import', csv, '--update', '--json')).out) as { changed: number };
  expect(updated.changed).toBe(1);

  const out = join(cli.folder, 'all.csv');
  expect((await run('export', '--output', out)).code).toBe(0);
  expect(await readFile(out, 'utf8')).toContain("Bridge,,'+13605550151,30,yes,,off,,,,,,no,,,,,no,\r\n");
  expect((await run('export', '--output', out)).code).toBe(6);
  const cards = join(cli.folder, 'all.vcf');
  expect((await run('export', '--output', cards)).code).toBe(0);
  expect(await readFile(cards, 'utf8')).toContain('TEL;VALUE=uri;TYPE="fax,work";PREF=1:tel:+13605550151');
  expect((await run('import', cards, '--check')).out).toMatch(/^Unchanged: +2$/mu);
  expect((await run('remove', 'Bridge')).out).toBe('Removed Bridge, +13605550151.\n');
  const listed = await run('list', '--search', '555');
  expect(listed.out).toMatch(/^Orchard Dental +- +\+15035550133 +not delivered yet +\S+\n$/mu);
  expect(listed.out).not.toContain('Bridge');
});

test('faxdesk contacts show says how a number is called, and forget-line has it called with the best settings again', async () => {
  const line = await startLineGateway();
  const { gateway, engine } = line;
  const there = ['--url', gateway.url, '--key', INSTALLATION_KEY];
  try {
    const { fax, call } = await callFor(line, '+13605550152');
    engine.deliver(call, { mode: 'audio' });
    await eventually(async () => expect((await gateway.fax(fax.id)).delivery_state).toBe('success'));
    const added = await run('create', 'Cedar Ridge', '+13605550152', ...there);
    expect([added.code, added.err]).toEqual([0, '']);
    expect(added.out).toMatch(/^Phone line: +without T\.38, until \d{4}-\d\d-\d\d$/mu);
    expect((await run('forget-line', 'Cedar Ridge', ...there)).out).toMatch(/^Phone line: +best settings$/mu);
  } finally {
    await gateway.close();
    await engine.close();
  }
});
