import childProcess from 'node:child_process';
import promises from 'node:fs/promises';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { promisify } from 'node:util';

// `node --import register.ts main.mjs`: `electron` is the stand-in.

const url = new URL('./electron.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    /^electron(\/(main|common))?$/u.test(specifier)
      ? { url, format: 'module-typescript', shortCircuit: true }
      : next(specifier, context),
});
// The files of the office and of the service are where only an administrator writes: tests have them elsewhere.
const ELSEWHERE: Readonly<Record<string, string | undefined>> = {
  '/etc/faxdesk/desktop.json': process.env['STANDIN_OFFICE_FILE'],
  '/etc/faxdesk/service.json': process.env['STANDIN_SERVICE_FILE'],
};
const { readFile } = promises;
promises.readFile = ((path: string, ...more: never[]) =>
  readFile(ELSEWHERE[path] ?? path, ...more)) as typeof readFile;

// A computer with Windows, as far as its registry is read: what `reg query` prints, by its words.
const registry = process.env['STANDIN_REGISTRY'];
if (registry !== undefined) {
  const answers = JSON.parse(registry) as Record<string, string>;
  const run = promisify(childProcess.execFile);
  const query = async (program: string, words: readonly string[], options: object) => {
    if (!program.endsWith('reg.exe')) return run(program, words, options);
    const stdout = answers[words.slice(1).join(' ')];
    if (stdout === undefined) throw Object.assign(new Error('no such key'), { code: 1 });
    return { stdout, stderr: '' };
  };
  os.platform = () => 'win32';
  const { execFile } = childProcess;
  const playing: object = Object.assign(execFile.bind(null), { [promisify.custom]: query });
  childProcess.execFile = playing as typeof execFile;
  // The processes that it starts are of this system.
  delete process.env['STANDIN_REGISTRY'];
}
// The system that the application itself reads; its programs and paths stay those of this one.
const system = process.env['STANDIN_PLATFORM'];
if (system !== undefined) {
  Object.defineProperty(process, 'platform', { value: system });
  delete process.env['STANDIN_PLATFORM'];
}
syncBuiltinESMExports();

Object.defineProperty(process.versions, 'electron', { value: 'stand-in' });
Object.defineProperty(process.versions, 'chrome', { value: 'of the system' });
Object.defineProperty(process, 'type', { value: 'browser' });
