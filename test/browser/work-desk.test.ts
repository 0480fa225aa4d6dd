import type { Page } from 'playwright';
import { describe, expect, test, vi } from 'vitest';
import { documentResource } from '../../shared/resources.ts';
import { MailboxPeople, type Person } from '../setup/mailbox-people.ts';
import { SECOND } from '../setup/manual-clock.ts';
import { expectAccessible, testConsole } from './console.ts';
import { PageIdle } from './every-screen.ts';
import { RECEIVING, shownPage } from './inbox-page.ts';
import { DeskPerson, KEYS_OF, type Routine, reactionsInWords } from './shift.ts';
import { arriveMany, colleague, itemFrom, itemOf, items, openSender, stateRegion, tab } from './work-page.ts';

vi.setConfig({ testTimeout: 90_000 });

let jonas: Person;
const webConsole = testConsole({ settings: RECEIVING }, async (furnished) => {
  jonas = await colleague(furnished, 'Jonas Tveit');
});

const opened = (page: Page, shown: string) => expect.poll(() => openSender(page).textContent()).toBe(shown);
const stateOf = (shown: string) => expect.poll(async () => (await itemFrom(webConsole, shown)).state_key);
const noteField = (page: Page) => page.getByRole('textbox', { name: 'Note when done' });
const isFocused = (page: Page) => page.locator(':focus');

/** Everything that is open is done, so that the next test begins with an empty desk. */
async function clearDesk(): Promise<void> {
  const answer = await webConsole.gateway.request('GET', '/work?state=open,acknowledged&limit=200');
  const { items: open } = (await answer.json()) as { items: { id: string; version: number }[] };
  for (const { id, version } of open)
    await webConsole.gateway.request('POST', `/work/${id}/done`, { json: { note: 'Cleared.', version } });
}

const assign = async (shown: string, to: Person) => {
  const { id, version } = await itemFrom(webConsole, shown);
  const json = { principal_id: to.id, version };
  const answer = await webConsole.gateway.request('POST', `/work/${id}/assign`, { json });
  expect(answer.status).toBe(200);
};

test('rule (screens): a shift of two people on one list works by keyboard alone, with two keys for a fax', async (context) => {
  await clearDesk();
  const senders = await arriveMany(webConsole, 6);
  const { page } = await webConsole.open(context, { path: '/work' });
  const other = await webConsole.open(context, { path: '/work', as: { key: jonas.key } });
  for (const it of [page, other.page]) await itemOf(it, senders[5] ?? '?').waitFor();
  const [mara, colleagueOfMara] = [new DeskPerson(page), new DeskPerson(other.page)];
  await mara.openAt(0);
  await colleagueOfMara.openAt(3);
  const began = performance.now();
  const plan: readonly Routine[] = ['chip', 'take first', 'last note'];
  const done: string[] = [];
  for (const [n, routine] of plan.entries()) {
    done.push(await mara.finish(routine));
    done.push(await colleagueOfMara.finish(n === 2 ? 'note first' : 'chip', { isLast: n === 2 }));
  }
  expect(done.toSorted()).toEqual(senders.toSorted());
  for (const shown of senders) await stateOf(shown).toBe('done');
  const opening = [2, 5];
  expect([mara.keys, colleagueOfMara.keys]).toEqual([
    (opening[0] ?? 0) + KEYS_OF.chip + KEYS_OF['take first'] + KEYS_OF['last note'],
    (opening[1] ?? 0) + 2 * KEYS_OF.chip + KEYS_OF['note first'],
  ]);
  for (const it of [page, other.page]) {
    await it.getByRole('heading', { name: 'Nothing to do' }).waitFor();
    await expect.poll(() => tab(it, 'To do').textContent()).toBe('To do0');
  }
  const seconds = (performance.now() - began) / 1_000;
  process.stdout.write(`6 faxes in ${seconds.toFixed(1)} s; ${reactionsInWords([mara, colleagueOfMara])}\n`);
});

