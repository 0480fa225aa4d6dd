import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Compiler of shaders for WebGPU, which no page here uses: 26 MB of Electron for Windows on x64. Pages are drawn without it. */
const UNUSED = ['dxcompiler.dll', 'dxil.dll'];

/** Removes what Electron brings for nothing from a packed application; electron-builder calls it before anything is signed. */
export async function afterPack(packed: { electronPlatformName: string; appOutDir: string }): Promise<void> {
  if (packed.electronPlatformName !== 'win32') return;
  for (const name of UNUSED) await rm(join(packed.appOutDir, name), { force: true });
}
