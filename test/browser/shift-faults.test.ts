import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import { t } from '../../renderer/texts/work.ts';
import { PAGE_TOKEN_HEADER } from '../../shared/page-token.ts';
import { PUBLIC_URL } from '../api/inbound-setup.ts';
import { MANAGER } from '../api/work-setup.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { ChildGateway } from '../restart/child-gateway.ts';
import { openBrowser } from '../setup/browser.ts';
import type { CloudoneEmulator } from '../setup/emulators/cloudone/index.ts';
import { freePort } from '../setup/free-port.ts';
import { INSTALLATION_KEY, sendingSettings, startTestEmulator } from '../setup/gateway.ts';
import { MailboxPeople } from '../setup/mailbox-people.ts';
import { enrolMara, MARA } from '../setup/owner.ts';
import { mountSmallDisk } from '../setup/small-disk.ts';
import { expectAccessible, TEST_PAGE_TOKEN } from './console.ts';
import { items, openSender } from './work-page.ts';

vi.setConfig({ testTimeout: 120_000 });

/** A gateway in a process of its own on a small disk, and two people in two windows on one list of faxes. */
let browser: Browser;
let emulator: CloudoneEmulator;
let folder: string;
let port: number;
let gateway: ChildGateway;
let jonasKey: string;
let mara: Page;
let jonas: Page;

/** Longer than an act is without an answer before that is shown, and than a page is silent before it says so. */
const UNANSWERED_MS = 3_100;
const SILENT_MS = 6_000;
const disk = await mountSmallDisk(260);

beforeAll(async () => {
  emulator = await startTestEmulator();
  folder =
    'unavailable' in disk ? await mkdtemp(join(tmpdir(), 'faxdesk-shift-')) : join(disk.folder, 'data');
  port = await freePort();
  await startGateway();
  await enrolMara(gateway.url, INSTALLATION_KEY);
  const people = new MailboxPeople({
    dataFolder: folder,
    clock: { advance: (advanceMs) => gateway.order({ advanceMs }) },
    request: (method, path, options) =>
      fetch(`${gateway.url}${path}`, {
        method,
        headers: { 'X-API-Key': INSTALLATION_KEY, 'Content-Type': 'application/json' },
        ...(options?.json !== undefined && { body: JSON.stringify(options.json) }),
      }),
  });
  const installation = [...new Set([...MANAGER, 'work:read'])];
  jonasKey = (await people.addUser('Jonas Tveit', { installation })).key;
  await gateway.request('POST', '/console/backups');
}, 120_000);

beforeEach(async (context) => {
  const problem = inject('consoleProblem');
  if (problem !== null) throw new Error(problem);
  browser ??= await openBrowser(context);
  const { login, password } = MARA;
  mara ??= await openWindow('/auth/login', { login, password });
  jonas ??= await openWindow('/auth/key-login', { api_key: jonasKey });
}, 60_000);

afterEach(() => gateway.resume());

afterAll(async () => {
  gateway.resume();
  await gateway.kill();
  await browser?.close();
  await emulator.close();
  if ('remove' in disk) await disk.remove();
  await rm(folder, { recursive: true, force: true });
});

async function startGateway(): Promise<void> {
  const settings = { ...sendingSettings(emulator), INBOUND_ENABLED: 'true', PUBLIC_API_URL: PUBLIC_URL };
  const codeCache = join(tmpdir(), 'faxdesk-shift-code');
  gateway = new ChildGateway(folder, settings, { codeCache, port });
  expect(await gateway.ready(), gateway.errors).toBe(true);
}

/** A window of its own browser profile, signed in, whose clock the test moves on. */
async function openWindow(path: string, data: object): Promise<Page> {
  const context = await browser.newContext({ baseURL: gateway.url, locale: 'en-US', timezoneId: 'UTC' });
  context.setDefaultTimeout(40_000);
  await context.addInitScript(`localStorage.setItem('faxdesk.page-token', '${TEST_PAGE_TOKEN}')`);
  const headers = { Origin: gateway.url, [PAGE_TOKEN_HEADER]: TEST_PAGE_TOKEN };
  expect((await context.request.post(path, { data, headers })).status()).toBe(200);
  const page = await context.newPage();
  await page.clock.install();
  return page;
}

