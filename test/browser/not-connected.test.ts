import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { PAGE_TOKEN_HEADER } from '../../shared/page-token.ts';
import { ChildGateway } from '../restart/child-gateway.ts';
import { openBrowser } from '../setup/browser.ts';
import type { CloudoneEmulator } from '../setup/emulators/cloudone/index.ts';
import { freePort } from '../setup/free-port.ts';
import { INSTALLATION_KEY, sendingSettings, startTestEmulator } from '../setup/gateway.ts';
import { enrolMara, MARA } from '../setup/owner.ts';
import { expectAccessible, TEST_PAGE_TOKEN } from './console.ts';

/** A gateway that can be stopped and killed, and two windows of one browser that share its stream. */
let browser: Browser;
let emulator: CloudoneEmulator;
let folder: string;
let port: number;
let gateway: ChildGateway;
let context: BrowserContext;
let windows: readonly [Page, Page];

/** Longer than a page is silent before it says so. */
const SILENT_MS = 6_000;

beforeAll(async () => {
  emulator = await startTestEmulator();
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-light-'));
  port = await freePort();
  await startGateway();
  await enrolMara(gateway.url, INSTALLATION_KEY);
}, 120_000);

beforeEach(async (test) => {
  const problem = inject('consoleProblem');
  if (problem !== null) throw new Error(problem);
  browser ??= await openBrowser(test);
  context = await browser.newContext({ baseURL: gateway.url, locale: 'en-US', timezoneId: 'UTC' });
  context.setDefaultTimeout(40_000);
  await context.addInitScript(`localStorage.setItem('faxdesk.page-token', '${TEST_PAGE_TOKEN}')`);
  const headers = { Origin: gateway.url, [PAGE_TOKEN_HEADER]: TEST_PAGE_TOKEN };
  const data = { login: MARA.login, password: MARA.password };
  const answer = await context.request.post('/auth/login', { data, headers });
  expect(answer.status()).toBe(200);
  windows = [await openWindow(), await openWindow()];
}, 60_000);

afterEach(() => context?.close());

afterAll(async () => {
  gateway.resume();
  await gateway.kill();
  await browser?.close();
  await emulator.close();
  await rm(folder, { recursive: true, force: true });
});

async function startGateway(): Promise<void> {
  const codeCache = join(folder, '..', 'faxdesk-light-code');
  gateway = new ChildGateway(folder, sendingSettings(emulator), { codeCache, port });
  expect(await gateway.ready(), gateway.errors).toBe(true);
}

/** A window whose clock the test moves on, connected to the stream. */
async function openWindow(): Promise<Page> {
  const page = await context.newPage();
  await page.clock.install();
  await page.goto('/admin/ui/sent');
  await page.getByRole('heading', { level: 1, name: 'Sent' }).waitFor();
  await bar(page).filter({ hasText: 'No recent backup' }).waitFor();
  return page;
}

const bar = (page: Page) => page.getByRole('banner').getByRole('status');
const lost = (page: Page) => bar(page).filter({ hasText: /^Not connected since \d{1,2}:\d\d\s[AP]M$/u });

/** Lets the time pass in which a page waits for a sign of life: by its own clock, so that nobody waits for it here. */
async function expectLost(): Promise<void> {
  for (const page of windows) {
    await page.clock.runFor(SILENT_MS);
    await lost(page).waitFor();
  }
}

async function expectBack(): Promise<void> {
  for (const page of windows) {
    await expect.poll(() => lost(page).count(), { timeout: 30_000 }).toBe(0);
    await expect.poll(() => page.getByText('Faxdesk is not responding').count()).toBe(0);
  }
}

test('a gateway that stands still is not connected in every window, until it goes on', async () => {
  gateway.stop();
  try {
    await expectLost();
  } finally {
    gateway.resume();
  }
  // The screen may be old, so all of it is read again.
  const read = windows.map((page) => page.waitForRequest(/\/fax\?/u));
  for (const page of windows) await page.clock.runFor(3_000);
  await expectBack();
  await Promise.all(read);
});

test('a network that is cut is not connected, and what happened meanwhile is there when it is back', async () => {
  const [first, second] = windows;
  await context.setOffline(true);
  await expectLost();
  const form = new FormData();
  form.append('to', '+13125550147');
  form.append('file', new File(['One page.'], 'note.txt', { type: 'text/plain' }));
  const sent = await gateway.request<{ id: string }>('POST', '/fax', form);
  expect(sent?.id).toBeTruthy();
  await context.setOffline(false);
  for (const page of windows) await page.clock.runFor(3_000);
  await expectBack();
  for (const page of [first, second])
    await page.getByRole('row').filter({ hasText: '312 555 0147' }).first().waitFor();
});

test('a gateway that was killed is not connected, until it was started again', async () => {
  await gateway.kill();
  await expectLost();
  await startGateway();
  for (const page of windows) await page.clock.runFor(3_000);
  await expectBack();
});

test('an act without an answer says so after three seconds, and is settled when the gateway goes on', async () => {
  const [page] = windows;
  const { row } = await openScheduled(page, '+13125550148');
  gateway.stop();
  try {
    await cancel(page).click();
    await page.clock.runFor(3_100);
    await page.getByText('Not confirmed yet: Cancel fax').waitFor();
    await expectAccessible(page);
  } finally {
    gateway.resume();
  }
  await page.getByText('Not confirmed yet').waitFor({ state: 'detached' });
  await expect.poll(() => row.textContent()).toContain('Canceled');
});

test('an act whose answer was lost is not carried out twice', async () => {
  const [page] = windows;
  const { row, id } = await openScheduled(page, '+13125550149');
  const cut = Promise.withResolvers<void>();
  // The request arrives, its answer does not.
  await page.route(
    '**/cancel',
    async (route) => {
      await route.fetch();
      await context.setOffline(true);
      await route.abort('connectionreset');
      cut.resolve();
    },
    { times: 1 },
  );
  await cancel(page).click();
  await cut.promise;
  await page.clock.runFor(SILENT_MS);
  await lost(page).waitFor();
  await page.getByText('Not confirmed yet: Cancel fax').waitFor();
  await context.setOffline(false);
  await page.clock.runFor(3_000);
  await page.getByText('Not confirmed yet').waitFor({ state: 'detached' });
  // Neither refused as out of date nor shown as failed: it was this act that canceled the fax.
  expect(await page.getByText(/Not done|changed/u).count()).toBe(0);
  await expect.poll(() => row.textContent()).toContain('Canceled');
  const history = await gateway.request<{ events: { text: string }[] }>('GET', `/fax/${id}/history`);
  expect(history?.events.filter(({ text }) => /cancel/iu.test(text))).toHaveLength(1);
});

/** Opens the details of a fax that leaves in an hour. */
async function openScheduled(page: Page, to: string) {
  const form = new FormData();
  form.append('to', to);
  form.append('send_at', new Date(Date.now() + 3_600_000).toISOString());
  form.append('file', new File(['One page.'], 'note.txt', { type: 'text/plain' }));
  const fax = await gateway.request<{ id: string }>('POST', '/fax', form);
  const row = page
    .getByRole('row')
    .filter({ hasText: to.slice(-4) })
    .first();
  await row.click();
  await cancel(page).waitFor();
  return { row, id: fax?.id ?? '' };
}

const cancel = (page: Page) =>
  page.getByRole('complementary', { name: 'Fax' }).getByRole('button', { name: 'Cancel' });
