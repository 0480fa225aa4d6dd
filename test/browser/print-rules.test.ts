import type { Page } from 'playwright';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { IppPrinter } from '../setup/emulators/printer/ipp-printer.ts';
import { SECOND } from '../setup/manual-clock.ts';
import { expectAccessible, testConsole } from './console.ts';
import { arrive, details, nextSender, RECEIVING } from './inbox-page.ts';

const printer = new IppPrinter();
const webConsole = testConsole(async () => {
  await printer.open();
  return { settings: RECEIVING };
});
afterAll(() => printer.close());

async function request<Answer>(method: string, path: string, json?: unknown): Promise<Answer> {
  const answer = await webConsole.gateway.request(method, path, { json });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

interface Rule {
  readonly id: string;
  readonly version: number;
}

const rules = async () => (await request<{ items: Rule[] }>('GET', '/print-rules')).items;
const addRule = (given: object = {}) =>
  request<Rule>('POST', '/print-rules', {
    name: 'Front desk',
    printer: 'Reception',
    printer_url: printer.url,
    ...given,
  });

afterEach(async () => {
  printer.print();
  await pass(15);
  for (const { id, version } of await rules())
    await request('POST', `/print-rules/${id}/remove`, { version });
});

async function pass(seconds: number): Promise<void> {
  webConsole.gateway.clock.advance(seconds * SECOND);
  printer.upTime += seconds;
  await webConsole.gateway.processAll();
}

/** A fax comes in, and its printing is begun. */
async function received(): Promise<{ id: string; shown: string }> {
  const { e164, shown } = nextSender();
  await arrive(webConsole, { from: e164 });
  const faxes = await request<{ id: string; fr: string }[]>('GET', '/inbound');
  return { id: faxes.find(({ fr }) => fr === e164)?.id ?? '', shown };
}

const row = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true });
const save = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Save' }).press('Enter');
const onPaper = (page: Page) => details(page).getByRole('region', { name: 'On paper' });

/** The pane with the details stays open or closed, as it was last. */
async function openDrawer(page: Page, fax: string): Promise<void> {
  await page.goto(`/admin/ui/inbox/${fax}`);
  const button = page.getByRole('button', { name: 'Details', exact: true });
  await button.waitFor();
  if ((await button.getAttribute('aria-pressed')) !== 'true') await button.press('Enter');
  await onPaper(page).waitFor();
}

