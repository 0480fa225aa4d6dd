import type { Page } from 'playwright';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { ALICE, BOB } from '../api/intake-setup.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { type MailServer, partOf, startMailServer } from '../setup/mail-server.ts';
import { DAY } from '../setup/manual-clock.ts';
import { expectAccessible, testConsole } from './console.ts';
import { arrive, details, nextSender, RECEIVING } from './inbox-page.ts';

let mail: MailServer;
const webConsole = testConsole(async () => {
  mail = await startMailServer();
  return { settings: RECEIVING };
});
afterAll(() => mail.close());

interface Connector {
  readonly id: string;
  readonly version: number;
  readonly name: string;
}

async function request<Answer>(method: string, path: string, json?: unknown): Promise<Answer> {
  const answer = await webConsole.gateway.request(method, path, { json });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

const connectors = async () => (await request<{ items: Connector[] }>('GET', '/intake/connectors')).items;

const fieldsOf = (given: object = {}) => ({
  name: 'Front desk',
  host: '127.0.0.1',
  port: mail.port,
  security: 'none',
  from_address: 'fax@example.org',
  recipients: [ALICE, BOB],
  ...given,
});

const connect = (given: object = {}) => request<Connector>('POST', '/intake/connectors', fieldsOf(given));

afterEach(async () => {
  mail.faults = {};
  mail.mails.length = 0;
  for (const { id, version } of await connectors())
    await request('POST', `/intake/connectors/${id}/remove`, { version });
});

/** A fax comes in, and its e-mail is tried once; the id of the fax. */
async function received(document = textPdf(1)): Promise<{ id: string; shown: string }> {
  const { e164, shown } = nextSender();
  await arrive(webConsole, { from: e164, document });
  const faxes = await request<{ id: string; fr: string }[]>('GET', '/inbound');
  return { id: faxes.find(({ fr }) => fr === e164)?.id ?? '', shown };
}

const withFax = () => mail.mails.filter(({ raw }) => raw.includes('application/pdf'));
const row = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true });
const save = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
const byEmail = (page: Page) => details(page).getByRole('region', { name: 'Sent by e-mail' });

/** The pane with the details stays open or closed, as it was last. */
async function openDrawer(page: Page, fax: string): Promise<void> {
  await page.goto(`/admin/ui/inbox/${fax}`);
  const button = page.getByRole('button', { name: 'Details', exact: true });
  await button.waitFor();
  if ((await button.getAttribute('aria-pressed')) !== 'true') await button.click();
  await byEmail(page).waitFor();
}

