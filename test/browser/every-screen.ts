import type { Page, Request } from 'playwright';
import { INSTALLATION } from '../../shared/permissions.ts';
import type { TestConsole } from './console.ts';
import { arrive } from './inbox-page.ts';
import { OtherAdministrator } from './other-administrator.ts';
import { deliveredFax, heldFax, nextNumber, unconfirmedFax } from './sent-page.ts';

/** Something of every kind that screens show; answers the addresses of all screens, each with what it shows at last. */
export async function everyScreen(webConsole: TestConsole): Promise<readonly (readonly [string, string])[]> {
  const { gateway } = webConsole;
  const administrator = new OtherAdministrator(webConsole);
  const delivered = await deliveredFax(webConsole, nextNumber().e164);
  const unconfirmed = await unconfirmedFax(webConsole, nextNumber().e164);
  const held = await heldFax(webConsole, nextNumber().e164);
  const connector = {
    name: 'Front desk',
    host: '127.0.0.1',
    port: 9,
    security: 'none',
    from_address: 'fax@example.org',
    recipients: 'desk@example.com',
  };
  await gateway.request('POST', '/intake/connectors', { json: connector });
  const rule = { name: 'Front desk', printer: 'Reception', printer_url: 'ipp://127.0.0.1:9/ipp/print' };
  await gateway.request('POST', '/print-rules', { json: rule });
  const route = { name: 'Germany by Phaxio', backend: 'cloudone', prefixes: ['+4930'] };
  await gateway.request('POST', '/routing/routes', { json: route });
  await arrive(webConsole, { from: '+13605550141', pages: 2 });
  const received = (await (await gateway.request('GET', '/inbound')).json()) as {
    id: string;
    work_item_id: string;
  }[];
  const person = await administrator.createPerson('Edda Nilsen', 'edda');
  const group = await administrator.createGroup('Nurses');
  const json = {
    name: 'Alder Pharmacy',
    fax_number: '+13605550141',
    organization: 'Alder Group',
    note: 'Ask for Dana',
  };
  const contact = (await (await gateway.request('POST', '/contacts', { json })).json()) as { id: string };
  const prices = {
    per_page: '0.07',
    per_minute: '0.012',
    monthly_fee: '9.90',
    included_pages: 500,
    source: 'Contract of March',
  };
  const card = { backend: 'cloudone', currency: 'USD', ...prices };
  const entered = await gateway.request('POST', '/routing/rate-cards', { json: card });
  if (!entered.ok) throw new Error(await entered.text());
  await webConsole.keyWith('fax:read');
  return [
    ['/send', 'Drop files here'],
    ['/inbox', 'Alder Pharmacy'],
    [`/inbox/${received[0]?.id}`, 'Rotate'],
    ['/inbox?state=junk', 'Blocked senders'],
    ['/work?view=all', 'Alder Pharmacy'],
    [`/work/${received[0]?.work_item_id}?view=all`, 'Note when done'],
    ['/work/statistics', 'Acknowledged in time'],
    ['/sent', 'Delivered'],
    [`/sent/${delivered.id}`, 'Show who opened it'],
    [`/sent/${held.id}`, 'Show who opened it'],
    [`/sent/${unconfirmed.id}`, 'Show who opened it'],
    [`/send/${delivered.id}`, 'Show in Sent'],
    [`/send/${held.id}`, 'Show in Sent'],
    [`/send/${unconfirmed.id}`, 'Show in Sent'],
    ['/contacts', 'Alder Group'],
    [`/contacts/${contact.id}`, 'Show sent faxes'],
    ['/contacts/covers/confidential', 'Make a copy'],
    ['/costs', 'Fax costs'],
    ['/costs/rate-cards', 'Contract of March'],
    ['/cases', 'No cases yet'],
    ['/sent/broadcasts', 'No broadcasts yet'],
    ['/sent/calendar', 'No fax waits for its time'],
    ['/access/people', 'Edda Nilsen'],
    [`/access/people/${person.id}`, 'Rename…'],
    ['/access/groups', 'Nurses'],
    [`/access/groups/${group.id}`, 'Add member'],
    ['/access/roles', 'Auditor'],
    ['/access/assignments', 'Everything'],
    ['/access/keys', 'Viewer'],
    ['/access/webhooks', 'No webhooks yet'],
    ['/access/sessions', 'This session'],
    ['/access/mailboxes', 'Apply to older faxes'],
    ['/access/devices', 'No paired devices'],
    ['/access/audit', 'Mara Okafor'],
    ['/settings/sending', 'Hold all faxes'],
    ['/settings/routes', 'Germany by Phaxio'],
    ['/settings/receiving', 'Receive faxes'],
    ['/settings/e-mail', 'desk@example.com'],
    ['/settings/printing', 'Reception'],
    ['/settings/cloudone', 'Check connection'],
    ['/settings/phone-line', 'Check the line'],
    ['/system/health', 'Background work'],
    ['/system/computers', 'Set it up'],
    ['/system/backups', 'Backup folder'],
    ['/system/data-key', 'Replace the data key'],
    ['/system/deliveries', 'Front desk'],
    ['/system/printouts', 'Reception'],
    ['/system/messages', 'No e-mails to be faxed yet'],
    ['/system/archives', 'Check the file'],
    ['/system/holds', 'No legal holds'],
    ['/system/notices', 'Nothing to change'],
    ['/system/log', 'Search the log'],
    ['/system/terminal', 'Open terminal'],
    ['/system/interface', 'API address'],
    ['/my-sign-in', 'Where you are signed in'],
    ['/my-settings', 'New phrase…'],
    ['/help', 'Find anything'],
    ['/help/work-queue', 'States of an item'],
    ['/setup/earlier', 'Folder of files'],
    ['/setup/provider', 'Check connection'],
    ['/setup/number', 'Own fax number'],
    ['/setup/receiving', 'Arrival of faxes'],
    ['/setup/test', 'Fax number for the test page'],
  ];
}

