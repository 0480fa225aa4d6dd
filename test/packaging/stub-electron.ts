import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Platform, readTarget } from '../../scripts/pack/target.ts';

/** Fuses as Electron's own program marks them: nine, all on. */
const FUSES = Buffer.concat([
  Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX', 'latin1'),
  Buffer.from([1, 9]),
  Buffer.from('111111111', 'latin1'),
]);

const VERSION = '45.4.1';

/** A folder that has the form of an Electron distribution but no Electron: what the packing looks at and changes. */
export async function makeStubElectron(platform: Platform, folder: string): Promise<void> {
  await writeAt(join(folder, 'version'), VERSION);
  await writeAt(join(folder, 'LICENSE'), 'stub');
  await writeAt(join(folder, 'LICENSES.chromium.html'), 'stub');
  switch (platform) {
    case 'linux':
      return await writeAt(join(folder, 'electron'), FUSES, 0o755);
    case 'win32':
      for (const name of ['dxcompiler.dll', 'dxil.dll', 'ffmpeg.dll'])
        await writeAt(join(folder, name), 'stub');
      return await writeAt(join(folder, 'electron.exe'), Buffer.concat([emptyProgram(), FUSES]));
    case 'darwin':
      return await makeBundle(join(folder, 'Electron.app', 'Contents'));
    default:
      platform satisfies never;
  }
}

interface ResEdit {
  NtExecutable: { createEmpty(is32Bit: boolean, isDll: boolean): Executable };
  NtExecutableResource: {
    from(executable: Executable): { entries: unknown[]; outputResource(to: Executable): void };
  };
  Resource: { VersionInfo: { createEmpty(): VersionInfo } };
}
interface Executable {
  generate(): ArrayBuffer;
}
interface VersionInfo {
  lang: number;
  setFileVersion(...parts: number[]): void;
  setStringValues(language: { lang: number; codepage: number }, values: Record<string, string>): void;
  outputToResourceEntries(entries: unknown[]): void;
}

/** A Windows program without instructions, but with the version that Electron's has. */
function emptyProgram(): Buffer {
  const { NtExecutable, NtExecutableResource, Resource } = createRequire(import.meta.url)(
    'resedit',
  ) as ResEdit;
  const program = NtExecutable.createEmpty(false, false);
  const resources = NtExecutableResource.from(program);
  const version = Resource.VersionInfo.createEmpty();
  version.lang = 1033;
  version.setFileVersion(45, 4, 1, 0, 1033);
  version.setStringValues({ lang: 1033, codepage: 1200 }, { ProductName: 'Electron', FileVersion: VERSION });
  version.outputToResourceEntries(resources.entries);
  resources.outputResource(program);
  return Buffer.from(program.generate());
}

async function makeBundle(contents: string): Promise<void> {
  await writeAt(join(contents, 'Info.plist'), plist('Electron'));
  await writeAt(join(contents, 'MacOS', 'Electron'), 'stub', 0o755);
  await writeAt(join(contents, 'Resources', 'electron.icns'), 'stub');
  const frameworks = join(contents, 'Frameworks');
  await writeAt(join(frameworks, 'Electron Framework.framework', 'Electron Framework'), FUSES, 0o755);
  for (const kind of ['', ' (GPU)', ' (Plugin)', ' (Renderer)']) {
    const name = `Electron Helper${kind}`;
    const helper = join(frameworks, `${name}.app`, 'Contents');
    await writeAt(join(helper, 'Info.plist'), plist(name));
    await writeAt(join(helper, 'MacOS', name), 'stub', 0o755);
  }
}

function plist(name: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict>
  <key>CFBundleExecutable</key><string>${name}</string>
  <key>CFBundleIconFile</key><string>electron.icns</string>
  <key>CFBundleIdentifier</key><string>com.github.Electron</string>
</dict></plist>
`;
}

async function writeAt(path: string, content: string | Uint8Array, mode = 0o644): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content, { mode });
}

// To look at a package where Electron cannot be had: `node test/packaging/stub-electron.ts win32 <folder>`, then
// `npm run pack -- --dir --platform win32 --electron <folder>`.
const [name, folder] = process.argv.slice(2);
if (import.meta.main && folder !== undefined)
  await makeStubElectron(readTarget({ platform: name }).platform, folder);
