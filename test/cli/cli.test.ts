import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../server/db/database.ts';
import { insertMailbox } from '../../server/features/access/store/mailboxes.ts';
import { eventually } from '../setup/eventually.ts';
import type { Fax } from '../setup/gateway.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

let cli: CommandLine;
let letter: string;
beforeAll(async () => {
  cli = await openCommandLine();
  letter = join(cli.folder, 'letter.txt');
  await writeFile(letter, 'Dear colleague\n');
  await cli.serve();
});
afterAll(() => cli.close());

async function addMailbox(sqliteFile: string, mailbox: { id: string; label: string }): Promise<void> {
  const db = openDatabase({ postgresUrl: null, sqliteFile });
  const at = '2026-11-21T08:00:00.000Z';
  const row = { ...mailbox, enabled: 1, cover_id: null, version: 1, created_at: at, updated_at: at } as const;
  try {
    await db.transaction((tx) => insertMailbox(tx, row));
  } finally {
    await db.close();
  }
}

const json = <T>(...words: string[]) => cli.json<T>(...words);

describe('faxdesk serve', () => {
  test('prints one line when it takes requests, and keeps its key to its owner', async () => {
    expect(cli.ready).toMatch(/^Faxdesk is ready at http:\/\/127\.0\.0\.1:\d+\/admin\/ui\/\n$/u);
    for (const name of ['installation.key', 'data.key'])
      expect((await stat(join(cli.folder, name))).mode & 0o777).toBe(0o600);
  });

  test('refuses to start twice on one data folder', async () => {
    const { code, out, err } = await cli.run(['serve', '--port', '0']);
    expect([code, out, err]).toEqual([10, '', `Faxdesk is already running on ${cli.folder}.\n`]);
  });

  test('says in a sentence what is wrong with its start', async () => {
    const other = { FAXDESK_DATA: join(cli.folder, 'other') };
    expect((await cli.run(['serve', '--port', 'high'], other)).code).toBe(9);
    const country = await cli.run(['serve', '--port', '0'], { ...other, FAX_DEFAULT_COUNTRY: 'Mars' });
    expect([country.code, country.out]).toEqual([9, '']);
    expect(country.err).toMatch(/FAX_DEFAULT_COUNTRY/u);
    const port = new URL(cli.ready.trim().split(' ').at(-1) ?? '').port;
    const taken = await cli.run(['serve', '--port', port], other);
    // The log stands before it: by then the new data folder has its key.
    expect([taken.code, taken.err.trimEnd().split('\n').at(-1)]).toEqual([
      1,
      'Another program is using that port. Choose another with --port.',
    ]);
  });
});

