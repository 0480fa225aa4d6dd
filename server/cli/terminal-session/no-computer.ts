import childProcess from 'node:child_process';
import cluster from 'node:cluster';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import workers from 'node:worker_threads';

type AnyFunction = (...args: unknown[]) => unknown;
type Functions = Record<string, AnyFunction>;

const READS =
  /^(?:access|createReadStream|exists|lstat|open|opendir|openAsBlob|readdir|readFile|readlink|realpath|stat|statfs)(?:Sync)?$/u;
/** Flags of `open` that read alone; a function stands there where they are left out. */
const READING = {
  has: (flags: unknown) => ['undefined', 'function'].includes(typeof flags) || flags === 'r' || flags === 0,
};
/** These take a descriptor, which only `open` gives, or the streams of the process. */
const OF_DESCRIPTORS = /^(?:close|read|readv|fstat|write|writev)(?:Sync)?$/u;

/**
 * Takes the computer from whatever runs in this process from now on, but for reading the code in `folders`: no other file,
 * nothing written, no program, no thread and no native module. Where Node's permission model can be turned on it does the
 * same and more; Electron's processes start without it. It holds for JavaScript.
 */
export function closeComputer(folders: readonly string[]): void {
  const isCode = (path: unknown): boolean => {
    const text = path instanceof URL ? fileURLToPath(path) : Buffer.isBuffer(path) ? path.toString() : path;
    if (typeof text !== 'string') return false;
    const whole = resolve(text);
    return folders.some((folder) => whole === folder || whole.startsWith(folder + sep));
  };
  confine(fs as unknown as Functions, isCode, refuse);
  confine(fs.promises as unknown as Functions, isCode, async () => refuse());
  for (const functions of [childProcess, cluster] as unknown as Functions[])
    for (const name of Object.keys(functions)) if (isFunction(functions[name])) functions[name] = refuse;
  (workers as unknown as Record<string, unknown>)['Worker'] = refuse;
  process.dlopen = refuse;
  syncBuiltinESMExports();
}

function confine(functions: Functions, isCode: (path: unknown) => boolean, refused: AnyFunction): void {
  for (const [name, original] of Object.entries(functions)) {
    // Classes such as Stats do nothing by themselves.
    if (!isFunction(original) || /^[A-Z_]/u.test(name) || OF_DESCRIPTORS.test(name)) continue;
    const isRead = READS.test(name);
    const isOpen = /^open(?:Sync)?$/u.test(name);
    functions[name] = (...args: unknown[]): unknown => {
      const [path, flags] = args;
      const writes = isOpen && !READING.has(flags);
      if (isRead && !writes && isCode(path)) return original.apply(functions, args);
      return name.startsWith('exists') ? false : refused();
    };
  }
}

const isFunction = (value: unknown): value is AnyFunction => typeof value === 'function';

function refuse(): never {
  throw Object.assign(new Error('A terminal reaches nothing of this computer.'), {
    code: 'ERR_ACCESS_DENIED',
  });
}
