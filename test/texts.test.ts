import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  isNode,
  lineAt,
  parseFile,
  ROOT,
  type SourceFile,
  type SyntaxNode,
  sourceFiles,
} from '../scripts/source-tree.ts';

/** Attributes and properties whose text a person can read or a screen reader speaks. */
const SEEN =
  /^(?:label|title|placeholder|alt|summary|head|word|sentence|help|hint|text|message|aria-label|aria-description|aria-roledescription|aria-valuetext)$/u;
const LETTER = /\p{L}/u;
/** Begins like a sentence or a heading of several words. */
const SENTENCE = /^\p{Lu}\p{Ll}*[’']?\p{Ll}*,? \p{L}/u;

/** Names of products. */
const PROPER = new Set(['Samsung Internet']);

const isText = (path: string) => path.startsWith('renderer/texts/') || path === 'renderer/ui/words.ts';

interface Found {
  readonly where: string;
  readonly text: string;
}

/** Texts for people that a file of the console holds itself. */
function ownTexts(file: SourceFile): Found[] {
  const developers = new Set(file.nodes.filter(({ type }) => type === 'NewExpression').flatMap(inside));
  const seen = new Set(file.nodes.flatMap(shownBy));
  return file.nodes.flatMap((node) => {
    const text = textOf(node);
    if (text === null || !LETTER.test(text) || developers.has(node) || PROPER.has(text)) return [];
    const isShown = node.type === 'JSXText' || seen.has(node) || SENTENCE.test(text);
    return isShown ? [{ where: `${file.path}:${lineAt(file, node.start)}`, text: text.trim() }] : [];
  });
}

/**
 * Lists the expressions of a node that people see: between tags, in a visible attribute, or under the name of a text.
 */
function shownBy(node: SyntaxNode): unknown[] {
  switch (node.type) {
    case 'JSXElement':
    case 'JSXFragment':
      return children(node).flatMap((child) =>
        child.type === 'JSXExpressionContainer' ? results(child['expression']) : [],
      );
    case 'JSXAttribute': {
      const { name, value } = node as unknown as { name: { name: string }; value: unknown };
      if (!SEEN.test(name.name)) return [];
      return results(isNode(value) && value.type === 'JSXExpressionContainer' ? value['expression'] : value);
    }
    case 'Property': {
      const { key } = node as unknown as { key: { name?: string } };
      return SEEN.test(key.name ?? '') ? results(node['value']) : [];
    }
    default:
      return [];
  }
}

const children = (node: SyntaxNode) => (node['children'] as unknown[]).filter(isNode);

/** Every text that an expression may become. */
function results(value: unknown): unknown[] {
  if (!isNode(value)) return [];
  switch (value.type) {
    case 'ConditionalExpression':
      return [...results(value['consequent']), ...results(value['alternate'])];
    case 'LogicalExpression':
      return [...results(value['left']), ...results(value['right'])];
    case 'TemplateLiteral':
      return value['quasis'] as unknown[];
    default:
      return [value];
  }
}

function inside(node: SyntaxNode): unknown[] {
  const within: unknown[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (isNode(value)) {
      within.push(value);
      Object.values(value).forEach(visit);
    }
  };
  visit(node['arguments']);
  return within;
}

function textOf({ type, value }: SyntaxNode): string | null {
  if (type === 'TemplateElement') return (value as { cooked: string }).cooked;
  return (type === 'Literal' || type === 'JSXText') && typeof value === 'string' ? value : null;
}

const consoleFiles = sourceFiles('renderer').filter(({ path }) => !isText(path));

describe('texts of the console', () => {
  test('stand in its catalog alone', () => {
    expect(consoleFiles.flatMap(ownTexts)).toEqual([]);
  });

  test.each([
    ['between tags', '<p>Sent to Phaxio</p>'],
    ['as a choice between tags', '<p>{isOn ? "on" : t.off}</p>'],
    ['within a template', '<p>{`${count} pages`}</p>'],
    ['in an attribute', '<button aria-label="Close" />'],
    ['in an action', 'const action = { label: "Close" };'],
    ['as a sentence', 'const sentence = say("Nothing was sent.");'],
  ])('are found %s', (_where, code) => {
    expect(ownTexts(parseFile('x.tsx', code))).toHaveLength(1);
  });
});

/** Words that no text may contain, with their replacements, as in the glossary. */
const BANNED: readonly (readonly [word: string, instead: string])[] = [
  ['login name', 'sign-in name'],
  ['username', 'sign-in name'],
  ['toast', 'notice'],
  ['wizard', 'first start'],
  ['onboarding', 'first start'],
  ['2FA', 'second factor'],
  ['MFA', 'second factor'],
  ['service account', 'integration'],
  ['master key', 'data key'],
  ['admin key', 'installation key'],
  ['admin UI', 'console'],
  ['abort', 'cancel'],
  ['doubtful', 'needs confirmation'],
  ['in doubt', 'needs confirmation'],
  ['by the set time', 'retention'],
  ['way out', 'transport'],
  ['addressee', 'recipient'],
  ['banner', 'header line'],
  ['tenant', 'installation'],
  ['sandbox', 'process of documents'],
  ['ticket', 'work item'],
  ['trash', 'unclaimed document'],
  ['trusted device', 'known browser'],
  ['corrupt', 'damaged'],
  ['integrity test', 'check'],
  ['hash chain', 'chain'],
  ['colour', 'color'],
  ['grey', 'gray'],
  ['cancelled', 'canceled'],
];

/** Words of the wire and of files, and names of other things, which keep theirs. */
const NAMES = /--clean-greys|[a-z_]+_greys|`[^`]*`/gu;

const readTexts = (...folders: string[]): Found[] =>
  sourceFiles(...folders).flatMap((file) => {
    const quiet = new Set(file.nodes.filter(({ type }) => type.startsWith('Import')).flatMap(parts));
    return file.nodes.flatMap((node) => {
      const text = textOf(node);
      if (text === null || quiet.has(node) || !text.includes(' ')) return [];
      return [{ where: `${file.path}:${lineAt(file, node.start)}`, text }];
    });
  });

const parts = (node: SyntaxNode): unknown[] => [node['source'], node['specifiers']].flat();

const everyText = [
  ...readTexts(
    'renderer',
    'shared',
    'main',
    'server/cli',
    'server/features',
    'server/adapters',
    'server/http',
  ),
];
const glossary = readFileSync(join(ROOT, 'docs/glossary.md'), 'utf8');

describe('one word for one thing:', () => {
  test.each(BANNED)('never “%s” but “%s”', (word, instead) => {
    const pattern = new RegExp(`\\b${word}`, 'iu');
    expect(everyText.filter(({ text }) => pattern.test(text.replaceAll(NAMES, '')))).toEqual([]);
    expect(glossary).toContain(word);
    expect(glossary.toLowerCase()).toContain(instead.toLowerCase());
  });
});

/** Phrases that no text may contain, with plain ones: software does not hear, know or own, and faxes do not go out. */
const STILTED: readonly (readonly [phrase: string, instead: string])[] = [
  ['stands', 'is'],
  ['sees to', 'handles'],
  ['comes in', 'arrives'],
  ['owns', 'has'],
  ['let go', 'released'],
  ['lets go', 'releases'],
  ['goes out', 'is sent'],
  ['going out', 'being sent'],
  ['is asked', 'Faxdesk asks'],
  ['are asked', 'Faxdesk asks'],
  ['told', 'notified'],
  ['tells', 'reports'],
  ['hears', 'receives'],
  ['knows', 'has'],
  ['at hand', 'available'],
  ['of its own', 'its own'],
  ['at present', 'right now'],
  ['once more', 'again'],
  ['any more', 'no longer'],
  ['somebody', 'someone'],
  ['anybody', 'anyone'],
  ['everybody', 'everyone'],
  ['whoever', 'the person who'],
  ['whatever', 'everything that'],
];

/** Texts with such a phrase that is right, with the reason. */
const RIGHT: ReadonlyMap<string, string> = new Map([
  [
    'success or failed, as the recipient told you; not_reached if you could not reach them',
    'a person told another one',
  ],
]);

const stiltedTexts = (phrase: string, texts: readonly Found[]) => {
  const pattern = new RegExp(`\\b${phrase}\\b`, 'iu');
  return texts.filter(({ text }) => pattern.test(text) && !RIGHT.has(text));
};

describe('plain English:', () => {
  const shown = [
    ...everyText,
    ...readTexts(
      'server/backup',
      'server/composition',
      'server/config',
      'server/documents',
      'server/platform',
    ),
  ];

  test.each(STILTED)('never “%s” but “%s”', (phrase) => {
    expect(stiltedTexts(phrase, shown)).toEqual([]);
  });

  test('such a phrase is found as whole words only', () => {
    const texts = ['It stands there.', 'Who Stands?', 'It understands.'].map((text) => ({ where: '', text }));
    expect(stiltedTexts('stands', texts).map(({ text }) => text)).toEqual([
      'It stands there.',
      'Who Stands?',
    ]);
  });

  test.each([...RIGHT])('a text that is right is still there: %s', (text) => {
    expect(shown.filter((found) => found.text === text)).toHaveLength(1);
  });
});

/** A setting, an operation, a field, a status or a type of the wire. */
const CODE = /^(?:[A-Z][A-Z0-9]*_[A-Z0-9_]+|[a-z]+(?:[._][a-z]+)+|[a-z]+[A-Z]\w*|HTTP \d|\d{3} |\()/u;
/** Type and number of a provider's error at the end of a sentence. */
const CODE_BEHIND = /\((?:[a-z]+Error|[A-Z_]+_ERROR)\b/u;

describe('a sentence for a person', () => {
  const sentences = everyText.filter(({ text }) => /[.!?]$/u.test(text.trim()));

  test('is found in the texts', () => {
    expect(sentences.length).toBeGreaterThan(1_000);
  });

  test('begins with a word, never with a code', () => {
    expect(sentences.filter(({ text }) => CODE.test(text.trim()))).toEqual([]);
    expect(everyText.filter(({ text }) => CODE_BEHIND.test(text))).toEqual([]);
  });

  test.each([
    'REQUIRE_API_KEY is false.',
    'lineError 38 ended the call.',
    'session.begin was refused.',
    '(17) Busy.',
  ])('would be found with a code: %s', (sentence) => {
    expect(sentence).toMatch(CODE);
  });
});
