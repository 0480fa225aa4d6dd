import type { Page } from 'playwright';
import { describe, expect, type TestContext, test, vi } from 'vitest';
import { verifyEvidence } from '../../server/features/work/offline.ts';
import { documentResource } from '../../shared/resources.ts';
import { MailboxPeople, type Person } from '../setup/mailbox-people.ts';
import { expectAccessible, testConsole } from './console.ts';
import { RECEIVING } from './inbox-page.ts';
import {
  arriveMany,
  colleague,
  itemFrom,
  itemOf,
  items,
  openItem,
  openSender,
  stateRegion,
  tab,
} from './work-page.ts';

// A whole shift.
vi.setConfig({ testTimeout: 90_000 });

let jonas: Person;
const webConsole = testConsole({ settings: RECEIVING }, async (furnished) => {
  jonas = await colleague(furnished, 'Jonas Tveit');
});

test('without anything to do each tab says so, and how something comes in', async (context) => {
  const { page } = await webConsole.open(context, { path: '/work' });
  const nothing = page.getByRole('heading', { name: 'Nothing to do' });
  await nothing.waitFor();
  // The keyboard begins on the title of an empty list, not on a button beside it.
  await page.getByRole('link', { name: 'Inbox' }).click();
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  await page.getByRole('link', { name: 'Work' }).click();
  await expect.poll(() => nothing.evaluate((it) => it.matches(':focus'))).toBe(true);
  await tab(page, 'Mine').click();
  await page.getByRole('heading', { name: 'Nothing is assigned to you' }).waitFor();
  await tab(page, 'Unassigned').click();
  await page.getByRole('heading', { name: 'Everything is assigned' }).waitFor();
  await tab(page, 'Overdue').click();
  await page.getByRole('heading', { name: 'Nothing is overdue' }).waitFor();
  await expectAccessible(page);
});

/** Sentence about an item that was assigned to Jonas meanwhile, with the question. */
const happened = (page: Page, question: string) =>
  page
    .getByText(/Installation key assigned this fax to Jonas Tveit (?:.* )?at \d/u)
    .filter({ hasText: question });

/** Waits until the item that is open is of this sender. */
const opened = (page: Page, shown: string) => expect.poll(() => openSender(page).textContent()).toBe(shown);

test('rule (screens): a shift at the front desk works by keyboard alone', async (context) => {
  const senders = await arriveMany(webConsole, 20);
  const { page } = await webConsole.open(context, { path: '/work?view=all' });
  const other = await webConsole.open(context, { path: '/work', as: { key: jonas.key } });
  const at = (n: number) => senders[n] ?? '?';
  // No fax is in a mailbox, so there is no column for it.
  const heads = () => page.getByRole('columnheader').allTextContents();
  await expect.poll(heads).toContain('Owner');
  expect(await heads()).not.toContain('Mailbox');
  await expect.poll(() => tab(other.page, 'Unassigned').textContent()).toBe('Unassigned20');
  await itemOf(page, at(0)).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  // Taken and acknowledged.
  for (let n = 0; n < 7; n += 1) {
    await opened(page, at(n));
    await page.keyboard.press('o');
    await stateRegion(page)
      .getByRole('button', { name: /^Acknowledge/u })
      .waitFor();
    await page.keyboard.press('e');
    await stateRegion(page).getByText('Acknowledged', { exact: true }).waitFor();
    await opened(page, at(n));
    await page.keyboard.press('j');
  }
  await expect.poll(() => tab(other.page, 'Unassigned').textContent()).toBe('Unassigned13');
  // Assigned by initials.
  for (let n = 7; n < 13; n += 1) {
    await opened(page, at(n));
    await page.keyboard.press('a');
    await page.getByRole('combobox', { name: 'Assign to' }).waitFor();
    await page.keyboard.type('jt');
    await page.keyboard.press('Enter');
  }
  await expect.poll(() => tab(other.page, 'Mine').textContent()).toBe('Mine6');
  await expect.poll(() => itemOf(other.page, at(12)).textContent()).toContain('You');
  // Done with a note; one of them is undone and done again.
  for (let n = 13; n < 20; n += 1) {
    await opened(page, at(n));
    await page.keyboard.press('d');
    await page.keyboard.type(`Filed under ${n}.`);
    await page.keyboard.press('Enter');
    if (n !== 15) continue;
    await opened(page, at(16));
    await page.keyboard.press('u');
    await opened(page, at(15));
    await stateRegion(page).getByText('Waiting for an owner').waitFor();
    await page.keyboard.press('d');
    await page.keyboard.type('Filed after all.');
    await page.keyboard.press('Enter');
  }
  await expect.poll(() => itemOf(page, at(19)).textContent()).toContain('Done');
  await expect.poll(() => tab(other.page, 'Unassigned').textContent()).toBe('Unassigned0');
  // Reopened.
  await fromPalette(page, 'Reopen it');
  await expect.poll(() => itemOf(page, at(19)).textContent()).toContain('Waiting for an owner');
  await expect.poll(() => tab(other.page, 'Unassigned').textContent()).toBe('Unassigned1');
  // Handed over at closing time.
  await fromPalette(page, 'Hand over my open items');
  const dialog = page.getByRole('dialog', { name: 'Hand over my open items' });
  await dialog.getByRole('button', { name: /Everything to/u }).press('Enter');
  await page.getByRole('option', { name: 'Jonas Tveit' }).press('Enter');
  await dialog.getByRole('button', { name: 'Hand over 7 items' }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => tab(page, 'Mine').textContent()).toBe('Mine0');
  await expect.poll(() => tab(other.page, 'Mine').textContent()).toBe('Mine13');
  const texts = await historyOf(at(15));
  expect(texts).toEqual([
    expect.stringContaining('waits for an owner'),
    'Mara Okafor marked it as done: Filed under 15.',
    'Mara Okafor undid marking it as done.',
    'Mara Okafor marked it as done: Filed after all.',
  ]);
});

