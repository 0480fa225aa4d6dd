import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formPdf } from '../fixtures/form-pdf.ts';
import { signaturePicture } from '../fixtures/signature-picture.ts';
import { sendingSettings } from '../setup/gateway.ts';
import { enrolMara } from '../setup/owner.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

let cli: CommandLine;
beforeAll(async () => {
  cli = await openCommandLine();
  await cli.serve(sendingSettings(cli.emulator));
});
afterAll(async () => cli.close());

test('faxdesk covers adds, shows and removes cover pages, and send puts one before a fax', async () => {
  const form = join(cli.folder, 'form.pdf');
  writeFileSync(form, formPdf(['to', 'pages', 'note']));
  const added = await cli.run(['covers', 'create', 'Our form', '--pdf', form]);
  expect([added.code, added.out]).toEqual([0, expect.stringMatching(/^Created: /u)]);
  const list = await cli.run(['covers', 'list']);
  expect(list.out).toMatch(/plain +Plain +built in[\s\S]*Our form +PDF/u);
  const picture = join(cli.folder, 'cover.png');
  const shown = await cli.run([
    'covers',
    'show',
    'Our form',
    '--output',
    picture,
    '--cover-field',
    'note=Hi = there',
  ]);
  expect([shown.code, shown.out]).toEqual([0, expect.stringContaining('to, pages, note')]);
  expect(readFileSync(picture).toString('latin1', 1, 4)).toBe('PNG');
  const letter = join(cli.folder, 'letter.txt');
  writeFileSync(letter, 'Dear Ann');
  const id = added.out.replace('Created: ', '').trim();
  const values = ['--cover', id, '--cover-field', 'note=As agreed'];
  const sent = await cli.run(['send', '+12025550123', letter, ...values, '--json']);
  expect(JSON.parse(sent.out)).toMatchObject({
    document: { pages: 2 },
    cover: { name: 'Our form', fields: { note: 'As agreed', pages: '2' } },
  });
  expect((await cli.run(['send', '+12025550123', letter, '--cover-field', 'note'])).code).not.toBe(0);
  expect((await cli.run(['covers', 'remove', 'Our form'])).out).toBe('Removed.\n');
  expect((await cli.run(['covers', 'show', 'Our form'])).code).toBe(1);
});

test('faxdesk signatures adds, lists and removes those of a person, who puts one on a page', async () => {
  const picture = join(cli.folder, 'signature.png');
  writeFileSync(picture, await signaturePicture());
  const add = ['signatures', 'create', picture, '--name', 'Whole name'];
  expect(await cli.run(add)).toMatchObject({
    code: 4,
    err: expect.stringContaining('Signatures and stamps belong to people.'),
  });
  await enrolMara(cli.url, readFileSync(join(cli.folder, 'installation.key'), 'utf8').trim());
  const made = await cli.run([
    'keys',
    'create',
    '--for',
    'mara',
    '--name',
    'Desk',
    '--scope',
    'fax:send',
    'fax:read',
    '--json',
  ]);
  const { token } = JSON.parse(made.out) as { token: string };
  const asMara = (...words: string[]) => cli.run([...words, '--key', token]);
  expect((await asMara(...add, '--kind', 'seal')).code).not.toBe(0);
  const added = await asMara(...add);
  expect([added.code, added.out]).toEqual([0, expect.stringMatching(/^Added: /u)]);
  const id = added.out.replace('Added: ', '').trim();
  expect((await asMara('signatures', 'list')).out).toMatch(/signature +Whole name/u);
  const [letter, edits] = [join(cli.folder, 'agreed.txt'), join(cli.folder, 'edits.json')];
  writeFileSync(letter, 'Agreed.');
  const box = { x: 0.5, y: 0.7, width: 0.3, height: 0.1 };
  const marks = [
    { kind: 'redact', box: { ...box, y: 0.1 } },
    { kind: 'signature', box, picture: id },
  ];
  writeFileSync(edits, JSON.stringify([[{ page: 1, marks }]]));
  const send = ['send', '+12025550124', letter, '--page-edits', edits, '--json'];
  const sent = await asMara(...send);
  expect(JSON.parse(sent.out)).toMatchObject({
    edits: { redacted: 1, signatures: 1, signed_by: 'Mara Okafor' },
  });
  // Without her key it is not hers.
  expect((await cli.run(send)).err).toContain('is not yours');
  expect((await asMara('signatures', 'remove', id)).out).toBe('Removed.\n');
});
