import { expect, it } from 'vitest';
import type { LocalStatus } from '../../main/channels.ts';
import { failureStatus } from '../../main/updates/failure-status.ts';
import { expectAccessible } from './console-app.ts';
import { type InPage, onEachKind, sharedApp, untilShown } from './each-kind.ts';
import { openComputerChoice } from './other-computer.ts';

const ADDRESS = 'https://fax.office.example:8443';
const FINGERPRINT = Array.from({ length: 32 }, () => 'A7').join(':');

/** A new version that is late or could not start, with a way back or without. */
function failedUpdate(isLate: boolean, isOpen: boolean): LocalStatus {
  const problem = isOpen ? null : 'There is no installer of version 0.1.0 on this computer.';
  const lines = isLate ? [] : Array.from({ length: 40 }, () => 'a line');
  const [from, to] = ['0.1.0', '0.2.0'];
  const installer = { version: to, file: '/updates/Faxdesk.exe', size: 1, sha512: '' };
  const underway = { from, to, backup: null, canRestore: true, installer, hasStarted: true };
  return failureStatus({ sentence: 'It ended.', lines, isLate }, { underway, problem, isUnattended: isOpen });
}

/** Each status of the application's own page, with words that the page shows for it. */
const PAGES: readonly { status: LocalStatus; words: string; mayRunHere?: boolean }[] = [
  { status: { kind: 'starting', again: false }, words: 'Faxdesk is starting' },
  { status: { kind: 'starting', again: true }, words: 'Faxdesk is restarting' },
  {
    status: { kind: 'failed', sentence: 'It ended.', lines: Array.from({ length: 40 }, () => 'a line') },
    words: 'Faxdesk could not start',
  },
  { status: { kind: 'failed', sentence: 'The disk is full.', lines: [] }, words: 'The disk is full.' },
  { status: { kind: 'installing', version: '0.2.0', isBack: false }, words: 'Installing Faxdesk 0.2.0' },
  { status: { kind: 'installing', version: '0.1.0', isBack: true }, words: 'Going back to version 0.1.0' },
  { status: failedUpdate(true, true), words: 'Faxdesk 0.2.0 is not ready yet' },
  { status: failedUpdate(false, true), words: 'Faxdesk 0.2.0 could not start' },
  { status: failedUpdate(false, false), words: 'There is no installer of version 0.1.0' },
  { status: { kind: 'unreachable', address: ADDRESS }, words: 'The other computer is not responding' },
  { status: { kind: 'changed', address: ADDRESS }, words: 'has a different certificate' },
  { status: { kind: 'choosing', present: { kind: 'own' } }, words: 'It now shows Faxdesk on this computer' },
  {
    status: { kind: 'choosing', present: { kind: 'other', address: ADDRESS, fingerprint: FINGERPRINT } },
    words: `It now shows Faxdesk at ${ADDRESS}`,
  },
  {
    status: { kind: 'choosing', present: { kind: 'own' } },
    words: 'This computer is a server for several people',
    mayRunHere: false,
  },
];

onEachKind("the application's own page", (kind) => {
  const shared = sharedApp(kind);

  it('can be used by everybody in each of its states, light and dark, in a small window too', async () => {
    await openComputerChoice(shared.app);
    const page = await untilShown(shared.app, 'Which computer does this window connect to?');
    await page.setViewportSize({ width: 400, height: 480 });
    for (const [i, { status, words, mayRunHere = true }] of PAGES.entries()) {
      await shared.app.evaluate(
        ({ BrowserWindow }, status) => BrowserWindow.getAllWindows()[0]?.webContents.send('status', status),
        { ...status, number: -1 - i, mayChoose: true, mayRunHere },
      );
      await page.getByText(words).first().waitFor();
      await expectAccessible(page);
      const isWide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
      expect({ words, isWide }).toEqual({ words, isWide: false });
    }
  });

  it('says beside the address what is wrong with it, and lets it be typed again', async () => {
    await (await shared.app.window()).evaluate(() =>
      (globalThis as unknown as InPage).faxdeskApplication.openChoice(),
    );
    const page = await untilShown(shared.app, 'It now shows Faxdesk on this computer');
    const address = page.getByLabel('Address of the other computer');
    await address.fill('http://fax.office.example');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Faxdesk cannot use that address').waitFor();
    await expect.poll(() => address.getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => address.and(page.locator(':focus')).count()).toBe(1);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Back' }).click();
    await shared.app.console();
  });

  it('keeps what is typed while its state is sent again, and while the gateway comes and goes', async () => {
    await openComputerChoice(shared.app);
    const page = await untilShown(shared.app, 'Address of the other computer');
    const address = page.getByLabel('Address of the other computer');
    await address.fill('fax.office.example');
    // A page that loads slowly gets its status twice: as the answer to its request, and at the end of the load.
    const status = await page.evaluate(() => (globalThis as unknown as InPage).faxdeskApplication.status());
    await shared.app.evaluate(
      ({ BrowserWindow }, status) => BrowserWindow.getAllWindows()[0]?.webContents.send('status', status),
      status,
    );
    const before = await shared.app.gatewayPid();
    process.kill(before as number, 'SIGKILL');
    await expect.poll(async () => [null, before].includes(await shared.app.gatewayPid())).toBe(false);
    const health = () =>
      fetch(new URL('/health', shared.app.gatewayUrl())).then(
        ({ ok }) => ok,
        () => false,
      );
    await expect.poll(health).toBe(true);
    await expect.poll(() => address.inputValue()).toBe('fax.office.example');
    await page.getByRole('button', { name: 'Back' }).click();
    await shared.app.console();
  });
});