describe('faxdesk send', () => {
  test('answers once the fax is accepted, and follows it with --wait', async () => {
    const sending = cli.run(['send', '(202) 555-0123', letter, '--wait']);
    const sid = await eventually(() => {
      const id = [...cli.emulator.faxes.keys()].at(-1);
      if (!id) throw new Error('not there yet');
      return id;
    });
    const [fax] = (await json<{ items: Fax[] }>('jobs', 'list')).items;
    cli.emulator.complete(sid);
    await eventually(async () => {
      expect((await json<Fax>('jobs', 'refresh', String(fax?.id))).delivery_state).toBe('success');
    });
    const { code, out, err } = await sending;
    expect(code).toBe(0);
    expect(out).toMatch(/State: +delivered \(success\)/u);
    expect(err).toMatch(/accepted, waiting to be sent/u);
  });

  test('is one fax however often it is repeated with a key', async () => {
    const words = ['send', '+12025550124', letter, '--idempotency-key', 'letter-1'];
    expect((await json<Fax>(...words)).id).toBe((await json<Fax>(...words)).id);
  });

  test('takes a time, titles and the choice of greys', async () => {
    const day = new Date(Date.now() + 2 * 24 * 3_600_000).toISOString().slice(0, 10);
    const choices = ['--at', `${day}T08:00+02:00`, '--clean-greys', '--title', 'Referral', '--title', 'Plan'];
    choices.push('--subject', 'Knee X-ray', '--reference', 'Patient 4711');
    const fax = await json<Fax>('send', '+12025550127', letter, letter, ...choices);
    expect(fax).toMatchObject({
      send_at: `${day}T06:00:00.000Z`,
      clean_greys: true,
      titles: ['Referral', 'Plan'],
      subject: 'Knee X-ray',
      reference: 'Patient 4711',
      document_type: null,
      delivery_state: 'ready',
    });
    const { out } = await cli.run(['status', fax.id]);
    expect(out).toMatch(/Titles: +Referral, Plan/u);
    expect(out).toMatch(/Reference: +Patient 4711/u);
    const about = await json<Fax>('jobs', 'change', fax.id, '--subject', '', '--type', 'Referral');
    expect(about).toMatchObject({ subject: null, reference: 'Patient 4711', document_type: 'Referral' });
    expect((await cli.run(['jobs', 'change', fax.id])).code).toBe(2);
    expect((await cli.run(['jobs', 'list', '--search', 'patient 4711'])).out).toContain(
      'Referral · Patient 4711',
    );
    expect(out).toMatch(/Scheduled for: +2/u);
    const moved = await json<Fax>('jobs', 'schedule', fax.id, '--at', `${day}T09:00+02:00`);
    expect(moved).toMatchObject({ send_at: `${day}T07:00:00.000Z`, delivery_state: 'ready' });
    expect((await cli.run(['jobs', 'schedule', fax.id])).code).toBe(2);
    expect(await json<Fax>('jobs', 'schedule', fax.id, '--now')).toMatchObject({ send_at: null });
    expect((await cli.run(['jobs', 'history', fax.id])).out).toContain('moved to another time');
  });

  test('names the mailbox it is sent for', async () => {
    await addMailbox(join(cli.folder, 'faxdesk.sqlite'), { id: 'clinic', label: 'Clinic' });
    for (const mailbox of ['clinic', 'Clinic']) {
      const fax = await json<Fax>('send', '+12025550128', letter, '--mailbox', mailbox);
      expect(fax.mailbox).toBe('Clinic');
      expect((await cli.run(['status', fax.id])).out).toMatch(/Mailbox: +Clinic/u);
    }
    const { code, err } = await cli.run(['send', '+12025550128', letter, '--mailbox', 'nowhere']);
    expect([code, err]).toEqual([9, expect.stringContaining('That mailbox does not exist')]);
  });

  test.each([
    ['a time that is none', ['send', '+12025550123', letter, '--at', 'tomorrow'], 9, /not a time such as/u],
    ['a day without a time', ['send', '+12025550123', letter, '--at', '2026-11-22'], 9, /not a time/u],
    ['a number that is none', ['send', '12'], 9, /fax number is incomplete/u],
    ['a file that is not there', ['send', '+12025550123', '/nowhere/letter.pdf'], 9, /cannot be read/u],
    ['nothing', ['send'], 2, /missing required argument/u],
  ])('refuses %s', async (_name, words, expected, sentence) => {
    const { code, err } = await cli.run(words.length === 2 ? [...words, letter] : words);
    expect(code).toBe(expected);
    expect(err).toMatch(sentence);
  });
});

describe('exit codes', () => {
  test.each([
    ['an unknown command', ['fly'], {}, 2],
    ['help', ['--help'], {}, 0],
    ['a wrong key', ['me', '--key', 'key_live_a_b'], {}, 3],
    ['an unknown fax', ['status', 'nope'], {}, 5],
    ['no gateway', ['health', '--url', 'http://127.0.0.1:9'], {}, 8],
    ['a wrong address', ['health', '--url', 'nonsense'], {}, 2],
    ['an unknown setting', ['settings', 'change', 'COLOUR=red'], {}, 9],
  ])('%s', async (_name, words, environment, expected) => {
    expect((await cli.run(words, environment)).code).toBe(expected);
  });

  test('a key that may not, and a change that comes too late', async () => {
    const { token } = await json<{ token: string }>(
      'keys',
      'create',
      '--name',
      'Reader',
      '--scope',
      'fax:read',
    );
    expect((await cli.run(['send', '+12025550123', letter], { FAXDESK_API_KEY: token })).code).toBe(4);
    const [fax] = (await json<{ items: Fax[] }>('jobs', 'list', '--state', 'success')).items;
    expect((await cli.run(['jobs', 'cancel', String(fax?.id)])).code).toBe(6);
  });

  test('the key of this computer never goes to another', async () => {
    const { code } = await cli.run(['me', '--url', 'http://gateway.invalid:8080']);
    expect(code).toBe(8);
  });
});