test('rule (screens): the first screen of a person who manages work is the list of what is to do', async (context) => {
  const [shown = '?'] = await arriveMany(webConsole, 1);
  const { page } = await webConsole.open(context, { path: '/', as: { key: jonas.key } });
  await itemOf(page, shown).waitFor();
  expect(new URL(page.url()).pathname).toBe('/admin/ui/work');
  const sender = await webConsole.keyWith('fax:send', 'work:read', 'inbound:read');
  const other = await webConsole.open(context, { path: '/', as: { key: sender } });
  await other.page.getByRole('heading', { level: 1, name: 'New fax' }).waitFor();
});

describe('the open list', () => {
  test('rule (screens): has what is mine and what nobody owns, drops what is finished at once, and takes it back with undo', async (context) => {
    await clearDesk();
    const [mine = '?', free = '?', others = '?'] = await arriveMany(webConsole, 3);
    await assign(others, jonas);
    const { page } = await webConsole.open(context, { path: '/work' });
    await itemOf(page, mine).waitFor();
    await itemOf(page, free).waitFor();
    expect(await itemOf(page, others).count()).toBe(0);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await opened(page, mine);
    await page.keyboard.press('d');
    await page.keyboard.type('Filed at once.');
    await page.keyboard.press('Enter');
    await itemOf(page, mine).waitFor({ state: 'detached' });
    await opened(page, free);
    await page.getByText(`You marked the fax from ${mine} (1 page) as done.`).first().waitFor();
    await page.keyboard.press('u');
    await opened(page, mine);
    await itemOf(page, mine).waitFor();
    await stateOf(mine).toBe('waiting');
    // Somebody else takes one: it leaves this list, and stays open with what happened to it.
    await assign(mine, jonas);
    await itemOf(page, mine).waitFor({ state: 'detached' });
    await opened(page, mine);
    await stateRegion(page).getByText('Jonas Tveit, since').waitFor();
  });

  test('says that nothing is to do only when that is true', async (context) => {
    await clearDesk();
    const { page } = await webConsole.open(context, { path: '/work' });
    await page.getByRole('heading', { name: 'Nothing to do' }).waitFor();
    const [shown = '?'] = await arriveMany(webConsole, 1);
    await assign(shown, jonas);
    await page.getByRole('heading', { name: 'Nothing is waiting for you' }).waitFor();
    await page.getByText('1 fax is still open and assigned to someone else. Find it under All.').waitFor();
    await page.getByRole('button', { name: 'Show All' }).click();
    await itemOf(page, shown).waitFor();
    const [free = '?'] = await arriveMany(webConsole, 1);
    await tab(page, 'Mine').click();
    await page.getByRole('heading', { name: 'Nothing is assigned to you' }).waitFor();
    await page.getByText('Check Unassigned: 1 fax is waiting for an owner.').waitFor();
    await page.getByRole('button', { name: 'Show Unassigned' }).click();
    await itemOf(page, free).waitFor();
  });

  test('its views have keys, which the foot and the help list with all others', async (context) => {
    await clearDesk();
    const [shown = '?'] = await arriveMany(webConsole, 1);
    const { page } = await webConsole.open(context, { path: '/work' });
    await itemOf(page, shown).waitFor();
    const view = () => new URL(page.url()).searchParams.get('view');
    for (const [key, name] of [
      ['2', 'mine'],
      ['3', 'unassigned'],
      ['4', 'overdue'],
      ['5', 'all'],
      ['6', 'done'],
      ['1', null],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(view).toBe(name);
    }
    await itemOf(page, shown).waitFor();
    const foot = page.getByRole('region', { name: 'Work items' }).locator('footer');
    const listed = [
      'JKnext, previous',
      '1-6views',
      'Otake',
      'Aassign',
      'Eacknowledge',
      'Ddone',
      'ShiftDdone, last note',
      'Wnote',
      'Xselect',
      'Uundo',
      '?all keys',
    ];
    expect(await foot.textContent()).toBe(listed.join(''));
    await page.keyboard.press('j');
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Shortcuts on this screen' });
    for (const name of [
      'Show Mine',
      'Show Unassigned',
      'Show Overdue',
      'Show All',
      'Take it',
      'Add a note without finishing it',
    ])
      await help.getByText(name, { exact: true }).waitFor();
  });
});

describe('keys of one fax', () => {
  test('acknowledging keeps it open; D and a digit finish it with a sentence, and the next one opens', async (context) => {
    await clearDesk();
    const [first = '?', second = '?', third = '?'] = await arriveMany(webConsole, 3);
    const { page } = await webConsole.open(context, { path: '/work' });
    await itemOf(page, first).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await opened(page, first);
    await page.keyboard.press('o');
    await stateRegion(page)
      .getByRole('button', { name: /^Acknowledge/u })
      .waitFor();
    await page.keyboard.press('e');
    await page.getByText(`You acknowledged the fax from ${first} (1 page).`).first().waitFor();
    await opened(page, first);
    await page.keyboard.press('d');
    await noteField(page).and(isFocused(page)).waitFor();
    const chips = page.getByRole('group', { name: 'Notes to choose from' });
    const chosen = (await chips.getByRole('button').nth(1).textContent())?.replace(/2$/u, '') ?? '?';
    await expectAccessible(page);
    await page.keyboard.press('2');
    await opened(page, second);
    await items(page).and(isFocused(page)).waitFor();
    await stateOf(first).toBe('done');
    // The last note again, with one key.
    await page.keyboard.press('Shift+D');
    await opened(page, third);
    await stateOf(second).toBe('done');
    // A number is typed once the field is not empty.
    await page.keyboard.press('d');
    await page.keyboard.type(' 2 copies for Dr. Lee.');
    await page.keyboard.press('Enter');
    await stateOf(third).toBe('done');
    const notes = await Promise.all([first, second, third].map((shown) => itemFrom(webConsole, shown)));
    expect(notes.map((item) => (item as { done_note?: string }).done_note)).toEqual([
      chosen,
      chosen,
      '2 copies for Dr. Lee.',
    ]);
  });

  test('a note leaves it open, is shown to whoever opens it, and can be taken back', async (context) => {
    await clearDesk();
    const [shown = '?'] = await arriveMany(webConsole, 1);
    const { page } = await webConsole.open(context, { path: '/work' });
    await itemOf(page, shown).click();
    await opened(page, shown);
    await page.keyboard.press('w');
    const field = page.getByRole('textbox', { name: 'Note (the fax stays open)' });
    await field.and(isFocused(page)).waitFor();
    await page.keyboard.type('They will send page 3 again.');
    await page.keyboard.press('Enter');
    const notes = page.getByRole('list', { name: 'Notes' });
    await notes.getByText('They will send page 3 again.').waitFor();
    await opened(page, shown);
    await items(page).and(isFocused(page)).waitFor();
    expect((await itemFrom(webConsole, shown)).state_key).toBe('waiting');
    await page.getByText(`You added a note to the fax from ${shown} (1 page).`).first().waitFor();
    await page.keyboard.press('u');
    await notes.waitFor({ state: 'detached' });
  });

  test('an undo that comes too late says so', async (context) => {
    await clearDesk();
    const [shown = '?'] = await arriveMany(webConsole, 1);
    const { page, complaints } = await webConsole.open(context, {
      path: '/work',
      prepare: (it) => it.clock.install(),
    });
    complaints.allow('409 ');
    await itemOf(page, shown).click();
    await opened(page, shown);
    await page.keyboard.press('o');
    const did = `You took the fax from ${shown} (1 page).`;
    await page.getByText(did).first().waitFor();
    await page.clock.fastForward(10_000);
    await page.keyboard.press('u');
    const late = 'Nothing was undone: a change can be undone for 10 seconds.';
    await page.getByText(`${did} You can no longer undo it, because 10 seconds have passed.`).waitFor();
    await page.getByText(late).waitFor();
    await page.keyboard.press('e');
    await page.getByText(`You acknowledged the fax from ${shown} (1 page).`).first().waitFor();
    await page.getByText(late).waitFor({ state: 'detached' });
    await assign(shown, jonas);
    await page.keyboard.press('u');
    await page
      .getByText(
        `It is too late to undo your last change to the fax from ${shown} (1 page). Installation key assigned this fax to Jonas Tveit`,
      )
      .waitFor();
  });
});

test('rule (screens): what is done to several items is done to all of them, or to none with a sentence', async (context) => {
  await clearDesk();
  const [first = '?', second = '?', third = '?'] = await arriveMany(webConsole, 3);
  const { page, complaints } = await webConsole.open(context, { path: '/work' });
  complaints.allow('409 ');
  await itemOf(page, first).waitFor();
  for (const key of ['j', 'x', 'o']) await page.keyboard.press(key);
  await expect.poll(() => itemOf(page, first).textContent()).toContain('You');
  for (const key of ['k', 'x', 'j', 'x']) await page.keyboard.press(key);
  await page.getByText('2 selected').waitFor();
  await page.keyboard.press('e');
  await page
    .getByText('You cannot acknowledge 1 of the 2 items, so none was changed. Take them first.')
    .waitFor();
  expect((await itemFrom(webConsole, first)).state_key).toBe('assigned');
  await page.keyboard.press('o');
  await expect.poll(() => itemOf(page, second).textContent()).toContain('You');
  // The page shows it before the gateway has answered.
  await expect.poll(async () => (await itemFrom(webConsole, second)).owner).not.toBeNull();
  // Somebody else is faster with one of them: none is done, and then both on purpose.
  for (const key of ['k', 'k', 'x', 'j', 'x', 'd']) await page.keyboard.press(key);
  await page.getByText('2 selected').waitFor();
  await noteField(page).and(isFocused(page)).waitFor();
  await page.keyboard.type('Filed together.');
  const { promise: isHeld, resolve: answer } = Promise.withResolvers<void>();
  await page.route(/\/work$/u, async (route) => {
    if (route.request().method() === 'POST') await isHeld;
    await route.continue();
  });
  await page.keyboard.press('Enter');
  const { id, version } = await itemFrom(webConsole, second);
  const noted = await webConsole.gateway.request('POST', `/work/${id}/notes`, {
    json: { note: 'Wait.', version },
  });
  expect(noted.status).toBe(200);
  answer();
  await page
    .getByText(
      /^None of the 2 items was changed\. .* \(1 page\): Installation key added a note (?:.* )?at \d.*: “Wait\.” Mark it as done anyway\?$/u,
    )
    .waitFor();
  expect((await itemFrom(webConsole, first)).state_key).toBe('assigned');
  await page.getByRole('button', { name: 'Mark it as done' }).click();
  for (const shown of [first, second]) await stateOf(shown).toBe('done');
  await stateOf(third).toBe('waiting');
});

test('rule (screens): a fax whose access was removed leaves the screen, with a sentence', async (context) => {
  await clearDesk();
  const [first = '?', second = '?'] = await arriveMany(webConsole, 2);
  const rights = ['work:read', 'inbound:read', 'inbound:list', 'inbound:document'];
  const resources = [];
  for (const shown of [first, second])
    resources.push(documentResource((await itemFrom(webConsole, shown)).inbound_fax_id));
  const people = new MailboxPeople(webConsole.gateway);
  const held = (of: readonly string[]) => Object.fromEntries(of.map((it) => [it, rights]));
  const nora = await people.addUser('Nora Falk', held(resources));
  for (const path of ['/work', '/inbox']) {
    await people.grant(nora.id, held(resources));
    const { page, complaints } = await webConsole.open(context, { path, as: { key: nora.key } });
    complaints.allow('404 ');
    const list = page.getByRole('grid').getByRole('row').filter({ hasText: first });
    await list.click();
    await shownPage(page);
    await people.grant(nora.id, held(resources.slice(1)));
    webConsole.gateway.clock.advance(SECOND);
    await page.getByRole('heading', { name: 'Your access to this fax was removed.' }).waitFor();
    expect(await page.getByRole('img', { name: /^Page/u }).count()).toBe(0);
    await list.waitFor({ state: 'detached' });
    await page.getByRole('grid').getByRole('row').filter({ hasText: second }).waitFor();
  }
});

test('rule (screens): pages leave the screen when only the right to open them is removed [listening, polling]', async (context) => {
  await clearDesk();
  const [first = '?', second = '?'] = await arriveMany(webConsole, 2);
  const listing = ['work:read', 'inbound:read', 'inbound:list'];
  const [open = '?', other = '?'] = await Promise.all(
    [first, second].map(async (shown) =>
      documentResource((await itemFrom(webConsole, shown)).inbound_fax_id),
    ),
  );
  const people = new MailboxPeople(webConsole.gateway);
  // The right on another fax does not count for this one.
  const without = { [open]: listing, [other]: [...listing, 'inbound:document'] };
  const all = { ...without, [open]: [...listing, 'inbound:document'] };
  const nora = await people.addUser('Nora Falk', all);
  for (const path of ['/work', '/inbox'])
    for (const isStreamed of [true, false]) {
      await people.grant(nora.id, all);
      let idle: PageIdle | undefined;
      const { page, complaints } = await webConsole.open(context, {
        path,
        as: { key: nora.key },
        prepare: async (it) => {
          idle = new PageIdle(it);
          if (!isStreamed) await it.route('**/console/events*', (route) => route.abort());
        },
      });
      complaints.allow('/console/events');
      await page.getByRole('grid').getByRole('row').filter({ hasText: first }).click();
      await shownPage(page);
      // A picture that is under way when the right is removed is refused.
      await idle?.settled();
      await people.grant(nora.id, without);
      webConsole.gateway.clock.advance(SECOND);
      await page
        .getByRole('heading', { name: 'Your access to the pages of this fax was removed.' })
        .waitFor();
      expect(await page.getByRole('img', { name: /^Page/u }).count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Print' }).count()).toBe(0);
      await expectAccessible(page);
      // It would follow the right that is given and removed again for the next window, each time a little late.
      await page.goto('about:blank');
    }
});

test('the fax that follows one that a colleague took meanwhile is next, by J and after D', async (context) => {
  for (const keys of [['j'], ['d', '1']]) {
    await clearDesk();
    const [first = '?', second = '?'] = await arriveMany(webConsole, 3);
    const { page } = await webConsole.open(context, { path: '/work' });
    await itemOf(page, first).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await opened(page, first);
    const { id, version } = await itemFrom(webConsole, first);
    const taken = { principal_id: jonas.id, version };
    expect((await webConsole.gateway.request('POST', `/work/${id}/assign`, { json: taken })).status).toBe(
      200,
    );
    await itemOf(page, first).waitFor({ state: 'detached' });
    await stateRegion(page).getByText('Jonas Tveit').first().waitFor();
    for (const key of keys) await page.keyboard.press(key);
    await opened(page, second);
  }
});

test('rule (screens): Enter that comes while nothing has the keyboard presses no button', async (context) => {
  await clearDesk();
  const [shown = '?'] = await arriveMany(webConsole, 1);
  const { page } = await webConsole.open(context, { path: '/work' });
  await itemOf(page, shown).waitFor();
  const undone: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/undo')) undone.push(request.url());
  });
  await page.keyboard.press('j');
  await page.keyboard.press('o');
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.focus();
  // The focus leaves, and the frame that brings it back is late. One that was asked for before comes first: it would bring the
  // focus back between two keys, and Enter would press what has it again.
  await page.evaluate(`new Promise((resolve) => {
    const { requestAnimationFrame } = window;
    const late = [];
    window.requestAnimationFrame = (callback) => late.push(callback) && 0;
    addEventListener('keyup', () => {
      window.requestAnimationFrame = requestAnimationFrame;
      late.forEach((callback) => requestAnimationFrame(callback));
    }, { once: true });
    requestAnimationFrame(() => resolve(document.activeElement.blur()));
  })`);
  await page.keyboard.press('Enter');
  expect(await isFocused(page).textContent()).toContain('Undo');
  await page.keyboard.press('Enter');
  await expect.poll(() => undone).toHaveLength(1);
  await expect.poll(async () => (await itemFrom(webConsole, shown)).owner).toBeNull();
});

