import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textPdf } from '../fixtures/long-pdf.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

const TO = '(202) 555-0123';

let cli: CommandLine;
let lab: string;
let referral: string;
beforeAll(async () => {
  cli = await openCommandLine();
  await cli.serve();
  lab = join(cli.folder, 'Lab results.pdf');
  referral = join(cli.folder, 'Referral.pdf');
  await writeFile(lab, textPdf(2));
  await writeFile(referral, textPdf(1));
});
afterAll(() => cli.close());

const run = (...words: string[]) => cli.run(['cases', ...words]);

test('faxdesk cases previews, sends, lists and shows the packets of a case', async () => {
  const drawn = await run('send', '4711', lab, referral, '--to', TO, '--preview');
  expect([drawn.code, drawn.err]).toEqual([0, '']);
  expect(drawn.out).toMatch(/^Preview: +nothing was sent$/mu);
  expect(drawn.out).toMatch(/^Pages: +6$/mu);
  expect((await run('list')).out).not.toContain('4711');

  const key = ['--idempotency-key', 'packet-1'];
  const titles = ['--title', 'Lab of May', '--title', 'Referral letter'];
  const words = ['send', '4711', lab, referral, '--to', TO, ...titles, '--reference', 'P-7', ...key];
  const sent = await run(...words);
  expect([sent.code, sent.err]).toEqual([0, '']);
  expect(sent.out).toMatch(/^1 +Lab of May +2 +from page 3$/mu);
  const [, fax] = /^Fax: +(\S+)$/mu.exec(sent.out) ?? [];
  expect((await run(...words)).out).toBe(sent.out);
  expect((await run('list', '--search', '47')).out).toMatch(/^4711 +1 +\S+ +\+12025550123 /mu);
  const shown = await run('show', '4711');
  expect(shown.out).toContain(`${fax}`);
  expect(shown.out).toMatch(/^2 +Referral letter +1 +from page 6$/mu);
  expect((await cli.run(['status', String(fax)])).code).not.toBe(1);
  expect((await run('show', '4712')).code).toBe(5);
});

test('faxdesk cases send asks the guard where it is told to, and says what is wrong with a document', async () => {
  const words = ['send', '4713', referral, '--to', '(202) 555-0177'];
  const asked = await run(...words, '--guard', 'refuse');
  expect([asked.code, asked.err]).toEqual([6, expect.stringContaining('last four digits')]);
  expect((await run(...words, '--guard', 'refuse', '--confirm-digits', '0177')).code).toBe(0);

  const broken = join(cli.folder, 'Broken.pdf');
  await writeFile(broken, '%PDF-1.7\nnothing');
  const refused = await run('send', '4713', referral, broken, '--to', TO);
  expect(refused.err).toContain('Document 2, "Broken": The PDF is damaged or incomplete.');
  const note = join(cli.folder, 'note.txt');
  await writeFile(note, 'text');
  expect((await run('send', '4713', note, '--to', TO)).err).toContain('Only PDF documents');
  const many = Array.from({ length: 51 }, () => referral);
  expect((await run('send', '4713', ...many, '--to', TO)).err).toBe(
    'One request can have at most 50 files.\n',
  );
  expect((await run('send', '4713', referral, '--to', TO, '--title', 'a', '--title', 'b')).err).toMatch(
    /title/u,
  );
});