let arrived = 0;

/** Two faxes arrive; each person has one of them open, which nobody owns. */
async function bothRead() {
  const senders: string[] = [];
  for (const page of [mara, jonas]) {
    arrived += 1;
    const number = `+1202555${String(1_000 + arrived)}`;
    await arrive(number);
    senders.push(number);
    await page.goto(`/admin/ui/work/${(await itemFrom(number)).id}?view=all`);
    await expect.poll(async () => digits(await openSender(page).textContent())).toBe(digits(number));
    await items(page).getByRole('row').nth(1).waitFor();
    await items(page).focus();
  }
  const [hers = '', his = ''] = senders;
  return { hers, his };
}

async function arrive(from: string): Promise<void> {
  const fax = emulator.receive({ from, to: '+12025550100', document: textPdf(1) });
  await emulator.sendCallback(String(fax.id), {
    url: `${gateway.url}/cloudone-inbound`,
    signedUrl: `${PUBLIC_URL}/cloudone-inbound`,
  });
  await expect.poll(async () => (await findItem(from))?.id, { timeout: 30_000 }).toBeTruthy();
}

interface Item {
  readonly id: string;
  readonly version: number;
  readonly from_number: string | null;
  readonly state_key: string;
  readonly done_note: string | null;
}

const digits = (text: string | null) => (text ?? '').replace(/\D/gu, '');

async function findItem(from: string): Promise<Item | undefined> {
  const answer = await gateway.request<{ items: Item[] }>('GET', '/work?limit=200');
  return answer?.items.find(({ from_number }) => from_number === from);
}

async function itemFrom(from: string): Promise<Item> {
  const item = await findItem(from);
  if (item === undefined) throw new Error(`no item from ${from}`);
  return item;
}

/** Lists what people did to the fax, in sentences, without its arrival. */
async function historyOf(from: string): Promise<readonly string[]> {
  const { id } = await itemFrom(from);
  const answer = await gateway.request<{ events: { kind: string; text: string }[] }>(
    'GET',
    `/work/${id}/history`,
  );
  return (answer?.events ?? []).filter(({ kind }) => kind !== 'created').map(({ text }) => text);
}

async function finishWith(page: Page, note: string): Promise<void> {
  await page.keyboard.press('d');
  await page.keyboard.type(note);
  await page.keyboard.press('Enter');
}

const bar = (page: Page) => page.getByRole('banner').getByRole('status');
const lost = (page: Page) => bar(page).filter({ hasText: t.shell.lineLost('') });
const unconfirmed = (page: Page) => page.getByText(t.shell.acts.waiting([''])).first();
/** Notice that something was not done, or that nobody knows. */
const refused = (page: Page) =>
  page.getByText(new RegExp(`^(?:${t.shell.acts.refused('')}|${t.shell.acts.unknown('')})`, 'u'));

/** Acts without an answer are shown, and the bar says since when nothing was heard. */
async function expectWaiting(...pages: readonly Page[]): Promise<void> {
  for (const page of pages) {
    await page.clock.runFor(UNANSWERED_MS);
    await unconfirmed(page).waitFor();
    await page.clock.runFor(SILENT_MS - UNANSWERED_MS);
    await lost(page).waitFor();
  }
}

/** Everything that was said about the fault has left by itself. */
async function expectSettled(...pages: readonly Page[]): Promise<void> {
  for (const page of pages) {
    const isSettled = async () => {
      await page.clock.runFor(1_000);
      return (await lost(page).count()) + (await unconfirmed(page).count());
    };
    await expect.poll(isSettled, { timeout: 60_000 }).toBe(0);
    expect(await refused(page).count()).toBe(0);
  }
}

