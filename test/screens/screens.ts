import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { LOG_FILE } from '../../server/platform/log-file.ts';
import { PUBLIC_URL } from '../api/inbound-setup.ts';
import { emptyConsole, MARA, testConsole } from '../browser/console.ts';
import { viewer } from '../browser/inbox-page.ts';
import { pdf, SendPage } from '../browser/send-page.ts';
import { items, openItem } from '../browser/work-page.ts';
import { type Fax, INSTALLATION_KEY, type TestGateway } from '../setup/gateway.ts';
import { ManualClock } from '../setup/manual-clock.ts';
import type { Skippable } from '../setup/tools.ts';
import { fillAccess } from './access-example.ts';
import { letterPdf, reportPdf } from './documents.ts';
import { beginWork, fillFaxes, receiveFaxes, SENDERS } from './example-faxes.ts';
import { fillContacts, fillLine, fillPrices } from './example-line.ts';
import { sendByMail } from './example-mail.ts';

/** Every picture, not tracked. */
const FOLDER = fileURLToPath(new URL('../../out/screens/', import.meta.url));
/** The pictures that the documentation shows; one that is here already is renewed. */
const DOCUMENTED = fileURLToPath(new URL('../../docs/screens/', import.meta.url));
process.env['FONTCONFIG_FILE'] ??= fileURLToPath(new URL('fonts.conf', import.meta.url));

const APPEARANCES = [
  { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  { colorScheme: 'light', viewport: { width: 1024, height: 700 } },
  { colorScheme: 'dark', viewport: { width: 1024, height: 700 } },
] as const;
type Appearance = (typeof APPEARANCES)[number];

beforeAll(() => {
  const font = execFileSync('fc-match', ['--format=%{family}', 'system-ui'], { encoding: 'utf8' });
  if (!font.includes('Inter'))
    throw new Error(
      'The pictures show the font Inter. Install it first; on Debian: apt-get install fonts-inter',
    );
});

const webConsole = testConsole({
  clock: new ManualClock('2026-11-21T07:00:00.000Z'),
  settings: {
    FAX_ORGANIZATION: 'Alder Street Clinic',
    FAX_NUMBER: '+15035550119',
    INBOUND_ENABLED: 'true',
    PUBLIC_API_URL: PUBLIC_URL,
  },
});
const fresh = emptyConsole();

/** Takes a picture of the page. A palette of 128 colors keeps the file small without a visible loss. */
async function takePicture(page: Page, name: string, { colorScheme, viewport }: Appearance): Promise<void> {
  const fileName = `${name}-${colorScheme}-${viewport.width}.png`;
  const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  const small = await sharp(picture).png({ palette: true, colours: 128, effort: 8 }).toBuffer();
  await mkdir(FOLDER, { recursive: true });
  await writeFile(join(FOLDER, fileName), small);
  const documented = join(DOCUMENTED, fileName);
  if (existsSync(documented)) await writeFile(documented, small);
}

/** The clock of the page is the gateway's, so that both show the same times. */
const atGatewayTime = (now: () => number) => (page: Page) => page.clock.setFixedTime(now());

const shown = {
  async send(page: Page) {
    const send = await new SendPage(page).opened();
    await send.add(
      pdf(await letterPdf(), 'letter-mill-creek.pdf'),
      pdf(await reportPdf(), 'lab-report-1118.pdf'),
    );
    await send.number('(503) 555-0173');
    await send.drawn();
    await page.getByText(/^costs /u).waitFor();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('button').nth(1).click();
  },
};

/** Writes the log lines to the file in which a gateway in its own process keeps them. */
async function keepLog({ dataFolder, logLines }: TestGateway): Promise<void> {
  const folder = join(dataFolder, 'logs');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, LOG_FILE), logLines.join(''));
}

