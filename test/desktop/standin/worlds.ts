import { readFileSync } from 'node:fs';

/** Name of the preload's world, as Chromium reports it for contexts. */
export const PRELOAD_WORLD = 'Electron Isolated Context';

/** The script of the page's own world, for every new document. */
export function mainWorldScript(token: string): string {
  return onTop(`${sourceOf('main-world')}(${JSON.stringify(token)});`);
}

/** The script of the preload's world, with the preload itself. */
export function isolatedWorldScript(token: string, preload: string, words: readonly string[]): string {
  const facts = { platform: process.platform, argv: words, versions: process.versions };
  const run = `function (require, module, exports, process, location) {\n${preload}\n}`;
  return onTop(`${sourceOf('isolated-world')}(${JSON.stringify(token)}, ${JSON.stringify(facts)}, ${run});`);
}

/** Preloads run in the top frame only. */
function onTop(script: string): string {
  return `if (window === top) {\n${script}\n}`;
}

/** The one function of a file, as an expression. */
function sourceOf(name: string): string {
  const text = readFileSync(new URL(`./worlds/${name}.js`, import.meta.url), 'utf8');
  return `(${text.slice(text.indexOf('function '))})`;
}

/** Messages between the worlds and main as JSON; bytes as base64. */
export function encode(message: unknown): string {
  return JSON.stringify(message, (_key, value: unknown) => {
    if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString('base64') };
    if (isJsonOfBuffer(value)) return { $bytes: Buffer.from(value.data).toString('base64') };
    return value === undefined ? { $undefined: true } : value;
  });
}

export function decode(text: string): unknown {
  return JSON.parse(text, (_key, value: { $bytes?: string; $undefined?: true } | null) => {
    if (value?.$bytes !== undefined) return new Uint8Array(Buffer.from(value.$bytes, 'base64'));
    return value?.$undefined ? undefined : value;
  });
}

/** Returns true for the JSON form of a `Buffer`, which the replacer receives in its place. */
function isJsonOfBuffer(value: unknown): value is { data: number[] } {
  return typeof value === 'object' && value !== null && (value as { type?: unknown }).type === 'Buffer';
}
