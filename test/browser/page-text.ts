import type { Page } from 'playwright';

const MAX_LENGTH = 3_000;

/** Returns the content of a window as text, for people who read why a test failed. */
export async function readPageText(page: Page): Promise<string> {
  const tree = await page
    .locator('body')
    .ariaSnapshot({ timeout: 2_000 })
    .catch((error: unknown) => String(error));
  return `${page.url()}\n${tree.slice(0, MAX_LENGTH)}`;
}
