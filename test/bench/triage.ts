import type { Browser, Page } from 'playwright';
import { buildConsoleIfStale } from '../../scripts/build-console.ts';
import { InboundGateway } from '../api/inbound-setup.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { INSTALLATION_KEY } from '../setup/gateway.ts';
import { SECOND } from '../setup/manual-clock.ts';
import { enrolMara } from '../setup/owner.ts';
import { launchChromium, openWindow, signInMara } from './console-window.ts';
import { type Figure, median } from './figure.ts';

const FAXES = 51;
/** From the key that finishes one fax to the picture of the next: what nobody notices. */
const WAIT_MS = 150;

/** Fifty faxes are finished by keyboard in Work: from the last key to the next fax that is painted. */
export async function run(): Promise<Figure[]> {
  await buildConsoleIfStale();
  const browser = await launchChromium();
  try {
    return [await triage(browser)];
  } finally {
    await browser.close();
  }
}

async function triage(browser: Browser): Promise<Figure> {
  const inbound = await InboundGateway.start();
  const { gateway } = inbound;
  await enrolMara(gateway.url, INSTALLATION_KEY);
  for (let n = 0; n < FAXES; n += 1) {
    gateway.clock.advance(SECOND);
    await inbound.notify(inbound.arrive({ from: `+12025550${100 + n}`, document: textPdf(2) }));
    await inbound.work();
  }
  const page = await openWindow(browser, gateway.url, await signInMara(browser, gateway.url));
  try {
    await page.goto('/admin/ui/work?view=unassigned');
    await page.getByRole('grid', { name: 'Work items' }).getByRole('row').nth(1).click();
    await waitForPaint(page, null);
    const times: number[] = [];
    for (let n = 1; n < FAXES; n += 1) times.push(await finish(page));
    return {
      name: 'from the key that finishes a fax to the next one painted',
      ratio: Number((median(times) / WAIT_MS).toFixed(2)),
      bar: 1,
      atMost: true,
      unit: `of ${WAIT_MS} ms`,
      detail: `median of ${times.length}: ${median(times).toFixed(0)} ms; ${times.map((ms) => ms.toFixed(0)).join(', ')}`,
    };
  } finally {
    await page.context().close();
    await inbound.close();
  }
}

/** Opens the item, waits until it is loaded as a person who reads it does, and measures from the key that finishes it on. */
async function finish(page: Page): Promise<number> {
  await page.keyboard.press('o');
  await page.getByRole('button', { name: /^Acknowledge/u }).waitFor();
  await page.waitForLoadState('networkidle');
  const before = await page.locator(PICTURE).getAttribute('data-src');
  await page.keyboard.press('d');
  await page.getByRole('group', { name: 'Notes to choose from' }).waitFor();
  await page.evaluate(`void (window.paintedAt = (${painting})(${JSON.stringify(before)}))`);
  await page.keyboard.press('1');
  return (await page.evaluate('window.paintedAt')) as number;
}

const PICTURE = 'section[aria-label="Fax"] canvas[aria-label^="Page 1 "][data-drawn]';

async function waitForPaint(page: Page, before: string | null): Promise<void> {
  await page.evaluate(`(${painting})(${JSON.stringify(before)}, true)`);
}

/** In the page: resolves with the milliseconds from the next key to the frame that shows another decoded picture. */
const painting = `(before, atOnce) => new Promise((resolve) => {
  let began = atOnce ? performance.now() : null;
  addEventListener('keydown', (event) => { began ??= event.timeStamp; }, { capture: true, once: true });
  const look = () => {
    const picture = document.querySelector('${PICTURE}');
    const isNext = picture && picture.dataset.src !== before;
    if (began === null || !isNext) return requestAnimationFrame(look);
    requestAnimationFrame(() => resolve(performance.now() - began));
  };
  requestAnimationFrame(look);
})`;
