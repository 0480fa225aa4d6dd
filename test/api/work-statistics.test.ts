import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import type { WorkStatistics } from '../../shared/api/work-statistics.ts';
import type { Person } from '../setup/mailbox-people.ts';
import { HOUR, MINUTE } from '../setup/manual-clock.ts';
import { MANAGER, READER, WorkGateway } from './work-setup.ts';

type Statistics = z.infer<typeof WorkStatistics>;

let work: WorkGateway;
let manager: Person;
let ada: Person;
let ben: Person;
/** Before anything of the test below arrived. */
let begin: string;
const now = () => new Date(work.clock.now()).toISOString();

beforeAll(async () => {
  work = await WorkGateway.start();
  manager = await work.people.addUser('Mia', { installation: MANAGER });
  ada = await work.people.addUser('=Ada, RN', { 'mailbox:ward': MANAGER });
  ben = await work.people.addUser('Ben', { 'mailbox:ward': READER, 'mailbox:lab': READER });
  await work.setMailbox('ward', { acknowledge_hours: 2, backup_principal_id: ben.id });
  begin = now();
  await spendTheDay();
});
afterAll(() => work.close());

/** Of five documents one is in time, one late, one escalated, one without a target, and one waits. */
async function spendTheDay(): Promise<void> {
  const inTime = await work.assign(await work.arrive('ward'), ada, ada);
  work.clock.advance(10 * MINUTE);
  const acknowledged = await work.act('acknowledge', inTime, ada);
  work.clock.advance(20 * MINUTE);
  await work.act('done', acknowledged, ada, { note: 'Filed.' });

  await work.setMailbox('ward', { backup_principal_id: null });
  const late = await work.assign(await work.arrive('ward'), ada, ada);
  work.clock.advance(3 * HOUR);
  await work.process();
  await work.act('acknowledge', await work.item(late.id), ada);

  await work.setMailbox('ward', { backup_principal_id: ben.id });
  const escalated = await work.arrive('ward');
  work.clock.advance(2 * HOUR);
  await work.process();
  await work.act('acknowledge', await work.item(escalated.id), ben);

  await work.act('done', await work.assign(await work.arrive('lab'), ben, manager), ben, { note: 'Called.' });
  await work.arrive('nowhere');
  await work.request('POST', '/inbound/test', undefined, {});
  work.clock.advance(MINUTE);
}

async function statistics(query = ''): Promise<Statistics> {
  const answer = await work.request('GET', `/work/statistics${query}`, manager);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Statistics;
}

test('the statistics say what came, what was acknowledged in time, and how long it took, by mailbox and person', async () => {
  const { all, mailboxes, people, ...span } = await statistics(`?since=${begin}`);
  expect(span).toEqual({ since: begin, until: now(), archived: 0 });
  expect(all).toEqual({
    received: 5,
    in_time: 1,
    late: 2,
    awaited: 0,
    without_target: 2,
    acknowledged: 3,
    median_acknowledge_seconds: 2 * 3600,
    done: 2,
    median_done_seconds: 15 * 60,
    open_now: 1,
    overdue_now: 0,
  });
  expect(mailboxes).toMatchObject([
    { mailbox_id: 'lab', label: 'lab', received: 1, without_target: 1, done: 1, median_done_seconds: 0 },
    { mailbox_id: 'ward', label: 'ward', received: 3, in_time: 1, late: 2, acknowledged: 3, done: 1 },
    { mailbox_id: null, label: null, received: 1, open_now: 1, median_acknowledge_seconds: null },
  ]);
  expect(people).toMatchObject([
    { name: '=Ada, RN', in_time: 1, late: 1, acknowledged: 2, median_acknowledge_seconds: 95 * 60, done: 1 },
    // The item that he got as the backup person was late before he had it.
    { principal_id: ben.id, name: 'Ben', in_time: 0, late: 0, acknowledged: 1, done: 1, open_now: 0 },
    { principal_id: null, name: null, acknowledged: 0, open_now: 1 },
  ]);
});

test('without a span they are of the last 30 days, and what is open now is counted whenever it came', async () => {
  const later = await statistics(`?since=${now()}&until=${new Date(work.clock.now() + HOUR).toISOString()}`);
  expect(later.all).toMatchObject({ received: 0, open_now: 1, median_acknowledge_seconds: null });
  const { since, until } = await statistics();
  expect(until).toBe(now());
  expect(Date.parse(until) - Date.parse(since)).toBe(30 * 24 * HOUR);
});

test('they are for who may read all work, not for who may read that of a mailbox', async () => {
  for (const path of ['/work/statistics', '/work/statistics/export'])
    expect([path, (await work.request('GET', path, ada)).status]).toEqual([path, 403]);
});

test.each([
  ['ends before it begins', '?since=2026-11-02T00:00:00Z&until=2026-11-01T00:00:00Z'],
  ['is longer than a year', '?since=2024-11-02T00:00:00Z&until=2026-11-01T00:00:00Z'],
])('a span that %s is refused in a sentence', async (_, query) => {
  const answer = await work.request('GET', `/work/statistics${query}`, manager);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toEqual({
    detail: 'Choose at most 366 days, with the end after the beginning.',
  });
});

test('as a file they have a line for everything, each mailbox and each person, safe for spreadsheets', async () => {
  const answer = await work.request('GET', `/work/statistics/export?since=${begin}`, manager);
  expect(answer.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
  const day = now().slice(0, 10);
  expect(answer.headers.get('Content-Disposition')).toBe(`attachment; filename="faxdesk-work-${day}.csv"`);
  expect((await answer.text()).split('\r\n')).toEqual([
    'of,id,name,received,in_time,late,awaited,without_target,acknowledged,median_acknowledge_seconds,done,median_done_seconds,open_now,overdue_now',
    'all,,,5,1,2,0,2,3,7200,2,900,1,0',
    'mailbox,lab,lab,1,0,0,0,1,0,,1,0,0,0',
    'mailbox,ward,ward,3,1,2,0,0,3,7200,1,1800,0,0',
    'mailbox,,No mailbox,1,0,0,0,1,0,,0,,1,0',
    `person,${ada.id},"'=Ada, RN",,1,1,,,2,5700,1,1800,0,0`,
    `person,${ben.id},Ben,,0,0,,,1,7200,1,0,0,0`,
    'person,,No owner,,0,0,,,0,,0,,1,0',
    '',
  ]);
});
