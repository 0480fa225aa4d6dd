import { expect, test } from 'vitest';
import { openBrowser } from '../setup/browser.ts';
import { testConsole } from './console.ts';
import { type WindowKind, WindowPool } from './window-pool.ts';

const webConsole = testConsole();

/** Script for what a page finds of its window. */
const FOUND = `Promise.all([
  ...['print', '(prefers-color-scheme: dark)', '(prefers-reduced-motion)', '(prefers-contrast: more)', '(forced-colors: active)']
    .filter((it) => matchMedia(it).matches),
  navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => state),
])`;

test('a window that is taken again has the media and permissions of a new one', async (context) => {
  const browser = await openBrowser(context);
  try {
    const kind: WindowKind = { baseURL: webConsole.gateway.url, colorScheme: 'dark' };
    const pool = new WindowPool(browser);
    const window = await pool.take(kind);
    await window.page.goto('/health');
    const ofNew = await window.page.evaluate(FOUND);
    await window.context.grantPermissions(['geolocation']);
    await window.page.emulateMedia({
      media: 'print',
      colorScheme: 'light',
      reducedMotion: 'reduce',
      contrast: 'more',
      forcedColors: 'active',
    });
    await pool.keep(kind, window);
    const again = await pool.take(kind);
    expect(again.page).toBe(window.page);
    await again.page.goto('/health');
    expect(await again.page.evaluate(FOUND)).toEqual(ofNew);
    // A window where paper is seen as a screen prints the screen.
    await again.page.emulateMedia({ media: 'screen' });
    await pool.keep(kind, again);
    const last = await pool.take(kind);
    await last.page.goto('about:blank');
    await last.page.setContent(
      '<style>@media print { p + p { break-before: page } }</style><p>1</p><p>2</p>',
    );
    const pdf = (await last.page.pdf()).toString('latin1');
    expect(pdf.match(/\/Type \/Page\b/gu)).toHaveLength(2);
  } finally {
    await browser.close();
  }
});
