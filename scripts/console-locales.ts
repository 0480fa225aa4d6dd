import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** Languages the console has. Component libraries bring theirs in thirty, which is a third of the first screen. */
const LANGUAGES = ['en-US'];
const OTHER = /[\\/]intl[\\/].*[\\/]([a-z]{2}-[A-Z]{2})\.m?js$/u;

/** Gives component libraries their English texts in place of languages that the console does not have. */
export function usedLocales(): Plugin {
  return {
    name: 'faxdesk:used-locales',
    enforce: 'pre',
    load(id) {
      const locale = OTHER.exec(id)?.[1];
      if (locale === undefined || LANGUAGES.includes(locale)) return null;
      const english = join(dirname(id), id.endsWith('.mjs') ? 'en-US.mjs' : 'en-US.js');
      return existsSync(english) ? `export { default } from ${JSON.stringify(english)};` : null;
    },
  };
}
