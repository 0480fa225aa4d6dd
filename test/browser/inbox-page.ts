import type { Locator, Page } from 'playwright';
import { InboundGateway, PUBLIC_URL } from '../api/inbound-setup.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import type { WebhookOptions } from '../setup/emulators/cloudone/index.ts';
import type { TestConsole } from './console.ts';

/** Settings with which faxes come in. */
export const RECEIVING = { INBOUND_ENABLED: 'true', PUBLIC_API_URL: PUBLIC_URL };

/** Returns another number for each call, so that the rows of several tests differ. */
let last = 139;
export function nextSender(): { e164: string; shown: string } {
  last += 1;
  return { e164: `+13605550${last}`, shown: `+1 360 555 0${last}` };
}

export const list = (page: Page): Locator => page.getByRole('grid', { name: 'Received faxes' });

export const rowOf = (page: Page, shown: string): Locator =>
  list(page).getByRole('row').filter({ hasText: shown });

export const viewer = (page: Page): Locator => page.getByRole('region', { name: 'Fax', exact: true });

export const details = (page: Page): Locator => page.getByRole('complementary', { name: 'Details' });

/** The number beside Inbox in the rail. */
export async function unreadIn(page: Page): Promise<number> {
  const link = page.getByRole('link', { name: /^Inbox/u });
  return Number(/, (\d+) unread/u.exec((await link.textContent()) ?? '')?.[1] ?? 0);
}

/** Opens the details beside the pages, which stand there by themselves only in a wide window. */
export async function openDetails(page: Page): Promise<Locator> {
  const button = viewer(page).getByRole('button', { name: 'Details' });
  await button.waitFor();
  if ((await button.getAttribute('aria-pressed')) !== 'true') await button.click();
  await details(page).waitFor();
  return details(page);
}

/** The picture of the page that is in view, once it is there. */
export async function shownPage(page: Page): Promise<Locator> {
  const picture = viewer(page).locator('[data-current] [data-drawn]:not([data-ahead])');
  await picture.waitFor();
  return picture;
}

/** A fax comes in with its pages and is filed. */
export async function arrive(
  { gateway }: TestConsole,
  given: { from: string; to?: string; pages?: number; document?: Buffer; notification?: WebhookOptions },
): Promise<void> {
  const inbound = new InboundGateway(gateway);
  const { pages = 1, document = textPdf(pages), notification, ...numbers } = given;
  await inbound.notify(inbound.arrive({ ...numbers, document }), notification);
  await inbound.work();
}
