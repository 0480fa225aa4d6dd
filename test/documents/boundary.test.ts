import { describe, expect, it } from 'vitest';
import { sourceFiles } from '../../scripts/source-tree.ts';
import { listReachableImports } from '../setup/reachable-imports.ts';

const RUNNING = sourceFiles('shared', 'main', 'server');

describe('what opens documents', () => {
  const OPENS =
    /^(sharp|piscina|fontkit|@embedpdf\/pdfium)|^server\/documents\/(pool|pdfium|pictures|tiff|t4|raster|pdf|text)\/|^server\/documents\/(document-files|office\/(copy-office-file|office-kind|zip-archive))/;

  it('rule (documents): only the document process loads the code that opens documents', () => {
    const entries = ['server/index.ts', 'server/cli.ts', 'main/index.ts', 'main/gateway-process.ts'];
    const reached = [...listReachableImports(RUNNING, entries)];
    expect(reached).toContain('server/documents/documents.ts');
    expect(reached.filter((path) => OPENS.test(path))).toEqual([]);
  });

  it('is loaded with nothing that has keys, settings or the store', () => {
    const entries = [
      'server/documents/process/main.ts',
      'server/documents/pool/worker.ts',
      'main/document-process.ts',
    ];
    const ours = [...listReachableImports(RUNNING, entries)].filter((path) =>
      /^(server|main|shared)\//.test(path),
    );
    expect(ours).toContain('server/documents/pictures/sharp.ts');
    const allowed = /^(server\/documents\/|server\/platform\/|shared\/|(server|main)\/document-process\.ts$)/;
    expect(ours.filter((path) => !allowed.test(path))).toEqual([]);
    expect(ours.filter((path) => /seal|http-|client\//.test(path))).toEqual([]);
  });
});