describe('an e-mail connector', () => {
  test('is set up and tested in Settings, and a fax comes once to a mailbox and stands in its details', async (context) => {
    const { page } = await webConsole.open(context, { path: '/settings/e-mail' });
    await page.getByText('No e-mail connectors yet').waitFor();
    await page.getByRole('button', { name: 'Add connector…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New e-mail connector' });
    await expect.poll(() => dialog.locator(':focus').getAttribute('maxlength')).toBe('100');
    await page.keyboard.type('Front desk');
    await dialog.getByRole('button', { name: /E-mail service/u }).click();
    await page.getByRole('option', { name: 'Microsoft 365' }).click();
    await expect
      .poll(() => dialog.getByLabel('Server', { exact: true }).inputValue())
      .toBe('smtp.office365.com');
    await dialog.getByText('Microsoft 365 accepts its password only if').waitFor();
    await dialog.getByLabel('Server', { exact: true }).fill('127.0.0.1');
    await dialog.getByRole('button', { name: /Encryption/u }).click();
    await page.getByRole('option', { name: 'None' }).click();
    await expect.poll(() => dialog.getByLabel('Port').inputValue()).toBe('25');
    await dialog.getByLabel('Port').fill('70000');
    await dialog.getByLabel('From address').fill('nobody');
    await dialog.getByLabel('Recipients').fill(`${ALICE}\nbob@`);
    await dialog.getByLabel('Only faxes to this number').fill('12');
    await dialog.getByLabel('Subject').fill('From {sender}');
    await save(page);
    for (const sentence of [
      'Use a whole number from 1 to 65,535.',
      'Enter an e-mail address.',
      '“bob@” is not an e-mail address.',
      'Enter a whole phone number.',
      '{sender} is not a field.',
    ])
      await dialog.getByText(sentence, { exact: true }).waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('Port').fill(String(mail.port));
    await dialog.getByLabel('From address').fill('fax@example.org');
    await dialog.getByLabel('Recipients').fill(ALICE);
    await dialog.getByLabel('Only faxes to this number').fill('');
    await dialog.getByLabel('Subject').fill('Fax from {from_number}');
    await dialog.getByLabel('Subject').press('Enter');
    await row(page, 'Front desk').getByText('Not tested since the last change').waitFor();
    await page.getByRole('button', { name: 'Test: Front desk' }).press('Enter');
    await row(page, 'Front desk')
      .getByText('The e-mail server accepted a test message for the recipient.')
      .waitFor();
    expect([mail.mails.length, withFax().length]).toEqual([1, 0]);
    await expectAccessible(page);
    const document = textPdf(2);
    const fax = await received(document);
    await row(page, 'Front desk')
      .getByText(/^Delivered, /u)
      .waitFor();
    await webConsole.gateway.processAll();
    expect(withFax().map(({ to }) => to)).toEqual([[ALICE]]);
    expect(partOf(withFax()[0], 'application/pdf').equals(document)).toBe(true);
    await openDrawer(page, fax.id);
    await byEmail(page).getByRole('listitem').filter({ hasText: ALICE }).getByText('Delivered').waitFor();
    await expectAccessible(page);
  });

  test('keeps its password to itself, and is changed, turned off and removed as it was read', async (context) => {
    const signIn = { username: 'fax', password: 'not-to-be-seen' };
    const { id } = await connect({ security: 'tls', ...signIn });
    const { page, complaints } = await webConsole.open(context, { path: '/settings/e-mail' });
    const change = page.getByRole('button', { name: 'Change…: Front desk' });
    await change.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('A password is stored. Leave this empty to keep it.').waitFor();
    expect(await dialog.getByLabel('Password', { exact: true }).inputValue()).toBe('');
    await dialog.getByLabel('Port').fill('4650');
    await dialog.getByText(/^Enter the password again: the server, its port/u).waitFor();
    await save(page);
    expect(await dialog.getByLabel('Password', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    // Somebody else is faster.
    complaints.allow('409 PUT /intake/connectors/');
    const [before] = await connectors();
    const other = {
      ...fieldsOf({ security: 'tls', username: 'fax', name: 'Reception' }),
      version: before?.version,
    };
    await request('PUT', `/intake/connectors/${id}`, other);
    await dialog.getByLabel('Password', { exact: true }).fill('another');
    await save(page);
    await dialog.getByText('Someone else changed this connector').waitFor();
    await dialog.getByRole('button', { name: 'Reload' }).click();
    await expect.poll(() => dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('Reception');
    await dialog.getByLabel('Name', { exact: true }).fill('Reception 2');
    await save(page);
    await row(page, 'Reception 2').waitFor();
    await page.getByRole('button', { name: 'Turn off: Reception 2' }).click();
    await row(page, 'Reception 2').getByText('Off', { exact: true }).waitFor();
    expect(await connectors()).toMatchObject([
      { name: 'Reception 2', enabled: false, has_password: true, username: 'fax' },
    ]);
    await page.getByRole('button', { name: 'Remove…: Reception 2' }).press('Enter');
    await page.getByText('Remove the e-mail connector Reception 2?').waitFor();
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Keep it');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Remove it' }).click();
    await page.getByText('No e-mail connectors yet').waitFor();
    expect(await connectors()).toEqual([]);
  });

  test('is chosen by its name for the daily summary', async (context) => {
    await connect({ name: 'Head office' });
    await connect();
    const { page } = await webConsole.open(context, { path: '/settings/e-mail' });
    const summary = page.getByRole('region', { name: 'Daily summary' });
    await summary.getByRole('button', { name: /Daily summary by/u }).click();
    await page.getByRole('option', { name: 'Head office' }).click();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Your changes were saved.').first().waitFor();
    const { settings } = await request<{ settings: { name: string; value: unknown }[] }>(
      'GET',
      '/admin/settings',
    );
    expect(settings.find(({ name }) => name === 'SUMMARY_CONNECTOR')?.value).toBe('Head office');
    await expectAccessible(page);
    await webConsole.gateway.set({ SUMMARY_CONNECTOR: null });
  });

  test('signs in with OAuth 2, by the steps of its provider, and no more', async (context) => {
    await connect({ username: 'fax@example.org' });
    const { page } = await webConsole.open(context, { path: '/settings/e-mail' });
    await page.getByRole('button', { name: 'OAuth 2…: Front desk' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'OAuth 2 sign-in of Front desk' });
    await dialog.getByText('In the Entra admin center, under App registrations').waitFor();
    await dialog.getByLabel('Client ID').fill('app 1');
    await save(page);
    await dialog.getByText('Fill in this field.').waitFor();
    await dialog.getByText('Copy it again:').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: /Provider/u }).click();
    await page.getByRole('option', { name: 'Google' }).click();
    await dialog.getByText('In the Google Cloud console, create a project').waitFor();
    await dialog.getByLabel('Client ID').fill('app-1');
    await dialog.getByLabel('Client secret', { exact: true }).fill('secret');
    await dialog.getByLabel('Refresh token', { exact: true }).fill('token');
    await save(page);
    await row(page, 'Front desk').getByText('OAuth 2 at Google').waitFor();
    expect(await connectors()).toMatchObject([{ has_oauth: true, oauth_provider: 'google' }]);
    await page.getByRole('button', { name: 'OAuth 2…: Front desk' }).click();
    await dialog.getByText('A sign-in is stored and never shown.').waitFor();
    await dialog.getByRole('button', { name: 'Remove the sign-in' }).click();
    await row(page, 'Front desk').getByText('OAuth 2 at Google').waitFor({ state: 'detached' });
    expect(await connectors()).toMatchObject([{ has_oauth: false, oauth_provider: null }]);
  });

  test('says why a test failed', async (context) => {
    mail.faults = { recipients: { [BOB]: { code: 550, text: 'No such user' } } };
    await connect();
    const { page } = await webConsole.open(context, { path: '/settings/e-mail' });
    await page.getByRole('button', { name: 'Test: Front desk' }).click();
    await row(page, 'Front desk')
      .getByText(/bob@example\.com: .*No such user/u)
      .waitFor();
  });
});

