import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { firstScreenChunks } from './scripts/console-chunks.ts';
import { contractWithoutDescriptions } from './scripts/console-contract.ts';
import { helpPages } from './scripts/console-help.ts';
import { usedLocales } from './scripts/console-locales.ts';
import { pdfParts } from './scripts/console-pdf-parts.ts';

/** The console: a web app that the gateway serves at `/admin/ui/`. */
export default defineConfig({
  root: 'renderer',
  base: '/admin/ui/',
  plugins: [react(), contractWithoutDescriptions(), usedLocales(), pdfParts(), helpPages()],
  build: {
    outDir: '../out/console',
    emptyOutDir: true,
    target: 'chrome120',
    // The content policy allows nothing from `data:` but pictures.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: [firstScreenChunks()] } } },
    // The frame with React and the contract's schemas; `npm run bench` holds its packed size.
    chunkSizeWarningLimit: 700,
  },
});
