import { registerHooks } from 'node:module';

// `node --import register.ts main.mjs`: `electron` is the stand-in.

const url = new URL('./electron.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    /^electron(\/(main|common))?$/u.test(specifier)
      ? { url, format: 'module-typescript', shortCircuit: true }
      : next(specifier, context),
});
Object.defineProperty(process.versions, 'electron', { value: 'stand-in' });
Object.defineProperty(process.versions, 'chrome', { value: 'of the system' });
Object.defineProperty(process, 'type', { value: 'browser' });
