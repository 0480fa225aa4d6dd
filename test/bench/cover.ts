import type { Page } from 'playwright';
import { buildConsoleIfStale } from '../../scripts/build-console.ts';
import { INSTALLATION_KEY, startTestGateway } from '../setup/gateway.ts';
import { enrolMara } from '../setup/owner.ts';
import { launchChromium, openWindow, signInMara } from './console-window.ts';
import { type Figure, median } from './figure.ts';

/** Delay after a key press that nobody notices. */
const DRAWN_MS = 150;
/** Without spaces: one at the end changes nothing on the page. */
const TEXT = 'Asagreedbytelephonepleasecallus';

/** The cover page is typed: from each key to the picture with it, as the receiving machine prints it. */
export async function run(): Promise<Figure[]> {
  await buildConsoleIfStale();
  const gateway = await startTestGateway({ settings: { FAX_DEFAULT_COUNTRY: 'US' } });
  const browser = await launchChromium();
  try {
    await enrolMara(gateway.url, INSTALLATION_KEY);
    const page = await openWindow(browser, gateway.url, await signInMara(browser, gateway.url));
    await openNote(page);
    const times: number[] = [];
    for (const key of TEXT) times.push(await drawnAfter(page, key));
    return [
      {
        name: 'from a key press in the note to the cover page with it',
        ratio: Number((median(times) / DRAWN_MS).toFixed(2)),
        bar: 1,
        atMost: true,
        unit: `of ${DRAWN_MS} ms`,
        detail: `median of ${times.length}: ${median(times).toFixed(0)} ms, at most ${Math.max(...times).toFixed(0)} ms`,
      },
    ];
  } finally {
    await browser.close();
    await gateway.close();
  }
}

async function openNote(page: Page): Promise<void> {
  await page.goto('/admin/ui/send');
  await page.getByRole('button', { name: /^Cover page/u }).press('Enter');
  await page.getByRole('button', { name: /^No cover page Template/u }).press('Enter');
  await page.getByRole('option', { name: 'Confidential' }).press('Enter');
  await page.getByRole('img', { name: /cover page/iu }).waitFor();
  await page.getByRole('textbox', { name: 'Note' }).focus();
}

async function drawnAfter(page: Page, key: string): Promise<number> {
  // The first pictures, and those of the key before, are here.
  await page.waitForLoadState('networkidle');
  await page.evaluate(`void (window.drawnAt = (${DRAWING})())`);
  await page.keyboard.press(key);
  return (await page.evaluate('window.drawnAt')) as number;
}

/** In the page: resolves with the milliseconds from the next key to the frame that shows another decoded picture. */
const DRAWING = `() => new Promise((resolve) => {
  const picture = () => document.querySelector('canvas[aria-label*="cover page" i][data-drawn]')?.dataset.src;
  const before = picture();
  let began = null;
  addEventListener('keydown', (event) => { began ??= event.timeStamp; }, { capture: true, once: true });
  const look = () => {
    const now = picture();
    if (now !== undefined && now !== before) requestAnimationFrame(() => resolve(performance.now() - began));
    else requestAnimationFrame(look);
  };
  look();
})`;
