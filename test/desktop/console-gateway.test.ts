import { expect, it } from 'vitest';
import { SendPage } from '../browser/send-page.ts';
import { eventually } from '../setup/eventually.ts';
import { faxIn, heading, sharedConsoleApp } from './console-app.ts';
import { onEachKind, onlyStandin, watchWords } from './each-kind.ts';

onEachKind('a gateway that is killed under the console', (kind) => {
  const shared = sharedConsoleApp(kind);

  it('comes back by itself: the window says so, the draft stays, changes arrive, nobody signs in again', async () => {
    const { app: consoleApp } = shared;
    const page = await consoleApp.at('/send');
    const send = await new SendPage(page).opened();
    await send.number('303 555 0114');
    await page.getByRole('textbox', { name: 'Last four digits' }).fill('0114');
    await send.add({ name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from('A letter.\n') });
    await send.drawn();
    await send.kept();
    await page.getByText('Sending works').waitFor();

    const loads: string[] = [];
    page.on('framenavigated', (frame) => loads.push(frame.url()));
    const said = await watchWords(page, 'is restarting');
    await kill();
    await said();
    await send.number('303 555 0115');
    await page.getByText('is restarting').waitFor({ state: 'detached' });
    await page.getByText('Sending works').waitFor();
    await consoleApp.set({ FAX_DISABLED: true });
    await page.getByText('Sending is off').first().waitFor();
    await consoleApp.set({ FAX_DISABLED: false });
    await page.getByText('Sending works').waitFor();

    expect(loads, 'the page was never left').toEqual([]);
    await expect.poll(() => send.to.inputValue()).toBe('303 555 0115');
    await page.getByRole('textbox', { name: 'Last four digits' }).fill('0115');
    await send.row('letter.txt').getByText('1 page').waitFor();
    await expect.poll(() => send.send.isEnabled()).toBe(true);
    await send.send.click();
    await page.getByText('Phaxio is sending it').waitFor();
  });

  it('is started again by a person from the settings, and the console goes on', async () => {
    const { app: consoleApp } = shared;
    const page = await consoleApp.at('/sent');
    await heading(page, 'Sent').waitFor();
    const before = await consoleApp.app.gatewayPid();
    await page.evaluate(() =>
      (globalThis as unknown as { faxdesk: { restartGateway(): Promise<void> } }).faxdesk.restartGateway(),
    );
    await expect.poll(() => consoleApp.app.gatewayPid()).not.toBe(before);
    await page.getByText('Sending works').waitFor();
    await page.getByRole('link', { name: 'Send' }).first().click();
    await new SendPage(page).opened();
  });

  it('leaves a fax that was being handed over to be confirmed, and notifies whoever does not look', async (context) => {
    onlyStandin(kind, context);
    const { app: consoleApp } = shared;
    await consoleApp.set({ FAX_DISABLED: true });
    const page = await consoleApp.at('/send');
    const send = await new SendPage(page).opened();
    await send.number('303 555 0116');
    await page.getByRole('textbox', { name: 'Last four digits' }).fill('0116');
    await send.add({ name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from('A letter.\n') });
    await expect.poll(() => send.send.isEnabled()).toBe(true);
    await send.send.click();
    await page.getByText('It is sent only when someone presses Send now.').waitFor();
    const id = faxIn(page);
    await consoleApp.hide();
    consoleApp.emulator.setFault({ kind: 'slow', method: 'POST' });
    await consoleApp.set({ FAX_DISABLED: false });
    const { delivery_version } = await consoleApp.fax(id);
    await consoleApp.request('POST', `/fax/${id}/release`, { delivery_version });
    await consoleApp.emulator.waitUntilHeld();
    await kill();
    consoleApp.emulator.release();
    const notices = () =>
      consoleApp.app.evaluate(({ recorder }) =>
        (recorder.notifications as { title: string }[]).map(({ title }) => title),
      );
    await expect.poll(notices).toContain('One of your faxes needs confirmation');
    expect(await consoleApp.fax(id)).toMatchObject({ delivery_state: 'reconciliation_required' });
  });

  async function kill(): Promise<void> {
    const pid = await eventually(async () => (await shared.app.app.gatewayPid()) ?? expect.unreachable());
    process.kill(pid, 'SIGKILL');
  }
});
