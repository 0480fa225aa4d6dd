import type { Browser, Page } from 'playwright';
import { buildConsoleIfStale } from '../../scripts/build-console.ts';
import { InboundGateway } from '../api/inbound-setup.ts';
import { INSTALLATION_KEY } from '../setup/gateway.ts';
import { enrolMara } from '../setup/owner.ts';
import { launchChromium, openWindow, signInMara } from './console-window.ts';
import { type Figure, median } from './figure.ts';
import { largeScan } from './large-scan.ts';

const PAGES = 200;
const OPEN_MS = 150;
const TURN_MS = 50;
const BLANK_MS = 100;
const MEMORY_MB = 300;
const TURNS = 40;
const SCROLL_MS = 12_000;

/** A scan of 200 pages in the reader of the Inbox: opening, turning and scrolling it, and the memory of its window. */
export async function run(): Promise<Figure[]> {
  await buildConsoleIfStale();
  const inbound = await InboundGateway.start();
  const browser = await launchChromium();
  try {
    await enrolMara(inbound.gateway.url, INSTALLATION_KEY);
    for (const n of [0, 1, 2]) {
      const document = await largeScan(n === 2 ? PAGES : 5);
      await inbound.notify(inbound.arrive({ from: `+12025550${100 + n}`, document }));
      await inbound.work();
    }
    return await read(browser, inbound.gateway.url);
  } finally {
    await browser.close();
    await inbound.close();
  }
}

async function read(browser: Browser, url: string): Promise<Figure[]> {
  const page = await openWindow(browser, url, await signInMara(browser, url));
  await page.goto('/admin/ui/inbox');
  const rows = page.getByRole('grid', { name: 'Received faxes' }).locator('[data-index]');
  await rows.first().waitFor();
  // The first pages at the top of the list are drawn while the person reads it.
  await page.evaluate(DRAWN_AHEAD);
  await page.evaluate(WATCH_OPENING);
  await rows.first().click();
  const cold = (await page.evaluate('window.opened')) as number;
  const smallMs = (await page.evaluate(SMALL_DRAWN)) as number;
  const scroll = (await page.evaluate(SCROLL)) as { worst: number; blank: number };
  await page.keyboard.press('Home');
  await page.waitForLoadState('networkidle');
  const turns: number[] = [];
  for (let n = 0; n < TURNS; n += 1) turns.push(await page.evaluate(turnWith('PageDown')));
  const memory = await memoryOf(page);
  // The next one was drawn while this one was read.
  await page.evaluate(WATCH_OPENING);
  await page.keyboard.press('j');
  const ahead = (await page.evaluate('window.opened')) as number;
  const figure = (name: string, ratio: number, bar: number, unit: string, detail: string): Figure => ({
    name,
    ratio: Number(ratio.toFixed(1)),
    bar,
    atMost: true,
    unit,
    detail,
  });
  return [
    figure(
      'from the click on a scan to its first page',
      cold,
      OPEN_MS,
      'ms',
      `${PAGES} pages, drawn ahead while the list was read`,
    ),
    figure('from J to the first page of the next fax', ahead, OPEN_MS, 'ms', 'drawn ahead'),
    figure(
      'from PgDn to the next page',
      median(turns),
      TURN_MS,
      'ms',
      `median of ${TURNS}, at most ${Math.max(...turns).toFixed(0)}`,
    ),
    figure(
      'longest blank while a scan is scrolled through',
      scroll.worst,
      BLANK_MS,
      'ms',
      `${PAGES} pages in ${SCROLL_MS / 1000} s, begun when all small pictures were here (${(smallMs / 1000).toFixed(1)} s); blank ${scroll.blank.toFixed(0)} ms in all`,
    ),
    figure('memory of the window with the scan', memory, MEMORY_MB, 'MB', 'private memory of its process'),
  ];
}

