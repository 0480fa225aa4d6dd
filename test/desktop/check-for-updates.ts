import { expect } from 'vitest';
import type { DesktopApp } from './desktop-app.ts';

/** Chooses *Help > Check for updates*; the menu comes with the window. */
export async function chooseCheck(app: DesktopApp): Promise<void> {
  const choose = () =>
    app.evaluate(({ Menu }) => {
      const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []);
      const item = items?.find(({ label }) => label === 'Check for updates…');
      item?.click();
      return item !== undefined;
    });
  await expect.poll(choose).toBe(true);
}

/** Returns the dialog after a check; others may have followed it. */
export async function checkForUpdates(app: DesktopApp) {
  const count = () => app.evaluate(({ recorder }) => recorder.messageBoxes.length);
  const before = await count();
  await chooseCheck(app);
  await expect.poll(count).toBeGreaterThan(before);
  return app.evaluate(({ recorder }, at) => {
    const { message, detail, buttons } = recorder.messageBoxes[at] ?? {};
    return { message, detail, buttons };
  }, before);
}
