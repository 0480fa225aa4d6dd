import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { MARA } from '../browser/console.ts';
import { SendPage } from '../browser/send-page.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { enrol, heading, sharedConsoleApp, signIn } from './console-app.ts';
import { launch } from './desktop-app.ts';
import { type InPage, onEachKind, onlyStandin } from './each-kind.ts';

/** A person who may do nothing yet. */
const PRIYA = { name: 'Priya Sandoval', login: 'priya', password: 'a lantern in the harbour' };

interface Notice {
  readonly title: string;
  readonly isClosed: boolean;
  emit(name: string): void;
}

onEachKind('a window of two people', (kind) => {
  const shared = sharedConsoleApp(kind);

  /** Tray and icon of the application, as the system shows them. */
  async function shown() {
    const badge = await shared.app.app.evaluate(({ app }) => app.getBadgeCount());
    const { words, menu } = await shared.app.tray();
    return { badge, words, sending: menu.find((line) => line.includes('Sending')), fax: menu[1] };
  }
  const QUIET = { badge: 0, words: 'Faxdesk', sending: 'Sending on (off)', fax: 'New faxes' };

  const notices = () =>
    shared.app.app.evaluate(({ recorder }) =>
      (recorder.notifications as Notice[])
        .filter(({ title }) => title !== 'Faxdesk keeps running')
        .map(({ title, isClosed }) => ({ title, isClosed })),
    );
  const clickLastNotice = () =>
    shared.app.app.evaluate(({ recorder }) =>
      (recorder.notifications as Notice[])
        .findLast(({ title }) => title !== 'Faxdesk keeps running')
        ?.emit('click'),
    );

  /** Has Mara receive a fax while she does not look. Returns its path. */
  async function receive(): Promise<string> {
    const before = (await notices()).length;
    await shared.app.hide();
    const made = await (await shared.app.request('POST', '/inbound/test', {})).json();
    await expect.poll(async () => (await notices()).length).toBe(before + 1);
    return `/admin/ui/inbox/${(made as { id: string }).id}`;
  }

  async function switchPerson(page: Page): Promise<void> {
    await page.getByRole('button', { name: `${MARA.name}: account` }).click();
    await page.getByRole('menuitem', { name: 'Switch person' }).click();
    await heading(page, 'Sign in').waitFor();
  }
  async function signInAsPriya(page: Page, password: string): Promise<void> {
    await page.getByLabel('Sign-in name').fill(PRIYA.login);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
  }
  const account = (page: Page, { name }: { name: string }) =>
    page.getByRole('button', { name: `${name}: account` }).waitFor();
  const pathOf = (page: Page) =>
    page.evaluate(() => new URL((globalThis as unknown as InPage).location.href).pathname);

  it('rule (desktop): shows tray, badge and notices of the person who is signed in, and of no one before', async (context) => {
    onlyStandin(kind, context);
    const { app: consoleApp } = shared;
    await consoleApp.set({ INBOUND_ENABLED: true });
    const page = await consoleApp.at('/send');
    await new SendPage(page).opened();
    await receive();
    await expect.poll(shown).toMatchObject({ badge: 1, fax: 'New faxes: 1', sending: '✓ Sending on' });
    await switchPerson(page);
    await expect.poll(shown).toEqual(QUIET);
    expect((await notices()).at(-1)?.isClosed).toBe(true);
    const { temporary_password } = await addPriya();
    await clickLastNotice();
    await signInAsPriya(page, temporary_password);
    await page.getByLabel('New password', { exact: true }).fill(PRIYA.password);
    await page.getByLabel('Repeat new password').fill(PRIYA.password);
    await page.keyboard.press('Enter');
    await account(page, PRIYA);
    await expect.poll(async () => (await shown()).fax).toBe('New faxes');
    expect(await shown()).toEqual(QUIET);
    expect(await pathOf(page)).not.toContain('/inbox/');
  });

  it('keeps a notice that is clicked at the locked window for the person who locked it', async (context) => {
    onlyStandin(kind, context);
    const { app: consoleApp } = shared;
    const page = await consoleApp.page();
    await page.getByRole('button', { name: `${PRIYA.name}: account` }).click();
    await page.getByRole('menuitem', { name: 'Switch person' }).click();
    for (const isMara of [false, true]) {
      await heading(page, 'Sign in').waitFor();
      await page.getByLabel('Sign-in name').fill(MARA.login);
      await page.getByLabel('Password', { exact: true }).fill(MARA.password);
      await page.keyboard.press('Enter');
      await account(page, MARA);
      const path = await receive();
      await consoleApp.choose('File', 'Lock');
      await heading(page, 'Locked').waitFor();
      expect((await notices()).at(-1)?.isClosed).toBe(false);
      await clickLastNotice();
      if (isMara) {
        await signIn(page);
        await expect.poll(() => pathOf(page)).toBe(path);
        return;
      }
      await page.getByRole('button', { name: 'Someone else' }).click();
      await signInAsPriya(page, PRIYA.password);
      await account(page, PRIYA);
      await page.getByText('You do not have permission to see this').waitFor();
      expect(await pathOf(page)).not.toBe(path);
      await page.getByRole('button', { name: `${PRIYA.name}: account` }).click();
      await page.getByRole('menuitem', { name: 'Switch person' }).click();
    }
  });

  it('rule (desktop): gives documents of Send as fax at a locked window to no other person', async (context) => {
    onlyStandin(kind, context);
    const { app: consoleApp } = shared;
    const path = join(await mkdtemp(join(tmpdir(), 'faxdesk-given-')), 'results.pdf');
    await writeFile(path, textPdf(1));
    const boxes = () =>
      consoleApp.app.evaluate(({ recorder }) =>
        recorder.messageBoxes.splice(0).map(({ message }) => message),
      );
    const page = await consoleApp.at('/sent');
    await account(page, MARA);
    await boxes();
    await consoleApp.choose('File', 'Lock');
    await heading(page, 'Locked').waitFor();
    await consoleApp.app.secondInstance(path);
    await page.getByRole('button', { name: 'Someone else' }).click();
    await signInAsPriya(page, PRIYA.password);
    await account(page, PRIYA);
    await expect.poll(boxes).toEqual(['A document was not added.']);
    await page.getByRole('button', { name: `${PRIYA.name}: account` }).click();
    await page.getByRole('menuitem', { name: 'Switch person' }).click();
    await heading(page, 'Sign in').waitFor();
    await consoleApp.app.secondInstance(path);
    await page.getByLabel('Sign-in name').fill(MARA.login);
    await page.getByLabel('Password', { exact: true }).fill(MARA.password);
    await page.keyboard.press('Enter');
    await expect.poll(boxes).toEqual(['Are these documents yours?']);
    const send = await new SendPage(page).opened();
    await send.row('results.pdf').getByText('1 page').waitFor();
    await page.getByRole('button', { name: 'Clear' }).first().click();
  });

  it('shows nothing of the person before at a sign-in that was loaded again', async (context) => {
    onlyStandin(kind, context);
    await shared.app.set({ INBOUND_ENABLED: true });
    const page = await shared.app.at('/send');
    await account(page, MARA);
    await receive();
    await expect.poll(async () => (await shown()).badge).toBeGreaterThan(0);
    await page.context().clearCookies();
    await page.reload();
    await heading(page, 'Sign in').waitFor();
    await expect.poll(shown).toEqual(QUIET);
  });

  async function addPriya(): Promise<{ temporary_password: string }> {
    const { app: consoleApp } = shared;
    const listed = await (await consoleApp.request('GET', '/access/users?limit=1')).json();
    const { policy_version: expected_policy_version } = listed as { policy_version: number };
    const { name: display_name, login } = PRIYA;
    const body = { display_name, login, expected_policy_version };
    return (await (await consoleApp.request('POST', '/access/users', body)).json()) as never;
  }
});

onEachKind('a start with documents at the sign-in', (kind) => {
  it('rule (desktop): asks the person who signs in if the documents are theirs', async (context) => {
    onlyStandin(kind, context);
    const path = join(await mkdtemp(join(tmpdir(), 'faxdesk-given-')), 'results.pdf');
    await writeFile(path, textPdf(1));
    let app = await launch(kind);
    try {
      let page = await app.console();
      await enrol(page);
      await heading(page, 'Which provider do you use?').waitFor();
      await page.context().clearCookies();
      await app.close({ keepData: true });
      app = await launch(kind, { appData: app.appData, words: [path] });
      page = await app.console();
      await heading(page, 'Sign in').waitFor();
      await signIn(page);
      const boxes = () =>
        app.evaluate(({ recorder }) => recorder.messageBoxes.map(({ message, detail }) => [message, detail]));
      await expect
        .poll(boxes)
        .toEqual([['Are these documents yours?', expect.stringContaining('results.pdf')]]);
    } finally {
      await app.close();
    }
  });
});
