import promises from 'node:fs/promises';
import { registerHooks, syncBuiltinESMExports } from 'node:module';

// `node --import register.ts main.mjs`: `electron` is the stand-in.

const url = new URL('./electron.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    /^electron(\/(main|common))?$/u.test(specifier)
      ? { url, format: 'module-typescript', shortCircuit: true }
      : next(specifier, context),
});
// The file of the office is where only an administrator writes: tests have it elsewhere.
const OFFICE_FILE = '/etc/faxdesk/desktop.json';
const { readFile } = promises;
promises.readFile = ((path: string, ...more: never[]) =>
  readFile(
    path === OFFICE_FILE ? (process.env['STANDIN_OFFICE_FILE'] ?? path) : path,
    ...more,
  )) as typeof readFile;
syncBuiltinESMExports();

Object.defineProperty(process.versions, 'electron', { value: 'stand-in' });
Object.defineProperty(process.versions, 'chrome', { value: 'of the system' });
Object.defineProperty(process, 'type', { value: 'browser' });
