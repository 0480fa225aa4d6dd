import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, expect, it } from 'vitest';
import { JOB_STATE } from '../../server/platform/ipp/codes.ts';
import { SendPage } from '../browser/send-page.ts';
import { rawPdf } from '../fixtures/pdf-parts.ts';
import { freePort } from '../setup/free-port.ts';
import { printByIpp } from '../setup/ipp-client.ts';
import { faxIn, freshNumber, heading, sharedConsoleApp } from './console-app.ts';
import { onEachKind, onlyStandin } from './each-kind.ts';

const folder = await mkdtemp(join(tmpdir(), 'faxdesk-documents-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const LETTER = rawPdf([
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>',
]);

async function letter(name: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, LETTER);
  return path;
}

onEachKind('a fax from the window', (kind) => {
  const shared = sharedConsoleApp(kind);

  /** Hands a document to the running application and sends it to a new number. */
  async function sendAsFax(name: string): Promise<{ page: Page; id: string; to: string }> {
    const page = await shared.app.at('/sent');
    await heading(page, 'Sent').waitFor();
    expect(await shared.app.app.secondInstance(await letter(name))).toBe(0);
    const send = await new SendPage(page).opened();
    await send.row(name).getByText('1 page').waitFor();
    const to = freshNumber();
    await send.number(to);
    await page.getByRole('textbox', { name: 'Last four digits' }).fill(to.slice(-4));
    await send.drawn();
    await expect.poll(() => send.send.isEnabled()).toBe(true);
    await send.send.click();
    await page.waitForURL(/\/send\/.+/u);
    return { page, id: faxIn(page), to };
  }

  const notices = () =>
    shared.app.app.evaluate(({ recorder }) =>
      (recorder.notifications as { title: string; body: string }[])
        .filter(({ title }) => title.startsWith('One of your faxes'))
        .map(({ title, body }) => `${title}: ${body}`),
    );

  const clickNotice = (words: string) =>
    shared.app.app.evaluate(
      ({ recorder }, words) =>
        (recorder.notifications as { title: string; emit(name: string): void }[])
          .findLast(({ title }) => title === words)
          ?.emit('click'),
      words,
    );

  it('begins with a document of another program, whatever screen is shown, and is watched until it arrives', async () => {
    const { page, id } = await sendAsFax('referral.pdf');
    await page.getByText('Phaxio is sending it').waitFor();
    await shared.app.end(id);
    await page.getByText('The receiving machine confirmed 1 page.').waitFor();
    expect(await shared.app.fax(id)).toMatchObject({ delivery_state: 'success', resend_of: null });
  });

  it('that is printed brings the hidden window to the front, with the pages in a new fax', async (context) => {
    onlyStandin(kind, context);
    const page = await shared.app.at('/inbox');
    await heading(page, 'Inbox').waitFor();
    const port = await freePort();
    await shared.app.set({ PRINT_TO_FAX: 'this_computer', PRINT_PORT: port });
    // Answered once the printer listens.
    await shared.app.request('GET', '/printer');
    await shared.app.hide();
    const uri = `ipp://127.0.0.1:${port}/ipp/print`;
    expect(await printByIpp(uri, LETTER, { name: 'Printed letter' })).toMatchObject({
      state: JOB_STATE.completed,
    });
    await expect.poll(() => shared.app.isShown()).toBe(true);
    const send = await new SendPage(page).opened();
    await send.row('Printed letter.pdf').getByText('1 page').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('button', { name: 'Discard Printed letter' }).click();
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    await page.getByText('A printed document waits').waitFor({ state: 'detached' });
    await shared.app.set({ PRINT_TO_FAX: 'off' });
  });

  it('that fails shows a notice while the window is hidden, says why, and is sent again', async (context) => {
    const { page, id, to } = await sendAsFax('lab result.pdf');
    if (kind === 'stand-in') await shared.app.hide();
    await shared.app.end(id, 'Busy');
    await page.getByText('Not delivered', { exact: true }).first().waitFor();
    if (kind === 'stand-in') {
      await expect
        .poll(notices)
        .toEqual(['One of your faxes was not delivered: Open it to see why and to send it again.']);
      await page.goto(page.url().replace(/\/send\/.*/u, '/sent'));
      await clickNotice('One of your faxes was not delivered');
      await expect.poll(() => shared.app.isShown()).toBe(true);
      await page.waitForURL(`**/send/${id}`);
    }
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText(/^You are sending a fax again that was not delivered/u).waitFor();
    await page.getByRole('button', { name: 'Send fax' }).click();
    await page.waitForURL((url) => /\/send\/./u.test(url.pathname) && !url.href.endsWith(id));
    const again = faxIn(page);
    expect(await shared.app.fax(again)).toMatchObject({ to, resend_of: id });
    await shared.app.end(again);
    await page.getByText('The receiving machine confirmed 1 page.').waitFor();
    onlyStandin(kind, context);
    expect(await notices(), 'a fax that arrived needs nobody').toHaveLength(1);
  });

  it('with an unknown outcome is one question, also from the tray, and the answer is recorded', async (context) => {
    onlyStandin(kind, context);
    const { app: consoleApp } = shared;
    await consoleApp.set({ FAX_DISABLED: true });
    const { page, id, to } = await sendAsFax('findings.pdf');
    await page.getByText('It is sent only when someone presses Send now.').waitFor();
    await page.evaluate(() =>
      (globalThis as unknown as { faxdesk: { setPreferences(it: object): void } }).faxdesk.setPreferences({
        noticesNameSender: true,
      }),
    );
    await consoleApp.hide();
    consoleApp.emulator.setFault({ kind: 'dropped', method: 'POST', accepted: true });
    await consoleApp.set({ FAX_DISABLED: false });
    const { delivery_version } = await consoleApp.fax(id);
    await consoleApp.request('POST', `/fax/${id}/release`, { delivery_version });
    await expect
      .poll(async () => (await notices()).at(-1))
      .toBe(`One of your faxes needs confirmation: We don’t know if the fax to ${to} arrived.`);

    await page.goto(page.url().replace(/\/send\/.*/u, '/sent'));
    await clickNotice('One of your faxes needs confirmation');
    await expect.poll(() => shared.app.isShown()).toBe(true);
    await page.waitForURL(`**/send/${id}`);
    await page.getByText('Nothing is sent again unless you choose to.').waitFor();
    await page.getByRole('button', { name: 'Yes, all pages' }).click();
    await page.keyboard.type('Ana at the reception desk');
    await page.keyboard.press('Enter');
    await page.getByText('Confirmed by Mara Okafor: Ana at the reception desk').waitFor();
    expect(await consoleApp.fax(id)).toMatchObject({ delivery_state: 'success' });
  });

  it('that fails before the eyes of its sender makes no notice', async (context) => {
    onlyStandin(kind, context);
    const before = await notices();
    const { page, id } = await sendAsFax('invoice.pdf');
    await shared.app.end(id, 'Busy');
    await page.getByText('Not delivered', { exact: true }).first().waitFor();
    expect(await notices()).toEqual(before);
  });
});
