import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import type { Skippable } from '../setup/tools.ts';
import { contrastFaults } from './accessible.ts';
import { testConsole } from './console.ts';
import { createRemovable, everyScreen, focusOn, goTo, PageIdle } from './every-screen.ts';
import { RECEIVING } from './inbox-page.ts';
import { letter, SendPage } from './send-page.ts';
import { layoutFaults, listUnreachableControls } from './small-window.ts';

let screens: Awaited<ReturnType<typeof everyScreen>>;
const SETTINGS = { ...RECEIVING, FAX_DEFAULT_COUNTRY: 'US' };
const webConsole = testConsole({ settings: SETTINGS }, async (furnished) => {
  screens = await everyScreen(furnished);
});

/** 200 % of 1440 by 900 and of 1024 by 700, and 400 % of 1280 by 900. */
const SMALL = [
  { width: 720, height: 450 },
  { width: 512, height: 350 },
  { width: 320, height: 225 },
] as const;

const LARGE = { width: 1440, height: 900 } as const;

interface ScreenFaults {
  readonly layout: string[];
  readonly contrast: string[];
  readonly shortcuts: string[];
}

/** Goes to each screen once for several rules: to go there costs more than to look at it. */
async function visitScreens(context: Skippable): Promise<ScreenFaults> {
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await send.number('202 555 0183');
  await send.add(letter());
  await send.drawn();
  const quiet = new PageIdle(page);
  const found: ScreenFaults = { layout: [], contrast: [], shortcuts: [] };
  for (const [path, shows] of screens) {
    await page.setViewportSize({ width: 1024, height: 700 });
    await goTo(page, path, shows);
    await quiet.settled();
    await page.setViewportSize(LARGE);
    await quiet.settled();
    for (const fault of await contrastFaults(page)) found.contrast.push(`${path}: ${fault}`);
    for (const viewport of [{ width: 1024, height: 700 }, ...SMALL]) {
      await page.setViewportSize(viewport);
      await quiet.settled();
      for (const fault of await layoutFaults(page)) found.layout.push(`${viewport.width} ${path}: ${fault}`);
    }
    if (path.startsWith('/setup')) continue;
    await page.setViewportSize(LARGE);
    const keys = await listShortcuts(page);
    const twice = keys.filter((key, index) => keys.indexOf(key) !== index);
    found.shortcuts.push(...twice.map((key) => `${path}: ${key}`));
  }
  return found;
}

async function listShortcuts(page: Page): Promise<string[]> {
  await page.getByRole('button', { name: /: account$/u }).press('Enter');
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).press('Enter');
  const help = page.getByRole('dialog', { name: 'Shortcuts on this screen' });
  await help.waitFor();
  const keys = await help.locator('dd .visually-hidden').allTextContents();
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  return keys;
}

/** Any of the three tests may be the one that goes to all screens. */
const VISIT_MS = 480_000;
let visited: Promise<ScreenFaults> | undefined;
/** Faults of all screens; after a visit that failed or was skipped, the next test goes there itself. */
function faultsOfScreens(context: Skippable): Promise<ScreenFaults> {
  visited ??= visitScreens(context).catch((error: unknown) => {
    visited = undefined;
    throw error;
  });
  return visited;
}

test(
  'rule (screens): every screen magnified four times scrolls to its end with nothing cut off',
  async (context) => {
    expect((await faultsOfScreens(context)).layout).toEqual([]);
  },
  VISIT_MS,
);

test(
  'rule (screens): text of every screen has 7 to 1 where the system asks for more contrast',
  async (context) => {
    expect((await faultsOfScreens(context)).contrast).toEqual([]);
  },
  VISIT_MS,
);

test(
  'rule (screens): a shortcut has one meaning on a screen',
  async (context) => {
    expect((await faultsOfScreens(context)).shortcuts).toEqual([]);
  },
  VISIT_MS,
);

