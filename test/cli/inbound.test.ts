import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { engineImage } from '../fixtures/engine-image.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { eventually } from '../setup/eventually.ts';
import { sendingSettings } from '../setup/gateway.ts';
import { enrolMara, MARA } from '../setup/owner.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

const PUBLIC_URL = 'https://fax.example.com';

let cli: CommandLine;
beforeAll(async () => {
  cli = await openCommandLine();
  await cli.serve({
    ...sendingSettings(cli.emulator),
    INBOUND_ENABLED: 'true',
    PUBLIC_API_URL: PUBLIC_URL,
  });
});
afterAll(() => cli.close());

test('faxdesk inbound lists, shows, saves, tries out and fetches again', async () => {
  const made = await cli.run(['inbound', 'test', '--from', '+12025550177', '--json']);
  expect(made.code, made.err).toBe(0);
  const { id } = JSON.parse(made.out) as { id: string };
  const file = join(cli.folder, 'test.pdf');
  expect((await cli.run(['inbound', 'pdf', id, '--output', file])).code).toBe(0);
  expect((await readFile(file)).subarray(0, 5).toString()).toBe('%PDF-');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await cli.run(['inbound', 'readers', id])).out).toContain('Installation key');
  const about = await cli.run(['inbound', 'change', id, '--reference', 'Order 12', '--json']);
  expect(JSON.parse(about.out)).toMatchObject({ reference: 'Order 12', subject: null });
  expect((await cli.run(['inbound', 'list', '--search', 'order 12'])).out).toContain('Order 12');
  const turned = await cli.run(['inbound', 'turn', id, '1', '--quarters', '3', '--json']);
  expect(JSON.parse(turned.out)).toMatchObject({ turned_pages: [{ page: 1, quarter_turns: 3 }] });
  expect((await cli.run(['inbound', 'show', id])).out).toMatch(/Rotated pages: +1 by 270°/u);
  expect((await cli.run(['inbound', 'turn', id, '9', '--quarters', '1'])).code).toBe(5);
  const again = await cli.run(['inbound', 'fetch', id]);
  expect([again.code, again.err]).toEqual([6, expect.stringMatching(/nothing to fetch\.\n$/u)]);

  cli.emulator.setFault({ kind: 'refused', status: 404, path: /\/file$/u });
  const fax = cli.emulator.receive({ from: '+12025550199', to: '+12025550100', document: textPdf(2) });
  const url = /http:\S+:\d+/u.exec(cli.ready)?.[0] ?? '';
  await cli.emulator.sendCallback(String(fax.id), {
    url: `${url}/cloudone-inbound`,
    signedUrl: `${PUBLIC_URL}/cloudone-inbound`,
    file: null,
  });
  const waiting = await eventually(async () => {
    const { out } = await cli.run(['inbound', 'list', '--status', 'waiting']);
    expect(out).toContain('Waiting for the document');
    return out.split('\n')[1]?.split(' ')[0] ?? '';
  });
  expect((await cli.run(['inbound', 'pdf', waiting, '--output', file])).code).toBe(5);
  await eventually(async () => {
    const shown = await cli.run(['inbound', 'show', waiting]);
    expect(shown.out).toContain('does not have the document');
  });
  expect((await cli.run(['inbound', 'fetch', waiting])).code).toBe(0);
  await eventually(async () => {
    const { out } = await cli.run(['inbound', 'list', '--from', '+12025550199']);
    expect(out).toMatch(/Received +2 /u);
  });
}, 120_000);