test('the daily screens', async (context) => {
  await fillLine(webConsole.gateway);
  const { unconfirmed, going } = await fillFaxes(webConsole.gateway);
  await fillContacts(webConsole.gateway);
  await fillPrices(webConsole.gateway);
  await sendByMail(webConsole.gateway, SENDERS.length, () => receiveFaxes(webConsole.gateway));
  await beginWork(webConsole.gateway);
  const access = await fillAccess(webConsole.gateway);
  await keepLog(webConsole.gateway);
  await webConsole.gateway.set({ HTTPS_ENABLED: true, HTTPS_HOST: '127.0.0.1', HTTPS_PORT: 0 });
  for (const look of APPEARANCES) {
    const open = async (path: string) => {
      const { page, complaints } = await webConsole.open(context, {
        path,
        ...look,
        prepare: atGatewayTime(() => webConsole.gateway.clock.now()),
      });
      // Looking whether a page is drawn reads its pixels.
      complaints.allow('Canvas2D');
      return page;
    };
    await takeDailyScreens(open, look, { unconfirmed, going });
    await takeAdministration(open, look, access);
    await signInScreens(context, look);
  }
});

const DRAWN = `[...document.querySelectorAll('main canvas')].every((canvas) =>
  canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data
    .some((part, at) => at % 4 < 3 && part > 0 && part < 90))`;

/** The PDF's pages are drawn in the page itself. */
async function waitForDocument(page: Page): Promise<void> {
  await page.locator('main canvas').nth(1).waitFor();
  await expect.poll(() => page.evaluate(DRAWN)).toBe(true);
}

type Open = (path: string) => Promise<Page>;

async function takeDailyScreens(
  open: Open,
  look: Appearance,
  faxes: { unconfirmed: Fax; going: Fax },
): Promise<void> {
  const page = await open('/send');
  await shown.send(page);
  await takePicture(page, 'send', look);
  await page.goto(`/admin/ui/send/${faxes.going.id}`);
  await waitForDocument(page);
  await takePicture(page, 'sending', look);
  await page.goto(`/admin/ui/send/${faxes.unconfirmed.id}`);
  await waitForDocument(page);
  await takePicture(page, 'needs-confirmation', look);
  await page.goto('/admin/ui/inbox');
  await page.getByRole('grid', { name: 'Received faxes' }).getByRole('row').nth(1).click();
  await viewer(page).getByRole('img', { name: /^Page/u }).first().waitFor();
  await page.waitForLoadState('networkidle').catch(() => undefined);
  await takePicture(page, 'inbox', look);
  await page.goto('/admin/ui/work?view=all');
  await items(page).getByRole('row').nth(1).click();
  await openItem(page).getByRole('img', { name: /^Page/u }).first().waitFor();
  await page.waitForLoadState('networkidle').catch(() => undefined);
  await takePicture(page, 'work', look);
  await page.goto(`/admin/ui/sent/${faxes.unconfirmed.id}`);
  await page.getByRole('button', { name: 'Yes, all pages' }).waitFor();
  await takePicture(page, 'sent', look);
  await page.keyboard.press('Control+K');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('503');
  await page.getByText('All sent faxes with “503”').waitFor();
  await takePicture(page, 'palette', look);
}

type Access = Awaited<ReturnType<typeof fillAccess>>;

