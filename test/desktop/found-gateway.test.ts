import { afterAll, beforeAll, expect, it } from 'vitest';
import { findAnnounced } from '../../main/other-gateway.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { readHttpsStatus } from '../setup/https-client.ts';
import { ManualClock } from '../setup/manual-clock.ts';
import { expectAccessible } from './console-app.ts';
import { type DesktopApp, launch, missing } from './desktop-app.ts';
import { type InPage, onEachKind, untilShown } from './each-kind.ts';
import { openComputerChoice } from './other-computer.ts';

const NAME = 'Office Next Door';

onEachKind('a window that searches the local network', (kind) => {
  let gateway: TestGateway;
  let app: DesktopApp;
  beforeAll(async () => {
    if (missing(kind) !== null) return;
    // Whoever connects looks at the computer's own clock.
    const clock = new ManualClock(new Date(systemClock.now()).toISOString());
    const settings = {
      HTTPS_ENABLED: 'true',
      HTTPS_HOST: '127.0.0.1',
      HTTPS_PORT: '0',
      FAX_ORGANIZATION: NAME,
    };
    gateway = await startTestGateway({ clock, settings });
    app = await launch(kind);
    await openComputerChoice(app);
  });
  afterAll(async () => {
    await app?.close();
    await gateway?.close();
  });

  const status = () => readHttpsStatus(gateway);

  it('lists a Faxdesk as soon as it can be found, and leaves what is typed and the keyboard alone', async () => {
    const page = await untilShown(app, 'Which computer does this window connect to?');
    const address = page.getByLabel('Address of the other computer');
    await address.fill('fax.office');
    await gateway.set({ HTTPS_ANNOUNCED: true });
    const found = page
      .getByRole('list', { name: 'In the local network' })
      .getByRole('button', { name: NAME });
    await found.waitFor();
    const { addresses } = await status();
    await found.getByText(addresses[0].replace('https://', '')).waitFor();
    expect(await address.inputValue()).toBe('fax.office');
    expect(await address.and(page.locator(':focus')).count()).toBe(1);
    await expectAccessible(page);
  });

  it('connects to it by the keyboard alone, once its six words were compared', async () => {
    const page = await app.window();
    const found = page.getByRole('button', { name: NAME });
    await found.waitFor();
    while ((await found.and(page.locator(':focus')).count()) === 0) await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Compare these six words').waitFor();
    const { words, addresses } = await status();
    expect(await page.getByRole('listitem').allInnerTexts()).toEqual(words);
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    const origin = async () =>
      (await app.console()).evaluate(() => (globalThis as unknown as InPage).location.origin);
    await expect.poll(origin).toBe(addresses[0]);
  });

  it('removes it after it has left the network', async () => {
    await openComputerChoice(app);
    const page = await untilShown(app, NAME);
    await gateway.set({ HTTPS_ANNOUNCED: false });
    await expect.poll(() => page.getByRole('button', { name: NAME }).count(), { timeout: 30_000 }).toBe(0);
    await page.getByText('No other Faxdesk was found').waitFor();
  });

  it('rule (desktop): a computer that shows another root than it announced is not offered for confirmation', async () => {
    const { addresses, root, words } = await status();
    const announced = { addresses: ['https://localhost:1', addresses[0] as string, 'https://localhost:2'] };
    expect(await findAnnounced({ ...announced, root: root.fingerprint })).toMatchObject({
      found: true,
      words,
    });
    const other = root.fingerprint.replace(/^../u, (pair: string) => (pair === '00' ? '01' : '00'));
    expect(await findAnnounced({ ...announced, root: other })).toMatchObject({
      found: false,
      sentence: expect.stringContaining('not the one that the computer announced'),
    });
    expect(await findAnnounced({ addresses: [], root: null })).toMatchObject({ found: false });
  });
});
