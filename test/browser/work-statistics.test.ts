import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { MailboxPeople, type Person } from '../setup/mailbox-people.ts';
import { HOUR, MINUTE } from '../setup/manual-clock.ts';
import { expectAccessible, testConsole } from './console.ts';
import { arrive, RECEIVING } from './inbox-page.ts';

const webConsole = testConsole({ settings: { ...RECEIVING, WORK_ACKNOWLEDGE_HOURS: '1' } });

/** A fax whose item a person takes, and acknowledges after some minutes. */
async function acknowledged(person: Person, to: string, minutes: number): Promise<void> {
  const { gateway } = webConsole;
  await arrive(webConsole, { from: '+13605550101', to });
  const [fax] = (await (await gateway.request('GET', '/inbound')).json()) as { work_item_id: string }[];
  const path = `/work/${fax?.work_item_id}`;
  await gateway.request('POST', `${path}/assign`, { json: { principal_id: person.id, version: 1 } });
  gateway.clock.advance(minutes * MINUTE);
  await gateway.processAll();
  const item = (await (await gateway.request('GET', path)).json()) as { version: number };
  const json = { version: item.version };
  const answer = await gateway.request('POST', `${path}/acknowledge`, { json, key: person.key });
  expect(answer.status).toBe(200);
}

test('a manager sees how fast documents are acknowledged, by mailbox and person, and saves it as a file', async (context) => {
  const people = new MailboxPeople(webConsole.gateway);
  const rights = ['work:read', 'inbound:read'];
  for (const [id, label, number] of [
    ['ward', 'Ward 3', '+12025550181'],
    ['lab', 'Laboratory', '+12025550182'],
  ] as const) {
    await people.addMailbox(id, label);
    await people.addRule(number, id);
  }
  const ines = await people.addUser('Ines Duarte', { 'mailbox:ward': rights, 'mailbox:lab': rights });
  const tom = await people.addUser('Tom Berg', { 'mailbox:ward': rights });
  await acknowledged(ines, '+12025550181', 10);
  await acknowledged(ines, '+12025550181', 30);
  await acknowledged(tom, '+12025550181', 120);
  await acknowledged(ines, '+12025550182', 5);
  await arrive(webConsole, { from: '+13605550101', to: '+12025550182' });
  const { page } = await webConsole.open(context, {
    path: '/inbox',
    prepare: (it) => it.clock.install({ time: webConsole.gateway.clock.now() + HOUR }),
  });
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('work stat');
  await page.getByRole('menuitem', { name: 'Work statistics' }).click();
  await page.getByRole('heading', { level: 1, name: 'Work statistics' }).waitFor();
  await page.getByText('3 of 4 that were due').waitFor();
  await page.getByText('75%').waitFor();
  const line = (table: string, name: string) =>
    page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: name }).getByRole('cell');
  // In time, late, due later, no target; acknowledged and how fast; done and how fast; open and overdue now.
  await expect
    .poll(() => line('By mailbox', 'Ward 3').allTextContents())
    .toEqual(
      ['2', '1', '0', '0', '3', '30 min', '0', '–', '0', '0'].map((text) => text.replace(' ', '\u00a0')),
    );
  await expect
    .poll(() => line('By mailbox', 'Laboratory').allTextContents())
    .toEqual(
      ['1', '0', '1', '0', '1', '5 min', '0', '–', '1', '0'].map((text) => text.replace(' ', '\u00a0')),
    );
  expect((await line('By person', 'Ines Duarte').allTextContents()).slice(0, 4)).toEqual([
    '3',
    '0',
    '3',
    '10\u00a0min',
  ]);
  expect((await line('By person', 'No owner').allTextContents()).at(-2)).toBe('1');
  await expectAccessible(page);
  const saved = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Save the statistics as a CSV file' }).click();
  const csv = await readFile(await (await saved).path(), 'utf8');
  expect(csv).toContain('\r\nmailbox,ward,Ward 3,3,2,1,');
});

test('people who may see the work of one mailbox only read that the statistics are for those who see all of it', async (context) => {
  const people = new MailboxPeople(webConsole.gateway);
  await people.addMailbox('desk', 'Desk');
  const { key } = await people.addPerson({ 'mailbox:desk': ['work:read', 'inbound:list'] });
  const { page } = await webConsole.open(context, { path: '/work/statistics', as: { key } });
  await page.getByRole('heading', { name: 'You see only part of the work queue' }).waitFor();
  await expectAccessible(page);
});