async function fromPalette(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+K');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type(name);
  await page.getByRole('menuitem', { name }).first().waitFor();
  await page.keyboard.press('Enter');
}

async function historyOf(shown: string): Promise<string[]> {
  const { id } = await itemFrom(webConsole, shown);
  const answer = await webConsole.gateway.request('GET', `/work/${id}/history`);
  return ((await answer.json()) as { events: { text: string }[] }).events.map(({ text }) => text);
}

describe('an item that changed meanwhile', () => {
  test('rule (screens): a refused change says what happened meanwhile, keeps the note, and is made by Enter again', async (context) => {
    const [shown = '?'] = await arriveMany(webConsole, 1);
    const item = await itemFrom(webConsole, shown);
    const { page, complaints } = await webConsole.open(context, { path: `/work/${item.id}?view=all` });
    complaints.allow('409 ');
    await opened(page, shown);
    await stateRegion(page).getByText('Nobody').waitFor();
    await page.keyboard.press('d');
    await page.keyboard.type('Called back.');
    const answer = await webConsole.gateway.request('POST', `/work/${item.id}/assign`, {
      json: { principal_id: jonas.id, version: item.version },
    });
    expect(answer.status).toBe(200);
    await stateRegion(page).getByText('Jonas Tveit, since').waitFor();
    await page.keyboard.press('Enter');
    await happened(page, 'Mark it as done anyway?').waitFor();
    const note = page.getByRole('textbox', { name: 'Note when done' });
    await expect.poll(() => note.inputValue()).toBe('Called back.');
    expect((await itemFrom(webConsole, shown)).state_key).toBe('assigned');
    await page.keyboard.press('Enter');
    await happened(page, 'Mark it as done anyway?').waitFor({ state: 'detached' });
    await expect.poll(async () => (await itemFrom(webConsole, shown)).state_key).toBe('done');
  });

  test('keeps the person who was typed', async (context) => {
    const [shown = '?'] = await arriveMany(webConsole, 1);
    const item = await itemFrom(webConsole, shown);
    const { page, complaints } = await webConsole.open(context, { path: `/work/${item.id}?view=all` });
    complaints.allow('409 ');
    await opened(page, shown);
    await page.keyboard.press('a');
    const field = page.getByRole('combobox', { name: 'Assign to' });
    await page.getByRole('option', { name: 'Mara Okafor' }).waitFor();
    await field.pressSequentially('mo');
    await webConsole.gateway.request('POST', `/work/${item.id}/assign`, {
      json: { principal_id: jonas.id, version: item.version },
    });
    await stateRegion(page).getByText('Jonas Tveit, since').waitFor();
    await page.keyboard.press('Enter');
    await happened(page, 'Assign it anyway?').waitFor();
    await expect.poll(() => field.inputValue()).toBe('Mara Okafor');
    await field.press('Enter');
    await expect.poll(async () => (await itemFrom(webConsole, shown)).owner?.name).toBe('Mara Okafor');
  });
});

