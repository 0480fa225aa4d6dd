import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { buildConsoleIfStale } from '../../scripts/build-console.ts';
import { enrolMara } from '../setup/owner.ts';
import { BENCH_KEY } from './bench-key.ts';
import { startChild } from './child.ts';
import { launchChromium, openWindow, signInMara } from './console-window.ts';
import type { Figure } from './figure.ts';
import { FRAME_CATEGORIES, type Frames, framesOf, percentile } from './frames.ts';
import type { GatewayReady } from './gateway-process.ts';
import { largeScan } from './large-scan.ts';

const PAGES = 50;
const BOXES = 12;
const MOVES = 30;
const FRAME_MS = 50;

/** Covers places on pages of a long scan: the work of each frame while boxes are drawn, dragged and moved by key. */
export async function run(): Promise<Figure[]> {
  await buildConsoleIfStale();
  const dataFolder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  const environment = { FAX_DEFAULT_COUNTRY: 'US' };
  const child = await startChild<GatewayReady>('gateway-process.ts', { dataFolder, environment });
  const browser = await launchChromium();
  try {
    const { url } = child.ready;
    await enrolMara(url, BENCH_KEY);
    const page = await openWindow(browser, url, await signInMara(browser, url));
    await openScan(page);
    const list = await framesWhile(browser, page, () => scrollList(page));
    const drawing = await framesWhile(browser, page, () => annotate(page));
    await page.context().close();
    return [
      ...figuresOf('list of 50 scanned pages', list),
      ...figuresOf('covering places of a scan', drawing),
    ];
  } finally {
    await browser.close();
    await child.stop();
    await rm(dataFolder, { recursive: true, force: true });
  }
}

function figuresOf(name: string, { work, intervals }: Frames): Figure[] {
  const detail = `${work.length} frames, worst from frame to frame ${Math.max(...intervals).toFixed(1)} ms`;
  const figure = (of: string, value: number): Figure => ({
    name: `${name}: work of a frame, ${of}`,
    ratio: Number(value.toFixed(1)),
    bar: FRAME_MS,
    atMost: true,
    unit: 'ms',
    detail,
  });
  return [figure('p99', percentile(work, 0.99)), figure('worst', Math.max(...work))];
}

async function openScan(page: Page): Promise<void> {
  await page.goto('/admin/ui/send');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const buffer = await largeScan(PAGES);
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: 'scan.pdf', mimeType: 'application/pdf', buffer });
  const edit = page.getByRole('button', { name: 'Edit pages' });
  await edit.waitFor({ timeout: 300_000 });
  // Disabled until all pages are drawn.
  await edit.click({ timeout: 300_000 });
  await page.getByRole('button', { name: 'Change page 1', exact: true }).waitFor();
}

async function scrollList(page: Page): Promise<void> {
  await page.mouse.move(720, 450);
  for (let step = 0; step < 40; step += 1) {
    await page.mouse.wheel(0, 150);
    await page.waitForTimeout(30);
  }
}

async function annotate(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Change page 25', exact: true }).click();
  const sheet = dialog.getByRole('application');
  await sheet.getByRole('img').waitFor();
  await page.waitForTimeout(1_000);
  const at = await sheet.boundingBox();
  if (at === null) throw new Error('the page is not shown');
  const move = (x: number, y: number, steps = 1) =>
    page.mouse.move(at.x + x * at.width, at.y + y * at.height, { steps });
  for (let box = 0; box < BOXES; box += 1) {
    await move(0.1, 0.05 + box * 0.05);
    await page.mouse.down();
    await move(0.6, 0.08 + box * 0.05, MOVES);
    await page.mouse.up();
  }
  await sheet.locator('[data-item]').last().focus();
  for (let step = 0; step < MOVES; step += 1)
    await page.keyboard.press(step % 2 ? 'ArrowLeft' : 'ArrowRight');
}

async function framesWhile(browser: Browser, page: Page, work: () => Promise<void>): Promise<Frames> {
  await browser.startTracing(page, { categories: FRAME_CATEGORIES });
  await work();
  return framesOf(await browser.stopTracing());
}
