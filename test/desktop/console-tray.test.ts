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
          /^Phaxio has not answered since \d{1,2}:\d\d\s[AP]M\. Faxes are waiting. Nothing is lost\.$/u,
        ),
      });
    await consoleApp.end(id);
    await page.reload();
    await expect.poll(() => consoleApp.tray()).toMatchObject({ icon: 'normal-light.png', words: 'Faxdesk' });
    expect(await consoleApp.app.evaluate(({ app }) => app.getBadgeCount()), 'no fax came').toBe(0);
  });

  it('marks the application when a fax failed after its page was left', async (context) => {
    onlyStandin(kind, context);
    const { app: consoleApp } = shared;
    const page = await consoleApp.at('/send');
    const id = await goingFax(page, '202 555 0178');
    await page.keyboard.press('Alt+8');
    await page.waitForURL('**/admin/ui/settings**');
    await consoleApp.end(id, 'no answer');
    const words = '1 fax needs your attention';
    await expect.poll(() => consoleApp.tray()).toMatchObject({ icon: 'attention-light.png', words });
    const badge = () => consoleApp.app.evaluate(({ app }) => app.getBadgeCount());
    await expect.poll(badge).toBe(1);
    await page.getByRole('link', { name: 'Show the fax' }).click();
    await expect.poll(badge).toBe(0);
  });

  it('counts the items of the person, and leads to them', async (context) => {
    onlyStandin(kind, context);
    const { app: consoleApp } = shared;
    const page = await consoleApp.at('/send');
    const items = async () => (await consoleApp.tray()).menu.filter((line) => line.startsWith('My items'));
    await expect.poll(items).toEqual(['My items']);
    await consoleApp.set({ INBOUND_ENABLED: true });
    const made = await (await consoleApp.request('POST', '/inbound/test', {})).json();
    const { work_item_id: id } = made as { work_item_id: string };
    const found = await (await consoleApp.request('GET', `/work/${id}/assignees`)).json();
    const [mara] = (found as { people: { id: string }[] }).people;
    await consoleApp.request('POST', `/work/${id}/assign`, { principal_id: mara?.id, version: 1 });
    await expect.poll(items).toEqual(['My items: 1']);
    await consoleApp.chooseInTray('my-items');
    await page.waitForURL('**/admin/ui/work');
    await consoleApp.request('POST', `/work/${id}/done`, { note: 'Seen.', version: 2 });
    await expect.poll(items).toEqual(['My items']);
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
    await shared.app.choose('Help', 'Faxdesk help');
    await page.getByRole('heading', { level: 2, name: 'Send a fax' }).waitFor();
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
  async function goingFax(page: Page, number = '202 555 0177'): Promise<string> {
    const send = await new SendPage(page).opened();
    await send.number(number);
    await page.getByRole('textbox', { name: 'Last four digits' }).fill(number.slice(-4));
    await send.add({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('A note.\n') });
    await send.drawn();
    await expect.poll(() => send.send.isEnabled()).toBe(true);
    await send.send.click();
    await page.getByText('Phaxio is sending it').waitFor();
    return faxIn(page);
  }
});
