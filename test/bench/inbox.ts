import type { Browser, Page } from 'playwright';
import { buildConsoleIfStale } from '../../scripts/build-console.ts';
import { InboundGateway } from '../api/inbound-setup.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { INSTALLATION_KEY } from '../setup/gateway.ts';
import { enrolMara } from '../setup/owner.ts';
import { launchChromium, openWindow, signInMara } from './console-window.ts';
import { type Figure, median } from './figure.ts';

const FAXES = 17;
const PAGES = 50;
const OPEN_MS = 300;

/** The Inbox in Chromium: from the click on a long fax that nobody has looked at to its first page. */
export async function run(): Promise<Figure[]> {
  await buildConsoleIfStale();
  const inbound = await InboundGateway.start();
  const browser = await launchChromium();
  try {
    await enrolMara(inbound.gateway.url, INSTALLATION_KEY);
    for (let n = 0; n < FAXES; n += 1) {
      await inbound.notify(inbound.arrive({ from: `+12025550${100 + n}`, document: textPdf(PAGES) }));
      await inbound.work();
    }
    return [await measureOpening(browser, inbound.gateway.url)];
  } finally {
    await browser.close();
    await inbound.close();
  }
}

async function measureOpening(browser: Browser, url: string): Promise<Figure> {
  const page = await openWindow(browser, url, await signInMara(browser, url));
  await page.goto('/admin/ui/inbox');
  const times: number[] = [];
  // Every second one: the one after the fax that is open was fetched ahead.
  for (let n = 0; n < FAXES; n += 2) times.push(await timeToOpen(page, n));
  return {
    name: `from the click on a fax of ${PAGES} pages to its first page`,
    ratio: Number(median(times).toFixed(1)),
    bar: OPEN_MS,
    atMost: true,
    unit: 'ms',
    detail: `of ${times.length}: ${times.map((ms) => ms.toFixed(0)).join(', ')} ms, none looked at before`,
  };
}

async function timeToOpen(page: Page, row: number): Promise<number> {
  const target = page.getByRole('grid', { name: 'Received faxes' }).getByRole('row').nth(row);
  await target.waitFor();
  await page.evaluate(WATCH);
  await target.click();
  return (await page.evaluate('window.opened')) as number;
}

/**
 * In the page, since asking from outside takes its own time: from the click to the frame that shows the picture of a first
 * page that was not there before.
 */
const WATCH = `void (window.opened = new Promise((resolve) => {
  const first = () => document.querySelector('section[aria-label="Fax"] canvas[aria-label^="Page 1 "][data-drawn]');
  const before = first()?.dataset.src;
  addEventListener('click', ({ timeStamp }) => {
    const look = () => {
      const picture = first();
      if (!picture || picture.dataset.src === before) return void requestAnimationFrame(look);
      requestAnimationFrame(() => requestAnimationFrame((now) => resolve(now - timeStamp)));
    };
    look();
  }, { capture: true, once: true });
}))`;
