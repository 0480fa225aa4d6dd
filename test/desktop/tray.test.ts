import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { type DesktopTray, SCREEN_OF_COMMAND } from '../../shared/desktop.ts';
import { type InPage, onEachKind, onlyStandin, sharedApp } from './each-kind.ts';

interface Item {
  readonly id: string;
  readonly label: string;
  readonly checked: boolean;
  readonly enabled: boolean;
  readonly submenu?: { readonly items: Item[] };
  click(): void;
}

interface DrawnTray {
  readonly toolTip: string;
  readonly image: { readonly path: string };
  readonly menu: {
    readonly items: Item[];
  };
  emit(name: string): void;
}

onEachKind('the tray', (kind) => {
  const shared = sharedApp(kind);

  async function show(tray: Partial<DesktopTray>): Promise<void> {
    const page = await shared.page();
    await page.evaluate(
      (given) =>
        (globalThis as unknown as InPage).faxdesk.setTray({
          state: 'normal',
          sending: true,
          newFaxes: 0,
          tooltip: 'Faxdesk',
          ...given,
        }),
      tray,
    );
  }

  function drawn() {
    return shared.app.evaluate(({ recorder }) => {
      const tray = (recorder.trays as DrawnTray[])[0] as DrawnTray;
      const items = tray.menu.items.filter(({ label }) => label !== '');
      return {
        words: tray.toolTip,
        icon: tray.image.path.replace(/^.*\//u, ''),
        menu: items.map(
          ({ label, checked, enabled }) => `${checked ? '✓ ' : ''}${label}${enabled ? '' : ' (off)'}`,
        ),
      };
    });
  }

  function choose(id: string): Promise<void> {
    return shared.app.evaluate(({ recorder }, id) => {
      const items = (recorder.trays as DrawnTray[])[0]?.menu.items ?? [];
      [...items, ...items.flatMap(({ submenu }) => submenu?.items ?? [])]
        .find((item) => item.id === id)
        ?.click();
    }, id);
  }

  /** Records the commands that the page receives from now on. */
  async function commands(page: Page): Promise<() => Promise<unknown[]>> {
    await page.evaluate(() => {
      const it = globalThis as unknown as InPage & { reported: unknown[] };
      it.reported = [];
      it.faxdesk.onCommand((command) => it.reported.push(command));
    });
    return () => page.evaluate(() => (globalThis as unknown as { reported: unknown[] }).reported);
  }

  it('draws each state with a shape of its own', async (context) => {
    onlyStandin(kind, context);
    for (const state of ['normal', 'new', 'attention', 'broken'] as const) {
      await show({ state, tooltip: `Faxdesk, ${state}` });
      expect(await drawn()).toMatchObject({ words: `Faxdesk, ${state}`, icon: `${state}-light.png` });
    }
  });

  it('counts what waits and shows the state of the line', async (context) => {
    onlyStandin(kind, context);
    await show({ newFaxes: 6, receiving: 'Receiving OK since 07:30' });
    expect((await drawn()).menu).toEqual([
      'Open Faxdesk',
      'New faxes: 6',
      'New fax…',
      '✓ Sending on',
      'Receiving OK since 07:30 (off)',
      'Do not disturb',
      'Quit Faxdesk',
    ]);
    await expect.poll(() => shared.app.evaluate(({ app }) => app.getBadgeCount())).toBe(6);
    await show({ sending: null });
    expect((await drawn()).menu).toContain('Sending on (off)');
    await show({ newFaxes: 1, myItems: 3 });
    expect((await drawn()).menu.slice(0, 3)).toEqual(['Open Faxdesk', 'New faxes: 1', 'My items: 3']);
    await show({ newFaxes: 1, myItems: 3, dueItems: 2 });
    expect((await drawn()).menu).toContain('My items: 3, 2 due');
    await expect.poll(() => shared.app.evaluate(({ app }) => app.getBadgeCount())).toBe(3);
    await show({ newFaxes: 1, myItems: 3, dueItems: 2, newItems: 1 });
    await expect.poll(() => shared.app.evaluate(({ app }) => app.getBadgeCount())).toBe(4);
  });

  it('leads the page to what was chosen', async (context) => {
    onlyStandin(kind, context);
    await show({ myItems: 0 });
    const reported = await commands(await shared.page());
    for (const id of ['new-fax', 'new-faxes', 'my-items', 'sending']) await choose(id);
    await expect.poll(reported).toEqual(['new-fax', 'open-inbox', 'open-work', 'toggle-sending']);
    expect((await drawn()).menu, 'sending is on until the gateway says otherwise').toContain('✓ Sending on');
  });

  it('and the menu lead nowhere but to screens that there are, and to what is done at once', async (context) => {
    onlyStandin(kind, context);
    await show({ newFaxes: 1 });
    const reported = await commands(await shared.page());
    const choose = (at: number) =>
      shared.app.evaluate(({ Menu, recorder }, at) => {
        const tray = (recorder.trays as DrawnTray[])[0]?.menu.items ?? [];
        const menus = Menu.getApplicationMenu()?.items ?? [];
        const ofMenus = menus
          .filter(({ label }) => label === 'File' || label === 'Go')
          .flatMap(({ submenu }) => submenu?.items ?? []);
        const leading = [...tray, ...ofMenus].filter(({ label }) => /^(?!Open|Quit|Do not)./u.test(label));
        leading[at]?.click();
        return leading.map(({ label }) => label);
      }, at);
    const labels = await choose(-1);
    const go = ['Send', 'Inbox', 'Work', 'Sent', 'Contacts', 'Settings'];
    expect(labels).toEqual(['New faxes: 1', 'New fax…', 'Sending on', 'New fax…', 'Lock', ...go]);
    for (let at = 0; at < labels.length; at += 1) {
      await choose(at);
      await expect.poll(async () => (await reported()).length).toBe(at + 1);
    }
    const known = [...Object.keys(SCREEN_OF_COMMAND), 'toggle-sending', 'lock'];
    expect(known).toEqual(expect.arrayContaining(await reported()));
  });

  it('keeps what was chosen for a page that does not listen yet', async (context) => {
    onlyStandin(kind, context);
    const page = await shared.page();
    await page.reload();
    await choose('new-fax');
    const reported = await commands(page);
    await expect.poll(reported).toEqual(['new-fax']);
  });

  describe('and notices', () => {
    it('open the window on what they are about', async (context) => {
      onlyStandin(kind, context);
      const page = await shared.page();
      const reported = await commands(page);
      await page.evaluate(() =>
        (globalThis as unknown as InPage).faxdesk.showNotice({
          title: 'One of your faxes needs confirmation',
          body: 'The line dropped before page 3 of 5 was confirmed.',
          open: '/sent/0198',
        }),
      );
      await shared.app.evaluate(({ BrowserWindow, recorder }) => {
        BrowserWindow.getAllWindows()[0]?.hide();
        (recorder.notifications as { title: string; emit(name: string): void }[])
          .find(({ title }) => title.startsWith('One of your faxes'))
          ?.emit('click');
      });
      await expect.poll(reported).toEqual([{ open: '/sent/0198' }]);
      expect(await visible()).toBe(true);
    });
  });

  describe('and Do not disturb', () => {
    const notice = async (title: string) =>
      (await shared.page()).evaluate(
        (shown) =>
          (globalThis as unknown as InPage).faxdesk.showNotice({
            title: shown,
            body: 'Now.',
            open: '/inbox',
          }),
        title,
      );
    const titles = () =>
      shared.app.evaluate(({ recorder }) =>
        (recorder.notifications as { title: string; body: string }[]).map(
          ({ title, body }) => `${title}: ${body}`,
        ),
      );
    const line = async () => (await drawn()).menu.find((label) => label.includes('Do not disturb'));
    const prefer = async (quietUntil: string | null) =>
      (await shared.page()).evaluate(
        (until) => (globalThis as unknown as InPage).faxdesk.setPreferences({ quietUntil: until }),
        quietUntil,
      );

    it('rule (desktop): shows no notice until its end, and then says how many there were', async (context) => {
      onlyStandin(kind, context);
      const before = (await titles()).length;
      await choose('quiet-hour');
      await expect.poll(line).toMatch(/^✓ Do not disturb until \d/u);
      await notice('First');
      await notice('Second');
      expect(await titles()).toHaveLength(before);
      await choose('quiet');
      await expect.poll(line).toBe('Do not disturb');
      const summary = 'Do not disturb is off: 2 notices came meanwhile. Open Faxdesk to see what is new.';
      await expect.poll(async () => (await titles()).slice(before)).toEqual([summary]);
      await notice('Third');
      expect((await titles()).at(-1)).toBe('Third: Now.');
    });

    it('ends by itself, is kept in the preferences, and ignores an end that only a wrong clock gives', async (context) => {
      onlyStandin(kind, context);
      const before = (await titles()).length;
      await choose('quiet-morning');
      const page = await shared.page();
      const kept = () =>
        page.evaluate(async () => (await (globalThis as unknown as InPage).faxdesk.preferences()).quietUntil);
      await expect.poll(async () => Date.parse((await kept()) ?? '') > Date.now()).toBe(true);
      await notice('Held');
      expect(await titles()).toHaveLength(before);
      await prefer(new Date(Date.now() + 200).toISOString());
      await expect.poll(async () => (await titles()).at(-1)).toMatch('1 notice came meanwhile.');
      await expect.poll(line).toBe('Do not disturb');
      await prefer(new Date(Date.now() + 400 * 86_400_000).toISOString());
      expect(await line()).toBe('Do not disturb');
      await notice('Shown');
      expect((await titles()).at(-1)).toBe('Shown: Now.');
      await prefer(null);
      expect(await titles()).toHaveLength(before + 2);
    });
  });

  describe('and the closed window', () => {
    it('keeps running, which is said once', async () => {
      await shared.app.console();
      for (let times = 0; times < 2; times += 1) {
        await shared.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
        expect(await visible()).toBe(false);
        expect(await shared.app.secondInstance()).toBe(0);
        await expect.poll(visible).toBe(true);
      }
      if (kind === 'Electron') return;
      const said = await shared.app.evaluate(
        ({ recorder }) =>
          (recorder.notifications as { title: string }[]).filter(
            ({ title }) => title === 'Faxdesk keeps running',
          ).length,
      );
      expect(said).toBe(1);
    });
  });

  function visible(): Promise<boolean | undefined> {
    return shared.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());
  }
});
