import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  filesBelow,
  foldersIn,
  importsOf,
  isIdentifier,
  isNode,
  lineAt,
  parseFile,
  ROOT,
  type SourceFile,
  type SyntaxNode,
  sourceFiles,
} from '../scripts/source-tree.ts';
import { createCatalog } from '../server/features/settings/catalog.ts';
import { importCycles } from './setup/import-cycles.ts';
import { FOLDER_RANKS, importFault, RANKS } from './setup/import-rules.ts';
import { BROKEN_IMPORTS, KEPT_IMPORTS } from './setup/import-samples.ts';
import { unusedExports } from './setup/unused-exports.ts';

const ALL = sourceFiles('.');
const PRODUCT = ALL.filter((file) => /^(shared|main|server|renderer|scripts)\//.test(file.path));
const RUNNING = PRODUCT.filter((file) => !file.path.startsWith('scripts/'));
const OUR_FOLDERS = ['shared', 'main', 'server', 'renderer', 'scripts', 'test'];

function brokenImports(file: SourceFile): string[] {
  return importsOf(file).flatMap(({ target, line }) => {
    const reason = importFault(file.path, target);
    return reason === null ? [] : [`${file.path}:${line} imports ${target}: ${reason}`];
  });
}

/** `path:line` of every part of the files that the rule finds. */
function placesOf(files: SourceFile[], rule: (node: SyntaxNode) => boolean): string[] {
  return files.flatMap((file) =>
    file.nodes.filter(rule).map((node) => `${file.path}:${lineAt(file, node.start)}`),
  );
}

function isMember(node: unknown, object: string, property: string): boolean {
  if (!isNode(node) || node.type !== 'MemberExpression' || !isIdentifier(node['object'], object))
    return false;
  const key = node['property'];
  return isIdentifier(key, property) || (isNode(key) && key['value'] === property);
}

describe('imports', () => {
  it('rule (source): imports follow the table of import rules and the ranks of the rooms', () => {
    expect(PRODUCT.flatMap(brokenImports)).toEqual([]);
  });

  it('rule (source): there is no import cycle, not even of types', () => {
    expect(importCycles(PRODUCT)).toEqual([]);
  });

  it('that make a circle are found', () => {
    const files = [
      parseFile('server/a.ts', "import { b } from './b.ts';"),
      parseFile('server/b.ts', "import type { C } from './c.ts';"),
      parseFile('server/c.ts', "export * from './a.ts';"),
      parseFile('server/d.ts', "import { a } from './a.ts';"),
    ];
    expect(importCycles(files)).toEqual([['server/a.ts', 'server/b.ts', 'server/c.ts']]);
  });

  it('are all of files that exist', () => {
    const missing = PRODUCT.flatMap((file) =>
      importsOf(file)
        .filter(({ target }) => /^(shared|main|server|renderer|scripts|test)\//.test(target))
        .filter(({ target }) => !existsSync(join(ROOT, target)))
        .map(({ target, line }) => `${file.path}:${line} ${target}`),
    );
    expect(missing).toEqual([]);
  });

  it.each(BROKEN_IMPORTS)('of %s that break the table are found: %s', (path, text) => {
    expect(brokenImports(parseFile(path, text))).toHaveLength(1);
  });

  it.each(KEPT_IMPORTS)('of %s that keep to it pass: %s', (path, text) => {
    expect(brokenImports(parseFile(path, text))).toEqual([]);
  });
});

describe('exports', () => {
  /** Exports that something else than an import of ours loads, by what loads them. */
  const ENTRIES: Record<string, RegExp> = {
    'Vite and Vitest':
      /^((test\/screens\/)?vite(st)?\.config|test\/setup\/global|scripts\/count-reporter)\.ts default$/,
    Piscina: /^server\/documents\/pool\/worker\.ts work$/,
    'server/composition/providers.ts, every provider': /^server\/adapters\/providers\/registry\.ts /,
    'test/bench/run.ts, by the name of the file': /^test\/bench\/[^/]+\.ts run$/,
    'the desktop application, in place of Electron': /^test\/desktop\/standin\/electron\.ts /,
    'programs of others, as the package of the API client': /^shared\/client\/package\/index\.ts /,
  };

  it('rule (source): an exported name is imported elsewhere', () => {
    const names = unusedExports(ALL).map(({ path, name }) => `${path} ${name}`);
    const entries = Object.values(ENTRIES);
    expect(names.filter((name) => !entries.some((entry) => entry.test(name)))).toEqual([]);
    expect(entries.filter((entry) => !names.some((name) => entry.test(name)))).toEqual([]);
  });

  it('that are imported nowhere are found, in every form', () => {
    const unused = unusedExports([
      parseFile('server/a.ts', 'export const [a, { b: c }] = d(); export function e() {} export type F = 1;'),
      parseFile('server/b.ts', "export * from './a.ts'; export { e as g } from './a.ts'; export default 1;"),
      parseFile('server/c.ts', "import h, { c } from './b.ts'; const { i } = await import('./d.ts');"),
      parseFile('server/d.ts', 'const i = 1; class J {} export { i, J };'),
      parseFile('server/k.ts', "import * as d from './d.ts'; import type { F } from './a.ts'; new d.L();"),
    ]);
    expect(unused.map(({ path, name }) => `${path} ${name}`)).toEqual([
      'server/a.ts a',
      'server/b.ts g',
      'server/d.ts J',
    ]);
  });
});

describe('names', () => {
  it('say what a thing is: no utils, helpers, common, misc or manager', () => {
    const empty = /(^|\/)(common|misc|([a-z0-9-]+-)?(utils?|helpers?|managers?))(\.|\/|$)/;
    expect(OUR_FOLDERS.flatMap(filesBelow).filter((path) => empty.test(path))).toEqual([]);
  });

  it('of source files are kebab-case', () => {
    const kebab = /(^|\/)[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)*\.(ts|tsx|mjs)$/;
    const sources = OUR_FOLDERS.flatMap(filesBelow).filter((path) => /\.(ts|tsx|mjs)$/.test(path));
    expect(sources.filter((path) => !kebab.test(path))).toEqual([]);
  });

  it('of rooms are listed, so that each has a rank', () => {
    const rooms = new Set(RANKS.flat());
    expect(foldersIn('server/features').filter((room) => !rooms.has(room))).toEqual([]);
  });

  it.each(Object.entries(FOLDER_RANKS))(
    'of folders within %s are listed, so that each has a rank',
    (room, ranks) => {
      const ranked = ranks.flat().filter((folder) => folder !== '.');
      expect(foldersIn(`server/features/${room}`).sort()).toEqual(ranked.sort());
    },
  );
});

describe('the rooms', () => {
  /**
   * Folders where names begin with the word of a room, and the other names allowed there; docs/architecture.md explains
   * why.
   */
  const WORDS: Record<string, string[]> = {
    'server/db/schema': ['tables', 'jobs'],
    'server/db/migrations/001': ['jobs'],
    'shared/api': ['all', 'errors', 'provider-routes', 'refusals', 'route', 'values', 'system'],
    'shared/states': [],
    'renderer/features': [],
    'test/api': ['system'],
    'test/store': ['backup', 'db', 'jobs'],
  };
  const beginsWith = (name: string, words: Iterable<string>) =>
    [...words].some((word) => name === word || name.startsWith(`${word}-`));

  it('rule (source): a room has one name in every folder', () => {
    const rooms = RANKS.flat();
    const others = Object.entries(WORDS).flatMap(([folder, known]) => {
      const files = filesBelow(folder).map((path) => path.slice(folder.length + 1));
      const names = files.map((path) => path.replace(/[/.].*$/, ''));
      return names
        .filter((name) => !beginsWith(name, [...rooms, ...known]))
        .map((name) => `${folder}/${name}`);
    });
    expect([...new Set(others)]).toEqual([]);
  });

  /**
   * Settings that describe the installation or apply to sent and received faxes alike; every other setting belongs to
   * one room.
   */
  const OF_SEVERAL = [
    'CLEANUP_INTERVAL_MINUTES',
    'FAX_DEFAULT_COUNTRY',
    'FAX_NUMBER',
    'FAX_ORGANIZATION',
    // The printer for other computers uses the certificate of HTTPS.
    'HTTPS_ENABLED',
    // The room of the telephone line receives as well.
    'INBOUND_ENABLED',
    'PUBLIC_API_URL',
    'REFERENCE_LABEL',
    'TIME_ZONE',
  ];

  /** The rooms whose files name a setting; the console shows what the settings of others are. */
  function roomsOf(setting: string): string[] {
    const isNamed = ({ nodes }: SourceFile) => nodes.some((node) => node['value'] === setting);
    const naming = RUNNING.filter(({ path }) =>
      /^server\/(features\/(?!settings\/)|composition\/)/.test(path),
    )
      .filter(isNamed)
      .map(({ path }) => /^server\/features\/([^/]+)\//.exec(path)?.[1] ?? 'gateway');
    const rooms = [...new Set(naming)];
    const owners = rooms.filter((room) => room !== 'console' && room !== 'gateway');
    return owners.length > 0 ? owners : rooms;
  }

  it('rule (source): a setting belongs to one room, except those of the whole installation, and every setting is read', () => {
    const { names } = createCatalog([]);
    expect(names.filter((name) => roomsOf(name).length === 0)).toEqual([]);
    expect(names.filter((name) => roomsOf(name).length > 1).sort()).toEqual(OF_SEVERAL);
  });

  it('each have a room.ts, which the composition root puts into its list', () => {
    const root = ['rooms', 'data-key-replacement', 'dependencies'].map(
      (name) => `server/composition/${name}.ts`,
    );
    const known = RUNNING.filter((file) => root.includes(file.path)).flatMap(importsOf);
    const composed = new Set(known.map(({ target }) => target));
    const rooms = foldersIn('server/features').map((room) => `server/features/${room}/room.ts`);
    expect(rooms.filter((path) => !composed.has(path))).toEqual([]);
  });
});

describe('a class of ours', () => {
  /**
   * Classes that may be constructed outside of their file. Errors are constructed where they are thrown; these are
   * constructed by any caller.
   */
  const MADE_ANYWHERE = [
    // Answers of a route, distinguished by their class.
    'Reply',
    'FileReply',
    'OpenReply',
    // A stream of Node.
    'MarkingStream',
  ];
  const madeOutside = (file: SourceFile) => {
    const imported = new Map(
      file.nodes
        .filter((node) => node.type === 'ImportDeclaration')
        .filter(({ source }) => String((source as SyntaxNode)['value']).startsWith('.'))
        .flatMap((node) => node['specifiers'] as { local: { name: string }; imported?: { name: string } }[])
        .map(({ local, imported: original }) => [local.name, original?.name ?? local.name]),
    );
    return placesOf([file], ({ type, callee }) => {
      const name =
        type === 'NewExpression' && isNode(callee) ? imported.get(String(callee['name'])) : undefined;
      return name !== undefined && !/(Error|Failure)$/.test(name) && !MADE_ANYWHERE.includes(name);
    });
  };

  it('rule (source): a class is constructed in its own file only, behind a function `createX`', () => {
    expect(PRODUCT.flatMap(madeOutside)).toEqual([]);
  });

  it('that is made elsewhere is found, under another name as well', () => {
    const text = "import { Room as R } from './room.ts'; import { E } from 'e'; new R(); new E(); new Map();";
    expect(madeOutside(parseFile('server/a.ts', text))).toEqual(['server/a.ts:1']);
  });
});

describe('the outer world', () => {
  it('gives its environment variables to one file of the server and one of the desktop application', () => {
    const readers = ['server/config/env.ts', 'main/environment.ts'];
    const others = RUNNING.filter((file) => !readers.includes(file.path));
    expect(placesOf(others, (node) => isMember(node, 'process', 'env'))).toEqual([]);
  });

  it('rule (source): server and shared code read the time from the injected clock only', () => {
    const files = RUNNING.filter((file) => /^(server|shared)\//.test(file.path));
    const others = files.filter((file) => file.path !== 'server/platform/clock.ts');
    const readsTime = (node: SyntaxNode): boolean => {
      if (node.type === 'CallExpression' && isIdentifier(node['callee'], 'Date')) return true;
      const made = node.type === 'NewExpression' && isIdentifier(node['callee'], 'Date');
      return isMember(node, 'Date', 'now') || (made && (node['arguments'] as unknown[]).length === 0);
    };
    expect(placesOf(others, readsTime)).toEqual([]);
  });

  it('makes the folders of the server in server/platform/make-folder.ts only: the way of Node may never end', () => {
    const files = RUNNING.filter((file) => file.path.startsWith('server/'));
    const others = files.filter((file) => file.path !== 'server/platform/make-folder.ts');
    const namesMkdir = (node: SyntaxNode): boolean =>
      node.type === 'ImportSpecifier' && /^mkdir(Sync)?$/u.test((node['imported'] as { name: string }).name);
    expect(placesOf(others, namesMkdir)).toEqual([]);
  });
});

it('no text is run as code', () => {
  const runsText = ({ type, callee }: SyntaxNode): boolean =>
    (type === 'CallExpression' && isIdentifier(callee, 'eval')) ||
    (/^(Call|New)Expression$/u.test(type) && isIdentifier(callee, 'Function'));
  expect(placesOf(RUNNING, runsText)).toEqual([]);
  const found = parseFile('found.ts', "eval('1'); new Function('1'); Function('1');");
  expect(placesOf([found], runsText)).toHaveLength(3);
});

describe('ids of resources', () => {
  const isResourceId = (node: SyntaxNode): boolean => {
    const text = node.type === 'Literal' ? node['value'] : null;
    const quasi = node.type === 'TemplateElement' ? (node['value'] as { raw: string }).raw : text;
    return typeof quasi === 'string' && /^(mailbox:|inbound:$)/.test(quasi);
  };

  it('rule (source): ids of resources are built and parsed in `shared/resources.ts` only', () => {
    // The others seal the source of a received fax under its id.
    const homes = [
      'shared/resources.ts',
      'server/features/inbound/arriving/document-source.ts',
      'server/db/sealed-columns.ts',
    ];
    expect(
      placesOf(
        RUNNING.filter((file) => !homes.includes(file.path)),
        isResourceId,
      ),
    ).toEqual([]);
  });

  it('are seen as texts and as templates', () => {
    const text = "f('mailbox:1'); g(`inbound:${id}`); h('inbound:list');";
    expect(parseFile('a.ts', text).nodes.filter(isResourceId)).toHaveLength(2);
  });
});

describe('tables', () => {
  const QUERIES =
    /^(selectFrom|insertInto|updateTable|deleteFrom|innerJoin|leftJoin|crossJoin|fullJoin|prepareUpdate)$/;

  /** The tables of each file of the schema, by the room that owns them. */
  function tablesByOwner(): Map<string, string> {
    const owners = new Map<string, string>();
    for (const { path, text } of sourceFiles('server/db/schema')) {
      const room = basename(path, '.ts');
      const tables = /export interface \w+Tables \{([^}]*)\}/.exec(text)?.[1] ?? '';
      for (const [, table] of tables.matchAll(/^ {2}(\w+):/gm)) {
        expect(owners.get(table ?? ''), `${table} has one owner`).toBeUndefined();
        owners.set(table ?? '', room);
      }
    }
    return owners;
  }

  /** The tables that queries of a file name, or other calls of the query builder, with their lines. */
  function tablesNamed(file: SourceFile, calls = QUERIES): { table: string; line: number }[] {
    return file.nodes.flatMap((node) => {
      const callee = node.type === 'CallExpression' ? node['callee'] : null;
      if (!isNode(callee)) return [];
      const { name } = (callee.type === 'MemberExpression' ? callee['property'] : callee) as {
        name?: string;
      };
      const [first] = node['arguments'] as SyntaxNode[];
      const text = first?.['value'];
      if (!calls.test(name ?? '') || typeof text !== 'string') return [];
      return [{ table: text.split(' ')[0] ?? '', line: lineAt(file, node.start) }];
    });
  }

  const mayName = (path: string, owner: string | undefined) =>
    owner !== undefined &&
    (path.startsWith(`server/features/${owner}/`) || path.startsWith(`server/${owner}/`));

  it('rule (source): a table has one owner, and only the queries of that room name it', () => {
    const owners = tablesByOwner();
    const others = RUNNING.filter(({ path }) => /^server\/(?!db\/)/.test(path)).flatMap((file) =>
      tablesNamed(file)
        .filter(({ table }) => !mayName(file.path, owners.get(table)))
        .map(({ table, line }) => `${file.path}:${line} names ${table} of ${owners.get(table) ?? 'nobody'}`),
    );
    expect(others).toEqual([]);
  });

  it('rule (source): a table is created in the migration file named after its owner', () => {
    const owners = tablesByOwner();
    const others = RUNNING.filter(({ path }) => path.startsWith('server/db/migrations/')).flatMap((file) =>
      tablesNamed(file, /^createTable$/)
        .filter(({ table }) => owners.get(table) !== basename(file.path, '.ts'))
        .map(({ table, line }) => `${file.path}:${line} makes ${table} of ${owners.get(table) ?? 'nobody'}`),
    );
    expect(others).toEqual([]);
  });

  it('that a room does not own are found in its queries', () => {
    const text = "db.selectFrom('fax_job as job').selectAll();\nprepareUpdate('fax_job', ['id']);";
    const file = parseFile('server/features/work/store.ts', text);
    expect(tablesNamed(file)).toEqual([
      { table: 'fax_job', line: 1 },
      { table: 'fax_job', line: 2 },
    ]);
    expect(mayName(file.path, tablesByOwner().get('fax_job'))).toBe(false);
  });
});

describe('the delivery state', () => {
  const setsState = (node: SyntaxNode): boolean => {
    const callee = node.type === 'CallExpression' ? node['callee'] : null;
    if (!isNode(callee) || !isIdentifier(callee['property'], 'set')) return false;
    const [first] = node['arguments'] as SyntaxNode[];
    if (first?.['value'] === 'delivery_state') return true;
    const properties = Array.isArray(first?.['properties']) ? first['properties'] : [];
    return properties.some((it) => isNode(it) && isIdentifier(it['key'], 'delivery_state'));
  };

  it('is written by one file, a store of outbound', () => {
    const prepares = /\bprepareUpdate\('fax_job'/u;
    const writers = RUNNING.filter((file) => file.nodes.some(setsState) || prepares.test(file.text)).map(
      (file) => file.path,
    );
    expect(writers.filter((path) => !path.startsWith('server/features/outbound/store'))).toEqual([]);
    expect(writers.length, writers.join(', ')).toBe(1);
  });

  it('is seen when it is written in either form', () => {
    const text =
      "db.updateTable('j').set({ delivery_state: x }); db.updateTable('j').set('delivery_state', x);";
    expect(parseFile('a.ts', text).nodes.filter(setsState)).toHaveLength(2);
  });
});

describe('a list of the console', () => {
  it('is read by the one engine', () => {
    const others = RUNNING.filter((file) => /\buseInfiniteQuery\b/u.test(file.text)).map((file) => file.path);
    expect(others).toEqual(['renderer/api/lists/use-list.ts']);
  });
});

describe('the console', () => {
  it('works over plain HTTP, where a browser has no `crypto.randomUUID`', () => {
    const sources = RUNNING.filter(({ path }) => path.startsWith('renderer/'));
    const wrong = sources.filter(({ text }) => text.includes('randomUUID('));
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
});

describe('code of the console that comes after the first screen', () => {
  it('is loaded again where the gateway was away', () => {
    // The rules of phone numbers have a try of their own with each screen.
    const others = RUNNING.filter(({ path }) => path.startsWith('renderer/'))
      .filter(({ text }) => /(?<!loadPart\(\(\) => )\bimport\(/u.test(text))
      .map(({ path }) => path);
    expect(others).toEqual(['renderer/ui/phone-reader.ts']);
  });
});

describe('a test', () => {
  it('that replaces modules or globals has a process of its own, as its name says', () => {
    const replaces = /\bvi\.(?:mock|doMock|resetModules|stubGlobal)\(/u;
    const wrong = filesBelow('test')
      .filter((path) => path.endsWith('.test.ts') && !path.endsWith('.alone.test.ts'))
      .filter((path) => replaces.test(readFileSync(join(ROOT, path), 'utf8')));
    expect(wrong).toEqual([]);
  });
});

describe('what goes and what stays', () => {
  it('is removed in the release that its first line names', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    const due = PRODUCT.filter((file) => {
      const release = /^.*@deprecated remove in (\d+(?:\.\d+)*)/.exec(file.text)?.[1];
      return release !== undefined && version.localeCompare(release, 'en', { numeric: true }) >= 0;
    });
    expect(due.map((file) => file.path)).toEqual([]);
  });

  it('is the tree that the README shows', () => {
    const readme = existsSync(join(ROOT, 'README.md')) ? readFileSync(join(ROOT, 'README.md'), 'utf8') : '';
    const block = /^#+ Where things are\s*\n[\s\S]*?```[a-z]*\n([\s\S]*?)```/m.exec(readme)?.[1];
    expect(block, 'README.md has a fenced block under a heading "Where things are"').toBeDefined();
    const named = (block ?? '')
      .split('\n')
      .flatMap((line) => /^\S+/.exec(line)?.[0].replace(/\/$/, '') ?? []);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    const wanted = [...foldersIn('.'), ...foldersIn('server').map((name) => `server/${name}`)];
    expect(wanted.filter((path) => !named.includes(path))).toEqual([]);
  });

  it('speaks of Faxdesk alone: no place of a workshop and no host of a package registry', () => {
    // Spelled with a class of one letter each, so that this file does not find itself.
    const betrayal = /(?<![\w.}])\/[w]ork\/(main|shared|\.)|\b[f]arm-|[n]pmjs|[y]arnpkg/i;
    const texts = filesBelow('.').filter(
      (path) => !/\.(pdf|tiff?|png|jpe?g|ttf|icns|ico|gif|zip|g3|g4|raw)$/.test(path),
    );
    const found = texts.flatMap((path) => {
      const hit = betrayal.exec(readFileSync(join(ROOT, path), 'utf8'));
      return hit === null ? [] : [`${path}: ${hit[0]}`];
    });
    expect(found).toEqual([]);
  });
});
