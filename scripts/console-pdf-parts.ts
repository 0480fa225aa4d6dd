import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const PARTS = {
  cmaps: /\.bcmap$/u,
  standard_fonts: /\.(?:pfb|ttf)$/u,
  // The content policy of the console allows no WebAssembly.
  wasm: /_nowasm_fallback\.js$/u,
} as const;

/** Puts what PDF.js fetches for some documents beside the console: fonts, character maps and decoders. */
export function pdfParts(): Plugin {
  return {
    name: 'faxdesk:pdf-parts',
    apply: 'build',
    generateBundle() {
      const library = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
      for (const [folder, wanted] of Object.entries(PARTS))
        for (const name of readdirSync(join(library, folder)).filter((it) => wanted.test(it)))
          this.emitFile({
            type: 'asset',
            fileName: `pdf-parts/${folder}/${name}`,
            source: readFileSync(join(library, folder, name)),
          });
    },
  };
}
