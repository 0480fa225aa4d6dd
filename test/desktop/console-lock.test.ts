import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { SendPage } from '../browser/send-page.ts';
import { heading, sharedConsoleApp, signIn } from './console-app.ts';
import { onEachKind } from './each-kind.ts';

onEachKind('the lock of the window', (kind) => {
  const shared = sharedConsoleApp(kind);

  async function begunDraft(page: Page): Promise<SendPage> {
    const send = await new SendPage(page).opened();
    await send.number('303 555 0101');
    await send.kept();
    return send;
  }

  const status = (page: Page) => page.evaluate(async () => (await fetch('/auth/me')).status);

  it('closes by the menu, ends the session, and gives the draft back to who signs in', async () => {
    const page = await shared.app.at('/send');
    const send = await begunDraft(page);
    await shared.app.choose('File', 'Lock');
    await heading(page, 'Locked').waitFor();
    expect(await page.content()).not.toContain('303 555 0101');
    // The page locks at once; that the session has ended is on its way.
    await expect.poll(() => status(page)).toBe(401);
    await signIn(page);
    await send.opened();
    await expect.poll(() => send.to.inputValue()).toBe('303 555 0101');
  });

  it('closes by itself when nobody uses the window, and keeps the draft', async () => {
    const page = await shared.app.at('/send');
    const send = await begunDraft(page);
    await page.clock.install();
    await page.reload();
    await send.opened();
    await page.clock.fastForward('09:00');
    await expect.poll(() => send.to.inputValue()).toBe('303 555 0101');
    await page.clock.fastForward('01:30');
    await heading(page, 'Locked').waitFor();
    // The page locks at once; that the session has ended is on its way.
    await expect.poll(() => status(page)).toBe(401);
    await signIn(page);
    await send.opened();
    await expect.poll(() => send.to.inputValue()).toBe('303 555 0101');
  });
});
