import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { SendPage } from '../browser/send-page.ts';
import { faxIn, heading, sharedConsoleApp, signIn } from './console-app.ts';
import { onEachKind, onlyStandin } from './each-kind.ts';

onEachKind('the tray and the console', (kind) => {
  const shared = sharedConsoleApp(kind);

  const sending = async () => (await shared.app.tray()).menu.filter((line) => line.includes('Sending'));

  it('switches sending off and on, which the console and the gateway follow', async (context) => {
    onlyStandin(kind, context);
    const page = await shared.app.at('/send');
    await page.getByText('Sending works').waitFor();
    await expect.poll(sending).toEqual(['✓ Sending on']);
    await shared.app.chooseInTray('sending');
    await page.getByText('Sending is off').first().waitFor();
    await expect.poll(sending).toEqual(['Sending off']);
    expect(await shared.app.value('FAX_DISABLED')).toBe(true);
    await shared.app.chooseInTray('sending');
    await page.getByText('Sending works').waitFor();
    await expect.poll(sending).toEqual(['✓ Sending on']);
    expect(await shared.app.value('FAX_DISABLED')).toBe(false);
  });

  it('follows a person who switches it in another place', async (context) => {
    onlyStandin(kind, context);
    await shared.app.at('/send');
    await shared.app.set({ FAX_DISABLED: true });
    await expect.poll(sending).toEqual(['Sending off']);
    await shared.app.set({ FAX_DISABLED: false });
    await expect.poll(sending).toEqual(['✓ Sending on']);
  });

  it('lets nobody switch sending while nobody is signed in', async (context) => {
    onlyStandin(kind, context);
    const page = await shared.app.at('/send');
    await expect.poll(sending).toEqual(['✓ Sending on']);
    await shared.app.choose('File', 'Lock');
    await heading(page, 'Locked').waitFor();
    await expect.poll(sending).toEqual(['Sending on (off)']);
    await signIn(page);
    await expect.poll(sending).toEqual(['✓ Sending on']);
  });

  it('shows that the provider does not answer, and that it does again', async (context) => {
    onlyStandin(kind, context);
    const { app: consoleApp } = shared;
    const page = await consoleApp.at('/send');
    const id = await goingFax(page);
    consoleApp.emulator.setFault({ kind: 'dropped', method: 'GET' });
    await expect(consoleApp.request('POST', `/fax/${id}/refresh`)).rejects.toThrow('refresh');
    await page.reload();
    await expect
      .poll(() => consoleApp.tray())
      .toMatchObject({
        icon: 'broken-light.png',
        words: expect.stringMatching(
          /^The provider has not answered since \d\d:\d\d\. Faxes are waiting. Nothing is lost\.$/u,
        ),
      });
    await consoleApp.end(id);
    await page.reload();
    await expect.poll(() => consoleApp.tray()).toMatchObject({ icon: 'normal-light.png', words: 'Faxdesk' });
    expect(await consoleApp.app.evaluate(({ app }) => app.getBadgeCount()), 'no fax came').toBe(0);
  });

  it('leads a closed window to a new fax, and the menu to every screen', async (context) => {
    onlyStandin(kind, context);
    const page = await shared.app.at('/sent');
    await heading(page, 'Sent').waitFor();
    await shared.app.hide();
    expect(await shared.app.isShown()).toBe(false);
    await shared.app.chooseInTray('new-fax');
    await new SendPage(page).opened();
    expect(await shared.app.isShown()).toBe(true);
    await shared.app.choose('Go', 'Sent');
    await heading(page, 'Sent').waitFor();
    await shared.app.choose('Go', 'Settings');
    await page.waitForURL('**/admin/ui/settings**');
    await shared.app.choose('File', 'New fax…');
    await new SendPage(page).opened();
    expect(await shared.app.app.secondInstance('faxdesk://open/sent')).toBe(0);
    await heading(page, 'Sent').waitFor();
  });

  describe('and what was chosen while the window was locked', () => {
    it('leads there once somebody signed in', async () => {
      const page = await shared.app.at('/send');
      await new SendPage(page).opened();
      await shared.app.choose('File', 'Lock');
      await heading(page, 'Locked').waitFor();
      await shared.app.choose('Go', 'Sent');
      await signIn(page);
      await heading(page, 'Sent').waitFor();
    });
  });

  /** A fax that the provider has, not ended. */
  async function goingFax(page: Page): Promise<string> {
    const send = await new SendPage(page).opened();
    await send.number('202 555 0177');
    await page.getByRole('textbox', { name: 'Last four digits' }).fill('0177');
    await send.add({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('A note.\n') });
    await send.drawn();
    await expect.poll(() => send.send.isEnabled()).toBe(true);
    await send.send.click();
    await page.getByText('The provider is sending it').waitFor();
    return faxIn(page);
  }
});