describe('an e-mail that may or may not have arrived', () => {
  test('shows a question in the details at once, and is not sent again once it arrived', async (context) => {
    await connect();
    mail.faults = { cut: 'after keeping' };
    const { page } = await webConsole.open(context, { path: '/inbox' });
    const fax = await received();
    mail.faults = {};
    await openDrawer(page, fax.id);
    await byEmail(page).getByText('Did this e-mail arrive?').waitFor();
    await expectAccessible(page);
    await byEmail(page).getByRole('button', { name: 'It arrived' }).press('Enter');
    await byEmail(page).getByText('Mara Okafor confirmed that it arrived.').first().waitFor();
    await byEmail(page).getByText('Did this e-mail arrive?').waitFor({ state: 'detached' });
    // A session does not last so long, and an open page would ask with one that has ended.
    await page.close();
    webConsole.gateway.clock.advance(DAY);
    await webConsole.gateway.processAll();
    expect(mail.inboxes).toEqual({ [ALICE]: 1, [BOB]: 1 });
  });

  test('is sent once more when it did not, and the open details follow what becomes of it', async (context) => {
    await connect({ recipients: [ALICE] });
    mail.faults = { cut: 'after data' };
    const { page } = await webConsole.open(context, { path: '/inbox' });
    const fax = await received();
    await openDrawer(page, fax.id);
    await byEmail(page).getByRole('button', { name: 'It did not arrive' }).click();
    await byEmail(page).getByText('Waiting to be sent').waitFor();
    mail.faults = {};
    // Nobody acts in this window: it receives an event.
    await webConsole.gateway.processAll();
    await byEmail(page).getByRole('listitem').getByText('Delivered').waitFor();
    expect(mail.inboxes).toEqual({ [ALICE]: 1 });
  });
});

describe('E-mail deliveries', () => {
  test('are listed by state, come from the warnings of System, and are sent again there', async (context) => {
    const connector = await connect();
    const good = await received();
    await request('POST', `/intake/connectors/${connector.id}/remove`, { version: connector.version });
    const gone = await connect({ name: 'Pharmacy' });
    mail.faults = { recipients: { [BOB]: { code: 550, text: 'No such user' } } };
    const bad = await received();
    await request('POST', `/intake/connectors/${gone.id}/remove`, { version: gone.version });
    webConsole.gateway.clock.advance(DAY);
    await webConsole.gateway.processAll();
    const { page } = await webConsole.open(context, { path: '/system/health' });
    await page.getByRole('link', { name: 'Show e-mails that failed' }).click();
    const list = page.getByRole('grid', { name: 'E-mail deliveries, newest first' });
    await list.getByText(bad.shown).waitFor();
    await expect.poll(() => list.getByText(good.shown).count()).toBe(0);
    await page.getByRole('button', { name: /^All/u }).click();
    await list.getByText(good.shown).waitFor();
    await list.getByRole('row').filter({ hasText: bad.shown }).click();
    const open = page.getByRole('region', { name: 'This e-mail delivery' });
    await open.getByText('The e-mail connector was removed.').waitFor();
    await expectAccessible(page);
    await open.getByRole('button', { name: 'Send again' }).press('Enter');
    await open.getByText('Waiting to be sent').waitFor();
    await list.getByRole('row').filter({ hasText: bad.shown }).getByText('Waiting to be sent').waitFor();
    // It cannot be sent, as its connector is gone; the list and the open delivery receive an event.
    await webConsole.gateway.processAll();
    await open.getByRole('button', { name: 'Send again' }).waitFor();
    await open.getByRole('link', { name: 'Open the fax' }).click();
    await page.getByRole('region', { name: 'Fax', exact: true }).getByText(bad.shown).first().waitFor();
  });

  test('are read without a way to change them by who may only read', async (context) => {
    await connect();
    mail.faults = { cut: 'after keeping' };
    const fax = await received();
    const key = await webConsole.keyWith('mailboxes:read', 'settings:read', 'inbound:list', 'inbound:read');
    const { page } = await webConsole.open(context, { as: { key }, path: '/settings/e-mail' });
    await row(page, 'Front desk')
      .getByText(/^Needs a check, /u)
      .waitFor();
    expect(await row(page, 'Front desk').getByRole('button').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Add connector…' }).count()).toBe(0);
    await page.goto('/admin/ui/system/deliveries');
    await page.getByRole('row').filter({ hasText: fax.shown }).click();
    const open = page.getByRole('region', { name: 'This e-mail delivery' });
    await open.getByText('Someone who can change the settings can answer this.').waitFor();
    expect(await open.getByRole('button').allTextContents()).toEqual(['']);
  });
});
