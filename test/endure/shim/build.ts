import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('disk-faults.c', import.meta.url));

/** The compiled shim, or one sentence that says why there is none. */
type Shim = { readonly library: string } | { readonly unavailable: string };

let cachedShim: Shim | null = null;

/** Compiles the shim with the system's C compiler, once for each process; it is removed when that ends. */
export function diskFaultsShim(): Shim {
  cachedShim ??= build();
  return cachedShim;
}

function build(): Shim {
  if (process.platform !== 'linux') return { unavailable: 'faults of the disk are made on Linux only' };
  const folder = mkdtempSync(join(tmpdir(), 'faxdesk-shim-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const library = join(folder, 'disk-faults.so');
  const words = ['-shared', '-fPIC', '-O1', '-o', library, SOURCE, '-ldl', '-lpthread'];
  const { status, error, stderr } = spawnSync('cc', words, { encoding: 'utf8' });
  if (error) return { unavailable: 'there is no C compiler (cc) for the shim that makes faults of the disk' };
  return status === 0 ? { library } : { unavailable: `the shim did not compile: ${stderr.trim()}` };
}
