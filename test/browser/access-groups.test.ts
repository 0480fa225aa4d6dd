import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { INSTALLATION_KEY } from '../setup/gateway.ts';
import { expectAccessible, MARA, testConsole } from './console.ts';
import { OtherAdministrator } from './other-administrator.ts';

const webConsole = testConsole();
const administrator = new OtherAdministrator(webConsole);

const group = (page: Page) => page.getByRole('complementary', { name: 'Group' });

test('a group is made and filled by the keyboard alone', async (context) => {
  await administrator.createPerson('Edda Nilsen', 'edda');
  const { page } = await webConsole.open(context, { path: '/access/groups' });
  await page.getByText('No groups yet').waitFor();
  await page.keyboard.press('Shift+N');
  await page.getByRole('dialog', { name: 'New group' }).waitFor();
  await page.keyboard.type('Nurses');
  await page.keyboard.press('Tab');
  await page.keyboard.type('They read what comes in.');
  await page.keyboard.press('Enter');
  await group(page).getByText('This group has no members yet.').waitFor();
  await group(page).getByText('This group has no role yet').waitFor();
  await group(page).getByRole('button', { name: 'Add member' }).press('Enter');
  await page.getByRole('dialog', { name: 'Add a member to Nurses' }).waitFor();
  await page.keyboard.type('edd');
  await page.getByRole('option', { name: 'Edda Nilsen' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const other = page.getByRole('dialog').getByRole('button', { name: /Edda Nilsen/u });
  await expect.poll(() => other.and(page.locator(':focus')).count()).toBe(1);
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).press('Enter');
  const members = group(page).getByRole('region', { name: 'Members' });
  await members.getByRole('link', { name: 'Edda Nilsen' }).waitFor();
  await members.getByRole('button', { name: 'Remove Edda Nilsen' }).press('Enter');
  const question = page.getByText('They immediately lose the permissions that only Nurses gives them');
  await question.waitFor();
  // Escape takes back the question alone, and the keyboard is where it was.
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  const out = members.getByRole('button', { name: 'Remove Edda Nilsen' });
  await expect.poll(() => out.and(page.locator(':focus')).count()).toBe(1);
  await page.keyboard.press('Enter');
  await question.waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await group(page).getByText('This group has no members yet.').waitFor();
  // The focused control is gone, so the focus moves to the one beside it.
  const add = group(page).getByRole('button', { name: 'Add member…' });
  await expect.poll(() => add.and(page.locator(':focus')).count()).toBe(1);
  await page.keyboard.press('Escape');
  await group(page).waitFor({ state: 'detached' });
});

test('a session is ended from afar, and its window says so', async (context) => {
  const theirs = await webConsole.open(context, { path: '/sent' });
  await theirs.page.getByRole('heading', { level: 1, name: 'Sent' }).waitFor();
  theirs.complaints.allow('401 GET ');
  // Whoever ends the session of an owner holds all that an owner does.
  const as = { key: INSTALLATION_KEY };
  const { page } = await webConsole.open(context, { path: '/access/sessions', as });
  const list = page.getByRole('grid', { name: 'Sessions, newest first' });
  await list.getByRole('row').filter({ hasText: '(you)' }).getByText('This session').waitFor();
  // She has older ones too; the newest is the one of her window.
  const hers = list.getByRole('row').filter({ hasText: MARA.name });
  await hers.first().getByText('Chrome on Linux').waitFor();
  const before = await hers.count();
  await hers.first().click();
  await page.getByRole('complementary', { name: 'Session' }).getByText('127.0.0.1').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'End this session' }).click();
  await page.getByText(`End this session of ${MARA.name}?`).waitFor();
  await page.getByRole('button', { name: 'End it' }).click();
  await theirs.page.getByText('Your session has ended.').waitFor();
  await expect.poll(() => hers.count()).toBe(before - 1);
  await page.getByRole('complementary', { name: 'Session' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Include ended' }).click();
  await hers.first().getByText('Ended').waitFor();
});

test('every part works in a small window and magnified', async (context) => {
  const { id } = await administrator.createGroup('Front desk');
  const { page } = await webConsole.open(context, { path: `/access/groups/${id}` });
  for (const viewport of [
    { width: 1024, height: 700 },
    { width: 720, height: 450 },
  ]) {
    await page.setViewportSize(viewport);
    await page.goto(`/admin/ui/access/groups/${id}`);
    await group(page).getByRole('heading', { name: 'Front desk' }).waitFor();
    await expect
      .poll(() => page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'))
      .toBe(true);
    const parts = page.getByRole('navigation', { name: 'Access pages' });
    for (const part of ['People', 'Integrations', 'Sessions']) {
      await parts.getByRole('link', { name: part }).click();
      await page.getByRole('heading', { level: 2, name: part, exact: true }).waitFor();
      await expect
        .poll(() => page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'))
        .toBe(true);
    }
  }
});