describe('a print rule', () => {
  test('is set up and checked in Settings by keyboard, and a fax is printed once and shows it in its details', async (context) => {
    const { page } = await webConsole.open(context, { path: '/settings/printing' });
    await page.getByText('No print rules yet').waitFor();
    await page.getByRole('button', { name: 'Add print rule…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New print rule' });
    await expect.poll(() => dialog.locator(':focus').getAttribute('maxlength')).toBe('100');
    await page.keyboard.type('Front desk');
    await dialog.getByLabel('Hours').fill('at night');
    await save(page);
    for (const sentence of [
      'Enter days and times such as Mon-Fri 08:00-17:00, or leave the field empty.',
      'Fill in this field.',
    ])
      await dialog.getByText(sentence, { exact: true }).first().waitFor();
    await dialog.getByLabel('Name of the printer').fill('Reception');
    await dialog.getByLabel('Address of the printer').fill('http://192.0.2.30');
    await dialog.getByText('Enter an address that begins with ipp:// or ipps://.').waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('Address of the printer').fill(printer.url);
    await dialog.getByRole('button', { name: 'Check printer' }).press('Enter');
    await dialog.getByText('Example Laser 5 answers and can print faxes.').waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('Hours').fill('Mon-Sun 00:00-24:00');
    await dialog.getByLabel('Hours').press('Enter');
    await row(page, 'Front desk').getByText('For all mailboxes').waitFor();
    printer.reasons = ['media-jam'];
    await page.getByRole('button', { name: 'Check printer: Front desk' }).press('Enter');
    await row(page, 'Front desk').getByText('Paper is jammed in the printer. Remove it.').waitFor();
    printer.reasons = ['none'];
    await expectAccessible(page);
    const fax = await received();
    printer.print();
    await pass(15);
    await row(page, 'Front desk')
      .getByText(/^Printed, /u)
      .waitFor();
    expect(printer.jobs).toHaveLength(1);
    await openDrawer(page, fax.id);
    await onPaper(page)
      .getByText(/^Printed on Reception, /u)
      .waitFor();
    await expectAccessible(page);
  });

  test('is changed, turned off and removed', async (context) => {
    await addRule({ hours: [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '17:00' }] });
    const { page } = await webConsole.open(context, { path: '/settings/printing' });
    await row(page, 'Front desk').getByText('Mon-Fri 08:00-17:00').waitFor();
    expect(await page.getByRole('button', { name: 'Save changes' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Change…: Front desk' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Change Front desk' });
    await dialog.getByLabel('Hours').fill('');
    await save(page);
    await row(page, 'Front desk').getByText('Always').waitFor();
    await page.getByRole('button', { name: 'Turn off: Front desk' }).press('Enter');
    await row(page, 'Front desk').getByText('Off', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Remove…: Front desk' }).press('Enter');
    await page.getByRole('button', { name: 'Remove it' }).press('Enter');
    await page.getByText('No print rules yet').waitFor();
  });
});

describe('a fax that may have been printed', () => {
  test('is asked about in System and in its details, and printed again only when a person says so', async (context) => {
    await addRule();
    printer.keepsHistory = false;
    const fax = await received();
    printer.print();
    printer.upTime = 1;
    await pass(15);
    printer.upTime = 20_000;
    const { page } = await webConsole.open(context, { path: '/system/health' });
    await page.getByRole('link', { name: 'Show faxes that may have been printed' }).press('Enter');
    const list = page.getByRole('grid', { name: 'Printouts of received faxes, newest first' });
    await list.getByText(fax.shown).click();
    const open = page.getByRole('region', { name: 'This printout' });
    await open.getByText('Was this fax printed?').waitFor();
    await open.getByText(/^The printer received the fax but has no record of it now, /u).waitFor();
    await expectAccessible(page);
    const before = printer.submitted;
    await open.getByRole('button', { name: 'Print again' }).press('Enter');
    await open.getByText('Waiting to be printed').waitFor();
    await webConsole.gateway.processAll();
    await open.getByText('At the printer').waitFor();
    expect(printer.submitted).toBe(before + 1);
    printer.print();
    await pass(15);
    await open.getByText('Given to the printer; it does not report when a job is printed.').waitFor();
    await openDrawer(page, fax.id);
    await onPaper(page).getByText('Given to the printer', { exact: true }).waitFor();
    await expectAccessible(page);
    printer.keepsHistory = true;
  });

  test('is shown above Inbox and Work to a person at the desk, who decides it by keyboard', async (context) => {
    await addRule();
    printer.keepsHistory = false;
    const desk = await webConsole.keyWith('inbound:list', 'inbound:read', 'inbound:document', 'work:read');
    const { page } = await webConsole.open(context, { path: '/inbox', as: { key: desk } });
    const fax = await received();
    await page.getByText(fax.shown).first().waitFor();
    const strip = page.getByRole('button', { name: 'Look at the printer: 1 fax' });
    expect(await strip.count()).toBe(0);
    printer.print();
    printer.upTime = 1;
    await pass(15);
    printer.upTime = 40_000;
    await strip.waitFor();
    await expectAccessible(page);
    await openDrawer(page, fax.id);
    await onPaper(page).getByText('Was this fax printed?').waitFor();
    await page.goto('/admin/ui/work');
    await strip.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Look at the printer' });
    const item = dialog.getByRole('listitem').filter({ hasText: fax.shown });
    await item.getByText('Was this fax printed?').waitFor();
    await expectAccessible(page);
    await item.getByRole('button', { name: 'It was printed' }).press('Enter');
    await dialog.getByText('Nothing is left to check.').waitFor();
    // The button that had the focus is gone with its fax.
    await dialog.locator(':focus').or(page.locator('[role=dialog]:focus')).first().waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await strip.waitFor({ state: 'detached' });
    const [printout] = (await request<{ items: { state: string }[] }>('GET', `/printouts?fax_id=${fax.id}`))
      .items;
    expect(printout?.state).toBe('printed');
    // The strip had the focus; what stays takes it over.
    await expect.poll(() => page.evaluate('document.activeElement !== document.body')).toBe(true);
    printer.keepsHistory = true;
  });
});