/** Dialogs over a screen: its path, and the key or the button that opens the dialog. */
const DIALOGS: readonly (readonly [path: string, opener: string])[] = [
  ['/sent', 'Control+K'],
  ['/sent', '?'],
  ['/send', 'Save for later'],
  ['/send/', 'Report'],
  ['/contacts', 'Add contact'],
  ['/contacts', 'Import…'],
  ['/costs/rate-cards', 'Add rate card'],
  ['/costs/rate-cards', 'Change prices of'],
  ['/access/people', 'New person'],
  ['/access/groups/', 'Add member…'],
  ['/access/roles', 'New role'],
  ['/access/assignments', 'Give a role'],
  ['/access/keys', 'New API key'],
  ['/access/devices', 'Pair a device'],
  ['/my-sign-in', 'Set up…'],
];

/** 200 % of 1024 by 700, and 400 %. */
const SMALLEST = SMALL.slice(1);

test('magnified twice and four times every dialog, the sign-in and the lock can be used to their end', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await send.number('202 555 0183');
  const quiet = new PageIdle(page);
  const check = async (name: string, root: string) => {
    for (const viewport of SMALLEST) {
      await page.setViewportSize(viewport);
      await quiet.settled();
      // A dialog that still opens takes no press yet.
      await expect
        .poll(() => listUnreachableControls(page, root), { message: `${viewport.width} ${name}` })
        .toEqual([]);
    }
    await page.setViewportSize({ width: 1024, height: 700 });
  };
  for (const [start, opener] of DIALOGS) {
    const [path, shows] = screens.find(([it]) => it.startsWith(start)) ?? [start, ''];
    if (!page.url().endsWith(path)) await goTo(page, path, shows);
    if (/^(Control\+.|.)$/u.test(opener)) await page.keyboard.press(opener);
    else await page.getByRole('button', { name: opener }).first().press('Enter');
    await page.getByRole('dialog').waitFor();
    await quiet.settled();
    await check(`${start} ${opener}`, '[role=dialog]');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  await page.keyboard.press('Control+Shift+L');
  await page.getByRole('heading', { name: 'Locked' }).waitFor();
  await check('lock', 'main');
  await page.context().clearCookies();
  await page.evaluate('sessionStorage.clear()');
  await page.goto('/admin/ui/');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await check('sign-in', 'main');
});

/** Controls of a screen that do not leave the page; each is pressed on its own. */
const CONTROLS = `[...document.querySelectorAll('main :is(button, a[href], [role=switch], input[type=checkbox])')].filter((it) =>
  it.checkVisibility() && !it.matches(':disabled, [download], [target=_blank], [data-keeps-focus] *, nav *') && it.tabIndex >= 0 && !it.closest('[aria-hidden=true]'))`;
const nameOf = `(it) => (it.getAttribute('aria-label') ?? it.labels?.[0]?.textContent ?? it.textContent).trim().slice(0, 60)`;

async function controlsOn(page: Page): Promise<string[]> {
  return (await page.evaluate(`${CONTROLS}.map(${nameOf})`)) as string[];
}

/** Puts the keyboard on the control of this name and presses it; false when it is not there. */
async function press(page: Page, name: string): Promise<boolean> {
  const key = await page.evaluate(`(() => {
    const it = ${CONTROLS}.find((one) => (${nameOf})(one) === ${JSON.stringify(name)});
    it?.focus();
    return it ? (it.matches('input, [role=switch]') ? 'Space' : 'Enter') : null;
  })()`);
  if (key === null) return false;
  await page.keyboard.press(key as string);
  return true;
}

test('rule (screens): the focus is never lost, whatever opens, closes or is refused: one watcher keeps it for every screen', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/send' });
  complaints.allow('422 ', '409 ', '403 ', '502 ', '404 ');
  page.on('download', (download) => void download.cancel());
  const quiet = new PageIdle(page);
  const lost: string[] = [];
  const pressed = new Set<string>();
  for (const [path, shows] of screens) {
    await goTo(page, path, shows);
    await quiet.settled();
    const [url, names] = [page.url(), await controlsOn(page)];
    for (const name of names) {
      const key = `${path.split('/')[1]} ${name}`;
      if (pressed.has(key)) continue;
      pressed.add(key);
      if (!(await press(page, name))) continue;
      await quiet.settled();
      if ((await focusOn(page)) === null) lost.push(`${path}: ${name}`);
      await page.keyboard.press('Escape');
      await quiet.settled();
      if ((await focusOn(page)) === null) lost.push(`${path}: Escape after ${name}`);
      if (page.url() === url && (await controlsOn(page)).join() === names.join()) continue;
      await goTo(page, path, shows);
      await quiet.settled();
    }
  }
  expect(lost).toEqual([]);
}, 480_000);

