import type { Locator, Page } from 'playwright';
import { afterEach, expect } from 'vitest';
import { MARA } from '../browser/console.ts';
import type { CloudoneEmulator } from '../setup/emulators/cloudone/index.ts';
import { type Fax, sendingSettings, startTestEmulator } from '../setup/gateway.ts';
import { sharedByTests } from '../setup/shared-by-tests.ts';
import { type DesktopApp, type Kind, launch, missing } from './desktop-app.ts';

export { expectAccessible } from '../browser/accessible.ts';

/** Below the patience of a test, so that what is missed is named. */
const TIMEOUT_MS = 40_000;

/** A number that nobody sent to before; another one with each call. */
export function freshNumber(): string {
  last += 1;
  return `+12025550${last}`;
}
let last = 139;

interface TrayItem {
  readonly id: string;
  readonly label: string;
  readonly checked: boolean;
  readonly enabled: boolean;
  click(): void;
}

interface DrawnTray {
  readonly toolTip: string;
  readonly image: { readonly path: string };
  readonly menu: { readonly items: TrayItem[] };
}

/** The application with a provider emulator, and its window with Mara, who owns the installation, signed in. */
export class ConsoleApp {
  readonly app: DesktopApp;
  readonly emulator: CloudoneEmulator;

  constructor(app: DesktopApp, emulator: CloudoneEmulator) {
    this.app = app;
    this.emulator = emulator;
  }

  /** A request from outside the window, with the installation key. */
  async request(method: string, path: string, json?: unknown): Promise<Response> {
    const headers = { 'X-API-Key': this.app.installationKey(), 'Content-Type': 'application/json' };
    const body = json === undefined ? undefined : JSON.stringify(json);
    const answer = await fetch(`${this.app.gatewayUrl()}${path}`, { method, headers, body });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  }

  async fax(id: string): Promise<Fax> {
    return (await (await this.request('GET', `/fax/${id}`)).json()) as Fax;
  }

  async set(changes: Record<string, unknown>): Promise<void> {
    await this.request('PUT', '/admin/settings', { changes });
  }

  async value(name: string): Promise<unknown> {
    const answer = await (await this.request('GET', '/admin/settings')).json();
    const { settings } = answer as { settings: { name: string; value: unknown }[] };
    return settings.find((it) => it.name === name)?.value;
  }