test('faxdesk inbound blocks a sender, lists junk, and takes a fax out of it', async () => {
  const arrive = () => cli.json<{ id: string; junk: boolean }>('inbound', 'test', '--from', '+12025550166');
  const { id } = await arrive();
  const blocked = await cli.run(['inbound', 'block', id]);
  expect([blocked.code, blocked.err]).toEqual([0, '']);
  expect(blocked.out).toMatch(/Blocked: +\+12025550166\n/u);
  expect(blocked.out).toContain(id);
  expect((await cli.run(['inbound', 'block', '(202) 555-0166'])).out).toMatch(
    /Blocked before: +\+12025550166/u,
  );
  const next = await arrive();
  expect(next.junk).toBe(true);
  expect((await cli.run(['inbound', 'show', next.id])).out).toMatch(/Junk: +yes, its sender was blocked/u);
  const listed = (await cli.run(['inbound', 'list', '--junk'])).out;
  expect(listed).toContain(id);
  expect(listed).toMatch(/in Junk/u);
  expect((await cli.run(['inbound', 'list', '--no-junk'])).out).not.toContain(id);
  expect((await cli.run(['inbound', 'blocked'])).out).toMatch(/\+12025550166 .*Installation key +2/u);
  expect((await cli.run(['inbound', 'not-junk', id])).out).not.toMatch(/Junk:/u);
  const unblocked = await cli.run(['inbound', 'unblock', '(202) 555-0166', '--bring-back']);
  expect([unblocked.code, unblocked.out]).toEqual([0, expect.stringMatching(/Returned from Junk: +1\n/u)]);
  expect((await cli.run(['inbound', 'unblock', '+12025550166'])).out).toMatch(/Was not blocked: +\+1202/u);
  // One of our own numbers asks once more.
  const own = await cli.run(['inbound', 'block', 'no number']);
  expect(own.code).not.toBe(0);
}, 120_000);

test('faxdesk import hands over a PDF with a manifest, and says when it came before or conflicts', async () => {
  const [pdf, other, manifest] = ['result.pdf', 'other.pdf', 'result.json'].map((name) =>
    join(cli.folder, name),
  );
  await writeFile(pdf as string, textPdf(2));
  await writeFile(other as string, textPdf(1));
  const told = {
    source_system: 'Lab bridge',
    operation_id: 'A-1042',
    source_received_at: '2026-11-21T09:00:00Z',
  };
  await writeFile(manifest as string, JSON.stringify(told));
  const run = (file: string, given: string) => cli.run(['import', file, '--manifest', given, '--json']);
  const first = await run(pdf as string, manifest as string);
  expect(first.code, first.err).toBe(0);
  const { inbound_id, status } = JSON.parse(first.out) as { inbound_id: string; status: string };
  expect(status).toBe('received');
  const again = await cli.run(['import', pdf as string, '--manifest', JSON.stringify(told)]);
  expect([again.code, again.out]).toEqual([0, expect.stringContaining('already imported')]);
  const conflict = await run(other as string, manifest as string);
  expect([conflict.code, conflict.err]).toEqual([6, expect.stringContaining('The first one is kept.')]);
  const wrong = await run(manifest as string, manifest as string);
  expect([wrong.code, wrong.err]).toEqual([9, expect.stringContaining('It is not a PDF.')]);
  const missing = await run(pdf as string, 'nothing.json');
  expect([missing.code, missing.err]).toEqual([9, expect.stringContaining('nothing.json cannot be read.')]);
  expect((await cli.run(['import', pdf as string])).code).toBe(2);
  const shown = (await cli.run(['inbound', 'show', inbound_id])).out;
  expect(shown).toMatch(/^Imported from: +Lab bridge$/mu);
  expect(shown).toMatch(/^Operation ID: +A-1042$/mu);
  expect(shown).toMatch(/^Received there: +2026-11-21T09:00:00.000Z$/mu);
}, 60_000);

test('faxdesk inbound recover brings in the images that the telephone engine left', async () => {
  const unknown = async () => {
    const words = ['inbound', 'list', '--search', 'unknown', '--status', 'received', '--json'];
    return (JSON.parse((await cli.run(words)).out) as { items: { id: string }[] }).items.map(({ id }) => id);
  };
  const before = await unknown();
  await writeFile(join(cli.folder, 'inbound', 'left-behind.tif'), engineImage());
  const found = await cli.run(['inbound', 'recover']);
  expect([found.code, found.out], found.err).toEqual([0, expect.stringMatching(/^Images: +1\n/u)]);
  const id = await eventually(async () => {
    const fax = (await unknown()).find((each) => !before.includes(each));
    expect(fax).toBeDefined();
    return fax ?? '';
  });
  const { out } = await cli.run(['inbound', 'show', id]);
  expect(out).toMatch(/^To: .*\(not reported; our only number\)$/mu);
  expect(out).toMatch(/^Recovered: /mu);
  expect((await cli.run(['inbound', 'recover'])).out).toBe('The telephone engine left no images.\n');
}, 60_000);