/**
 * Creates people, permissions, keys, sessions and backups that no other test needs, so that their removal can be
 * confirmed.
 */
export async function createRemovable(webConsole: TestConsole) {
  const { gateway } = webConsole;
  const administrator = new OtherAdministrator(webConsole);
  const { rooms } = administrator;
  const person = await administrator.createPerson('Otto Lind', 'otto');
  const group = await administrator.createGroup('Trainees');
  for (const name of ['Nora Dahl', 'Pia Holm']) {
    const member = await administrator.createPerson(name, name.slice(0, 3).toLowerCase());
    const body = {
      principal_id: member.id,
      group_version: (await rooms.groups.getGroup({ params: { id: group.id } })).group.version,
      principal_version: member.version,
      expected_policy_version: await administrator.policyVersion(),
    };
    await rooms.groups.addMember({ params: { id: group.id }, body });
  }
  const { items: roles } = await rooms.roles.listRoles({ query: {} });
  const auditor = roles.find(({ name }) => name === 'Auditor')?.id ?? '';
  await administrator.assignRole(person, auditor, INSTALLATION);
  await administrator.createKey(person.id, 'Scanner');
  const mailbox = await administrator.createMailbox('Ward 3');
  await gateway.request('POST', '/auth/login', {
    key: null,
    json: { login: 'otto', password: person.temporary_password },
    headers: { Origin: gateway.url },
  });
  return { person, group, mailbox };
}

/** Opens a screen anew without loading the page; the keyboard is where it begins. */
export async function goTo(page: Page, path: string, shows: string): Promise<void> {
  await open(page, '/nowhere');
  await page.getByText('Screen not found').waitFor();
  await open(page, path);
  await page.locator('main :focus').waitFor({ state: 'attached' });
  await page.locator('main').getByText(shows).or(page.locator('main').getByLabel(shows)).first().waitFor();
}

async function open(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, '', '/admin/ui${path}'); dispatchEvent(new PopStateEvent('popstate'))`,
  );
}

/** Waits until the page has drawn the result of a key press and no request is pending. */
export class PageIdle {
  readonly #page: Page;
  #open = 0;

  constructor(page: Page) {
    this.#page = page;
    const isStream = (url: string) => /\/console\/(?:events|terminals\/[^/]+\/output)/u.test(url);
    page.on('request', (request) => void (isStream(request.url()) || (this.#open += 1)));
    const ended = (request: Request) => void (isStream(request.url()) || (this.#open -= 1));
    page.on('requestfinished', ended);
    page.on('requestfailed', ended);
  }

  async settled(): Promise<void> {
    do await this.#page.evaluate(FRAMES);
    while (this.#open > 0);
  }
}

const FRAMES = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))`;

/** Returns the role or tag of the focused element, and its name; null when nothing has the focus. */
export async function focusOn(page: Page): Promise<string | null> {
  const shown = (await page.evaluate(FOCUS)) as string | null;
  if (shown !== null) return shown;
  // A screen that marks no beginning is waited for a moment.
  await page
    .locator(':focus')
    .waitFor({ state: 'attached', timeout: 2_000 })
    .catch(() => undefined);
  return (await page.evaluate(FOCUS)) as string | null;
}

const FOCUS = `(() => {
  const it = document.activeElement;
  if (it === null || it === document.body || !it.checkVisibility()) return null;
  const name = it.getAttribute('aria-label') ?? it.labels?.[0]?.textContent ?? it.textContent;
  return (it.getAttribute('role') ?? it.localName) + ' ' + name.trim().slice(0, 60);
})()`;
