import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow, ROOT } from '../scripts/source-tree.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Classes that a style sheet has. */
const classesIn = (css: string) =>
  new Set(
    [...withoutComments(css).matchAll(/(?<![\w"'./-])\.([a-z][\w-]*)/giu)].map(([, name = '']) => name),
  );

const withoutComments = (css: string) => css.replaceAll(/\/\*[^]*?\*\//gu, '');

interface Used {
  readonly path: string;
  readonly sheet: string;
  readonly name: string;
}

/** Classes that a part of the console takes from its style sheets; `*` for one that is chosen while it runs. */
function classesOf(path: string, text: string): Used[] {
  const imports = [...text.matchAll(/^import (\w+) from '([^']+\.module\.css)';$/gmu)];
  return imports.flatMap(([, variable = '', from = '']) => {
    const sheet = join(dirname(path), from);
    const named = [...text.matchAll(new RegExp(`\\b${variable}\\['([^']+)'\\]`, 'gu'))];
    const isChosen = new RegExp(`\\b${variable}(?:\\[[^']|\\b(?!\\[| from))`, 'u').test(text);
    const names = named.map(([, name = '']) => name);
    return [...names, ...(isChosen ? ['*'] : [])].map((name) => ({ path, sheet, name }));
  });
}

/** Classes that a style sheet takes from another one, or from itself. */
function composedBy(path: string, css: string): Used[] {
  return [...css.matchAll(/composes: ([\w -]+?)(?: from "([^"]+)")?;/gu)].flatMap(([, names = '', from]) =>
    names
      .split(' ')
      .map((name) => ({ path, sheet: from === undefined ? path : join(dirname(path), from), name })),
  );
}

const files = filesBelow('renderer');
const sheets = files.filter((path) => path.endsWith('.module.css'));
const used = [
  ...files.filter((path) => /\.tsx?$/u.test(path)).flatMap((path) => classesOf(path, read(path))),
  ...sheets.flatMap((path) => composedBy(path, read(path))),
];

describe('a class of the console', () => {
  it('that is used is in its style sheet', () => {
    const missing = used.filter(({ sheet, name }) => name !== '*' && !classesIn(read(sheet)).has(name));
    expect(missing).toEqual([]);
  });

  it('that a style sheet has is used', () => {
    const unused = sheets.flatMap((sheet) => {
      const names = new Set(used.filter((it) => it.sheet === sheet).map(({ name }) => name));
      return names.has('*')
        ? []
        : [...classesIn(read(sheet))].filter((name) => !names.has(name)).map((name) => `${sheet} ${name}`);
    });
    expect(unused).toEqual([]);
  });

  it('is found, also where it is composed or chosen', () => {
    expect(classesIn('/* .no */ .a, .b:hover > .c { composes: d from "./x.css"; width: 0.5em }')).toEqual(
      new Set(['a', 'b', 'c']),
    );
    const text = "import styles from './a.module.css';\nconst it = [styles['a'], styles[tone]];";
    expect(classesOf('x/a.tsx', text).map(({ sheet, name }) => `${sheet} ${name}`)).toEqual([
      'x/a.module.css a',
      'x/a.module.css *',
    ]);
    expect(composedBy('x/a.css', '.a { composes: b c from "../y/b.css"; }')).toEqual([
      { path: 'x/a.css', sheet: 'y/b.css', name: 'b' },
      { path: 'x/a.css', sheet: 'y/b.css', name: 'c' },
    ]);
  });
});
