import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright';
import { buildConsoleIfStale } from '../../scripts/build-console.ts';
import { enrolMara } from '../setup/owner.ts';
import { BENCH_KEY } from './bench-key.ts';
import { startChild } from './child.ts';
import { firstPaint, launchChromium, openWindow, type Session, signInMara } from './console-window.ts';
import { type Figure, median } from './figure.ts';
import { fillStore } from './fill-store.ts';
import { FRAME_CATEGORIES, type Frames, framesOf, percentile } from './frames.ts';
import type { GatewayReady } from './gateway-process.ts';

const JOBS = 100_000;
const ROUNDS = 7;
const PAINT_MS = 300;
const SCRIPT_KB = 250;
const FRAME_MS = 20;
const TYPED_MS = 50;
const SCROLL = { yDistance: -40_000, speed: 8_000 };
const ROW_PX = 40;
/** Baseline of the browser on this machine: as many rows of text as are scrolled through, without a script. */
const PLAIN_ROWS = `<div style="height: 880px; overflow: auto; font: 13px sans-serif">${Array.from(
  { length: 2 * (Math.abs(SCROLL.yDistance) / ROW_PX) },
  (_, n) => `<div style="height: ${ROW_PX}px">Fax ${n} to +1 202-555-0100, delivered, 3 pages</div>`,
).join('')}</div>`;
const ASSETS = fileURLToPath(new URL('../../out/console/', import.meta.url));

/** A window of its own: signed in, or with null not. */
type Open = (who?: Session | null) => Promise<Page>;

/** The console in Chromium: how soon it is there, how it scrolls and how it answers to keys. */
export async function run(): Promise<Figure[]> {
  await buildConsoleIfStale();
  const dataFolder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  await fillStore({ postgresUrl: null, sqliteFile: join(dataFolder, 'faxdesk.sqlite') }, JOBS);
  const environment = { FAX_DEFAULT_COUNTRY: 'US' };
  const child = await startChild<GatewayReady>('gateway-process.ts', { dataFolder, environment });
  const browser = await launchChromium();
  const { url } = child.ready;
  try {
    await enrolMara(url, BENCH_KEY);
    const session = await signInMara(browser, url);
    const open: Open = (who = session) => openWindow(browser, url, who);
    return [
      await measurePaint('first paint, sign-in page', () => open(null)),
      await measurePaint('first paint, signed in', open),
      await measureScripts(open),
      ...(await measureScrolling(browser, open)),
      await measureTyping(open),
    ];
  } finally {
    await browser.close();
    await child.stop();
    await rm(dataFolder, { recursive: true, force: true });
  }
}

const figure = (name: string, value: number, bar: number, unit: string, detail: string): Figure => ({
  name,
  ratio: Number(value.toFixed(1)),
  bar,
  atMost: bar > 0,
  unit,
  detail,
});

async function measurePaint(name: string, open: () => Promise<Page>): Promise<Figure> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const page = await open();
    await page.goto('/admin/ui/');
    times.push(await firstPaint(page));
    await page.context().close();
  }
  const detail = `of ${ROUNDS}: ${times.map((ms) => ms.toFixed(0)).join(', ')} ms, nothing cached`;
  return figure(name, median(times), PAINT_MS, 'ms', detail);
}

/** Measures the scripts that the Send screen loads first, compressed with gzip. */
async function measureScripts(open: Open): Promise<Figure> {
  const page = await open();
  await page.addInitScript(`new MutationObserver((_, observer) => {
    if (!document.querySelector('h1')) return;
    window.stoodAt = performance.now();
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true })`);
  await page.goto('/admin/ui/send');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForTimeout(2_000);
  const loaded = (await page.evaluate(`performance.getEntriesByType('resource')
    .filter(({ name }) => name.endsWith('.js'))
    .map(({ name, responseEnd }) => ({ name, isNeeded: responseEnd <= window.stoodAt }))`)) as {
    name: string;
    isNeeded: boolean;
  }[];
  await page.context().close();
  const needed = loaded.filter(({ isNeeded }) => isNeeded);
  const [first, all] = [await packedKb(needed), await packedKb(loaded)];
  const detail = `${needed.length} files, gzip; ${(all - first).toFixed(1)} kB more once it stands`;
  return figure('scripts of the first screen', first, SCRIPT_KB, 'kB', detail);
}

