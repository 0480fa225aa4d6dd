import { buildConsoleIfStale } from '../../scripts/build-console.ts';
import { InboundGateway } from '../api/inbound-setup.ts';
import { walkKeys } from '../browser/key-walk.ts';
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
 * Random keys over Inbox, Work and Send: how many changed, opened or sent another fax than the one in view. A long walk:
 * `KEYS=50000 SEED=3 npm run bench -- keys`.
 */
export async function run(): Promise<Figure[]> {
  await buildConsoleIfStale();
  const inbound = await InboundGateway.start();
  const browser = await launchChromium(['--disable-frame-rate-limit', '--disable-gpu-vsync']);
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
    const page = await openWindow(browser, gateway.url, await signInMara(browser, gateway.url));
    const began = performance.now();
    const { pressed, changes, faults } = await walkKeys({ page, gateway, seed, keys });
    const minutes = ((performance.now() - began) / 60_000).toFixed(1);
    for (const fault of faults.slice(0, 20)) console.error(fault);
    return [
      {
        name: 'keys that changed or opened another fax than the one in view',
        ratio: faults.length,
        bar: 0,
        atMost: true,
        unit: 'keys',
        detail: `of ${pressed} random keys with seed ${seed} in ${minutes} minutes; they changed ${changes.work} work items, turned or moved ${changes.inbound} received faxes, sent ${changes.accepted} faxes and changed ${changes.sent}`,
      },
    ];
  } finally {
    await browser.close();
    await inbound.close();
  }
}