test('rule (screens): what two people did while the gateway stood still is done once when it goes on', async () => {
  const { hers, his } = await bothRead();
  gateway.stop();
  await finishWith(mara, 'Filed under L.');
  await jonas.keyboard.press('o');
  await expectWaiting(mara, jonas);
  await expectAccessible(mara);
  gateway.resume();
  await expectSettled(mara, jonas);
  await expect.poll(() => historyOf(hers)).toEqual(['Mara Okafor marked it as done: Filed under L.']);
  await expect.poll(() => historyOf(his)).toHaveLength(1);
  expect(await itemFrom(hers)).toMatchObject({ state_key: 'done', done_note: 'Filed under L.' });
});

test('rule (screens): an act that a gateway carried out before it was killed counts as done, and one that it did not is done once', async () => {
  const { hers, his } = await bothRead();
  const killed = Promise.withResolvers<void>();
  // The request arrives and is carried out; the gateway ends before its answer comes.
  await mara.route(
    '**/done',
    async (route) => {
      await route.fetch();
      await gateway.kill();
      await route.abort('connectionreset');
      killed.resolve();
    },
    { times: 1 },
  );
  await finishWith(mara, 'Given to Dr. Lee.');
  await killed.promise;
  await finishWith(jonas, 'Called back.');
  await expectWaiting(mara, jonas);
  await startGateway();
  await expectSettled(mara, jonas);
  await expect.poll(() => historyOf(hers)).toEqual(['Mara Okafor marked it as done: Given to Dr. Lee.']);
  await expect.poll(() => historyOf(his)).toEqual(['Jonas Tveit marked it as done: Called back.']);
  for (const [page, from] of [
    [mara, hers],
    [jonas, his],
  ] as const) {
    await page.goto(`/admin/ui/work/${(await itemFrom(from)).id}?view=all`);
    // Nothing is left to be sent again.
    expect(await page.getByRole('textbox', { name: t.work.doneNote.label }).count()).toBe(0);
  }
});

test('rule (screens): a note that was overtaken while the network was cut is kept, and is handed in by one key', async () => {
  const { hers } = await bothRead();
  await mara.context().setOffline(true);
  await finishWith(mara, 'Sent to the ward.');
  await expectWaiting(mara);
  expect(await lost(jonas).count()).toBe(0);
  await jonas.goto(`/admin/ui/work/${(await itemFrom(hers)).id}?view=all`);
  await expect.poll(async () => digits(await openSender(jonas).textContent())).toBe(digits(hers));
  await items(jonas).getByRole('row').nth(1).waitFor();
  await jonas.keyboard.press('w');
  await jonas.keyboard.type('Page 2 is faint.');
  await jonas.keyboard.press('Enter');
  await expect.poll(() => historyOf(hers)).toHaveLength(1);
  await mara.context().setOffline(false);
  const question = mara.getByText(t.work.anyway.done).first();
  const isAsked = async () => {
    await mara.clock.runFor(1_000);
    return question.count();
  };
  // A clock much faster than the requests would end their time, and lock the window of a person who is away.
  await expect.poll(isAsked, { timeout: 60_000, interval: 1_000 }).toBeGreaterThan(0);
  expect((await itemFrom(hers)).state_key).not.toBe('done');
  await expect.poll(async () => digits(await openSender(mara).textContent())).toBe(digits(hers));
  await mara.keyboard.press('Enter');
  await expect
    .poll(() => historyOf(hers))
    .toEqual(['Jonas Tveit noted: Page 2 is faint.', 'Mara Okafor marked it as done: Sent to the ward.']);
});

/** The bar says it within 5 seconds; on a busy machine later, and never only at the next poll a minute later. */
const SOON = { timeout: 20_000, interval: 250 };

async function expectBars(word: string): Promise<void> {
  for (const page of [mara, jonas]) {
    const isSaid = async () => {
      await page.clock.runFor(500);
      return bar(page).textContent();
    };
    await expect.poll(isSaid, SOON).toBe(word);
  }
}