/** From a screen, what is done, and where the keyboard is afterwards. */
const WAYS: readonly (readonly [from: string, how: (page: Page) => Promise<void>, to: string])[] = [
  ['/sent', (page) => page.keyboard.press('n'), 'combobox To'],
  ['/sent', (page) => page.keyboard.press('Alt+1'), 'combobox To'],
  ['/sent', (page) => page.getByRole('link', { name: 'Send', exact: true }).click(), 'combobox To'],
  ['/send', (page) => page.getByRole('link', { name: 'Send', exact: true }).click(), 'combobox To'],
  ['/send', (page) => page.keyboard.press('Alt+2'), 'grid Received faxes'],
  ['/work', (page) => page.keyboard.press('Alt+2'), 'grid Received faxes'],
  ['/inbox', (page) => page.keyboard.press('Alt+3'), 'grid Work items'],
  ['/inbox', (page) => page.keyboard.press('Alt+4'), 'grid Sent faxes'],
  ['/sent', (page) => page.keyboard.press('Alt+5'), 'grid Contacts by name'],
  ['/sent', (page) => page.keyboard.press('Alt+6'), 'a By month'],
  ['/sent', (page) => page.keyboard.press('Alt+7'), 'grid People, by name'],
  ['/sent', (page) => page.keyboard.press('Alt+8'), 'a Sending'],
  ['/sent', (page) => page.keyboard.press('Alt+9'), 'a Health'],
  ['/sent', (page) => runFromPalette(page, 'Settings'), 'a Sending'],
  ['/sent', (page) => closeAfter(page, 'Control+K'), 'grid Sent faxes'],
  ['/sent', (page) => closeAfter(page, '?'), 'grid Sent faxes'],
  // An incomplete fax moves the focus to the first missing field.
  ['/send', (page) => page.keyboard.press('Control+Enter'), 'combobox To'],
  [
    '/my-sign-in',
    (page) => page.getByRole('button', { name: 'Change password' }).press('Enter'),
    'input Current password',
  ],
];

test('who answers a question with yes has the keyboard where the next thing is done', async (context) => {
  const { person, group, mailbox } = await createRemovable(webConsole);
  const { page } = await webConsole.open(context, { path: '/send' });
  await new SendPage(page).opened();
  const quiet = new PageIdle(page);
  const found: string[] = [];
  const [people, groups] = [`/access/people/${person.id}`, `/access/groups/${group.id}`];
  const questions: readonly (readonly [
    path: string,
    row: string | null,
    opener: string,
    yes: string,
    to: string,
  ])[] = [
    ['/access/sessions', 'Otto Lind', 'End this session…', 'End it', 'grid Sessions, newest first'],
    ['/access/assignments', 'Otto Lind', 'Remove…', 'Remove it', 'grid Role assignments'],
    ['/access/keys', 'Scanner', 'New secret…', 'Create new secret', 'grid API keys'],
    ['/access/keys', 'Scanner', 'Revoke…', 'Revoke it', 'a Otto Lind'],
    [
      people,
      null,
      'New temporary password…',
      'Create a temporary password',
      'button New temporary password…',
    ],
    [people, null, 'Disable…', 'Disable', 'button Enable…'],
    [people, null, 'Enable…', 'Enable', 'button Disable…'],
    [groups, null, 'Remove Nora Dahl', 'Remove', 'a Pia Holm'],
    [groups, null, 'Disable…', 'Disable', 'button Enable…'],
    [`/access/mailboxes/${mailbox.id}`, null, 'Disable…', 'Disable it', 'button Enable'],
  ];
  for (const [path, row, opener, yes] of questions) {
    await goTo(page, path, row ?? opener);
    if (row !== null) await page.getByRole('row').filter({ hasText: row }).first().click();
    await page.getByRole('button', { name: opener, exact: true }).press('Enter');
    await page.getByRole('button', { name: yes, exact: true }).press('Enter');
    await page.getByRole('button', { name: yes, exact: true }).waitFor({ state: 'detached' });
    await quiet.settled();
    // A secret that is shown once is dismissed, and the focus returns to where it was.
    const stored = page.getByRole('button', { name: /^(I saved it|I wrote it down|Done)$/u });
    if (yes.startsWith('Create')) await stored.press('Enter');
    await stored.waitFor({ state: 'detached' });
    await quiet.settled();
    found.push(`${opener} ${await focusOn(page)}`);
  }
  expect(found).toEqual(questions.map(([, , opener, , to]) => `${opener} ${to}`));
});

