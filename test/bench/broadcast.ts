import type { Page } from 'playwright';
import { buildConsoleIfStale } from '../../scripts/build-console.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { INSTALLATION_KEY, startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { enrolMara } from '../setup/owner.ts';
import { launchChromium, openWindow, signInMara } from './console-window.ts';
import { processContinuously } from './desk.ts';
import type { Figure } from './figure.ts';

const RECIPIENTS = 200;
const BAR_MS = 120_000;
/** A typist's five keys a second. */
const KEY_MS = 200;
/** Controls of a screen that Tab may lead past. */
const MOST_TABS = 80;
const NOTE = 'We are closed on Friday.';
const LIST = Array.from({ length: RECIPIENTS }, (_, at) => `+1202555${at + 2000}, Office ${at + 1}`).join(
  '\n',
);

/** The first broadcast of a new user, by keyboard alone: from the empty screen of a new fax until the provider has every fax. */
export async function run(): Promise<Figure[]> {
  await buildConsoleIfStale();
  const browser = await launchChromium();
  const gateway = await startTestGateway();
  await enrolMara(gateway.url, INSTALLATION_KEY);
  const working = processContinuously(gateway);
  const page = await openWindow(browser, gateway.url, await signInMara(browser, gateway.url));
  try {
    return [await firstBroadcast(page, gateway)];
  } finally {
    await page.context().close();
    await working.end();
    await gateway.close();
    await browser.close();
  }
}

async function firstBroadcast(page: Page, gateway: TestGateway): Promise<Figure> {
  const keys = new Keyboard(page);
  await page.goto('/admin/ui/send');
  await page.getByRole('heading', { name: 'New fax' }).waitFor();
  const began = performance.now();
  await keys.press('Alt+4');
  await keys.tabTo('Broadcasts');
  await keys.press('Enter');
  await page.getByText('No broadcasts yet').waitFor();
  await keys.tabTo('Send to several');
  await keys.press('Enter');
  await keys.tabTo('Add files');
  const chooser = page.waitForEvent('filechooser');
  await keys.press('Enter');
  const file = { name: 'hours.pdf', mimeType: 'application/pdf', buffer: Buffer.from(textPdf(1)) };
  await (await chooser).setFiles([file]);
  await keys.tabTo('Fax numbers');
  await keys.paste(LIST);
  await keys.tabTo('Cover page');
  for (const key of ['Enter', 'ArrowDown', 'Enter']) await keys.press(key);
  await keys.tabTo('Note');
  await keys.type(NOTE);
  await keys.tabTo('Check the list');
  await keys.press('Enter');
  await page.getByText(`${RECIPIENTS} recipients can get the fax.`).waitFor();
  await keys.tabTo(`Send to ${RECIPIENTS} recipients`);
  await keys.press('Enter');
  await page.getByRole('group', { name: 'Progress' }).waitFor();
  const sentMs = performance.now() - began;
  while (gateway.emulator.faxes.size < RECIPIENTS) await page.waitForTimeout(50);
  const tookMs = performance.now() - began;
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  return {
    name: `from an empty new fax to a broadcast of ${RECIPIENTS} handed over, by keyboard`,
    ratio: Number((tookMs / BAR_MS).toFixed(2)),
    bar: 1,
    atMost: true,
    unit: 'of two minutes',
    detail: `${seconds(tookMs)}, accepted after ${seconds(sentMs)}, ${keys.count} key presses`,
  };
}

/** Keys as a person presses them, counted; a paste is one. */
class Keyboard {
  readonly #page: Page;
  count = 0;

  constructor(page: Page) {
    this.#page = page;
  }

  async press(key: string): Promise<void> {
    this.count += 1;
    await this.#page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    this.count += text.length;
    await this.#page.keyboard.type(text, { delay: KEY_MS });
  }

  async paste(text: string): Promise<void> {
    this.count += 1;
    await this.#page.keyboard.insertText(text);
  }

  /** Presses Tab until the control with the name has the focus. */
  async tabTo(name: string): Promise<void> {
    const focused = this.#page.locator(':focus');
    for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
      const snapshot = (await focused.count()) === 0 ? '' : await focused.first().ariaSnapshot();
      // The content of a part that scrolls follows on further lines.
      if (snapshot.split('\n', 1)[0]?.includes(name)) return;
      await this.press('Tab');
    }
    throw new Error(`Tab does not lead to ${name}`);
  }
}
