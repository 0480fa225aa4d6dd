import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textPdf } from '../fixtures/long-pdf.ts';
import { sendingSettings } from '../setup/gateway.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

let cli: CommandLine;
let document: string;
let list: string;
beforeAll(async () => {
  cli = await openCommandLine();
  await cli.serve({ ...sendingSettings(cli.emulator), CHEAP_HOURS: 'Mon-Sun 18:00-06:00' });
  document = join(cli.folder, 'hours.pdf');
  list = join(cli.folder, 'list.csv');
  await writeFile(document, textPdf(1));
  await writeFile(
    list,
    'Name,Fax,Room\nHill Street Clinic,(202) 555-0151,12\nDr. Lee,+12025550152,\nNobody,12,\n',
  );
});
afterAll(() => cli.close());

const run = (...words: string[]) => cli.run(['broadcasts', ...words]);

test('faxdesk broadcasts checks a list, sends, lists, shows, cancels and reports', async () => {
  const checked = await run('create', document, '--recipients', list, '--preview');
  expect([checked.code, checked.err]).toEqual([0, '']);
  expect(checked.out).toMatch(/^Preview: +nothing was sent$/mu);
  expect(checked.out).toMatch(/^4 +12 +This fax number is incomplete or not valid\.$/mu);
  const refused = await run('create', document, '--recipients', list);
  expect(refused.err).toContain('1 of 3 lines has a problem. Line 4:');

  const key = ['--idempotency-key', 'hours-1'];
  const words = ['create', document, '--recipients', list, '--leave-out', '--name', 'Holiday hours', ...key];
  const after = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const at = ['--at', after(1), '--send-by', after(2), '--send-when', 'cheap_hours'];
  const edits = join(cli.folder, 'edits.json');
  await writeFile(edits, JSON.stringify([[{ page: 1, turn: 180 }]]));
  const form = ['--page-edits', edits, '--pages', 'ordinary'];
  const sent = await run(...words, ...at, ...form);
  expect([sent.code, sent.err]).toEqual([0, '']);
  const [, id = ''] = /^Broadcast: +(\S+)$/mu.exec(sent.out) ?? [];
  expect((await run(...words, ...at, ...form)).out).toContain(id);
  expect((await run('list', '--search', 'holiday')).out).toMatch(/scheduled +2 +2 waiting +Holiday hours$/mu);
  expect((await run('show', id, '--recipients')).out).toMatch(
    /^2 +\+12025550151 +Hill Street Clinic +waiting/mu,
  );
  const shown = await run('show', id);
  expect(shown.out).toMatch(/^Pages changed: +1 page turned$/mu);
  expect(shown.out).toMatch(/^Pages: +ordinary$/mu);
  expect(shown.out).toMatch(/^Sent in: +cheap hours$/mu);
  expect(shown.out).toMatch(/^At the latest: +\d{4}-/mu);
  expect((await run(...words.slice(0, -1), 'hours-2', '--send-when', 'night')).err).toContain('cheap_hours');
  expect((await run('pause', id)).out).toMatch(/^State: +paused$/mu);
  expect((await run('continue', id)).code).toBe(0);
  expect((await run('cancel', id)).out).toMatch(/^Counts: +2 canceled$/mu);
  expect((await run('retry', id)).err).toContain('No fax of this broadcast failed.');

  const csv = join(cli.folder, 'report.csv');
  expect((await run('report', id, '--csv', '--output', csv)).code).toBe(0);
  const lines = (await readFile(csv, 'utf8')).split('\r\n');
  expect(lines[0]).toMatch(/^line,number,name,state,reason,fax_id,/u);
  expect(lines[1]).toContain('12025550151');
  expect(lines[1]).toContain('cancelled');
  const pdf = join(cli.folder, 'report.pdf');
  expect((await run('report', id, '--output', pdf)).code).toBe(0);
  expect((await readFile(pdf)).subarray(0, 5).toString()).toBe('%PDF-');
  expect((await run('show', 'unknown')).code).toBe(5);
});