/** From the input to the frame with a picture of the current page, small or full. */
const SHOWN = `const shown = (fresh) => {
  const frame = document.querySelector('section[aria-label="Fax"] [data-current]');
  return frame && [...frame.querySelectorAll(fresh ? 'canvas[data-drawn]' : 'img, canvas[data-drawn]')].some((it) => it.complete !== false && !it.dataset.ahead);
};`;

const DRAWN_AHEAD = `new Promise((resolve) => {
  const look = () => {
    const drawn = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/pages/1.png'));
    if (drawn.length === 3) resolve();
    else requestAnimationFrame(look);
  };
  look();
})`;

/** Resolves with the milliseconds until every page has its small picture. */
const SMALL_DRAWN = `new Promise((resolve) => {
  const from = performance.now();
  const look = () => {
    const small = [...document.querySelectorAll('[role=group][aria-label^="Page 1 of"] img')];
    if (small.length >= ${PAGES} && small.every((it) => it.complete)) resolve(performance.now() - from);
    else setTimeout(look, 100);
  };
  look();
})`;

const WATCH_OPENING = `void (window.opened = new Promise((resolve) => {
  ${SHOWN}
  const before = document.querySelector('section[aria-label="Fax"] h2')?.textContent;
  const begin = ({ timeStamp }) => {
    const look = () => {
      const now = document.querySelector('section[aria-label="Fax"] h2')?.textContent;
      if (now === before || !shown(true)) return void requestAnimationFrame(look);
      requestAnimationFrame((at) => resolve(at - timeStamp));
    };
    look();
  };
  addEventListener('pointerdown', begin, { capture: true, once: true });
  addEventListener('keydown', begin, { capture: true, once: true });
}))`;

/** Presses the key in the page and waits until the next page is drawn. */
const turnWith = (key: string) => `new Promise((resolve) => {
  ${SHOWN}
  const before = document.querySelector('[data-current]')?.dataset.page;
  const from = performance.now();
  document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', bubbles: true, cancelable: true }));
  const look = () => {
    const now = document.querySelector('[data-current]')?.dataset.page;
    if (now === before || !shown(true)) return void requestAnimationFrame(look);
    requestAnimationFrame(() => {
      const ms = performance.now() - from;
      setTimeout(() => resolve(ms), 300);
    });
  };
  look();
})`;

/** Scrolls through all pages at an even speed; a page in view without any picture is blank. */
const SCROLL = `new Promise((resolve) => {
  const frame = document.querySelector('[role=group][aria-label^="Page 1 of"]');
  const height = frame.scrollHeight - frame.clientHeight;
  const from = performance.now();
  let [blankSince, worst, blank, last] = [null, 0, 0, from];
  const step = (now) => {
    frame.scrollTop = height * Math.min(1, (now - from) / ${SCROLL_MS});
    const { top, bottom } = frame.getBoundingClientRect();
    const inView = [...frame.querySelectorAll('[data-page]')].filter((it) => {
      const box = it.getBoundingClientRect();
      return box.bottom > top + 20 && box.top < bottom - 20;
    });
    const isBlank = inView.some((it) => ![...it.querySelectorAll('img, canvas[data-drawn]')].some((picture) => picture.complete !== false));
    if (isBlank) blank += now - last;
    if (isBlank && blankSince === null) blankSince = now;
    if (blankSince !== null) worst = Math.max(worst, now - blankSince);
    if (!isBlank) blankSince = null;
    last = now;
    if (now - from < ${SCROLL_MS} + 200) requestAnimationFrame(step);
    else resolve({ worst, blank });
  };
  requestAnimationFrame(step);
})`;

/** Private memory of the process that draws the page, in MB. */
async function memoryOf(page: Page): Promise<number> {
  const session = await page.context().browser()?.newBrowserCDPSession();
  if (!session) throw new Error('no browser');
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const { readFileSync } = await import('node:fs');
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => {
      const text = readFileSync(`/proc/${id}/smaps_rollup`, 'utf8');
      return Number(/Private_Dirty:\s+(\d+)/u.exec(text)?.[1] ?? 0) / 1024;
    });
  return Math.max(...sizes);
}