test('faxdesk inbound move and rules apply move faxes that are in no mailbox', async () => {
  expect((await cli.run(['mailboxes', 'create', '--label', 'Ward'])).code).toBe(0);
  const made = async (to: string) => {
    const { out } = await cli.run(['inbound', 'test', '--to', to, '--json']);
    return (JSON.parse(out) as { id: string }).id;
  };
  const id = await made('+12025550155');
  const other = await made('+12025550156');
  expect((await cli.run(['inbound', 'move', id, '--mailbox', 'Elsewhere'])).code).toBe(5);
  const moved = await cli.run(['inbound', 'move', id, '--mailbox', 'Ward']);
  expect([moved.code, moved.out]).toEqual([0, expect.stringMatching(/Mailbox: +Ward/u)]);
  expect((await cli.run(['inbound', 'move', id, '--mailbox', 'Ward'])).code).toBe(6);
  expect((await cli.run(['rules', 'create', '+12025550156', '--mailbox', 'Ward'])).code).toBe(0);
  const applied = await cli.run(['rules', 'apply']);
  expect([applied.code, applied.out]).toEqual([0, expect.stringMatching(/Moved: +1\n/u)]);
  expect((await cli.run(['inbound', 'show', other])).out).toMatch(/Mailbox: +Ward/u);
}, 120_000);

test('rule (crossings): received faxes, work items and e-mails with a received document are counted by `faxdesk diagnose`', async () => {
  const key = await readFile(join(cli.folder, 'installation.key'), 'utf8');
  await enrolMara(cli.url, key.trim());
  expect((await cli.run(['settings', 'change', 'WORK_ACKNOWLEDGE_HOURS=4'])).code).toBe(0);
  const { work_item_id: id } = await cli.json<{ work_item_id: string }>('inbound', 'test');
  expect((await cli.run(['work', 'list', '--view', 'unassigned'])).out).toMatch(/Waiting for an owner/u);
  const unknown = await cli.run(['work', 'assign', id, 'Nobody']);
  expect([unknown.code, unknown.err]).toEqual([
    5,
    `Nobody cannot be assigned this item. These people can: ${MARA.name}.\n`,
  ]);
  expect((await cli.run(['work', 'assign', id, MARA.name.toLowerCase()])).code).toBe(0);
  const other = await cli.run(['work', 'acknowledge', id]);
  expect([other.code, other.err]).toEqual([4, 'Only the owner of this item can acknowledge it.\n']);
  const stale = await cli.run(['work', 'done', id, '--note', 'Filed.', '--if-version', '1']);
  expect([stale.code, stale.err]).toEqual([6, 'This item changed; reload and try again.\n']);
  expect((await cli.run(['work', 'done', id, '--note', 'Filed.'])).out).toMatch(/State: +Done/u);
  expect((await cli.run(['work', 'reopen', id])).out).toMatch(/State: +Assigned/u);
  const noted = await cli.run(['work', 'note', id, '--note', 'Asked for page 2.']);
  expect([noted.code, noted.out]).toEqual([0, expect.stringMatching(/State: +Assigned/u)]);
  const { out } = await cli.run(['work', 'show', id]);
  expect(out).toMatch(/Note: +Asked for page 2\. \(Installation key, \S+\)/u);
  expect(out).toMatch(/Installation key: Installation key noted: Asked for page 2\./u);
  expect(out).toMatch(/Due: +\S+ \(in 3 h \d+ min\)/u);
  expect(out).toMatch(/Installation key: Installation key marked it as done: Filed\./u);

  const report = (await cli.run(['diagnose'])).out;
  expect(report).toMatch(/Received faxes: +received: \d+/u);
  expect(report).toMatch(/Work items: +(?:open: \d+, )?acknowledged: \d+|Work items: +open: \d+/u);
  expect(report).toMatch(/E-mail deliveries: +none/u);

  const histories = ['diagnose', '--history'];
  expect(await cli.run([...histories, '--output', 'report.txt'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('cannot be used with') as string,
  });
  expect(await cli.run(histories)).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /^The histories of \d+ work items? are complete and unchanged: \d+ entries\.\n$/u,
    ) as string,
  });
  const store = new BetterSqlite(join(cli.folder, 'faxdesk.sqlite'));
  store.exec(`update work_history set text = 'Nothing happened.' where position = 3 and item_id = '${id}'`);
  store.close();
  expect(await cli.run(histories)).toEqual({
    code: 1,
    out: '',
    err: `Entry 3 of the history of work item ${id} was altered or moved.\n`,
  });
}, 120_000);
