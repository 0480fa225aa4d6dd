import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../scripts/source-tree.ts';

// The type check already proves that the stand-in matches Electron's types: its parts implement parts of them.

const OUT = join(ROOT, 'out', 'on-standin');
const STANDIN = '../../test/desktop/standin/electron.ts';

/** Uses something that the stand-in does not have: an error there shows that its types were really looked at. */
const MAIN_FILE = `import { app } from '${STANDIN}';
// @ts-expect-error: the stand-in has no dock
export const dock = app.dock;
`;

/** The local page runs in a window, and has types of its own. */
function mainFiles(): string[] {
  const names = readdirSync(join(ROOT, 'main'), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.ts') && !name.startsWith(`page${sep}`));
}

it('rule (desktop): the application uses only those parts of Electron that the stand-in has, with types that fit both ways', () => {
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  for (const name of mainFiles()) {
    const text = readFileSync(join(ROOT, 'main', name), 'utf8');
    const up = '../'.repeat(name.split(sep).length - 1);
    const moved = text
      .replaceAll("from 'electron'", `from '${up}${STANDIN}'`)
      .replaceAll(/from '((?:\.\.\/)+)(shared|server)\//gu, "from '../$1$2/");
    mkdirSync(dirname(join(OUT, name)), { recursive: true });
    writeFileSync(join(OUT, name), moved);
  }
  writeFileSync(join(OUT, 'witness.ts'), MAIN_FILE);
  // The listeners of plain event emitters have no types of their own.
  const compilerOptions = { noImplicitAny: false };
  const settings = { extends: '../../tsconfig.json', compilerOptions, include: ['.'], exclude: [] };
  writeFileSync(join(OUT, 'tsconfig.json'), JSON.stringify(settings));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '--noEmit', '-p', OUT], { encoding: 'utf8' });
  const complaints = stdout.split('\n').filter((line) => line.startsWith('out/') || line.startsWith('error'));
  expect(complaints).toEqual([]);
  rmSync(OUT, { recursive: true, force: true });
});