describe('the next item is open before the gateway has answered', () => {
  /** Answers to what is done to this item wait until the returned function is called. */
  async function holdAnswers(page: Page, id: string): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(`**/work/${id}/*`, async (route) => {
      if (route.request().method() === 'POST') await promise;
      await route.continue();
    });
    return () => resolve();
  }

  async function opensFirst(context: TestContext, count: number) {
    const senders = await arriveMany(webConsole, count);
    const [first = '?', second = '?', third = '?'] = senders;
    const item = await itemFrom(webConsole, first);
    const { page, complaints } = await webConsole.open(context, { path: '/work?view=unassigned' });
    await itemOf(page, first).click();
    await opened(page, first);
    await stateRegion(page).getByText('Nobody').waitFor();
    return { page, complaints, item, first, second, third, answer: await holdAnswers(page, item.id) };
  }

  test('rule (screens): actions on work items reach the gateway in the order of the keys, each once', async (context) => {
    const { page, first, second, third, answer } = await opensFirst(context, 3);
    for (const [n, shown] of [first, second, third].entries()) {
      await opened(page, shown);
      await stateRegion(page).getByText('Nobody').waitFor();
      await page.keyboard.press('d');
      await page.keyboard.type(`Filed ${n}.`);
      await page.keyboard.press('Enter');
      await page.keyboard.press('d');
      await expect.poll(() => itemOf(page, shown).textContent()).toContain('Marking as done…');
    }
    expect((await itemFrom(webConsole, first)).state_key).toBe('waiting');
    answer();
    for (const shown of [first, second, third])
      await expect.poll(async () => (await itemFrom(webConsole, shown)).state_key).toBe('done');
    expect(await historyOf(second)).toHaveLength(2);
  });

  test('a key counts as soon as the change before it is shown, though its answer is late', async (context) => {
    const { page, item, first, answer } = await opensFirst(context, 1);
    answer();
    const isAnswered = Promise.withResolvers<void>();
    await page.route(`**/work/${item.id}/assign`, async (route) => {
      const response = await route.fetch();
      await isAnswered.promise;
      await route.fulfill({ response });
    });
    await page.keyboard.press('o');
    await stateRegion(page)
      .getByRole('button', { name: /^Acknowledge/u })
      .waitFor();
    await page.keyboard.press('e');
    isAnswered.resolve();
    await expect.poll(async () => (await itemFrom(webConsole, first)).state_key).toBe('acknowledged');
  });

  test('undo takes back what is on its way, once it is done, and nothing else', async (context) => {
    const { page, first, second, item, answer } = await opensFirst(context, 2);
    await page.keyboard.press('d');
    await page.keyboard.type('Filed.');
    await page.keyboard.press('Enter');
    await opened(page, second);
    await page.keyboard.press('u');
    answer();
    await opened(page, first);
    await stateRegion(page).getByText('Waiting for an owner').waitFor();
    const texts = await historyOf(first);
    expect(texts.slice(1)).toEqual([
      'Mara Okafor marked it as done: Filed.',
      'Mara Okafor undid marking it as done.',
    ]);
    expect((await itemFrom(webConsole, first)).version).toBe(item.version + 2);
  });

  const refuse = (item: { id: string; version: number }) =>
    webConsole.gateway.request('POST', `/work/${item.id}/assign`, {
      json: { principal_id: jonas.id, version: item.version },
    });

  test('a refusal leads back, with what was typed and the keyboard where it was', async (context) => {
    const { page, complaints, item, first, second, answer } = await opensFirst(context, 2);
    complaints.allow('409 ');
    await page.keyboard.press('d');
    await page.keyboard.type('Called back.');
    await page.keyboard.press('Enter');
    await opened(page, second);
    await items(page).and(page.locator(':focus')).waitFor();
    await refuse(item);
    answer();
    await opened(page, first);
    await happened(page, 'Mark it as done anyway?').waitFor();
    const note = page.getByRole('textbox', { name: 'Note when done' });
    await expect.poll(() => note.inputValue()).toBe('Called back.');
    await note.and(page.locator(':focus')).waitFor();
    await expectAccessible(page);
  });

  test('rule (screens): a refusal names the item it concerns, whichever item is open by then', async (context) => {
    const { page, complaints, item, first, second, answer } = await opensFirst(context, 2);
    complaints.allow('409 ');
    await page.keyboard.press('d');
    await page.keyboard.type('Called back.');
    await page.keyboard.press('Enter');
    await opened(page, second);
    await page.keyboard.press('d');
    await page.keyboard.type('Half a no');
    await refuse(item);
    answer();
    await page.getByText(`Your change to the fax from ${first} (1 page) was refused.`).waitFor();
    await page.keyboard.type('te');
    const note = page.getByRole('textbox', { name: 'Note when done' });
    await expect.poll(() => note.inputValue()).toBe('Half a note');
    await opened(page, second);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Show it' }).click();
    await opened(page, first);
    await expect.poll(() => note.inputValue()).toBe('Called back.');
    await page.getByRole('button', { name: 'Mark it as done' }).click();
    await happened(page, 'Mark it as done anyway?').waitFor({ state: 'detached' });
  });
});

