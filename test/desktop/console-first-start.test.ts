import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CloudoneEmulator } from '../setup/emulators/cloudone/index.ts';
import { freePort } from '../setup/free-port.ts';
import { startTestEmulator } from '../setup/gateway.ts';
import { ConsoleApp, enrol, heading } from './console-app.ts';
import { launch, missing } from './desktop-app.ts';
import { onEachKind } from './each-kind.ts';

/** Keeps every heading that the page ever showed. */
const recordHeadings = `
  window.headings = [];
  new MutationObserver(() => {
    const shown = document.querySelector('h1')?.textContent;
    if (shown && window.headings.at(-1) !== shown) window.headings.push(shown);
  }).observe(document, { childList: true, subtree: true });
`;

onEachKind('the first start in the window', (kind) => {
  let emulator: CloudoneEmulator;
  let consoleApp: ConsoleApp;
  /** A session belongs to pages of its origin, as each start of an installation has it again. */
  let PORT: string;
  beforeAll(async () => {
    if (missing(kind) !== null) return;
    emulator = await startTestEmulator();
    PORT = String(await freePort());
    const app = await launch(kind, { env: { PORT, CLOUDONE_API_URL: emulator.url } });
    consoleApp = new ConsoleApp(app, emulator);
  });
  afterAll(() => consoleApp?.close());

  it('lets the first owner in without the key, and leads to a test fax that arrived', async () => {
    const page = await consoleApp.page();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(`${request.url()} ${request.postData() ?? ''}`));
    await heading(page, 'Who is the owner?').waitFor();
    await expect.poll(() => page.getByLabel('Installation key').count()).toBe(0);
    await page.context().clearCookies();
    await page.addInitScript(recordHeadings);
    await page.reload();
    await heading(page, 'Who is the owner?').waitFor();
    expect(await page.evaluate('headings'), 'no sign-in page flashes by').toEqual(['Who is the owner?']);
    await enrol(page);

    await heading(page, 'Which provider do you use?').waitFor();
    await page.getByText('Needs an API key and its secret.').click();
    await page.getByLabel('API key', { exact: true }).fill('emulator-key');
    await page.getByLabel('API secret', { exact: true }).fill('emulator-secret');
    await page.getByRole('button', { name: 'Continue' }).click();

    await heading(page, 'What should the header line say?').waitFor();
    await page.getByLabel('Organization').fill('Alder Street Clinic');
    await page.getByLabel('Own fax number').fill('503 555 0119');
    await page.getByRole('button', { name: 'Continue' }).click();

    await heading(page, 'Receive faxes?').waitFor();
    await page.getByText('No, only send').click();
    await page.getByRole('button', { name: 'Continue' }).click();

    await heading(page, 'Send a test fax').waitFor();
    await page.getByLabel('Fax number for the test page').fill('202 555 0123');
    await page.keyboard.press('Enter');
    await page.getByText('The provider is sending it.').waitFor();
    await consoleApp.end(await onlyFax());
    await page.getByText('It arrived.').waitFor();
    await page.getByRole('button', { name: 'Open Faxdesk' }).click();
    await page.waitForURL('**/admin/ui/send');

    const key = consoleApp.app.installationKey();
    expect(asked.filter((request) => request.includes(key))).toEqual([]);
    expect(await page.content()).not.toContain(key);
    expect(
      await page.evaluate(() =>
        Object.values((globalThis as unknown as { localStorage: object }).localStorage).join(),
      ),
    ).not.toContain(key);
    expect(asked.filter((request) => request.includes('/auth/key-login'))).toEqual([]);
  });

  it('is over at the next start: the window is signed in still, and later requires a password', async () => {
    const { appData } = consoleApp.app;
    await consoleApp.app.close({ keepData: true });
    const app = await launch(kind, { appData, env: { PORT, CLOUDONE_API_URL: emulator.url } });
    consoleApp = new ConsoleApp(app, emulator);
    const page = await consoleApp.page();
    await heading(page, 'New fax').waitFor();
    await page.getByRole('button', { name: /account/u }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await heading(page, 'Sign in').waitFor();
    await expect.poll(() => page.getByLabel('Installation key').count()).toBe(0);
  });

  async function onlyFax(): Promise<string> {
    const { items } = (await (await consoleApp.request('GET', '/fax')).json()) as { items: { id: string }[] };
    expect(items).toHaveLength(1);
    return items[0]?.id ?? '';
  }
});
