import type { Browser, Locator, Page } from 'playwright';
import { buildConsoleIfStale } from '../../scripts/build-console.ts';
import { InboundGateway } from '../api/inbound-setup.ts';
import { letter, SendPage } from '../browser/send-page.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { INSTALLATION_KEY, startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { enrolMara, MARA } from '../setup/owner.ts';
import { launchChromium, openWindow, signInMara } from './console-window.ts';
import { type Figure, median } from './figure.ts';

/** A typist's five keys a second. */
const KEY_MS = 200;
const FIRST_FAX_MS = 60_000;
const FAXES = 20;
/** From the key to the page, and from the key to the accepted fax: what nobody notices. */
const WAIT_MS = 1_000;
const EMPTY_SETTINGS = {
  FAX_BACKEND: '',
  FAX_ORGANIZATION: '',
  FAX_NUMBER: '',
  CLOUDONE_API_KEY: '',
  CLOUDONE_API_SECRET: '',
};

/** A new user's first minute, and twenty received faxes that are looked at and answered by fax, by keyboard. */
export async function run(): Promise<Figure[]> {
  await buildConsoleIfStale();
  const browser = await launchChromium();
  try {
    return [await firstFax(browser), ...(await skimAndAnswer(browser))];
  } finally {
    await browser.close();
  }
}

/** From the first screen to the fax that the provider has taken; keys of the provider are pasted, the rest is typed. */
async function firstFax(browser: Browser): Promise<Figure> {
  const gateway = await startTestGateway({ settings: EMPTY_SETTINGS });
  const working = processContinuously(gateway);
  const page = await openWindow(browser, gateway.url, null);
  try {
    await page.goto('/admin/ui/');
    await page.getByLabel('Installation key', { exact: true }).waitFor();
    const began = performance.now();
    await paste(page, 'Installation key', INSTALLATION_KEY);
    await page.keyboard.press('Enter');
    await type(page, 'Your name', MARA.name);
    await type(page, 'Password', MARA.password);
    await type(page, 'Repeat password', MARA.password);
    await page.keyboard.press('Enter');
    await page.getByRole('radio', { name: /API key/u }).press('Space');
    await paste(page, 'API key', 'emulator-key');
    await paste(page, 'API secret', 'emulator-secret');
    await page.keyboard.press('Enter');
    await type(page, 'Organization', 'Alder Street Clinic');
    await type(page, 'Own fax number', '503 555 0119');
    await page.keyboard.press('Enter');
    await page.getByRole('radio', { name: 'No, only send' }).press('Space');
    await page.keyboard.press('Enter');
    await type(page, 'Fax number for the test page', '202 555 0123');
    await page.keyboard.press('Enter');
    while (gateway.emulator.faxes.size === 0) await page.waitForTimeout(20);
    const tookMs = performance.now() - began;
    return {
      name: 'from the first screen to the first fax, at a typist’s speed',
      ratio: Number((tookMs / FIRST_FAX_MS).toFixed(2)),
      bar: 1,
      atMost: true,
      unit: 'of a minute',
      detail: `${(tookMs / 1000).toFixed(1)} s, of which ${(typedMs / 1000).toFixed(1)} s are typing`,
    };
  } finally {
    await page.context().close();
    await working.end();
    await gateway.close();
  }
}

let typedMs = 0;

async function type(page: Page, label: string, text: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true });
  await field.focus();
  typedMs += text.length * KEY_MS;
  await page.keyboard.type(text, { delay: KEY_MS });
}

async function paste(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(text);
}

async function skimAndAnswer(browser: Browser): Promise<Figure[]> {
  const inbound = await InboundGateway.start();
  const { gateway } = inbound;
  await enrolMara(gateway.url, INSTALLATION_KEY);
  for (let n = 0; n < FAXES; n += 1) {
    await inbound.notify(inbound.arrive({ from: `+12025550${100 + n}`, document: textPdf(2) }));
    await inbound.work();
  }
  const working = processContinuously(gateway);
  const page = await openWindow(browser, gateway.url, await signInMara(browser, gateway.url));
  try {
    return [await skim(page), await answerFax(page)];
  } finally {
    await page.context().close();
    await working.end();
    await inbound.close();
  }
}

/** From one fax to the next with the key of the list; each is waited for until its first page is drawn. */
async function skim(page: Page): Promise<Figure> {
  await page.goto('/admin/ui/inbox');
  const rows = page.getByRole('grid', { name: 'Received faxes' }).getByRole('row');
  await rows.first().click();
  const times: number[] = [];
  let before = await waitForPicture(page, null);
  for (let n = 1; n < FAXES; n += 1) {
    const began = performance.now();
    await page.keyboard.press('j');
    before = await waitForPicture(page, before);
    times.push(performance.now() - began);
  }
  return waitFigure('from the key to the next received fax', times);
}

/** The address of the picture of the first page, once it is another than before. */
async function waitForPicture(page: Page, before: string | null): Promise<string> {
  const picture: Locator = page
    .getByRole('region', { name: 'Fax', exact: true })
    .locator('canvas[aria-label^="Page 1 "][data-drawn]');
  for (;;) {
    await picture.waitFor();
    const source = (await picture.getAttribute('data-src')) ?? '';
    if (source !== before && source !== '') return source;
    await page.waitForTimeout(10);
  }
}

/** An answer to each: a new fax with number, document and the last four digits, until the gateway has accepted it. */
async function answerFax(page: Page): Promise<Figure> {
  const send = new SendPage(page);
  const times: number[] = [];
  for (let n = 0; n < FAXES; n += 1) {
    await page.keyboard.press('n');
    await send.opened();
    await send.add(letter());
    await send.number(`+1 202 555 0${100 + n}`);
    await send.sheet.waitFor();
    // The first fax to each of them.
    await page.getByRole('textbox', { name: 'Last four digits' }).pressSequentially(`0${100 + n}`);
    const began = performance.now();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: 'New fax' }).waitFor({ state: 'detached' });
    times.push(performance.now() - began);
  }
  return waitFigure('from the key to the accepted answer', times);
}

function waitFigure(name: string, times: readonly number[]): Figure {
  return {
    name,
    ratio: Number((median(times) / WAIT_MS).toFixed(2)),
    bar: 1,
    atMost: true,
    unit: 'of a second',
    detail: `of ${times.length}: ${times.map((ms) => ms.toFixed(0)).join(', ')} ms`,
  };
}

/** Has the gateway work as it does by itself. */
export function processContinuously(gateway: TestGateway): { end(): Promise<void> } {
  const over = new AbortController();
  const working = (async () => {
    while (!over.signal.aborted) {
      await gateway.processAll();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  return {
    end() {
      over.abort();
      return working;
    },
  };
}
