import MiniSearch from 'minisearch';
import { type HelpBlock, type HelpPage, plainText } from './help-page.ts';

/** Results that are shown at most. */
export const MOST_RESULTS = 30;
export const MOST_LETTERS = 100;
const MOST_WORDS = 8;
/** Characters of a text around the first word that was found. */
const BEFORE = 40;
const SNIPPET = 160;

/** A page from one of its headings to the next. */
interface Section {
  readonly id: number;
  readonly page: string;
  /** Id of the heading; null for the beginning of the page. */
  readonly part: string | null;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
}

export interface HelpResult {
  readonly id: number;
  readonly page: string;
  readonly part: string | null;
  readonly title: string;
  readonly heading: string;
  /** Text around what was found; every second part is a word that was found. */
  readonly snippet: readonly string[];
}

/**
 * Makes the search over titles, headings and texts of all pages. Its work for a query is bounded: a few words, each
 * looked up in an index, with at most two letters wrong.
 */
export function createHelpSearch(pages: readonly HelpPage[]): (query: string) => readonly HelpResult[] {
  const sections = pages.flatMap(sectionsOf).map((section, id): Section => ({ ...section, id }));
  const index = new MiniSearch<Section>({
    fields: ['title', 'heading', 'text'],
    searchOptions: {
      boost: { title: 4, heading: 3 },
      prefix: true,
      fuzzy: (word) => (word.length > 4 ? 0.2 : false),
      maxFuzzy: 2,
      weights: { prefix: 0.5, fuzzy: 0.2 },
    },
  });
  index.addAll(sections);
  return (query) => {
    const words = query.slice(0, MOST_LETTERS).split(/\s+/u).slice(0, MOST_WORDS).join(' ');
    const all = index.search(words, { combineWith: 'AND' });
    const found = all.length > 0 ? all : index.search(words, { combineWith: 'OR' });
    return found.slice(0, MOST_RESULTS).flatMap(({ id, terms }) => {
      const section = sections[Number(id)];
      return section ? [resultOf(section, terms)] : [];
    });
  };
}

function sectionsOf({ id: page, title, blocks }: HelpPage): Omit<Section, 'id'>[] {
  const beginnings = blocks.flatMap(({ kind }, at) => (kind === 'heading' ? [at] : []));
  return [0, ...beginnings].map((from, at) => {
    const first = blocks[from];
    const isHeading = at > 0 && first?.kind === 'heading';
    const content = blocks.slice(isHeading ? from + 1 : from, beginnings[at]);
    return {
      page,
      title,
      part: isHeading ? first.id : null,
      heading: isHeading ? plainText(first.of) : '',
      text: content.map(textOf).join(' '),
    };
  });
}

function textOf(block: HelpBlock): string {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return plainText(block.of);
    case 'list':
      return block.items.flat().map(textOf).join(' ');
    case 'table':
      return [block.head, ...block.rows].flat().map(plainText).join(' ');
    case 'code':
      return block.text;
    case 'quote':
      return block.of.map(textOf).join(' ');
    case 'picture':
      return '';
  }
}

function resultOf(section: Section, terms: readonly string[]): HelpResult {
  const { id, page, part, title, heading, text } = section;
  return { id, page, part, title, heading, snippet: snippetOf(text, terms) };
}

/** Words of a text, as the index divides it. */
const WORDS = /[\p{L}\p{N}]+/gu;

function snippetOf(text: string, terms: readonly string[]): readonly string[] {
  const found = [...text.matchAll(WORDS)].filter(([word]) => terms.includes(word.toLowerCase()));
  const first = found[0]?.index ?? 0;
  const from = first <= BEFORE ? 0 : text.indexOf(' ', first - BEFORE) + 1;
  const to = Math.min(text.length, from + SNIPPET);
  const parts: string[] = [];
  let piece = from > 0 ? '… ' : '';
  let at = from;
  for (const { 0: word, index } of found) {
    if (index < from || index + word.length > to) continue;
    parts.push(piece + text.slice(at, index), word);
    piece = '';
    at = index + word.length;
  }
  return [...parts, `${piece}${text.slice(at, to)}${to < text.length ? ' …' : ''}`];
}