async function packedKb(files: readonly { readonly name: string }[]): Promise<number> {
  const paths = files.map(({ name }) => new URL(name).pathname.replace('/admin/ui/', ASSETS));
  const sizes = await Promise.all(paths.map(async (path) => (await stat(`${path}.gz`)).size));
  return sizes.reduce((sum, size) => sum + size, 0) / 1000;
}

async function measureScrolling(browser: Browser, open: Open): Promise<Figure[]> {
  const plain = await open(null);
  await plain.setContent(PLAIN_ROWS);
  const bare = await framesOfScroll(browser, plain);
  await plain.context().close();
  const page = await open();
  await page.goto('/admin/ui/sent');
  await page.getByRole('row').nth(5).waitFor();
  const { work, intervals } = await framesOfScroll(browser, page);
  const rows = `${Math.abs(SCROLL.speed) / ROW_PX} rows a second, ${work.length} frames`;
  const jump = await jumpToEnd(page);
  await page.context().close();
  const name = 'scrolling 100,000 faxes';
  const [p99, bareP99] = [percentile(intervals, 0.99), percentile(bare.intervals, 0.99)];
  return [
    figure(`${name}: work of a frame, p99`, percentile(work, 0.99), FRAME_MS, 'ms', rows),
    figure(`${name}: work of a frame, worst`, Math.max(...work), FRAME_MS, 'ms', rows),
    figure(
      `${name}: from frame to frame, p99`,
      p99 / bareP99,
      0,
      'of plain rows',
      `${p99.toFixed(1)} ms, worst ${Math.max(...intervals).toFixed(1)}; rows without a script on this machine ${bareP99.toFixed(1)} ms, worst ${Math.max(...bare.intervals).toFixed(1)}`,
    ),
    figure('from the first of 100,000 faxes to the last', jump / 1000, 0, 's', 'until its row is there'),
  ];
}

async function framesOfScroll(browser: Browser, page: Page): Promise<Frames> {
  await page.waitForTimeout(1_000);
  const session = await page.context().newCDPSession(page);
  await browser.startTracing(page, { categories: FRAME_CATEGORIES });
  const gesture = { x: 600, y: 500, ...SCROLL, gestureSourceType: 'mouse' as const };
  await session.send('Input.synthesizeScrollGesture', gesture);
  return framesOf(await browser.stopTracing());
}

async function jumpToEnd(page: Page): Promise<number> {
  await page.keyboard.press('j');
  const began = performance.now();
  await page.keyboard.press('End');
  await page.locator(`[aria-rowindex="${JOBS + 1}"]`, { hasText: '+1' }).waitFor({ timeout: 120_000 });
  return performance.now() - began;
}

/** From the last digit of a number to the picture that shows it as valid. */
async function measureTyping(open: Open): Promise<Figure> {
  const page = await open();
  await page.goto('/admin/ui/send');
  const to = page.getByRole('combobox', { name: 'To' });
  await to.fill('+1 202 555 0183');
  await page.getByText('+1 202 555 0183 ·').waitFor();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) times.push(await measureKey(page));
  await page.context().close();
  const detail = `of ${ROUNDS}: ${times.map((ms) => ms.toFixed(0)).join(', ')} ms`;
  return figure('typed number until it is judged', median(times), TYPED_MS, 'ms', detail);
}

async function measureKey(page: Page): Promise<number> {
  const to = page.getByRole('combobox', { name: 'To' });
  await to.fill('202555018');
  await page.getByText('+1 202 555 0184 ·').waitFor({ state: 'detached' });
  const took = page.evaluate(`(async () => {
    const since = await new Promise((resolve) =>
      document.addEventListener('keydown', ({ timeStamp }) => resolve(timeStamp), { once: true, capture: true }));
    while (!document.body.textContent.includes('+1 202 555 0184 ·'))
      await new Promise((resolve) => requestAnimationFrame(resolve));
    return performance.now() - since;
  })()`) as Promise<number>;
  await to.press('4');
  return took;
}