async function runFromPalette(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+K');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type(name);
  await page.getByRole('menuitem', { name, exact: true }).click();
}

async function closeAfter(page: Page, key: string): Promise<void> {
  await page.keyboard.press(key);
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

test('every way leads the keyboard to where the next thing is done', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  await new SendPage(page).opened();
  for (const [from, how, to] of WAYS) {
    const [path, shows] = screens.find(([it]) => it.startsWith(from)) ?? [from, ''];
    await goTo(page, path, shows);
    await how(page);
    await expect.poll(async () => `${from}: ${await focusOn(page)}`).toContain(`${from}: ${to}`);
  }
});

test('what is typed while a screen opens is there when it is open', async (context) => {
  const { page } = await webConsole.open(context, { path: '/sent' });
  await page.getByRole('grid', { name: 'Sent faxes' }).waitFor();
  // The code of the screen comes late, and nothing typed meanwhile is a shortcut of the screen before.
  await page.keyboard.type('n2025550142');
  const { to } = new SendPage(page);
  await expect.poll(() => to.inputValue()).toBe('2025550142');
  await page.keyboard.press('Alt+7');
  await page.keyboard.press('Shift+N');
  await page.getByRole('dialog', { name: 'New person' }).waitFor();
});

test('single-key shortcuts are switched off for a person, and the others still work', async (context) => {
  const { page } = await webConsole.open(context, { path: '/sent' });
  const grid = page.getByRole('grid', { name: 'Sent faxes' });
  await grid.waitFor();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Shortcuts on this screen' });
  await help.getByText('Next fax').waitFor();
  await help.getByRole('switch', { name: 'Single-key shortcuts' }).press('Space');
  await help.getByText('Next fax').waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  await page.reload();
  await grid.waitFor();
  for (const key of ['?', 'n', '/', 'j']) await page.keyboard.press(key);
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  expect(new URL(page.url()).pathname).toBe('/admin/ui/sent');
  await expect.poll(() => page.getByRole('button', { name: 'New fax' }).textContent()).toBe('New fax');
  await page.keyboard.press('Alt+1');
  await new SendPage(page).opened();
});

test('chips keep their places when their counts change', async (context) => {
  const { page } = await webConsole.open(context, { path: '/sent' });
  const chips = page.getByRole('group', { name: /filter/iu }).getByRole('button');
  const held = page.getByRole('button', { name: /held$/u });
  await expect.poll(() => held.textContent()).toMatch(/^\d/u);
  // Less than a pixel is no move.
  const places = async () =>
    Promise.all((await chips.all()).map(async (chip) => Math.round((await chip.boundingBox())?.x ?? -1)));
  const before = await places();
  const count = Number.parseInt((await held.textContent()) ?? '', 10);
  await webConsole.gateway.set({ FAX_DISABLED: true });
  for (let more = 0; more < 10; more += 1) await webConsole.gateway.send({ to: `+120255501${70 + more}` });
  await webConsole.gateway.set({ FAX_DISABLED: false });
  await expect.poll(() => held.textContent()).toBe(`${count + 10}held`);
  expect(await places()).toEqual(before);
});
