import type { Page } from 'playwright';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { expectAccessible, testConsole } from './console.ts';

const webConsole = testConsole({ settings: { CLOUDONE_API_KEY: 'emulator-key', CLOUDONE_API_SECRET: '' } });
const START = { FAX_ORGANIZATION: 'Example Clinic', MAX_FILE_SIZE_MB: 25, LOG_LEVEL: 'info' };

interface Shown {
  name: string;
  value: unknown;
  is_set: boolean;
}

/** Reads a setting from the gateway; undefined when there is none of this name. */
async function savedSetting(name: string): Promise<Shown | undefined> {
  const answer = await webConsole.gateway.request('GET', '/admin/settings');
  return ((await answer.json()) as { settings: Shown[] }).settings.find((setting) => setting.name === name);
}

/** Script in place of the preload of the desktop application, with the functions that these pages use. */
const WINDOW = `
  let preferences = {
    startAtLogin: false, closeToTraySaid: true, noticesNameSender: false, mailbox: null, printer: null, gateway: { kind: 'own' },
  };
  window.calls = [];
  const nothing = () => () => undefined;
  window.faxdesk = {
    platform: 'linux', version: '0.1.0',
    onFiles: nothing, onCommand: nothing, onGateway: nothing,
    takeFiles: async () => [], showNotice: async () => undefined, setTray: async () => undefined,
    preferences: async () => preferences,
    setPreferences: async (changes) => {
      window.calls.push(...Object.keys(changes));
      preferences = { ...preferences, ...changes };
      return preferences;
    },
    openDataFolder: async () => { window.calls.push('folder'); },
    chooseFolder: async () => '/media/safe',
  };
`;

const saveButton = (page: Page) => page.getByRole('button', { name: 'Save changes' });
const foot = (page: Page) => page.getByRole('contentinfo').or(page.locator('footer'));

beforeEach(() => webConsole.gateway.set({ ...START, CLOUDONE_API_SECRET: 'emulator-secret' }));
afterEach(() => webConsole.gateway.set(START));