describe('looking and deciding', () => {
  test('a held fax is listed, released and reported', async () => {
    await json('settings', 'change', 'FAX_DISABLED=yes');
    const { id } = await json<Fax>('send', '+12025550125', letter, '--queue-only');
    await json('settings', 'remove', 'FAX_DISABLED');
    expect((await cli.run(['jobs', 'list', '--state', 'held'])).out).toContain(id);
    expect((await json<Fax>('jobs', 'release', id)).delivery_state).toBe('ready');
    expect((await cli.run(['jobs', 'history', id])).out).toContain('Released for sending.');
    const report = join(cli.folder, 'report.pdf');
    expect((await cli.run(['jobs', 'report', id, '--output', report])).code).toBe(0);
    expect((await readFile(report)).subarray(0, 5).toString()).toBe('%PDF-');
  });

  test('a fax whose recipient could not be reached shows its question again later, and the pages that arrived are kept', async () => {
    const pages = join(cli.folder, 'pages.txt');
    await writeFile(pages, 'one\ftwo\fthree\n');
    cli.emulator.setFault({ kind: 'dropped', accepted: true, method: 'POST' });
    const { id } = await json<Fax>('send', '+12025550126', pages);
    await eventually(async () => {
      expect((await json<Fax>('jobs', 'show', id)).delivery_state).toBe('reconciliation_required');
    });
    const reconcile = (...words: string[]) => cli.run(['jobs', 'reconcile', id, ...words]);
    expect((await reconcile('--outcome', 'failed')).code).toBe(2);
    const later = await reconcile('--outcome', 'not_reached', '--note', 'No answer');
    expect(later.out).toMatch(/^Ask again at: +\d{4}-/mu);
    expect((await cli.run(['jobs', 'history', id])).out).toContain('recipient not reached');
    const failed = ['--outcome', 'failed', '--note', 'Ana counted them'];
    expect((await reconcile(...failed, '--pages-arrived', 'two')).code).toBe(2);
    expect((await reconcile(...failed, '--pages-arrived', '3')).code).toBe(9);
    const decided = await reconcile(...failed, '--pages-arrived', '2');
    expect(decided.out).toMatch(/^Confirmed pages: +2$/mu);
    expect(decided.out).toMatch(/^Reason: +Recorded as incomplete by .+: 2 of 3 pages arrived\.$/mu);
  });

  test('settings take secrets from standard input and never show them', async () => {
    const { code } = await cli.run(['settings', 'change', 'CLOUDONE_CALLBACK_TOKEN=-'], {}, 'from-stdin\n');
    expect(code).toBe(9);
    const shown = await cli.run(['settings', 'show', 'CLOUDONE_CALLBACK_TOKEN']);
    expect(shown.out).toMatch(/\(set, secret\)/u);
    const list = await cli.run(['settings', 'list', '--json']);
    expect(list.out).not.toContain('test-callback-token');
    const both = ['settings', 'change', 'FAX_ORGANIZATION=-', 'FAX_NUMBER=-'];
    expect((await cli.run(both, {}, 'Typed Clinic\n+12025550177\n')).code).toBe(0);
    const { out } = await cli.run(['settings', 'list']);
    expect(out).toMatch(/Typed Clinic[^]*\+12025550177|\+12025550177[^]*Typed Clinic/u);
    expect(await cli.run(both, {}, 'One line\n')).toMatchObject({
      code: 2,
      err: 'Give FAX_ORGANIZATION, FAX_NUMBER on standard input, one per line.\n',
    });
  });

  test('validate, health, me and diagnose print the truth without secrets', async () => {
    expect((await cli.run(['settings', 'validate', 'cloudone'])).code).toBe(0);
    const dataFolder = `Data folder: ${cli.folder}`;
    const ready =
      'The gateway is ready.\nNeeds attention:\n  - There is no backup yet. Choose an hour for the daily backup in the settings.\n';
    expect((await cli.run(['health'])).out).toBe(`${ready}${dataFolder}\n`);
    expect((await cli.run(['health', '--key', 'wrong'])).out).toBe(ready);
    expect((await cli.run(['diagnose'])).out).toContain(cli.folder);
    expect((await cli.run(['me'])).out).toMatch(/Kind: +bootstrap/u);
    const report = await cli.run(['diagnose']);
    expect(report.out).toMatch(/Gateway problems: +none/u);
    expect(report.out).not.toMatch(/5550|emulator-secret/u);
  });
});

describe('backup and restore', () => {
  test('bring an installation to another folder, where no fax leaves by itself', async () => {
    await cli.emulator.refuseConnections();
    const { id } = await json<Fax>('send', '+12025550126', letter);
    const file = join(cli.folder, 'backup.zip');
    expect((await cli.run(['backup', 'create', '--output', file])).out).toMatch(/Documents: +\d/u);
    await cli.emulator.acceptConnections();
    const target = { FAXDESK_DATA: join(cli.folder, 'restored') };
    const running = await cli.run(['restore', file]);
    expect([running.code, running.err]).toEqual([
      10,
      `Faxdesk is running on ${cli.folder}. Stop it first. Nothing was changed.\n`,
    ]);
    expect((await cli.run(['restore', file], target)).code).toBe(0);
    expect(await cli.stop()).toBe(0);
    await cli.serve(target);
    const restored = await cli.run(['status', id, '--json'], target);
    expect(JSON.parse(restored.out)).toMatchObject({ delivery_state: 'held' });
  });
});
