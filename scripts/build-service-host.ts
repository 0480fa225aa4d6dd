import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './steps.ts';

/** Compiler of Debian's package `gcc-mingw-w64-x86-64-win32`. */
export const COMPILER = 'x86_64-w64-mingw32-gcc';
/** Its version that made the program in the repository; others write other bytes. */
export const COMPILER_VERSION = '12';

const SOURCE = join(ROOT, 'resources/windows/faxdesk-service.c');
/** Program that Windows starts for the service of the gateway. Windows on arm64 runs it as it is. */
export const SERVICE_HOST = join(ROOT, 'resources/windows/faxdesk-service.exe');

const OPTIONS = [
  '-Os',
  '-Wall',
  '-Wextra',
  '-Werror',
  '-s',
  '-mwindows',
  // No C library, so that the program needs nothing but Windows.
  '-nostdlib',
  '-fno-stack-protector',
  '-fno-asynchronous-unwind-tables',
  '-e',
  'begin',
  // The same bytes each time.
  '-Wl,--no-insert-timestamp',
  '-Wl,--dynamicbase,--nxcompat,--high-entropy-va',
];

/** Compiles the service host into a file. Throws what the compiler printed. */
export function buildServiceHost(file: string): void {
  const words = [...OPTIONS, SOURCE, '-lkernel32', '-ladvapi32', '-o', file];
  const { status, stderr, error } = spawnSync(COMPILER, words, { encoding: 'utf8' });
  if (status !== 0) throw error ?? new Error(stderr);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildServiceHost(SERVICE_HOST);