  async makeBackup(): Promise<void> {
    const { name } = (await (await this.request('POST', '/console/backups')).json()) as { name: string };
    // Not by a poll of the test, because it runs before one.
    for (;;) {
      const answer = await this.request('GET', `/console/backups/${name}`);
      const { state } = (await answer.json()) as { state: string };
      if (state === 'done') return;
      if (state === 'failed') throw new Error(`the backup ${name} failed`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Ends a fax at the provider, once it is there, and lets the gateway see it. */
  async end(id: string, failure?: string): Promise<void> {
    await expect.poll(async () => (await this.fax(id)).delivery_state).toBe('in_progress');
    const { provider_sid, document } = await this.fax(id);
    const error = failure === undefined ? {} : { errorId: 42, errorType: 'lineError', errorMessage: failure };
    this.emulator.complete(String(provider_sid), { pages: document.pages, ...error });
    await this.request('POST', `/fax/${id}/refresh`);
  }

  /** The window, as it stands. */
  async page(): Promise<Page> {
    const page = await this.app.console();
    page.setDefaultTimeout(TIMEOUT_MS);
    return page;
  }

  /** The window, on a screen of the console. */
  async at(path: string): Promise<Page> {
    const page = await this.page();
    if (new URL(page.url()).pathname !== `/admin/ui${path}`) {
      await page.goto(`${new URL(this.app.gatewayUrl()).origin}/admin/ui${path}`);
    }
    return page;
  }

  /** Chooses in the menu of the application. */
  async choose(...labels: string[]): Promise<void> {
    await this.app.evaluate(({ Menu }, path) => {
      type Item = { label: string; submenu?: { items: Item[] }; click(): void };
      let items = (Menu.getApplicationMenu() as unknown as { items: Item[] }).items;
      let found: Item | undefined;
      for (const label of path) {
        found = items.find((item) => item.label === label);
        items = found?.submenu?.items ?? [];
      }
      found?.click();
    }, labels);
  }

  /** Returns the content of the tray; on the stand-in only. */
  tray(): Promise<{ words: string; icon: string; menu: string[] }> {
    return this.app.evaluate(({ recorder }) => {
      const tray = recorder.trays[0] as DrawnTray;
      const drawn = tray.menu.items.filter(({ label }) => label !== '');
      const line = ({ label, checked, enabled }: TrayItem) =>
        `${checked ? '✓ ' : ''}${label}${enabled ? '' : ' (off)'}`;
      return {
        words: tray.toolTip,
        icon: tray.image.path.replace(/^.*\//u, ''),
        menu: drawn.map(line),
      };
    });
  }

  /** Chooses in the menu of the tray, by the id of the item. */
  async chooseInTray(id: string): Promise<void> {
    await this.app.evaluate(({ recorder }, id) => {
      (recorder.trays[0] as DrawnTray).menu.items.find((item) => item.id === id)?.click();
    }, id);
  }

  async isShown(): Promise<boolean> {
    const shown = await this.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.isVisible(),
    );
    return shown === true;
  }

  /** Closes the window, which goes on in the tray. */
  async hide(): Promise<void> {
    await this.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  }

  /** Returns the address and the text of the page, and the end of the application's output, on one line. */
  async facts(): Promise<string> {
    const page = await this.app.window();
    const text = await page.locator('body').innerText({ timeout: 5_000 }).catch(String);
    const output = this.app.output().slice(-600);
    return `${page.url()} shows ${text.slice(0, 900)}; the application printed ${output}`.replaceAll(
      /\s+/gu,
      ' ',
    );
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.emulator.close();
  }
}

/** One application for the tests of a group. The reason of a failed test names what its window showed. */
export function sharedConsoleApp(kind: Kind): { readonly app: ConsoleApp } {
  const shared = sharedByTests(async () => (missing(kind) === null ? openConsoleApp(kind) : null));
  afterEach(async ({ task }) => {
    const error = task.result?.state === 'fail' ? task.result.errors?.at(-1) : undefined;
    if (error === undefined) return;
    const [first = ''] = error.message.split('\n', 1);
    error.message = `${first} At the end, ${await shared.current.facts().catch(String)}`;
  });
  return {
    get app() {
      return shared.current;
    },
  };
}

async function openConsoleApp(kind: Kind): Promise<ConsoleApp> {
  const emulator = await startTestEmulator();
  const app = await launch(kind, { env: sendingSettings(emulator) });
  const consoleApp = new ConsoleApp(app, emulator);
  const page = await consoleApp.page();
  await enrol(page);
  await heading(page, 'Which provider do you use?').waitFor();
  // Without a backup nothing is green.
  await consoleApp.makeBackup();
  return consoleApp;
}

/** The first step of the first start, which the window is led to. */
export async function enrol(page: Page): Promise<void> {
  await page.getByLabel('Your name').fill(MARA.name);
  await page.getByLabel('Password', { exact: true }).fill(MARA.password);
  await page.getByLabel('Repeat password').fill(MARA.password);
  await page.keyboard.press('Enter');
}

/** The person at the sign-in page of the window. */
export async function signIn(page: Page): Promise<void> {
  const password = page.getByLabel('Password', { exact: true });
  await password.waitFor();
  const login = page.getByLabel('Sign-in name');
  // A locked window asks only for the password of who locked it.
  if (await login.isVisible()) await login.fill(MARA.login);
  await password.fill(MARA.password);
  await page.keyboard.press('Enter');
}

export function heading(page: Page, name: string): Locator {
  return page.getByRole('heading', { level: 1, name });
}

/** The id of the fax that the window shows. */
export function faxIn(page: Page): string {
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}
