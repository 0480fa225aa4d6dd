import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { clinic, mailboxSettings, NUMBER, signed } from '../api/mail-to-fax-setup.ts';
import { type Dovecot, needDovecot } from '../setup/dovecot.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { dnsOf } from '../setup/signed-mail.ts';
import { expectAccessible, MARA, testConsole } from './console.ts';
import { OtherAdministrator } from './other-administrator.ts';

const JONAS = 'jonas@clinic.example';
const webConsole = testConsole({ resolveDns: dnsOf([clinic], new Set()) });
const administrator = new OtherAdministrator(webConsole);

async function come(dovecot: Dovecot, ...messages: Buffer[]): Promise<void> {
  await dovecot.deliver(...messages);
  webConsole.gateway.clock.advance(MINUTE);
  await webConsole.gateway.processAll();
}

const senders = (page: Page) => page.getByRole('region', { name: 'E-mail to fax' });
const list = (page: Page) => page.getByRole('grid', { name: 'E-mails to be faxed, newest first' });

test('an address is let send faxes for a person, and its e-mails are listed with what became of them', async (context) => {
  const dovecot = await needDovecot(context);
  try {
    await webConsole.gateway.set(mailboxSettings(dovecot));
    const { items } = await administrator.rooms.people.listUsers({ query: { q: MARA.login } });
    const { page, complaints } = await webConsole.open(context, { path: `/access/people/${items[0]?.id}` });
    await senders(page).getByText('No e-mail address can send faxes for them.').waitFor();
    await senders(page).getByRole('button', { name: 'Add address' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: `Let an e-mail address send faxes for ${MARA.name}` });
    await dialog.getByLabel('E-mail address').waitFor();
    await page.keyboard.type(JONAS);
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await senders(page).getByText(JONAS, { exact: true }).waitFor();
    // An address that is a sender already cannot be added for another principal.
    await senders(page).getByRole('button', { name: 'Add address' }).press('Enter');
    complaints.allow('409 POST /mail-to-fax/senders');
    await dialog.getByLabel('E-mail address').fill(JONAS.toUpperCase());
    await page.keyboard.press('Enter');
    await dialog.getByText('This address already sends faxes.').waitFor();
    await page.keyboard.press('Escape');

    await come(dovecot, await signed({ from: JONAS }), await signed({ from: JONAS, subject: 'Hello' }));
    await page.goto('/admin/ui/system/messages');
    await list(page).getByRole('row').filter({ hasText: 'Sent as a fax' }).click();
    const open = page.getByRole('region', { name: 'This e-mail' });
    await open.getByText(MARA.name).waitFor();
    await expectAccessible(page);
    await list(page).getByRole('row').filter({ hasText: 'Refused' }).click();
    await open
      .getByText(/number/u)
      .first()
      .waitFor();
    await page.getByRole('button', { name: /^Sent as a fax/u }).click();
    await expect.poll(() => list(page).getByText('Refused').count()).toBe(0);
    await list(page).getByRole('row').filter({ hasText: JONAS }).click();
    await open.getByRole('link', { name: 'Open the fax' }).click();
    await page.getByRole('complementary').getByText('It arrived by e-mail.').first().waitFor();
    expect(page.url()).toContain('/sent/');

    await page.goto(`/admin/ui/access/people/${items[0]?.id}`);
    await senders(page)
      .getByRole('button', { name: `Remove ${JONAS}` })
      .press('Enter');
    await page.getByRole('button', { name: 'Remove the address' }).click();
    await senders(page).getByText('No e-mail address can send faxes for them.').waitFor();
    await come(dovecot, await signed({ from: JONAS, subject: NUMBER }));
    await page.goto('/admin/ui/system/messages?state=refused');
    await expect.poll(() => list(page).getByText('Refused').count()).toBe(2);
  } finally {
    await dovecot.close();
  }
});
