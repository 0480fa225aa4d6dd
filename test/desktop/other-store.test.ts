import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { type DesktopApp, launch } from './desktop-app.ts';
import { onEachKind } from './each-kind.ts';

/** The data folder of an installation whose store is gone. */
async function lostStore(): Promise<string> {
  const appData = await mkdtemp(join(tmpdir(), 'faxdesk-desktop-'));
  const documents = join(appData, 'Faxdesk', 'data', 'files', 'fax');
  await mkdir(documents, { recursive: true });
  await writeFile(join(documents, '0.pdf'), '%PDF-1.7');
  return appData;
}

onEachKind('a store that does not belong to the documents', (kind) => {
  let app: DesktopApp | undefined;
  afterEach(() => app?.close());

  it('is shown in the window, and accepted when a person starts the program so', async () => {
    app = await launch(kind, { appData: await lostStore() });
    const page = await app.window();
    await page.getByRole('heading', { name: 'Faxdesk could not start' }).waitFor();
    const files = join(app.dataFolder, 'files');
    await page.getByText(`There are documents in ${files}, and the store `).waitFor();
    await page.getByText('start once with --accept-empty-store').waitFor();
    expect(existsSync(join(app.dataFolder, 'faxdesk.sqlite'))).toBe(false);
    await app.secondInstance('--accept-empty-store');
    await app.console();
    expect(await readdir(join(files, 'fax'))).toEqual([]);
    const aside = await readdir(join(files, 'set-aside'), { recursive: true });
    expect(aside.filter((name) => name.endsWith('0.pdf'))).toHaveLength(1);
  });
});
