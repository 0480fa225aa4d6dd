import type { Page } from 'playwright';
import { buildConsoleIfStale } from '../../scripts/build-console.ts';
import { InboundGateway } from '../api/inbound-setup.ts';
import { walkedBy, walkKeys } from '../browser/key-walk.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { INSTALLATION_KEY } from '../setup/gateway.ts';
import { SECOND } from '../setup/manual-clock.ts';
import { enrolMara } from '../setup/owner.ts';
import { launchChromium, openWindow, signInMara } from './console-window.ts';
import type { Figure } from './figure.ts';

const FAXES = 12;
const KEYS = 2_000;
const SEED = 7;

/**
 * Random keys over Inbox and Work: how many changed or opened another fax than the one in view. A long walk:
 * `KEYS=50000 SEED=3 npm run bench -- keys`.
 */
export async function run(): Promise<Figure[]> {
  await buildConsoleIfStale();
  const inbound = await InboundGateway.start();
  const browser = await launchChromium();
  const { gateway } = inbound;
  const keys = Number(process.env['KEYS'] ?? KEYS);
  const seed = Number(process.env['SEED'] ?? SEED);
  try {
    await enrolMara(gateway.url, INSTALLATION_KEY);
    for (let n = 0; n < FAXES; n += 1) {
      gateway.clock.advance(SECOND);
      const document = textPdf(1 + (n % 5));
      await inbound.notify(inbound.arrive({ from: `+12025550${100 + n}`, document }));
      await inbound.work();
    }
    const page: Page = await openWindow(browser, gateway.url, await signInMara(browser, gateway.url));
    await page.goto('/admin/ui/work?view=all');
    const { pressed, changes, faults } = await walkKeys({ page, ...walkedBy(gateway), seed, keys });
    for (const fault of faults.slice(0, 20)) console.error(fault);
    return [
      {
        name: 'keys that changed or opened another fax than the one in view',
        ratio: faults.length,
        bar: 0,
        atMost: true,
        unit: 'keys',
        detail: `of ${pressed} random keys with seed ${seed}, which made ${changes} changes`,
      },
    ];
  } finally {
    await browser.close();
    await inbound.close();
  }
}