async function takeAdministration(open: Open, look: Appearance, access: Access): Promise<void> {
  const page = await open('/settings');
  const screens = [
    ['contacts', '/contacts'],
    ['phone-line', '/settings/phone-line'],
    ['work-statistics', '/work/statistics'],
    ['costs', '/costs'],
    ['rate-cards', '/costs/rate-cards'],
    ['settings', '/settings'],
    ['e-mail', '/settings/e-mail'],
    ['provider', '/settings/cloudone'],
    ['health', '/system/health'],
    ['computers', '/system/computers'],
    ['backups', '/system/backups'],
    ['data-key', '/system/data-key'],
    ['e-mail-deliveries', '/system/deliveries'],
    ['e-mail-to-fax', '/system/messages'],
    ['archives', '/system/archives'],
    ['legal-holds', '/system/holds'],
    ['notices', '/system/notices'],
    ['logs', '/system/log'],
    ['terminal', '/system/terminal'],
    ['interface', '/system/interface'],
    ['access-person', `/access/people/${access.personId}`],
    ['access-integration', `/access/integrations/${access.integrationId}`],
    ['access-group', `/access/groups/${access.groupId}`],
    ['access-roles', '/access/roles'],
    ['access-grants', '/access/assignments'],
    ['access-keys', '/access/keys'],
    ['access-webhooks', '/access/webhooks'],
    ['access-sessions', '/access/sessions'],
    ['access-mailboxes', '/access/mailboxes'],
    ['access-devices', '/access/devices'],
    ['access-audit', '/access/audit'],
    ['my-sign-in', '/my-sign-in'],
  ] as const;
  for (const [name, path] of screens) {
    await page.goto(`/admin/ui${path}`);
    await page.getByRole('heading').first().waitFor();
    await page.waitForLoadState('networkidle').catch(() => undefined);
    expect(new URL(page.url()).pathname).toBe(`/admin/ui${path}`);
    expect(await page.locator('main [data-tone="danger"][role="alert"]').allTextContents()).toEqual([]);
    await takePicture(page, name, look);
  }
}

/** Signing in for the first time and again. */
async function signInScreens(context: Skippable, look: Appearance): Promise<void> {
  const { page } = await webConsole.open(context, { path: '/send', as: null, ...look });
  await heading(page, 'Sign in');
  await takePicture(page, 'sign-in', look);
  await page.getByLabel('Sign-in name').fill(MARA.login);
  await page.getByLabel('Password', { exact: true }).fill(MARA.password);
  await page.keyboard.press('Enter');
  await new SendPage(page).opened();
  await page.keyboard.press('Control+Shift+L');
  await heading(page, 'Locked');
  await takePicture(page, 'locked', look);
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

test.for(APPEARANCES)('the first start, %j', async (look, context) => {
  const { page } = await fresh.open(context, { as: null, ...look });
  const key = page.getByLabel('Installation key');
  await key.waitFor();
  await takePicture(page, 'welcome', look);
  await key.fill(INSTALLATION_KEY);
  await page.keyboard.press('Enter');
  await heading(page, 'Who is the owner?');
  await page.getByLabel('Your name').fill(MARA.name);
  await page.getByLabel('Password', { exact: true }).fill(MARA.password);
  await page.getByLabel('Repeat password').fill(MARA.password);
  await takePicture(page, 'first-start-owner', look);
  await page.keyboard.press('Enter');
  await heading(page, 'Which provider do you use?');
  await page.getByRole('radio', { name: /Phaxio/ }).check({ force: true });
  await page.getByLabel('API key', { exact: true }).fill('emulator-key');
  await page.getByLabel('API secret', { exact: true }).fill('emulator-secret');
  await page.getByRole('button', { name: /Check connection/ }).click();
  await page.getByRole('button', { name: /Check connection again/ }).waitFor();
  await takePicture(page, 'first-start-provider', look);
  await page.getByRole('button', { name: /Continue/ }).click();
  await heading(page, 'What should the header line say?');
  await page.getByRole('textbox', { name: 'Organization' }).fill('Alder Street Clinic');
  await page.getByRole('textbox', { name: 'Own fax number' }).fill('+15035550119');
  await takePicture(page, 'first-start-number', look);
  await page.getByRole('button', { name: /Continue/ }).click();
  await heading(page, 'Receive faxes?');
  await page.getByText('Yes, receive faxes here').click();
  await page.getByRole('button', { name: /Check connection/ }).click();
  await page.getByRole('button', { name: /Check connection again/ }).waitFor();
  await takePicture(page, 'first-start-receiving', look);
  await page.getByRole('button', { name: /Continue/ }).click();
  await heading(page, 'Send a test fax');
  await takePicture(page, 'first-start-test', look);
});
