import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendingSettings } from '../setup/gateway.ts';
import { enrolMara } from '../setup/owner.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

let cli: CommandLine;
let token: string;
beforeAll(async () => {
  cli = await openCommandLine();
  await cli.serve(sendingSettings(cli.emulator));
  await enrolMara(cli.url, readFileSync(join(cli.folder, 'installation.key'), 'utf8').trim());
  const scopes = ['--scope', 'fax:send', 'fax:read', 'mailboxes:read'];
  const made = await cli.run(['keys', 'create', '--for', 'mara', '--name', 'Desk', ...scopes, '--json']);
  token = (JSON.parse(made.out) as { token: string }).token;
});
afterAll(async () => cli.close());

const asMara = (...words: string[]) => cli.run([...words, '--key', token]);

test('faxdesk defaults shows and sets what the faxes of a person begin with', async () => {
  expect((await cli.run(['mailboxes', 'create', '--label', 'Front desk'])).code).toBe(0);
  const before = await asMara('defaults', 'show');
  expect(before.out).toMatch(/^Mailbox: +-\nCover page: +-\nName on cover pages: +-\n.*header line: +-\n$/u);
  const values = ['--mailbox', 'front desk', '--cover', 'Plain', '--signature', 'Mara, front desk'];
  const set = await asMara('defaults', 'change', ...values, '--header-name', 'Dr. Okafor');
  expect([set.code, set.out]).toEqual([
    0,
    expect.stringMatching(/^Mailbox: +Front desk\nCover page: +Plain\n/u),
  ]);
  // An option that is left out changes nothing, and "" removes the value.
  const cleared = await asMara('defaults', 'change', '--cover', '', '--json');
  expect(JSON.parse(cleared.out)).toMatchObject({
    cover_id: null,
    signature: 'Mara, front desk',
    header_name: 'Dr. Okafor',
    version: 2,
  });
  const letter = join(cli.folder, 'letter.txt');
  writeFileSync(letter, 'Dear Ann');
  const sent = await asMara('send', '+12025550123', letter, '--mailbox', 'Front desk', '--json');
  const { id } = JSON.parse(sent.out) as { id: string };
  expect((await asMara('jobs', 'show', id)).out).toMatch(/^Header line name: +Dr\. Okafor$/mu);
});

test('faxdesk defaults says what is wrong', async () => {
  expect((await asMara('defaults', 'change')).code).toBe(2);
  expect(await asMara('defaults', 'change', '--mailbox', 'Nowhere')).toMatchObject({
    code: 5,
    err: 'You can send for no mailbox “Nowhere”.\n',
  });
  expect(await asMara('defaults', 'change', '--header-name', 'x'.repeat(51))).toMatchObject({
    code: 9,
    err: '--header-name must be 1 to 50 characters on one line.\n',
  });
  expect(await cli.run(['defaults', 'change', '--header-name', 'Program'])).toMatchObject({
    code: 6,
    err: expect.stringContaining('Only people can have their own name in the header line.'),
  });
});

test('faxdesk drafts lists, shows, renames and removes the saved drafts of a person', async () => {
  const save = async (name: string, text: string) => {
    const id = randomBytes(16).toString('hex');
    const form = new FormData();
    form.set('name', name);
    form.set('content', '{}');
    form.set('file', new File([text], 'a.txt'));
    const headers = { 'X-API-Key': token };
    const answer = await fetch(`${cli.url}/desk/drafts/${id}`, { method: 'PUT', headers, body: form });
    expect(answer.status).toBe(200);
    return id;
  };
  const [recall, other] = [await save('Recall', 'one'), await save('recall', 'four')];
  expect((await asMara('drafts', 'list')).out).toMatch(
    new RegExp(`^${recall} +draft +1 +3 +\\S+ +Recall$`, 'mu'),
  );
  expect((await cli.run(['drafts', 'list'])).out).not.toContain(recall);
  expect(await asMara('drafts', 'show', 'Recall')).toMatchObject({
    code: 6,
    err: 'Several drafts have the name “Recall”. Use the id.\n',
  });
  expect((await asMara('drafts', 'change', other, '--name', 'Tuesday')).out).toBe('Renamed.\n');
  const shown = await asMara('drafts', 'show', 'tuesday');
  expect(shown.out).toMatch(
    new RegExp(`^Draft: +${other}\nName: +Tuesday\n[\\s\\S]*\n1 +4 +[0-9a-f]{64}\n$`, 'u'),
  );
  expect((await asMara('drafts', 'remove', 'Tuesday')).out).toBe('Removed.\n');
  expect((await asMara('drafts', 'remove', recall)).out).toBe('Removed.\n');
  expect(await asMara('drafts', 'show', recall)).toMatchObject({ code: 5 });
});