test('several rows that are chosen are taken, and undone, together', async (context) => {
  const senders = await arriveMany(webConsole, 3);
  const { page } = await webConsole.open(context, { path: '/work?view=unassigned', colorScheme: 'dark' });
  await itemOf(page, senders[0] ?? '?').waitFor();
  for (const key of ['j', 'x', 'j', 'x', 'j', 'x', 'x']) await page.keyboard.press(key);
  await page.getByText('2 selected').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('o');
  await page
    .getByText(/^You took 2 items: /u)
    .first()
    .waitFor();
  for (const shown of senders.slice(0, 2))
    await expect.poll(() => itemOf(page, shown).textContent()).toContain('You');
  expect((await itemFrom(webConsole, senders[2] ?? '?')).owner).toBeNull();
  await page.keyboard.press('u');
  for (const shown of senders) await expect.poll(() => itemOf(page, shown).textContent()).toContain('Nobody');
  await page
    .getByText(/^You took 2 items: /u)
    .first()
    .waitFor({ state: 'detached' });
});

test('filters are in the address, and the details show everything that happened', async (context) => {
  const [shown = '?'] = await arriveMany(webConsole, 1);
  const item = await itemFrom(webConsole, shown);
  const { page } = await webConsole.open(context, { path: '/work?view=all' });
  await itemOf(page, shown).waitFor();
  await page.getByRole('button', { name: 'State', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Done' }).click();
  await expect.poll(() => new URL(page.url()).search).toContain('state=done');
  await itemOf(page, shown).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Clear filters' }).first().click();
  await itemOf(page, shown).click();
  await opened(page, shown);
  expect(page.url()).toContain(`/work/${item.id}`);
  // Beside an open item every column has room for its words.
  const cut = `[...document.querySelectorAll('[role=grid] [role=gridcell]')]
    .filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)`;
  await expect.poll(() => page.evaluate(cut)).toEqual([]);
  await openItem(page).getByRole('button', { name: 'Details' }).click();
  await openItem(page).getByText('The document arrived and waits for an owner.').waitFor();
  await expectAccessible(page);
});

test('the evidence of an item is saved from its details, and holds up', async (context) => {
  const [shown = '?'] = await arriveMany(webConsole, 1);
  const { id } = await itemFrom(webConsole, shown);
  const { page } = await webConsole.open(context, { path: `/work/${id}?view=all` });
  await opened(page, shown);
  await openItem(page).getByRole('button', { name: 'Details' }).click();
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    openItem(page).getByRole('link', { name: 'Export evidence' }).click(),
  ]);
  expect(saved.suggestedFilename()).toMatch(/\.zip$/u);
  const { intact, manifest } = await verifyEvidence(await saved.path());
  expect([intact, manifest?.item.id, manifest?.document.file]).toEqual([true, id, 'original.pdf']);
  await openItem(page).getByText('exported an evidence archive with the document').waitFor();
});

test('an item is handed over to who was granted its document alone, and no other one is', async (context) => {
  const senders = await arriveMany(webConsole, 2);
  const [first = '?', second = '?'] = senders;
  const { inbound_fax_id } = await itemFrom(webConsole, second);
  const held = { [documentResource(inbound_fax_id)]: ['work:read', 'inbound:read'] };
  await new MailboxPeople(webConsole.gateway).addUser('Petra Lang', held);
  const { page } = await webConsole.open(context, { path: '/work?view=unassigned' });
  await itemOf(page, first).waitFor();
  for (const key of ['j', 'x', 'j', 'x', 'o']) await page.keyboard.press(key);
  await page
    .getByText(/^You took 2 items: /u)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Hand over' }).click();
  const dialog = page.getByRole('dialog', { name: 'Hand over my open items' });
  const offered = async (shown: string) => {
    await dialog.getByRole('button', { name: `Person who gets the fax from ${shown}` }).click();
    await page.getByRole('option', { name: 'Jonas Tveit' }).waitFor();
    const names = await page.getByRole('option').allTextContents();
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    return names.includes('Petra Lang');
  };
  expect([await offered(first), await offered(second)]).toEqual([false, true]);
  await dialog.getByRole('button', { name: `Person who gets the fax from ${second}` }).click();
  await page.getByRole('option', { name: 'Petra Lang' }).click();
  await dialog.getByRole('button', { name: 'Hand over 1 item' }).click();
  await expect.poll(async () => (await itemFrom(webConsole, second)).owner?.name).toBe('Petra Lang');
  expect((await itemFrom(webConsole, first)).owner?.name).toBe('Mara Okafor');
});

test('in a small window Enter opens the item in place of the list', async (context) => {
  const [shown = '?'] = await arriveMany(webConsole, 1);
  const { page } = await webConsole.open(context, {
    path: '/work?view=unassigned',
    viewport: { width: 1024, height: 700 },
  });
  await itemOf(page, shown).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await opened(page, shown);
  await expect.poll(() => items(page).isVisible()).toBe(false);
  await page.keyboard.press('Escape');
  await itemOf(page, shown).waitFor();
});