test('an act that is not answered is named as its button: Take', async (context) => {
  await clearDesk();
  const [first = '?'] = await arriveMany(webConsole, 1);
  const { page } = await webConsole.open(context, {
    path: '/work',
    prepare: (opened) => opened.clock.install(),
  });
  const isSaid = Promise.withResolvers<void>();
  await page.route('**/work/*/assign', async (route) => {
    await isSaid.promise;
    await route.fallback();
  });
  await itemOf(page, first).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('o');
  await page.getByText(/^Taking the fax from/u).waitFor();
  await page.clock.runFor(3_100);
  await page.getByText('Not confirmed yet: Take', { exact: true }).waitFor();
  isSaid.resolve();
  await page.getByText('Not confirmed yet').waitFor({ state: 'detached' });
  await stateOf(first).toBe('assigned');
});

test('no page is drawn ahead of a fax whose document may not be opened', async (context) => {
  await clearDesk();
  const [older = '?', newer = '?'] = await arriveMany(webConsole, 2);
  const [allowed = '?', refused = '?'] = await Promise.all(
    [older, newer].map(async (shown) => (await itemFrom(webConsole, shown)).inbound_fax_id),
  );
  const listing = ['work:read', 'inbound:read', 'inbound:list'];
  const nora = await new MailboxPeople(webConsole.gateway).addUser('Nora Falk', {
    [documentResource(allowed)]: [...listing, 'inbound:document'],
    [documentResource(refused)]: listing,
  });
  for (const path of ['/work?view=all', '/inbox']) {
    const drawn: string[] = [];
    await webConsole.open(context, {
      path,
      as: { key: nora.key },
      prepare: async (it) =>
        it.on('request', (request) => request.method() === 'HEAD' && drawn.push(request.url())),
    });
    // The newer one would come first.
    await expect.poll(() => drawn.some((url) => url.includes(allowed))).toBe(true);
    expect(drawn.filter((url) => url.includes(refused))).toEqual([]);
  }
});