describe('the settings', () => {
  test('warn of a public address that no provider can reach', async (context) => {
    const { page } = await webConsole.open(context, { path: '/settings/addresses' });
    await page.getByLabel('Public address').fill('http://192.168.1.5:8080/');
    await saveButton(page).click();
    await page
      .getByText('No provider can reach http://192.168.1.5:8080: it is an address of a private network.')
      .waitFor();
    await expectAccessible(page);
    await webConsole.gateway.set({ PUBLIC_API_URL: null });
  });

  test('are locked with a sentence where a person lacks the permission that they open', async (context) => {
    const key = await webConsole.keyWith('settings:read', 'settings:write', 'mailboxes:read');
    const { page } = await webConsole.open(context, { as: { key }, path: '/settings/e-mail' });
    await page.getByRole('button', { name: 'Save changes' }).waitFor();
    const documents = 'you need the permission “Open received documents” for the whole installation.';
    await page.getByText(`To change them ${documents}`, { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Add connector…' }).count()).toBe(0);
    const imported = page.getByRole('switch', { name: 'Also send imported faxes' });
    await expect.poll(() => imported.isDisabled()).toBe(true);
    const description = `document.getElementById(document.querySelector('[aria-label="Also send imported faxes"]')
      .closest('label').querySelector('input').getAttribute('aria-describedby')).textContent`;
    expect(await page.evaluate(description)).toContain(`To change it ${documents}`);
    await expect.poll(() => page.getByLabel('Largest attachment').isEnabled()).toBe(true);
    await expectAccessible(page);
    await page.goto('/admin/ui/settings/sending');
    await page.getByText('To change it you need the permission “Change and test the providers”').waitFor();
    await expect.poll(() => page.getByLabel('Organization').isEnabled()).toBe(true);
    await expectAccessible(page);
  });

  test('show the whole address to paste, with its password, only on request', async (context) => {
    await webConsole.gateway.set({
      PUBLIC_API_URL: 'https://fax.example.com',
      CLOUDTWO_INBOUND_BASIC_USER: 'sinch',
      CLOUDTWO_INBOUND_BASIC_PASS: 'correct-horse',
    });
    const { page } = await webConsole.open(context, { path: '/settings/cloudtwo' });
    await page.getByText('https://sinch:•••••@fax.example.com/cloudtwo-inbound').waitFor();
    expect(await page.content()).not.toContain('correct-horse');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText('https://sinch:correct-horse@fax.example.com/cloudtwo-inbound').waitFor();
    await expectAccessible(page);
    const none = { CLOUDTWO_INBOUND_BASIC_USER: null, CLOUDTWO_INBOUND_BASIC_PASS: null };
    await webConsole.gateway.set({ PUBLIC_API_URL: null, ...none });
  });

  test('are changed with Ctrl S, and the change is listed with who made it', async (context) => {
    const { page } = await webConsole.open(context, { path: '/settings' });
    await expect.poll(() => saveButton(page).isDisabled()).toBe(true);
    await page.getByText('No changes.').waitFor();
    await page.getByLabel('Organization').fill('Alder Street Clinic');
    await page.getByLabel('Largest upload').fill('40');
    await page.getByText('Changed from Example Clinic.').waitFor();
    await page.getByText('2 changes', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Sending 2 changed' }).waitFor();
    await expectAccessible(page);
    // The main button comes before Discard.
    await saveButton(page).focus();
    await page.keyboard.press('Tab');
    await expect
      .poll(() => page.getByRole('button', { name: 'Discard' }).and(page.locator(':focus')).count())
      .toBe(1);
    await page.keyboard.press('Control+s');
    await foot(page).getByText('Your changes were saved.').waitFor();
    expect(await savedSetting('FAX_ORGANIZATION')).toMatchObject({ value: 'Alder Street Clinic' });
    expect(await savedSetting('MAX_FILE_SIZE_MB')).toMatchObject({ value: 40 });
    const changes = page.getByRole('complementary', { name: 'Recent changes' });
    const entry = changes
      .getByRole('listitem')
      .filter({ hasText: 'Alder Street Clinic, was Example Clinic' });
    await expect.poll(() => entry.first().textContent()).toContain('Mara Okafor');
    await changes.getByText(/^Largest upload: 40 MB, was \d+ MB$/u).waitFor();
  });

  test('say what is wrong while it is typed, and why they cannot be saved', async (context) => {
    const { page } = await webConsole.open(context, { path: '/settings' });
    await page.getByLabel('Largest upload').fill('2.5');
    await page.getByText('Use a whole number from 1 to 1,000.').waitFor();
    await page.getByText('Correct “Largest upload” to save.').waitFor();
    await expect.poll(() => saveButton(page).isDisabled()).toBe(true);
    await expectAccessible(page);
    await page.getByLabel('Own fax number').fill('202 555');
    await page.getByText('Enter the whole number with + and the country code.').waitFor();
    await page.getByRole('link', { name: 'Addresses' }).click();
    await page.getByLabel('Public address').fill('http://fax.example.com');
    await page.getByText('The address must begin with https://').waitFor();
    await page.getByLabel('Other allowed origins').fill('https://desk.example.com/path');
    await page.getByText('Enter addresses such as').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByText('No changes.').waitFor();
    await expect.poll(() => page.getByLabel('Public address').inputValue()).toBe('');
  });

  test('take numbers as people write them, and Discard discards everything', async (context) => {
    const { page } = await webConsole.open(context, { path: '/settings' });
    const upload = page.getByLabel('Largest upload');
    const before = await upload.inputValue();
    await upload.fill(`${before} MB`);
    await page.getByText('No changes.').waitFor();
    await upload.fill('0.5 GB');
    await page.getByText(/^Changed from/u).waitFor();
    await saveButton(page).click();
    await page.getByText('Your changes were saved.').first().waitFor();
    await expect.poll(() => upload.inputValue()).toBe('512');
    await webConsole.gateway.set({ MAX_FILE_SIZE_MB: Number(before) });
    await page.getByRole('link', { name: 'Receiving' }).click();
    await page.getByRole('button', { name: 'Replace: Telephone engine secret' }).click();
    await page.getByLabel('Telephone engine secret').waitFor();
    // An empty replacement is no change, but can be discarded.
    await page.getByText('No changes.').waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    const replace = page.getByRole('button', { name: 'Replace: Telephone engine secret' });
    await replace.waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Discard' }).isDisabled()).toBe(true);
    await expect.poll(() => page.locator('main :focus').count()).toBe(1);
  });

  test('show what only the gateway refuses beside its field', async (context) => {
    const { page, complaints } = await webConsole.open(context, { path: '/settings/audit-and-log' });
    complaints.allow('422 PUT /admin/settings');
    await page.getByLabel('Log server').fill('nowhere at all');
    await saveButton(page).click();
    await page.getByText('Faxdesk does not accept this value.').waitFor();
    await page
      .getByText('Correct “Log server” to save.')
      .or(page.getByText('Some values are not valid, so nothing was saved.'))
      .first()
      .waitFor();
    await expect.poll(() => page.getByLabel('Log server').inputValue()).toBe('nowhere at all');
    await page.getByRole('button', { name: 'Discard' }).click();
  });

  test('that others saved meanwhile are shown, and typed text stays', async (context) => {
    const { page, complaints } = await webConsole.open(context, { path: '/settings' });
    complaints.allow('409 PUT /admin/settings');
    await page.getByLabel('Organization').fill('Alder Street Clinic');
    // The window receives the change only after it tried to save.
    const saveRefused = Promise.withResolvers<void>();
    await page.route('**/admin/settings', async (route) => {
      if (route.request().method() === 'GET') await saveRefused.promise;
      await route.continue();
    });
    await webConsole.gateway.set({ FAX_ORGANIZATION: 'Clinic of Others', MAX_FILE_SIZE_MB: 33 });
    const refusal = page.waitForResponse((answer) => answer.status() === 409);
    await saveButton(page).click();
    await refusal;
    saveRefused.resolve();
    await page.getByText('Someone else saved settings in the meantime').waitFor();
    await page.getByText('Someone saved “Clinic of Others” here while you were typing.').waitFor();
    await expect.poll(() => page.getByLabel('Organization').inputValue()).toBe('Alder Street Clinic');
    await expect.poll(() => page.getByLabel('Largest upload').inputValue()).toBe('33');
    await expectAccessible(page);
    await saveButton(page).click();
    await foot(page).getByText('Your changes were saved.').waitFor();
    expect(await savedSetting('FAX_ORGANIZATION')).toMatchObject({ value: 'Alder Street Clinic' });
    expect(await savedSetting('MAX_FILE_SIZE_MB')).toMatchObject({ value: 33 });
  });

  test('show a question before unsaved changes are left, and keep them from page to page', async (context) => {
    const { page } = await webConsole.open(context, { path: '/settings' });
    await page.getByLabel('Organization').fill('Alder Street Clinic');
    await page.getByRole('link', { name: 'Limits', exact: true }).click();
    await page.getByLabel('Requests per minute').waitFor();
    await page.getByRole('link', { name: 'System' }).click();
    await page.getByText('One change is not saved').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.getByText('One change is not saved').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Sending 1 changed' }).click();
    await expect.poll(() => page.getByLabel('Organization').inputValue()).toBe('Alder Street Clinic');
    await page.getByRole('link', { name: 'System' }).click();
    await page.getByRole('button', { name: 'Leave without saving' }).click();
    await page.getByRole('heading', { level: 1, name: 'System' }).waitFor();
    expect(await savedSetting('FAX_ORGANIZATION')).toMatchObject({ value: 'Example Clinic' });
  });

  test('that need a restart say so until the restart', async (context) => {
    const { page } = await webConsole.open(context, { path: '/settings/audit-and-log' });
    await page.getByRole('button', { name: /Log level/u }).click();
    await page.getByRole('option', { name: 'debug' }).click();
    await page.getByText('1 change, 1 needs a restart').waitFor();
    await saveButton(page).click();
    await page.getByText('Saved changes need a restart').waitFor();
    await page.getByText('restarted on the computer it runs on').waitFor();
    await expectAccessible(page);
  });

  test('are shown read-only without the permission to change them', async (context) => {
    const key = await webConsole.keyWith('settings:read');
    const { page } = await webConsole.open(context, { path: '/settings', as: { key } });
    await page.getByText('You can see the settings but not change them.').waitFor();
    await expect.poll(() => page.getByLabel('Organization').isDisabled()).toBe(true);
    await expect.poll(() => saveButton(page).isDisabled()).toBe(true);
    await expectAccessible(page);
  });
});

describe('the page of a provider', () => {
  test('locks what the environment sets, and replaces a secret that it never shows', async (context) => {
    const { page } = await webConsole.open(context, { path: '/settings/cloudone' });
    const key = page.getByRole('group', { name: 'API key' });
    await key.getByText('Is set').waitFor();
    expect(
      await page.getByText('Set by an environment variable, so it cannot be changed here.').count(),
    ).toBeGreaterThan(1);
    await expect.poll(() => key.getByRole('button').count()).toBe(0);
    expect(await page.content()).not.toContain('emulator-secret');
    await page.getByRole('button', { name: 'Replace: API secret' }).click();
    await page.keyboard.type('wrong-secret');
    await page.getByText('Will be replaced when you save.').waitFor();
    await page.getByRole('button', { name: 'Check connection' }).click();
    await page.getByText('Phaxio refused the API key or secret.').waitFor();
    await page.getByRole('textbox', { name: 'API secret' }).fill('emulator-secret');
    await page.getByRole('button', { name: 'Check connection' }).click();
    await page.getByText('Phaxio accepts the key.').waitFor();
    await expectAccessible(page);
    await saveButton(page).click();
    await foot(page).getByText('Your changes were saved.').waitFor();
    await page.getByRole('button', { name: 'Remove: API secret' }).click();
    await page.getByText('Will be removed when you save.').waitFor();
    await saveButton(page).click();
    await foot(page).getByText('Your changes were saved.').waitFor();
    expect(await savedSetting('CLOUDONE_API_SECRET')).toMatchObject({ is_set: false });
  });
});

describe('in the desktop window', () => {
  test('the settings of this computer are in force at once', async (context) => {
    const { page } = await webConsole.open(context, { path: '/settings', script: WINDOW });
    await page.getByRole('link', { name: 'This computer' }).click();
    await page.getByText('On this computer').waitFor();
    await expectAccessible(page);
    const sender = page.getByRole('switch', { name: 'Show the sender in notices' });
    await expect.poll(() => sender.isChecked()).toBe(false);
    await page.getByText('Show the sender in notices').waitFor();
    await sender.press('Space');
    await expect.poll(() => sender.isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Open folder' }).click();
    await expect.poll(() => page.evaluate('window.calls')).toEqual(['noticesNameSender', 'folder']);
  });

  test('the settings of this computer say that an account of a terminal server keeps its gateway', async (context) => {
    const script = `${WINDOW} window.faxdesk.keepsGateway = async () => true;`;
    const { page } = await webConsole.open(context, { path: '/settings/computer', script });
    await page.getByRole('link', { name: 'This computer' }).click();
    await page.getByText('This computer is a server for several people.').waitFor();
    expect(await page.getByRole('button', { name: 'Choose' }).count()).toBe(1);
    await expectAccessible(page);
  });

  test('the settings of this computer say that an account keeps its gateway beside that for everyone', async (context) => {
    const script = `${WINDOW} window.faxdesk.keepsGateway = async () => true; window.faxdesk.hasService = async () => true;`;
    const { page } = await webConsole.open(context, { path: '/settings/computer', script });
    await page.getByRole('link', { name: 'This computer' }).click();
    await page.getByText('This computer has a Faxdesk for everyone who uses it.').waitFor();
    expect(await page.getByText('server for several people').count()).toBe(0);
    await expectAccessible(page);
  });

  test('the settings of this computer say what the office has decided', async (context) => {
    const script = `${WINDOW}
      preferences = { ...preferences, startAtLogin: true,
        gateway: { kind: 'other', address: 'https://fax.office.example:8443', fingerprint: '${Array(32).fill('AB').join(':')}' } };
      window.faxdesk.decidedByOffice = async () => ['gateway', 'startAtLogin'];`;
    const { page } = await webConsole.open(context, { path: '/settings/computer', script });
    await page.getByRole('link', { name: 'This computer' }).click();
    await page.getByText('At https://fax.office.example:8443').waitFor();
    const start = page.getByRole('switch', { name: 'Start with this computer' });
    expect([await start.isChecked(), await start.isDisabled()]).toEqual([true, true]);
    expect(await page.getByText('Your office has decided this for this computer.').count()).toBe(2);
    expect(await page.getByRole('button', { name: 'Choose' }).count()).toBe(0);
    expect(await page.getByRole('switch', { name: 'Show the sender in notices' }).isEnabled()).toBe(true);
    await expectAccessible(page);
  });
});
