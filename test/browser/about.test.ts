import { expect, test } from 'vitest';
import { InboundGateway } from '../api/inbound-setup.ts';
import { expectAccessible, testConsole } from './console.ts';
import {
  arrive,
  details as inboxDetails,
  rowOf as inboxRow,
  nextSender,
  openDetails,
  RECEIVING,
} from './inbox-page.ts';
import { letter, markReached, SendPage } from './send-page.ts';
import { details, nextNumber, rowOf } from './sent-page.ts';

const ABOUT = { subject: 'Knee X-ray', reference: 'Patient 4711', document_type: 'Referral' };
const LINE = 'Referral · Knee X-ray · Patient 4711';

const webConsole = testConsole({
  settings: { ...RECEIVING, REFERENCE_LABEL: 'Patient', DOCUMENT_TYPES: 'Referral,Lab result' },
});
const focused = (page: { evaluate: (text: string) => Promise<unknown> }) =>
  page.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.value');

test('the last fax to a number proposes subject, reference and type, and the lists show them at a glance', async (context) => {
  const number = nextNumber();
  await markReached(webConsole.gateway, number.e164);
  await webConsole.gateway.send({ to: number.e164, ...ABOUT });
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await send.number(number.shown);
  await page.getByText(`Last fax: ${LINE}`).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Use the same' }).focus();
  await page.keyboard.press('Enter');
  // The values of another fax are to be checked.
  await expect.poll(() => focused(page)).toBe('Knee X-ray');
  await page.keyboard.press('Tab');
  await expect.poll(() => focused(page)).toBe('Patient 4711');
  await page.keyboard.type('Patient 4712');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('lab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => page.getByRole('combobox', { name: 'Document type' }).inputValue())
    .toBe('Lab result');
  await expectAccessible(page);
  await send.add(letter());
  await send.drawn();
  await send.kept();
  await page.reload();
  await page.getByRole('button', { name: 'About Lab result · Knee X-ray · Patient 4712' }).waitFor();
  await send.send.click();
  await page.waitForURL(/\/send\/.+/u);
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  expect(await webConsole.gateway.fax(id)).toMatchObject({
    subject: 'Knee X-ray',
    reference: 'Patient 4712',
    document_type: 'Lab result',
  });
  await page.goto(`/admin/ui/sent/${id}`);
  await rowOf(page, number.shown).getByText('Lab result · Knee X-ray · Patient 4712').waitFor();
});

test('what a sent fax is about is changed by keyboard, and a change of somebody else in between is shown', async (context) => {
  const number = nextNumber();
  const fax = await webConsole.gateway.send({ to: number.e164, ...ABOUT });
  const { page, complaints } = await webConsole.open(context, { path: `/sent/${fax.id}` });
  complaints.allow('409 POST /fax/');
  const change = details(page).getByRole('button', { name: 'Change', exact: true });
  await change.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('Knee X-ray');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Change');
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('Knee X-ray');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Hip');
  const json = { subject: 'Shoulder' };
  await webConsole.gateway.request('POST', `/fax/${fax.id}/about`, { json });
  await rowOf(page, number.shown).getByText('Referral · Shoulder · Patient 4711').waitFor();
  await page.keyboard.press('Enter');
  await details(page).getByText('It now says “Referral · Shoulder · Patient 4711”.').waitFor();
  expect((await webConsole.gateway.fax(fax.id)).subject).toBe('Shoulder');
  await page.keyboard.press('Enter');
  await rowOf(page, number.shown).getByText('Referral · Hip · Patient 4711').waitFor();
  await details(page).getByText('Subject set to “Hip”.').waitFor();
});

test('what a received fax is about is recorded in its details, and inbox and work show it', async (context) => {
  const sender = nextSender();
  await arrive(webConsole, { from: sender.e164 });
  const [fax] = await new InboundGateway(webConsole.gateway).list('?limit=1');
  const { page } = await webConsole.open(context, { path: `/inbox/${fax?.id}` });
  await openDetails(page);
  await inboxDetails(page).getByRole('button', { name: 'Add subject or reference' }).click();
  await page.keyboard.type('Blood values');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Patient 99');
  await page.keyboard.press('Enter');
  await inboxRow(page, sender.shown).getByText('Blood values · Patient 99').waitFor();
  await expectAccessible(page);
  await page.goto('/admin/ui/work');
  const row = page.getByRole('row').filter({ hasText: sender.shown });
  await row.getByText('Blood values · Patient 99').waitFor();
  await expectAccessible(page);
});
