import type { Page, Route } from 'playwright';
import { describe, expect, test } from 'vitest';
import type { Fax } from '../setup/gateway.ts';
import type { Skippable } from '../setup/tools.ts';
import { testConsole } from './console.ts';
import { letter, markReached, SendPage } from './send-page.ts';
import { heldFax } from './sent-page.ts';

const KNOWN = '+12025550183';
const webConsole = testConsole({}, ({ gateway }) => markReached(gateway, KNOWN));

/** Script that records the changes delivered to the page, through a second channel of the same name. */
const RECORD_CHANGES = `(() => {
  window.heard = [];
  const channel = new BroadcastChannel('faxdesk.live');
  channel.addEventListener('message', ({ data }) => data.change?.id && window.heard.push(data.change.id));
})()`;

const question = (page: Page) => page.getByRole('button', { name: 'Yes, all pages' });
const waiting = (page: Page) => page.getByText(/^Waiting/u).first();

/** Submits the fax and loses the provider's answer, so that it needs confirmation. */
async function loseProviderAnswer(): Promise<void> {
  webConsole.gateway.emulator.setFault({ kind: 'dropped', accepted: true, method: 'POST' });
  await webConsole.gateway.processAll();
}

/** Waits until the change of a fax was delivered to the page. */
async function waitForChange(page: Page, id: string): Promise<void> {
  await expect.poll(() => page.evaluate(`window.heard.includes('${id}')`)).toBe(true);
}

/** Lets the gateway answer the first such request, and holds the answer back until it is let go. */
async function holdAnswer(page: Page, isIt: (route: Route) => boolean) {
  const answered = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  let isHeld = false;
  await page.route('**/fax**', async (route) => {
    if (isHeld || !isIt(route)) return route.fallback();
    isHeld = true;
    const response = await route.fetch();
    answered.resolve();
    await letGo.promise;
    await route.fulfill({ response });
    arrived.resolve();
  });
  return {
    answered: answered.promise,
    async letGo() {
      letGo.resolve();
      await arrived.promise;
      // The answer is drawn within two frames.
      await page.evaluate(
        'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn())))',
      );
    },
  };
}

const isRead = (id: string) => (route: Route) =>
  route.request().method() === 'GET' && new URL(route.request().url()).pathname === `/fax/${id}`;
const isPost = (path: string) => (route: Route) =>
  route.request().method() === 'POST' && new URL(route.request().url()).pathname === path;

interface Order {
  readonly name: string;
  /** Leaves the screen at a fax that became a question. */
  run(test: Skippable, path: (id: string) => string): Promise<Page>;
}

const open = async (test: Skippable, path: string) =>
  (await webConsole.open(test, { path, script: RECORD_CHANGES })).page;
const accepted = (): Promise<Fax> => webConsole.gateway.send({ to: KNOWN });

const ORDERS: readonly Order[] = [
  {
    name: 'the answer, then the event',
    async run(test, path) {
      const { id } = await accepted();
      const page = await open(test, path(id));
      await waiting(page).waitFor();
      await loseProviderAnswer();
      return page;
    },
  },
  {
    name: 'the event before the first answer, which is older',
    async run(test, path) {
      const { id } = await accepted();
      const page = await open(test, '/send');
      await page.getByRole('heading', { name: 'New fax' }).waitFor();
      const held = await holdAnswer(page, isRead(id));
      await page.evaluate(`history.pushState({}, '', '/admin/ui${path(id)}')`);
      await page.evaluate("dispatchEvent(new PopStateEvent('popstate'))");
      await held.answered;
      await loseProviderAnswer();
      await waitForChange(page, id);
      await held.letGo();
      return page;
    },
  },
  {
    name: "the event's answer, then an older one of a command",
    async run(test, path) {
      const { id } = await heldFax(webConsole, KNOWN);
      const page = await open(test, path(id));
      const held = await holdAnswer(page, isPost(`/fax/${id}/release`));
      await page.getByRole('button', { name: 'Send now' }).click();
      await held.answered;
      await loseProviderAnswer();
      await question(page).waitFor();
      await held.letGo();
      return page;
    },
  },
  {
    name: 'the event while another screen is shown',
    async run(test, path) {
      const { id } = await accepted();
      const page = await open(test, path(id));
      await waiting(page).waitFor();
      await page.keyboard.press('Alt+8');
      await page.getByRole('navigation', { name: 'Settings' }).waitFor();
      await loseProviderAnswer();
      await waitForChange(page, id);
      await page.goBack();
      return page;
    },
  },
  {
    name: 'no event at all, and the window is come back to',
    async run(test, path) {
      const { id } = await accepted();
      const { page, complaints } = await webConsole.open(test, { path: '/my-sign-in' });
      complaints.allow('/console/', 'ERR_FAILED');
      await page.route('**/console/{events,changes}*', (route) => route.abort());
      await page.goto(`/admin/ui${path(id)}`);
      await waiting(page).waitFor();
      await loseProviderAnswer();
      await page.evaluate("dispatchEvent(new Event('focus'))");
      return page;
    },
  },
];

describe.for([
  ['the sending screen', (id: string) => `/send/${id}`],
  ['the details of a sent fax', (id: string) => `/sent/${id}`],
] as const)('%s shows the newest state', ([, path]) => {
  test.for(ORDERS)('$name', async ({ run }, context) => {
    const page = await run(context, path);
    await question(page).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Cancel/u }).count()).toBe(0);
  });
});

test('a fax whose events passed before its acceptance was answered is shown as it is', async (context) => {
  const page = await open(context, '/send');
  const send = await new SendPage(page).opened();
  await send.number('202 555 0183');
  await send.add(letter());
  await send.drawn();
  const held = await holdAnswer(page, isPost('/fax'));
  await send.send.click();
  await held.answered;
  await loseProviderAnswer();
  await expect.poll(() => page.evaluate('window.heard.length')).toBeGreaterThan(1);
  await held.letGo();
  await question(page).waitFor();
});