test('what was done can be seen and undone at 1024 by 700 while a fax is open, in Work and in Inbox', async (context) => {
  await clearDesk();
  const [first = '?'] = await arriveMany(webConsole, 2);
  for (const path of ['/work', '/inbox']) {
    const { page } = await webConsole.open(context, { path, viewport: { width: 1024, height: 700 } });
    await page.getByRole('grid').getByRole('row').filter({ hasText: first }).click();
    await shownPage(page);
    await stateRegion(page).getByText('Nobody').waitFor();
    await page.keyboard.press('o');
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await page.getByText(`You took the fax from ${first} (1 page).`).first().waitFor();
    expect(await undo.isVisible()).toBe(true);
    await expectAccessible(page);
    // By Tab, and by its key.
    await undo.focus();
    await page.keyboard.press('Enter');
    await undo.waitFor({ state: 'detached' });
    await stateOf(first).toBe('waiting');
    // Two frames after the button went; a key that comes earlier is led there too.
    await expect.poll(() => page.evaluate('document.activeElement === document.body')).toBe(false);
    // Nobody takes what is shown as theirs.
    await stateRegion(page).getByText('Nobody').waitFor();
    await page.keyboard.press('o');
    await undo.waitFor();
    await page.keyboard.press('u');
    await undo.waitFor({ state: 'detached' });
    await stateOf(first).toBe('waiting');
  }
});
