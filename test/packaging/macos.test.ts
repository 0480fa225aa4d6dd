import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  expectNotices,
  expectOnlyBinariesFor,
  expectOnlyWhatRuns,
  expectSmallShare,
  FUSES,
} from './contents.ts';
import { needPacked, type PackedApp, pack } from './packed.ts';

let packed: PackedApp | string = 'it was not packed';

beforeAll(async () => {
  packed = await pack('darwin', 'arm64');
}, 300_000);

afterAll(async () => {
  if (typeof packed !== 'string') await packed.close();
});

/** The property list of the bundle without the space between its elements. */
async function properties(app: PackedApp): Promise<string> {
  const text = await readFile(join(app.program, 'Contents/Info.plist'), 'utf8');
  return text.replace(/>\s+</gu, '><');
}

describe('the application for macOS', () => {
  it('holds what runs and nothing else', async (context) => {
    await expectOnlyWhatRuns(needPacked(context, packed));
  });

  it('has the licenses and a bill of materials of everything in it beside the archive', async (context) => {
    await expectNotices(needPacked(context, packed));
  });

  it('rule (desktop): what is packed beside Electron stays small', async (context) => {
    await expectSmallShare(needPacked(context, packed).resources);
  });

  it('holds binaries for one kind of Mac only', async (context) => {
    await expectOnlyBinariesFor(needPacked(context, packed), 'darwin arm64');
  });

  it('has its fuses set', async (context) => {
    expect(await needPacked(context, packed).fuses()).toMatchObject(FUSES);
  });

  it('names in its bundle the hash that its archive has', async (context) => {
    const app = needPacked(context, packed);
    const integrity = `<key>Resources/app.asar</key><dict><key>algorithm</key><string>SHA256</string><key>hash</key><string>${app.headerHash()}</string></dict>`;
    expect(await properties(app)).toContain(`<key>ElectronAsarIntegrity</key><dict>${integrity}</dict>`);
  });

  it('offers itself for PDF and TIFF documents, but never as the program that opens them', async (context) => {
    const text = await properties(needPacked(context, packed));
    const types = /<key>CFBundleDocumentTypes<\/key><array>(.*?<\/dict>)<\/array>/u.exec(text)?.[1] ?? '';
    expect([...types.matchAll(/<string>(pdf|tiff?)<\/string>/gu)].map((it) => it[1])).toEqual([
      'pdf',
      'tif',
      'tiff',
    ]);
    const valuesOf = (key: string) =>
      [...types.matchAll(new RegExp(`<key>${key}</key><string>(.*?)</string>`, 'gu'))].map((it) => it[1]);
    expect(valuesOf('LSHandlerRank')).toEqual(['Alternate']);
    expect(valuesOf('CFBundleTypeRole')).toEqual(['Viewer']);
  });

  it('opens links that begin with faxdesk', async (context) => {
    const text = await properties(needPacked(context, packed));
    expect(text).toContain('<key>CFBundleURLSchemes</key><array><string>faxdesk</string></array>');
  });

  it('wears its icons', async (context) => {
    const app = needPacked(context, packed);
    expect(await properties(app)).toContain('<key>CFBundleIconFile</key><string>icon.icns</string>');
    for (const name of ['icon.icns', 'document.icns'])
      expect(existsSync(join(app.resources, name))).toBe(true);
  });
});
