import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseRelease } from '../../main/updates/release.ts';
import { writeUpdateEntry } from '../../scripts/pack/update-entry.ts';
import { INSTALLER } from '../setup/update-feed.ts';

it.each([
  ['win32', 'x64', 'Faxdesk-0.2.0-win-x64.exe'],
  ['darwin', 'arm64', 'Faxdesk-0.2.0-mac-arm64.dmg'],
  ['linux', 'x64', 'Faxdesk-0.2.0-linux-x86_64.AppImage'],
] as const)('the entry for %s %s is one that the application reads', async (platform, arch, file) => {
  const folder = mkdtempSync(join(tmpdir(), 'faxdesk-entry-'));
  try {
    const others = ['Faxdesk-0.1.0-win-x64.exe', 'Faxdesk-0.2.0-mac-x64.dmg', 'Faxdesk-0.2.0-mac-arm64.zip'];
    for (const name of others) writeFileSync(join(folder, name), 'another');
    writeFileSync(join(folder, file), INSTALLER);
    const path = await writeUpdateEntry({ platform, arch }, { folder, version: '0.2.0', notes: 'New.' });
    expect(path).toBe(join(folder, `latest-${platform}-${arch}.json`));
    const release = parseRelease(readFileSync(path, 'utf8'));
    expect(release).toMatchObject({ file, version: '0.2.0', notes: 'New.', size: INSTALLER.length });
    await expect(
      writeUpdateEntry({ platform, arch }, { folder, version: '0.3.0', notes: '' }),
    ).rejects.toThrow('There is no installer of 0.3.0');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
