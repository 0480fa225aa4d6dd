import { appendFile, mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { folderTypeNames } from '../../shared/document-types.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { MailboxPeople } from '../setup/mailbox-people.ts';
import { HOUR } from '../setup/manual-clock.ts';
import { createKey, read } from '../setup/test-keys.ts';
import { LETTER, NUMBER, OTHER, SendFolder } from './folders-setup.ts';

const NAME = `letter__${NUMBER}`;
let gateway: TestGateway;
let folder: SendFolder;

beforeEach(async () => {
  gateway = await startTestGateway();
  folder = new SendFolder(gateway);
  await folder.sendFor();
});
afterEach(() => gateway.close());

const submitted = () => gateway.emulator.faxes.size;

describe('a file in the send folder', () => {
  test('is sent at the second look that finds it the same, for whom the setting names, and moved', async () => {
    await folder.dropFile(`${NAME}.pdf`);
    await folder.scan();
    expect(await folder.faxes()).toEqual([]);
    await folder.scan();
    const [fax, ...more] = await folder.faxes();
    expect(more).toEqual([]);
    expect(fax).toMatchObject({ to: NUMBER, document: { pages: 2, file_name: `${NAME}.pdf` } });
    const [accepted] = await gateway.history(fax?.id ?? '');
    expect(accepted).toMatchObject({
      kind: 'accepted',
      actor: 'API key: Scanner',
      text: 'Accepted and ready to be sent. It was left in the send folder.',
    });
    expect([await folder.names(), await folder.names('sent'), await folder.names('failed')]).toEqual([
      ['failed', 'sent'],
      [`${NAME}.pdf`, `${NAME}.txt`],
      [],
    ]);
    expect(await readFile(join(folder.path, 'sent', `${NAME}.pdf`))).toEqual(LETTER);
    expect(await folder.text('sent', `${NAME}.txt`)).toContain(`Accepted as fax ${fax?.id} on `);
    expect([submitted(), await folder.warnings()]).toEqual([1, []]);
  });

  test('is waited for as long as it grows', async () => {
    await folder.dropFile(`${NAME}.pdf`, LETTER.subarray(0, 100));
    for (let at = 100; at < 400; at += 100) {
      await folder.scan();
      await appendFile(join(folder.path, `${NAME}.pdf`), LETTER.subarray(at, at + 100));
    }
    await folder.scan();
    await appendFile(join(folder.path, `${NAME}.pdf`), LETTER.subarray(400));
    await folder.scan();
    expect([await folder.faxes(), await folder.names('failed')]).toEqual([[], []]);
    await folder.scan();
    expect(await folder.faxes()).toMatchObject([{ document: { pages: 2 } }]);
  });

  test('takes number, cover, title, mailbox and time from the .json beside it, which may come a minute later', async () => {
    await gateway.request('POST', '/access/mailboxes', {
      json: { label: 'Pharmacy', expected_policy_version: await policy() },
    });
    const send_at = new Date(gateway.clock.now() + HOUR).toISOString();
    await folder.dropFile('scan.pdf');
    await folder.scan(6);
    expect([await folder.faxes(), await folder.names('failed')]).toEqual([[], []]);
    const told = {
      to: '(202) 555-0123',
      cover: 'Dear Ann,\nas agreed.',
      title: 'Order',
      subject: 'Refill of May',
      reference: 'Patient 4711',
      mailbox: 'Pharmacy',
    };
    await folder.dropFile('scan.json', `\uFEFF${JSON.stringify({ ...told, send_at })}`);
    await folder.scan(2);
    expect(await folder.faxes()).toMatchObject([
      {
        to: NUMBER,
        document: { pages: 3 },
        titles: ['Cover', 'Order'],
        mailbox: 'Pharmacy',
        send_at,
        subject: 'Refill of May',
        reference: 'Patient 4711',
        document_type: null,
      },
    ]);
    expect(await folder.names('sent')).toEqual(['scan.json', 'scan.pdf', 'scan.txt']);
  });

  test.each(['tif', 'PNG', 'jpeg'])('may be a picture: .%s', async (ending) => {
    const format = { tif: 'tiff', PNG: 'png', jpeg: 'jpeg' }[ending] as 'tiff' | 'png' | 'jpeg';
    const { default: sharp } = await import('sharp');
    const blank = { create: { width: 1728, height: 2200, channels: 3, background: 'white' } } as const;
    await folder.dropFile(`${NAME}.${ending}`, await sharp(blank).toFormat(format).toBuffer());
    await folder.scan(2);
    expect([await folder.text('failed', `${NAME}.txt`).catch(() => ''), await folder.faxes()]).toMatchObject([
      '',
      [{ document: { pages: 1 } }],
    ]);
    expect(await folder.names('sent')).toEqual([`${NAME}.${ending.toLowerCase()}`, `${NAME}.txt`]);
  });

  test('is one fax however often it is left, and two under two names or with other pages', async () => {
    await folder.dropFile(`${NAME}.pdf`);
    await folder.scan(2);
    const [first] = await folder.faxes();
    gateway.clock.advance(30 * 24 * HOUR);
    await folder.scan();
    await folder.dropFile(`${NAME}.pdf`);
    await folder.scan(2);
    expect(await folder.faxes()).toMatchObject([{ id: first?.id }]);
    const texts = (await folder.names('sent')).filter((name) => name.endsWith('.txt'));
    const notes = await Promise.all(texts.map((name) => folder.text('sent', name)));
    expect(notes.filter((note) => note.startsWith('This file was accepted before'))).toEqual([
      expect.stringContaining(`as fax ${first?.id} of `),
    ]);
    await folder.dropFile(`again__${NUMBER}.pdf`);
    await folder.dropFile(`${NAME}.pdf`, OTHER);
    await folder.scan(2);
    expect((await folder.faxes()).map(({ document }) => `${document.pages}`).sort()).toEqual(['2', '2', '3']);
    expect((await folder.names('sent')).filter((name) => name.endsWith('.pdf'))).toHaveLength(4);
  });

  test('with an idempotency_key is one fax under any name, and another file under that key is refused', async () => {
    const told = JSON.stringify({ to: NUMBER, idempotency_key: 'order 17' });
    for (const [name, content] of [
      ['a', LETTER],
      ['b', LETTER],
      ['c', OTHER],
    ] as const) {
      await folder.dropFile(`${name}.json`, told);
      await folder.dropFile(`${name}.pdf`, content);
      await folder.scan(2);
    }
    expect(await folder.faxes()).toHaveLength(1);
    expect(await folder.names('failed')).toEqual(['c.json', 'c.pdf', 'c.txt']);
    expect(await folder.text('failed', 'c.txt')).toMatch(/^Its "idempotency_key" was used for another file/u);
  });

  const unfit: [string, string, string | Uint8Array, string | null, RegExp][] = [
    ['has no number', 'letter.pdf', LETTER, null, /^The file does not say which number/u],
    [
      'has a number that was not meant',
      `x__${NUMBER} (1).pdf`,
      LETTER,
      null,
      /^The file does not say which/u,
    ],
    ['has a number that is too short', 'x__+12025.pdf', LETTER, null, /^The file does not say which/u],
    ['has two numbers', `${NAME}.pdf`, LETTER, '{"to":"+12025550124"}', /name different fax numbers/u],
    ['is no PDF', `${NAME}.pdf`, 'Dear colleague', null, /PDF/u],
    ['is damaged', `${NAME}.pdf`, LETTER.subarray(0, 300), null, /\w+/u],
    ['has a .json that is none', `${NAME}.pdf`, LETTER, 'x', /cannot be read\. It is not JSON\./u],
    ['has a .json with a slip', `${NAME}.pdf`, LETTER, '{"too":"+1"}', /cannot be read\. .*"too"/u],
    ['has a .json of 65 KB', `${NAME}.pdf`, LETTER, ' '.repeat(65 * 1024), /larger than 64 KB/u],
    ['names a mailbox that is none', `${NAME}.pdf`, LETTER, '{"mailbox":"Nowhere"}', /mailbox/iu],
    ['has a time long past', `${NAME}.pdf`, LETTER, '{"send_at":"2020-01-01T00:00:00Z"}', /time/u],
  ];
  test.each(unfit)('that %s is in “failed” with the reason', async (_why, name, content, told, reason) => {
    const base = name.replace(/\.pdf$/u, '');
    await folder.dropFile(name, content);
    if (told !== null) await folder.dropFile(`${base}.json`, told);
    await folder.scan(14);
    expect(await folder.names()).toEqual(['failed', 'sent']);
    expect(await folder.names('failed')).toEqual([
      ...(told === null ? [] : [`${base}.json`]),
      name,
      `${base}.txt`,
    ]);
    expect(await folder.text('failed', `${base}.txt`)).toMatch(reason);
    expect([await folder.faxes(), await folder.names('sent'), submitted()]).toEqual([[], [], 0]);
    expect(await folder.warnings()).toEqual([
      '1 file was not sent: look in “failed” of the send folder, where a note beside each says why.',
    ]);
  });

  test('that was refused is sent once what was wrong is mended and it is moved back', async () => {
    await folder.dropFile(`${NAME}.pdf`);
    await folder.dropFile(`${NAME}.json`, '{"mailbox":"Pharmacy"}');
    await folder.scan(2);
    expect(await folder.names('failed')).toContain(`${NAME}.pdf`);
    await gateway.request('POST', '/access/mailboxes', {
      json: { label: 'Pharmacy', expected_policy_version: await policy() },
    });
    for (const ending of ['json', 'pdf'])
      await rename(join(folder.path, 'failed', `${NAME}.${ending}`), join(folder.path, `${NAME}.${ending}`));
    await folder.scan(2);
    expect(await folder.faxes()).toMatchObject([{ mailbox: 'Pharmacy' }]);
    expect(await folder.warnings()).toEqual([]);
  });

  test('of a name that two files share is not sent with a .json that may be that of the other', async () => {
    await folder.dropFile(`${NAME}.pdf`);
    await folder.dropFile(`${NAME}.tif`, OTHER);
    await folder.dropFile(`${NAME}.json`, '{"cover":"Dear Ann"}');
    await folder.scan(2);
    expect([await folder.faxes(), await folder.names()]).toEqual([[], ['failed', `${NAME}.json`, 'sent']]);
    const failed = await folder.names('failed');
    expect(failed.map((name) => name.slice(-4)).sort()).toEqual(['.pdf', '.tif', '.txt', '.txt']);
  });
});

test('odd names: what nobody sees is not shown, and no name is in the log', async () => {
  const name = `Jane\u202e Quill%2e\n$(rm)__${NUMBER}.pdf`;
  await folder.dropFile(name);
  await folder.dropFile('Quill 2.pdf', 'no PDF');
  await folder.scan(14);
  expect(await folder.faxes()).toMatchObject([
    { document: { file_name: `Jane Quill%2e$(rm)__${NUMBER}.pdf` } },
  ]);
  expect(await folder.names('sent')).toContain(name);
  expect(gateway.logLines.filter((line) => line.includes('Quill'))).toEqual([]);
});

test('links, folders, hidden and unfinished files are left alone, and what is no file to send is said after an hour', async () => {
  const outside = join(gateway.dataFolder, 'outside.pdf');
  await writeFile(outside, LETTER);
  await symlink(outside, join(folder.path, `link__${NUMBER}.pdf`));
  await mkdir(join(folder.path, `folder__${NUMBER}.pdf`));
  for (const name of [`.h__${NUMBER}.pdf`, `~h__${NUMBER}.pdf`, `${NAME}.pdf.part`])
    await folder.dropFile(name);
  await folder.dropFile(`${NAME}.pptx`, 'x');
  await folder.dropFile(`${NAME}.txt`, 'x');
  const before = await folder.names();
  await folder.scan(3);
  gateway.clock.advance(HOUR);
  await gateway.processAll();
  expect([await folder.faxes(), await folder.names()]).toEqual([[], before]);
  expect(await folder.warnings()).toEqual([
    `2 files in the send folder are not sent: it accepts ${folderTypeNames('send_folder')} files, named with the number, or with a .json of the same name.`,
  ]);
});

describe('whom it sends for', () => {
  test('rule (crossings): files of the send folder are in the security audit with their channel', async () => {
    await gateway.set({ AUDIT_LOG_ENABLED: true, AUDIT_LOG_FILE: 'audit.jsonl' });
    const people = new MailboxPeople(gateway);
    await people.addMailbox('pharmacy', 'Pharmacy');
    await people.addMailbox('lab', 'Lab');
    const ann = await people.addUser('Ann', { 'mailbox:pharmacy': ['fax:send'] });
    await people.setUser(ann.id, { login: 'ann' });
    await gateway.set({ SEND_FOLDER_FOR: 'Ann' });
    await folder.dropFile(`${NAME}.pdf`);
    await folder.dropFile('other.pdf', OTHER);
    await folder.dropFile('other.json', JSON.stringify({ to: NUMBER, mailbox: 'Lab' }));
    await folder.scan(2);
    const [fax, ...more] = await folder.faxes();
    expect([fax, more]).toMatchObject([{ mailbox: 'Pharmacy', created_by: { id: ann.id, name: 'Ann' } }, []]);
    expect(await folder.names('failed')).toEqual(['other.json', 'other.pdf', 'other.txt']);
    gateway = await gateway.restart();
    const log = await readFile(join(gateway.dataFolder, 'audit', 'audit.jsonl'), 'utf8');
    const created = log.split('\n').find((line) => line.includes('job_created'));
    expect(JSON.parse(created ?? '')).toMatchObject({
      job_id: fax?.id,
      actor_id: ann.id,
      credential_kind: 'send_folder',
    });
  });

  const NOBODY =
    'Nothing is sent from the send folder. Under Settings > Sending, “Send folder sends for”, choose a person or an API key with permission to send faxes.';

  test('rule (crossings): the send folder checks the permission for each file, and holds files with a warning once it is revoked', async () => {
    const reader = await folder.sendFor(['fax:read']);
    await folder.dropFile(`${NAME}.pdf`);
    await folder.scan(3);
    expect([await folder.faxes(), await folder.warnings()]).toEqual([[], [NOBODY]]);
    const sender = await folder.sendFor();
    const revoked = await gateway.request('DELETE', `/admin/api-keys/${sender}`);
    expect([revoked.status, reader === sender]).toEqual([200, false]);
    await folder.scan(3);
    expect([await folder.faxes(), await folder.warnings()]).toEqual([[], [NOBODY]]);
    await gateway.set({ SEND_FOLDER_FOR: null });
    await folder.scan(2);
    expect([await folder.names(), await folder.warnings()]).toEqual([
      ['failed', `${NAME}.pdf`, 'sent'],
      [NOBODY],
    ]);
    await folder.sendFor();
    await folder.scan(2);
    expect([(await folder.faxes()).length, await folder.warnings()]).toEqual([1, []]);
  });

  test('rule (crossings): files of the send folder are held, never sent as tests, while it names a test key', async () => {
    const key = await createKey(gateway, { test: true });
    await gateway.set({ SEND_FOLDER_FOR: key.split('_')[2] });
    await folder.dropFile(`${NAME}.pdf`);
    await folder.scan(3);
    const { items } = await read<{ items: object[] }>(gateway, '/fax?include_test=true');
    expect([items, await folder.warnings()]).toEqual([[], [NOBODY]]);
    await folder.sendFor();
    await folder.scan(2);
    expect(await folder.faxes()).toMatchObject([{ test: false }]);
  });

  test('is never taken from a secret that was pasted', async () => {
    const json = { changes: { SEND_FOLDER_FOR: 'key_live_0123456789_abcdefghijklmnopqrstuvwxyz' } };
    const answer = await gateway.request('PUT', '/admin/settings', { json });
    expect([answer.status, await folder.warnings()]).toEqual([422, []]);
    const test = { changes: { SEND_FOLDER_FOR: 'key_test_0123456789_abcdefghijklmnopqrstuvwxyz' } };
    expect((await gateway.request('PUT', '/admin/settings', { json: test })).status).toBe(422);
  });
});

async function policy(): Promise<number> {
  const me = (await (await gateway.request('GET', '/auth/me')).json()) as { policy_version: number };
  return me.policy_version;
}