/** Both people finish the fax that they read, which the fault keeps nobody from. */
async function bothFinish({ hers, his }: Awaited<ReturnType<typeof bothRead>>): Promise<void> {
  await finishWith(mara, 'Filed under L.');
  await finishWith(jonas, 'Called back.');
  await expect.poll(() => historyOf(hers)).toEqual(['Mara Okafor marked it as done: Filed under L.']);
  await expect.poll(() => historyOf(his)).toEqual(['Jonas Tveit marked it as done: Called back.']);
}

test('rule (screens): while the provider is away the bar says so in every window, and a fax leaves once when it is back', async () => {
  const read = await bothRead();
  await expectBars(t.shell.lineBoth);
  const { accepted } = emulator.counts;
  await emulator.refuseConnections();
  try {
    const form = new FormData();
    form.append('to', '+13125550147');
    form.append('file', new File(['One page.'], 'note.txt', { type: 'text/plain' }));
    const fax = await gateway.request<{ id: string }>('POST', '/fax', form);
    await expectBars(t.shell.lineFaults.no_answer);
    await bothFinish(read);
    const waiting = await gateway.request<{ delivery_state: string }>('GET', `/fax/${fax?.id}`);
    expect(waiting?.delivery_state).toBe('ready');
  } finally {
    await emulator.acceptConnections();
  }
  gateway.order({ advanceMs: 61_000 });
  await expectBars(t.shell.lineBoth);
  await expect.poll(() => emulator.counts.accepted).toBe(accepted + 1);
});

test('rule (screens): while the provider refuses to hand over faxes the bar says so in every window, and they arrive afterwards', async () => {
  const changes = { INBOUND_POLLING: 'on' };
  await gateway.request('PUT', '/admin/settings', JSON.stringify({ changes }), {
    'Content-Type': 'application/json',
  });
  const read = await bothRead();
  await expectBars(t.shell.lineBoth);
  const from = '+12025552999';
  emulator.setFault({ kind: 'unauthorized', method: 'GET', path: /\/faxes\/?$/u, count: 99 });
  try {
    emulator.receive({ from, to: '+12025550100', document: textPdf(1) });
    gateway.order({ advanceMs: 61_000 });
    await expectBars(t.shell.lineFaults.refused);
    await bothFinish(read);
    expect(await findItem(from)).toBeUndefined();
  } finally {
    emulator.clearFaults();
  }
  gateway.order({ advanceMs: 61_000 });
  await expectBars(t.shell.lineBoth);
  await expect.poll(async () => (await findItem(from))?.state_key).toBe('waiting');
});

test('rule (screens): a note that a full disk refused is kept and handed in when there is room', async (context) => {
  if ('unavailable' in disk) return context.skip(disk.unavailable);
  const { hers } = await bothRead();
  // Space in the log of the store would be used again.
  const store = new BetterSqlite(join(folder, 'faxdesk.sqlite'));
  store.pragma('wal_checkpoint(TRUNCATE)');
  store.close();
  await disk.fill();
  await finishWith(mara, 'Copied for the file.');
  const isSaid = async () => {
    await mara.clock.runFor(1_000);
    return bar(mara).textContent();
  };
  await expect.poll(isSaid, { timeout: 30_000 }).toBe(t.shell.lineProblem);
  const note = mara.getByRole('textbox', { name: t.work.doneNote.label });
  await expect.poll(async () => digits(await openSender(mara).textContent())).toBe(digits(hers));
  await expect.poll(() => note.inputValue()).toBe('Copied for the file.');
  expect(await historyOf(hers)).toEqual([]);
  await disk.makeRoom();
  await expect.poll(isSaid, { timeout: 30_000 }).not.toBe(t.shell.lineProblem);
  await note.focus();
  await mara.keyboard.press('Enter');
  await expect.poll(() => historyOf(hers)).toEqual(['Mara Okafor marked it as done: Copied for the file.']);
  await expect.poll(() => mara.getByText('The disk is full').count()).toBe(0);
});
