import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesBelow } from '../../scripts/pack/programs/program-files.ts';
import { assertAllSigned } from '../../scripts/pack/signing.ts';
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
  packed = await pack('win32', 'x64');
}, 300_000);

afterAll(async () => {
  if (typeof packed !== 'string') await packed.close();
});

interface Entry {
  type: string | number;
  id: string | number;
  bin: ArrayBuffer;
}
interface ResEdit {
  NtExecutable: { from(bytes: Buffer): object };
  NtExecutableResource: { from(executable: object): { entries: Entry[] } };
  Resource: { VersionInfo: { fromEntries(entries: Entry[]): VersionInfo[] } };
}
interface VersionInfo {
  getStringValues(language: { lang: number; codepage: number }): Record<string, string>;
}

const resEdit = createRequire(import.meta.url)('resedit') as ResEdit;

async function resources(app: PackedApp): Promise<Entry[]> {
  const executable = resEdit.NtExecutable.from(await readFile(app.program));
  return resEdit.NtExecutableResource.from(executable).entries;
}

describe('the application for Windows', () => {
  it('holds what runs and nothing else', async (context) => {
    await expectOnlyWhatRuns(needPacked(context, packed));
  });

  it('leaves out the libraries of WebGPU, and no other of Electron', async (context) => {
    const names = await readdir(dirname(needPacked(context, packed).program));
    expect(names.filter((name) => name.endsWith('.dll'))).toEqual(['ffmpeg.dll']);
  });

  it('has the licenses and a bill of materials of everything in it beside the archive', async (context) => {
    await expectNotices(needPacked(context, packed));
  });

  it('rule (desktop): what is packed beside Electron stays small', async (context) => {
    await expectSmallShare(needPacked(context, packed).resources);
  });

  it('holds binaries for Windows only', async (context) => {
    await expectOnlyBinariesFor(needPacked(context, packed), 'win32 x64');
  });

  it('is no release while a program or library inside it is not signed', async (context) => {
    const folder = dirname(needPacked(context, packed).program);
    const refusal = await assertAllSigned({ platform: 'win32', arch: 'x64' }, folder).catch(
      (error: unknown) => String(error),
    );
    const named = (await filesBelow(folder)).filter((path) => /\.(?:exe|dll|node)$/u.test(path));
    // The stand-in for this library is no program.
    const programs = named.filter((path) => path !== 'ffmpeg.dll');
    expect(programs.length).toBeGreaterThan(5);
    expect(refusal?.split('\n  ').slice(1)).toEqual(programs);
  });

  it('has its fuses set', async (context) => {
    expect(await needPacked(context, packed).fuses()).toMatchObject(FUSES);
  });

  it('names in its program the hash that its archive has', async (context) => {
    const app = needPacked(context, packed);
    const entry = (await resources(app)).find(({ id }) => id === 'ELECTRONASAR');
    const integrity: unknown = JSON.parse(Buffer.from(entry?.bin ?? new ArrayBuffer()).toString('utf8'));
    expect(integrity).toEqual([{ file: 'resources\\app.asar', alg: 'SHA256', value: app.headerHash() }]);
  });

  it('is called Faxdesk and wears the icon in all its sizes', async (context) => {
    const entries = await resources(needPacked(context, packed));
    const [version] = resEdit.Resource.VersionInfo.fromEntries(entries);
    const names = version?.getStringValues({ lang: 1033, codepage: 1200 });
    expect(names).toMatchObject({ ProductName: 'Faxdesk', FileDescription: 'Faxdesk' });
    const pictures = entries.filter(({ type }) => type === 3);
    expect(pictures).toHaveLength(9);
  });
});
