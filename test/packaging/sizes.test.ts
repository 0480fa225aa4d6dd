import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installerSizes } from '../../scripts/pack/sizes.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'faxdesk-sizes-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function put(name: string, megabytes: number): void {
  writeFileSync(join(folder, name), '');
  // Sparse: the bytes are not written.
  truncateSync(join(folder, name), megabytes * 1e6);
}

test('rule (desktop): each installer has a bar, 130 MB without the service', async () => {
  put('Faxdesk-0.1.0-win-x64.exe', 129);
  put('Faxdesk-0.1.0-linux-x86_64.AppImage', 131);
  for (const end of ['linux-amd64.deb', 'linux-x86_64.rpm', 'win-x64-everyone.exe', 'win-x64.msi'])
    put(`Faxdesk-0.1.0-${end}`, 1);
  for (const end of ['dmg', 'zip']) put(`Faxdesk-0.1.0-mac-arm64.${end}`, 1);
  for (const name of ['latest-win-x64.json', 'builder-debug.yml']) put(name, 1);
  const sizes = await installerSizes(folder);
  const bars = Object.fromEntries(
    sizes.map(({ name, bar }) => [name.replace('Faxdesk-0.1.0-', ''), bar / 1e6]),
  );
  expect(bars).toEqual({
    'linux-amd64.deb': 130,
    'linux-x86_64.AppImage': 130,
    'linux-x86_64.rpm': 130,
    'mac-arm64.dmg': 240,
    'mac-arm64.zip': 240,
    'win-x64-everyone.exe': 160,
    'win-x64.exe': 130,
    'win-x64.msi': 200,
  });
  expect(sizes.filter(({ bytes, bar }) => bytes > bar).map(({ name }) => name)).toEqual([
    'Faxdesk-0.1.0-linux-x86_64.AppImage',
  ]);
});

test('the command names each installer that is over its bar and fails, also without an installer', () => {
  const compare = (...words: string[]) =>
    spawnSync(process.execPath, ['scripts/pack/sizes.ts', '--installers', ...words], { encoding: 'utf8' });
  const { status, stdout } = compare(folder);
  expect(status).toBe(1);
  expect(stdout).toContain('AppImage: 131.0 MB, at most 130.0 MB, which it is over\n');
  expect(stdout.match(/which it is over/gu)).toHaveLength(1);
  rmSync(join(folder, 'Faxdesk-0.1.0-linux-x86_64.AppImage'));
  expect(compare(folder).status).toBe(0);
  expect(compare(import.meta.dirname).status).toBe(1);
});
