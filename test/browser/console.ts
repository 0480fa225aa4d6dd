import type { Browser, BrowserContext, Page } from 'playwright';
import { afterEach, beforeEach, expect, inject } from 'vitest';
import { PAGE_TOKEN_HEADER } from '../../shared/page-token.ts';
import { openBrowser } from '../setup/browser.ts';
import {
  INSTALLATION_KEY,
  startTestGateway,
  type TestGateway,
  type TestGatewayOptions,
} from '../setup/gateway.ts';
import { SECOND } from '../setup/manual-clock.ts';
import { enrolMara, MARA } from '../setup/owner.ts';
import { type Shared, sharedByTests } from '../setup/shared-by-tests.ts';
import type { Skippable } from '../setup/tools.ts';
import { type Complaints, watchComplaints } from './complaints.ts';
import { readPageText } from './page-text.ts';
import { type Viewport, type WindowKind, WindowPool } from './window-pool.ts';

export { MARA } from '../setup/owner.ts';
export { expectAccessible } from './accessible.ts';

/** Page token of the pages of every window, beside their cookie. */
export const TEST_PAGE_TOKEN = 'page-of-a-test'.padEnd(43, '-');

/** A person (by password) or an API key; null leaves the sign-in page. */
type Visitor = typeof MARA | { readonly key: string } | null;

