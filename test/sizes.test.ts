import { describe, expect, it } from 'vitest';
import { lineAt, parseFile, type SourceFile, sourceFiles } from '../scripts/source-tree.ts';

/** Lines. A file is one subject, whatever its size below the ceiling; past it there are two, to be split by subject. */
const FILE_CEILING = 500;
const TEST_FILE_CEILING = 600;
const FUNCTION_CEILING = 80;

/**
 * Files and functions that may be larger, with their measured lines: the numbers only shrink, and nothing is added
 * without a reason.
 */
const LARGER_FILES: Record<string, number> = {};
const LARGER_FUNCTIONS: Record<string, number> = {
  // The composition root creates each room by one call: to read it in one piece is its purpose.
  'server/composition/rooms.ts createRooms': 264,
};

const PRODUCT = sourceFiles('shared', 'server', 'main', 'renderer', 'scripts');
const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

function fileLines(files: SourceFile[]): Map<string, number> {
  return new Map(files.map((file) => [file.path, file.lines]));
}

/** The lines of each function, by `path name` or `path:line` where it has no name. */
function functionLines(files: SourceFile[]): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const file of files) {
    for (const node of file.nodes) {
      if (!FUNCTIONS.includes(node.type)) continue;
      const line = lineAt(file, node.start);
      const name = (node['id'] as { name?: string } | null)?.name;
      const place = name === undefined ? `${file.path}:${line}` : `${file.path} ${name}`;
      sizes.set(place, lineAt(file, node.end) - line + 1);
    }
  }
  return sizes;
}

function tooLarge(sizes: Map<string, number>, ceiling: number, exceptions: Record<string, number>): string[] {
  const found = [...sizes].filter(([place, lines]) => lines > (exceptions[place] ?? ceiling));
  return found.map(([place, lines]) => `${place}: ${lines} lines, at most ${exceptions[place] ?? ceiling}`);
}

function tooGenerous(sizes: Map<string, number>, exceptions: Record<string, number>): string[] {
  const found = Object.entries(exceptions).filter(([place, lines]) => sizes.get(place) !== lines);
  return found.map(
    ([place, lines]) => `${place}: listed with ${lines}, measured ${sizes.get(place) ?? 'nothing'}`,
  );
}

describe('sizes', () => {
  it('rule (source): a source file is one subject and has at most 500 lines', () => {
    expect(tooLarge(fileLines(PRODUCT), FILE_CEILING, LARGER_FILES)).toEqual([]);
  });

  it('of test files stay below their ceiling', () => {
    expect(tooLarge(fileLines(sourceFiles('test')), TEST_FILE_CEILING, LARGER_FILES)).toEqual([]);
  });

  it('rule (source): a function has at most 80 lines', () => {
    expect(tooLarge(functionLines(PRODUCT), FUNCTION_CEILING, LARGER_FUNCTIONS)).toEqual([]);
  });

  it('that are listed as larger are the measured ones, so that the list only shrinks', () => {
    expect(tooGenerous(fileLines([...PRODUCT, ...sourceFiles('test')]), LARGER_FILES)).toEqual([]);
    expect(tooGenerous(functionLines(PRODUCT), LARGER_FUNCTIONS)).toEqual([]);
  });

  it('of functions are measured from their first to their last line', () => {
    const text =
      'const a = () => {\n  b();\n};\nclass C {\n  d() {\n    b();\n    b();\n  }\n}\nfunction e() {}\n';
    const sizes = functionLines([parseFile('x.ts', text)]);
    expect([...sizes]).toEqual([
      ['x.ts:1', 3],
      ['x.ts:5', 4],
      ['x.ts e', 1],
    ]);
  });
});
