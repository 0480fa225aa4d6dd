import { expect, test } from 'vitest';
import { isNode, type SourceFile, type SyntaxNode, sourceFiles } from '../../scripts/source-tree.ts';
import { ANYWHERE, refusalsOf } from '../../shared/api/refusals.ts';
import { ERROR_CODES, ERRORS, meaningOf } from '../../shared/errors/all.ts';
import { allRoutes } from '../setup/every-route.ts';

/** Of the page of the console, which is no route. */
const OUTSIDE_ROUTES = ['console_not_built'];

test('every code is a plain word with a status of a refusal and a sentence', () => {
  for (const code of ERROR_CODES) {
    expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/u);
    expect(ERRORS[code].status).toBeGreaterThanOrEqual(400);
    expect(meaningOf(code)).toMatch(/^\p{Lu}.*\.$/u);
  }
});

test('every code is used by the gateway', () => {
  const used = new Set(sourceFiles('server').flatMap(textsOf));
  expect(ERROR_CODES.filter((code) => !used.has(code))).toEqual([]);
});

test('every code is named by a route, or may come anywhere', () => {
  const named = new Set<string>([...allRoutes.flatMap(refusalsOf), ...ANYWHERE, ...OUTSIDE_ROUTES]);
  expect(ERROR_CODES.filter((code) => !named.has(code))).toEqual([]);
});

test('nobody compares the sentence of a refusal', () => {
  const found = sourceFiles('renderer', 'main', 'server/cli', 'shared/client').flatMap((file) =>
    file.nodes.filter(comparesSentence).map(() => file.path),
  );
  expect(found).toEqual([]);
});

function textsOf(file: SourceFile): string[] {
  return file.nodes.flatMap((node) =>
    node.type === 'Literal' && typeof node['value'] === 'string' ? [node['value']] : [],
  );
}

function comparesSentence({ type, operator, left, right }: SyntaxNode): boolean {
  if (type !== 'BinaryExpression' || !['===', '!=='].includes(String(operator))) return false;
  return [left, right].some(
    (side) =>
      isNode(side) &&
      side.type === 'MemberExpression' &&
      isNode(side['property']) &&
      side['property']['name'] === 'detail',
  );
}