interface OpenOptions {
  /** Below the console's own address: `/sent?state=failed`. */
  readonly path?: string;
  /** Default: Mara. */
  readonly as?: Visitor;
  readonly colorScheme?: 'light' | 'dark';
  readonly viewport?: Viewport;
  /** Runs in the window before anything of the console does. */
  readonly script?: string;
  /** Before the first request, e.g. `page.clock.install()`. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

/** A window of the console, without any trace of an earlier one; the test fails for every complaint not allowed. */
interface ConsoleWindow {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly complaints: Complaints;
}

interface OpenWindow extends ConsoleWindow {
  leave(): Promise<void>;
}

export interface TestConsole {
  readonly gateway: TestGateway;
  /** Opens a window of its own; skips the test where there is no browser. */
  open(test: Skippable, options?: OpenOptions): Promise<ConsoleWindow>;
  /** An API key with these permissions, to sign in with. */
  keyWith(...scopes: string[]): Promise<string>;
  /** Starts the gateway, which was stopped, again on the same data and the same port. */
  startGatewayAgain(): Promise<void>;
}

/** Settings of an installation where nothing is set up; where the provider is comes from the emulator. */
const NOTHING_SET = {
  FAX_BACKEND: '',
  FAX_ORGANIZATION: '',
  FAX_NUMBER: '',
  TIME_ZONE: '',
  CLOUDONE_API_KEY: '',
  CLOUDONE_API_SECRET: '',
  CLOUDONE_CALLBACK_TOKEN: '',
};

/** One gateway with the provider emulator and the owner Mara for all tests of the file that calls it, furnished for them. */
export function testConsole(
  options: TestGatewayOptions | (() => Promise<TestGatewayOptions>) = {},
  furnish?: (webConsole: TestConsole) => Promise<unknown>,
): TestConsole {
  const start = async () => {
    const gateway = await startAtKeptPort(typeof options === 'function' ? await options() : options);
    await enrolMara(gateway.url, INSTALLATION_KEY);
    return gateway;
  };
  const webConsole = consoleOf(sharedByTests(start, async () => furnish?.(webConsole)));
  return webConsole;
}

/** A gateway of its own for each test, without an owner and without settings. */
export function emptyConsole(): TestConsole {
  const own = {} as Shared<TestGateway>;
  afterEach(() => own.current.close());
  beforeEach(async () => {
    own.current = await startAtKeptPort({ settings: NOTHING_SET });
  });
  return consoleOf(own);
}

/** The browser and its windows go from one file of this process to the next, and the gateways share a port. */
let browser: Browser | undefined;
let kept: WindowPool | undefined;
let port: number | undefined;

/** At the port of the last one, because a window keeps what it loaded from there; it may be taken by now. */
async function startAtKeptPort(options: TestGatewayOptions): Promise<TestGateway> {
  const gateway = await startTestGateway({ port, ...options }).catch(() => startTestGateway(options));
  port = Number(new URL(gateway.url).port);
  return gateway;
}

async function keptWindows(test: Skippable): Promise<WindowPool> {
  if (kept === undefined || !browser?.isConnected()) {
    browser = await openBrowser(test);
    kept = new WindowPool(browser);
  }
  return kept;
}

function consoleOf(held: Shared<TestGateway>): TestConsole {
  const open: OpenWindow[] = [];
  afterEach(async ({ task }) => {
    const windows = open.splice(0);
    const isFailed = task.result?.state === 'fail';
    if (isFailed)
      for (const { page } of windows)
        process.stderr.write(`shown when it failed: ${await readPageText(page)}\n`);
    for (const { context, leave } of windows) await (isFailed ? context.close() : leave());
    expect(windows.flatMap(({ complaints }) => complaints.unexpected())).toEqual([]);
  });
  return {
    get gateway() {
      return held.current;
    },
    async open(test, how = {}) {
      const problem = inject('consoleProblem');
      if (problem !== null) throw new Error(problem);
      const shown = await openWindow(await keptWindows(test), held.current, how);
      open.push(shown);
      return shown;
    },
    async keyWith(...scopes) {
      const answer = await held.current.request('POST', '/admin/api-keys', {
        json: { name: 'Viewer', scopes },
      });
      return ((await answer.json()) as { token: string }).token;
    },
    async startGatewayAgain() {
      const port = Number(new URL(held.current.url).port);
      held.current = await held.current.restart({ port });
    },
  };
}

async function openWindow(kept: WindowPool, gateway: TestGateway, how: OpenOptions): Promise<OpenWindow> {
  const kind: WindowKind = {
    baseURL: gateway.url,
    colorScheme: how.colorScheme ?? 'light',
  };
  // Preparations, such as a clock, cannot be undone, so such a window is not reused.
  const isKept = how.prepare === undefined;
  const window = await (isKept ? kept.take(kind) : kept.open(kind));
  const { page, context } = window;
  const complaints = watchComplaints(context);
  await page.setViewportSize(how.viewport ?? { width: 1440, height: 900 });
  await signIn(context, gateway, how.as === undefined ? MARA : how.as);
  // An empty page has no storage.
  const token = `localStorage.setItem('faxdesk.page-token', '${TEST_PAGE_TOKEN}')`;
  const hold = await page.addInitScript(`if (origin !== 'null') ${token}`);
  const script = how.script === undefined ? null : await page.addInitScript(how.script);
  await how.prepare?.(page);
  await page.goto(`/admin/ui${how.path ?? '/'}`);
  const leave = async () => {
    await script?.dispose();
    await hold.dispose();
    await (isKept ? kept.keep(kind, window) : context.close());
    complaints.stop();
  };
  return { page, context, complaints, leave };
}

/** Returns the headers that a script of the page would send with a change. */
export async function headersOfPage(context: BrowserContext, { url }: TestGateway): Promise<HeadersRecord> {
  const headers = { Origin: url, [PAGE_TOKEN_HEADER]: TEST_PAGE_TOKEN };
  const me = await (await context.request.get('/auth/me', { headers })).json();
  return { ...headers, 'X-CSRF-Token': (me as { csrf_token: string }).csrf_token };
}

type HeadersRecord = Record<string, string>;

/** Through the interface, so that the cookie is the browser's own. */
async function signIn(context: BrowserContext, gateway: TestGateway, visitor: Visitor): Promise<void> {
  if (visitor === null) return;
  // So many windows open in a second that the gateway would take it for guessing.
  gateway.clock.advance(15 * SECOND);
  const [path, data] =
    'key' in visitor
      ? ['/auth/key-login', { api_key: visitor.key }]
      : ['/auth/login', { login: visitor.login, password: visitor.password }];
  const headers = { Origin: gateway.url, [PAGE_TOKEN_HEADER]: TEST_PAGE_TOKEN };
  const answer = await context.request.post(path, { data, headers });
  if (!answer.ok()) throw new Error(`${answer.status()} ${await answer.text()}`);
}
