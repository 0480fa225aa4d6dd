import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { AccessAdministrator } from '../setup/access-administrator.ts';
import { textFile } from '../setup/gateway.ts';
import { SECOND } from '../setup/manual-clock.ts';
import { testConsole } from './console.ts';
import { arrive, RECEIVING } from './inbox-page.ts';
import { endFax, nextNumber } from './sent-page.ts';

/** Text that sets `window.attacked` wherever it is inserted as HTML. */
const HOSTILE = '"><img src=x onerror="window.attacked=1"><svg onload="window.attacked=1">';
const SHORT = '<img src=x onerror=window.attacked=1>';

const webConsole = testConsole({ settings: RECEIVING });

/** Puts hostile texts wherever a stranger controls a text that the console shows. */
async function fillWithHostileTexts(): Promise<void> {
  const { gateway } = webConsole;
  const administrator = new AccessAdministrator(gateway);
  const form = new FormData();
  form.append('to', nextNumber().e164);
  form.append('titles', SHORT);
  form.append('file', textFile('Dear colleague', `${SHORT}.txt`));
  const sent = await gateway.request('POST', '/fax', { form });
  expect(sent.status).toBe(202);
  const { id } = (await sent.json()) as { id: string };
  await gateway.processAll();
  await endFax(webConsole, await gateway.fax(id), HOSTILE);
  await arrive(webConsole, { from: SHORT });

  const integration = await administrator.integration(SHORT);
  const group = await administrator.group(SHORT);
  const role = await administrator.role(SHORT, ['fax:read']);
  const mailbox = await administrator.mailbox(SHORT);
  await administrator.assign(group, role, `mailbox:${mailbox.id}`, 'group');
  const { group: now } = await administrator.get(`/access/groups/${group.id}`);
  await administrator.join(now, integration);
  await administrator.key(integration, ['fax:read'], { name: SHORT });
  const paired = await gateway.request('POST', '/admin/tunnel/pair');
  const { code } = (await paired.json()) as { code: string };
  const device = { code, device_name: SHORT };
  expect((await gateway.request('POST', '/mobile/pair', { key: null, json: device })).status).toBe(200);
  const headers = { Origin: gateway.url, 'User-Agent': HOSTILE };
  gateway.clock.advance(15 * SECOND);
  const { token } = await administrator.key(integration, ['fax:read']);
  const signedIn = await gateway.request('POST', '/auth/key-login', {
    key: null,
    json: { api_key: token },
    headers,
  });
  expect(signedIn.status).toBe(200);
}

/** Counts the attacks that ran, and the elements that a hostile text would have inserted. */
const countInjectedParts = (page: Page) =>
  page.evaluate(
    `[window.attacked ?? 0, document.querySelectorAll('[onerror], [onload], [src="x"], a[href^="javascript:"]').length]`,
  );

test('texts from strangers are shown as they are, and never run', async (context) => {
  await fillWithHostileTexts();
  const { page } = await webConsole.open(context, { path: '/sent' });
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await page.getByRole('grid', { name: 'Sent faxes' }).getByRole('row').nth(1).click();
  await page.getByText('onerror').filter({ visible: true }).first().waitFor();
  expect(await countInjectedParts(page)).toEqual([0, 0]);

  await page.goto('/admin/ui/inbox');
  await page.getByRole('grid', { name: 'Received faxes' }).getByRole('row').first().click();
  await page
    .getByRole('region', { name: 'Fax', exact: true })
    .getByRole('img', { name: /^Page/u })
    .first()
    .waitFor();
  expect(await countInjectedParts(page)).toEqual([0, 0]);

  for (const part of [
    'integrations',
    'groups',
    'roles',
    'assignments',
    'keys',
    'sessions',
    'mailboxes',
    'audit',
  ]) {
    await page.goto(`/admin/ui/access/${part}`);
    await page.getByText('onerror').filter({ visible: true }).first().waitFor();
    expect([part, await countInjectedParts(page)]).toEqual([part, [0, 0]]);
  }
  expect(dialogs).toEqual([]);
});
