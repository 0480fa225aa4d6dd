import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { type DesktopApp, launch } from './desktop-app.ts';
import { type InPage, onEachKind } from './each-kind.ts';

const PRINTER = 'Front desk';

onEachKind('the application of an account of Windows whose profile roams', (kind) => {
  let app: DesktopApp | undefined;
  let profile: string | undefined;
  afterEach(async () => {
    await app?.close();
    if (profile !== undefined) rmSync(profile, { recursive: true, force: true });
  });

  it('rule (desktop): has its printer in the folder that stays on the computer, with what was in the roaming one', async (context) => {
    if (kind === 'Electron') context.skip('an application with a profile of its own takes over nothing');
    profile = mkdtempSync(join(tmpdir(), 'faxdesk-profile-'));
    const [roaming, local] = [join(profile, 'Roaming'), join(profile, 'Local')];
    mkdirSync(join(roaming, 'Faxdesk'), { recursive: true });
    const former = join(roaming, 'Faxdesk', 'preferences.json');
    writeFileSync(former, JSON.stringify({ printer: PRINTER }));
    const options = { appData: roaming, env: { LOCALAPPDATA: local, STANDIN_REGISTRY: '{}' } };
    const printer = async (name?: string) =>
      (await app?.console())?.evaluate(async (chosen) => {
        const { faxdesk } = globalThis as unknown as InPage;
        if (chosen !== undefined) await faxdesk.setPreferences({ printer: chosen });
        return (await faxdesk.preferences()).printer;
      }, name);

    app = await launch(kind, options);
    expect(await app.evaluate(({ app }) => app.getPath('userData'))).toBe(join(local, 'Faxdesk'));
    expect(await printer()).toBe(PRINTER);
    expect(await printer('Back office')).toBe('Back office');
    await app.close({ keepData: true });
    expect(JSON.parse(readFileSync(former, 'utf8'))).toEqual({ printer: PRINTER });
    expect(existsSync(join(roaming, 'Faxdesk', 'window.json'))).toBe(false);

    app = await launch(kind, options);
    expect(await printer()).toBe('Back office');
  });

  it('starts in the roaming folder while nothing can be taken over, with what is there', async (context) => {
    if (kind === 'Electron') context.skip('an application with a profile of its own takes over nothing');
    profile = mkdtempSync(join(tmpdir(), 'faxdesk-profile-'));
    const [roaming, local] = [join(profile, 'Roaming'), join(profile, 'Local')];
    mkdirSync(join(roaming, 'Faxdesk'), { recursive: true });
    mkdirSync(join(local, 'Faxdesk', 'preferences.json.new'), { recursive: true });
    writeFileSync(join(roaming, 'Faxdesk', 'preferences.json'), JSON.stringify({ printer: PRINTER }));
    app = await launch(kind, { appData: roaming, env: { LOCALAPPDATA: local, STANDIN_REGISTRY: '{}' } });
    const found = (await app.console()).evaluate(() =>
      (globalThis as unknown as InPage).faxdesk.preferences().then(({ printer }) => printer),
    );
    expect(await found).toBe(PRINTER);
    expect(await app.evaluate(({ app }) => app.getPath('userData'))).toBe(join(roaming, 'Faxdesk'));
  });
});
