import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** Languages the console speaks. Components keep their own words in thirty, which is a third of the first screen. */
const SPOKEN = ['en-US'];
const OTHER = /[\\/]intl[\\/].*[\\/]([a-z]{2}-[A-Z]{2})\.m?js$/u;

/** Gives components their English words in place of languages that the console has no texts in. */
export function spokenLocales(): Plugin {
  return {
    name: 'faxdesk:spoken-locales',
    enforce: 'pre',
    load(id) {
      const locale = OTHER.exec(id)?.[1];
      if (locale === undefined || SPOKEN.includes(locale)) return null;
      const english = join(dirname(id), id.endsWith('.mjs') ? 'en-US.mjs' : 'en-US.js');
      return existsSync(english) ? `export { default } from ${JSON.stringify(english)};` : null;
    },
  };
}
