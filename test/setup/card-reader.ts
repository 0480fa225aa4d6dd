import type { Page } from 'playwright';

/** Types as a reader of cards does: its keys have times of their own, however busy this computer is. */
export async function holdCard(page: Page, card: string): Promise<void> {
  const reader = await page.context().newCDPSession(page);
  const began = Date.now();
  for (const [at, key] of [...card, 'Enter'].entries()) {
    const times = { key, timestamp: (began + 5 * at) / 1000 };
    await reader.send('Input.dispatchKeyEvent', {
      type: 'keyDown',
      text: key === 'Enter' ? '\r' : key,
      ...times,
    });
    await reader.send('Input.dispatchKeyEvent', { type: 'keyUp', ...times });
  }
  await reader.detach();
}
