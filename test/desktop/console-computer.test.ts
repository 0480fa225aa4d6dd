import { existsSync } from 'node:fs';
import { mkdtemp, readFile, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { expectAccessible, sharedConsoleApp } from './console-app.ts';
import { type InPage, onEachKind, onlyStandin } from './each-kind.ts';

const PAGE = '/settings/this-computer';

onEachKind('the page of this computer', (kind) => {
  const shared = sharedConsoleApp(kind);

  it('keeps what a person chooses for the window', async () => {
    const page = await shared.app.at(PAGE);
    const names = page.getByRole('switch', { name: 'Show the sender in notices' });
    await expect.poll(() => names.isChecked()).toBe(false);
    await names.locator('xpath=ancestor::label').click();
    await expect.poll(() => names.isChecked()).toBe(true);
    await page.reload();
    await expect.poll(() => names.isChecked()).toBe(true);
    const kept = await readFile(join(shared.app.app.userData, 'preferences.json'), 'utf8');
    expect(JSON.parse(kept)).toMatchObject({ noticesNameSender: true });
    await expectAccessible(page);
  });

  it('starts the application at sign-in, and no more', async (context) => {
    onlyStandin(kind, context);
    if (process.platform !== 'linux') context.skip('other systems keep that themselves');
    const page = await shared.app.at(PAGE);
    const start = page.getByRole('switch', { name: 'Start with this computer' });
    const entry = join(shared.app.app.appData, 'autostart', 'faxdesk.desktop');
    await start.focus();
    await page.keyboard.press('Space');
    await expect.poll(() => existsSync(entry)).toBe(true);
    await expect.poll(() => start.isChecked()).toBe(true);
    await page.keyboard.press('Space');
    await expect.poll(() => existsSync(entry)).toBe(false);
    await expect.poll(() => start.isChecked()).toBe(false);
  });

  it('prints in the dialog of the system with the printer that was chosen for this computer', async (context) => {
    onlyStandin(kind, context);
    const { app } = shared.app;
    const printer = { name: 'lab', displayName: 'Laboratory', description: '', options: {} };
    await app.evaluate(({ recorder }, added) => void recorder.printers.push(added), printer);
    const page = await shared.app.at('/my-settings');
    const print = (paper: object) =>
      page.evaluate((size) => (globalThis as unknown as InPage).faxdesk.print?.(size as never), paper);
    const letter = { width: 609, height: 790 };
    expect(await print(letter)).toBe(false);
    await page.getByRole('button', { name: /Printer for received faxes/u }).press('Enter');
    await page.getByRole('option', { name: 'Laboratory' }).press('Enter');
    await page.getByText('Saved for this computer.').waitFor({ state: 'attached' });
    const kept = await readFile(join(app.userData, 'preferences.json'), 'utf8');
    expect(JSON.parse(kept)).toMatchObject({ printer: 'lab', mailbox: null });
    expect(await print(letter)).toBe(true);
    await expect(print({ width: 0, height: 790 })).rejects.toThrow('do not fit');
    const calls = () =>
      app.evaluate(({ recorder }) => recorder.calls.filter(([name]) => name === 'webContents.print'));
    expect(await calls()).toEqual([
      ['webContents.print', { silent: false, deviceName: 'lab', pageSize: 'Letter' }],
    ]);
    // A printer that is gone is shown as such, and the page prints by itself.
    await app.evaluate(({ recorder }) => void recorder.printers.pop());
    expect(await print(letter)).toBe(false);
    await page.reload();
    await page.getByRole('button', { name: /lab \(not found\)/u }).waitFor();
    await expectAccessible(page);
  });

  it('opens the folder of the data', async (context) => {
    onlyStandin(kind, context);
    const page = await shared.app.at(PAGE);
    await page.getByRole('button', { name: 'Open folder' }).click();
    const opened = () =>
      shared.app.app.evaluate(({ recorder }) => recorder.calls.filter(([name]) => name === 'shell.openPath'));
    await expect.poll(opened).toEqual([['shell.openPath', shared.app.app.dataFolder]]);
  });

  it('lets a person choose the folder of backups, which is then allowed', async (context) => {
    onlyStandin(kind, context);
    const { app } = shared.app;
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'faxdesk-chosen-')));
    const page = await shared.app.at('/settings/backups');
    const choose = page.getByRole('button', { name: 'Choose folder… (Backup folder)' });
    const field = page.getByRole('textbox', { name: 'Backup folder' });
    const kept = join(app.dataFolder, 'allowed-folders.json');
    // Cancelled, nothing is allowed.
    await choose.click();
    await expect.poll(() => choose.isEnabled()).toBe(true);
    expect(existsSync(kept)).toBe(false);
    await app.evaluate(({ recorder }, chosen) => void recorder.openDialogs.push(chosen), folder);
    await choose.click();
    await expect.poll(() => field.inputValue()).toBe(folder);
    expect(JSON.parse(await readFile(kept, 'utf8'))).toEqual([folder]);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => page.getByText(/^Changed from /u).count()).toBe(0);
    await page.reload();
    await expect.poll(() => field.inputValue()).toBe(folder);
    await expectAccessible(page);
  });

  it('leads to the choice of the gateway, and back to the console, signed in as before', async () => {
    const page = await shared.app.at(PAGE);
    await page.getByText('On this computer').waitFor();
    await page.getByRole('button', { name: 'Choose' }).click();
    await page.getByRole('heading', { name: 'Which computer does this window connect to?' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('heading', { level: 1, name: 'New fax' }).waitFor();
  });
});
