import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lexer, type Token, type Tokens } from 'marked';
import type { Plugin } from 'vite';
import {
  HELP_GROUPS,
  type HelpBlock,
  type HelpInline,
  type HelpPage,
  plainText,
} from '../renderer/features/console-help/help-page.ts';
import { HELP_PAGES, helpIdOf } from './console-help-list.ts';

const DOCS = fileURLToPath(new URL('../docs/', import.meta.url));
const MODULE = 'virtual:help-pages';

/** Gives the console the help pages: what Markdown says becomes data, so that the browser needs no parser and no HTML. */
export function helpPages(): Plugin {
  return {
    name: 'faxdesk:help-pages',
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : null),
    load(id) {
      if (id !== `\0${MODULE}`) return null;
      const { pages, pictures } = readHelp();
      const imports = pictures.map(
        (name, at) => `import p${at} from ${JSON.stringify(`${DOCS}${name}?url`)};`,
      );
      const addresses = pictures.map((name, at) => `${JSON.stringify(name)}: p${at}`);
      // A string is parsed faster than an object of the same content.
      const data = JSON.stringify(JSON.stringify(pages));
      return [
        ...imports,
        `export const pages = JSON.parse(${data});`,
        `export const pictures = { ${addresses.join(', ')} };`,
      ].join('\n');
    },
  };
}

interface Help {
  readonly pages: readonly HelpPage[];
  /** Paths of the pictures, below `docs/`. */
  readonly pictures: readonly string[];
}

/** Reads all help pages. Throws for Markdown that the help cannot show, and for links and pictures that lead nowhere. */
export function readHelp(readPage: (path: string) => string = readDocs): Help {
  const sources = HELP_GROUPS.flatMap((group) =>
    HELP_PAGES[group].map((path) => ({
      group,
      path,
      tokens: lexer(readPage(path)),
    })),
  );
  const headings = new Map(sources.map(({ path, tokens }) => [path, headingIdsOf(tokens)]));
  const pictures = new Set<string>();
  const pages = sources.map(({ group, path, tokens }): HelpPage => {
    const [first, ...blocks] = new PageReader(path, headings, pictures).read(tokens);
    if (first?.kind !== 'heading') throw new Error(`docs/${path}.md begins without a heading`);
    return { id: helpIdOf(path), group, title: plainText(first.of), blocks };
  });
  const ids = pages.map(({ id }) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) throw new Error(`two help pages are named ${twice}`);
  return { pages, pictures: [...pictures] };
}

const readDocs = (path: string): string => readFileSync(join(DOCS, `${path}.md`), 'utf8');

/** Returns the ids of the headings of a page in order, as they are in its links: `#set-it-up`. */
function headingIdsOf(tokens: readonly Token[]): string[] {
  const ids: string[] = [];
  for (const token of tokens.filter((it): it is Tokens.Heading => it.type === 'heading')) {
    const id = token.text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/gu, '-');
    const before = ids.filter((it) => it === id || it.replace(/-\d+$/u, '') === id).length;
    ids.push(before === 0 ? id : `${id}-${before}`);
  }
  return ids;
}

class PageReader {
  readonly #path: string;
  readonly #headings: ReadonlyMap<string, readonly string[]>;
  readonly #pictures: Set<string>;
  #heading = 0;

  constructor(path: string, headings: ReadonlyMap<string, readonly string[]>, pictures: Set<string>) {
    this.#path = path;
    this.#headings = headings;
    this.#pictures = pictures;
  }

  /** Returns the blocks of the page, from its title on. */
  read(tokens: readonly Token[]): HelpBlock[] {
    return this.#blocks(tokens);
  }

  #fault(sentence: string): Error {
    return new Error(`docs/${this.#path}.md ${sentence}`);
  }

  #blocks(tokens: readonly Token[]): HelpBlock[] {
    return tokens.filter((token) => !isNothing(token)).map((token) => this.#block(token as Tokens.Generic));
  }

  #block(token: Tokens.Generic): HelpBlock {
    switch (token.type) {
      case 'heading':
        return this.#headingBlock(token as Tokens.Heading);
      case 'paragraph':
      case 'text': {
        const [only, ...others] = token.tokens ?? [];
        if (only?.type === 'image' && others.length === 0) return this.#picture(only as Tokens.Image);
        return { kind: 'paragraph', of: this.#inlines(token.tokens) };
      }
      case 'list': {
        const { ordered, items } = token as Tokens.List;
        return { kind: 'list', isOrdered: ordered, items: items.map((item) => this.#blocks(item.tokens)) };
      }
      case 'table': {
        const { header, rows } = token as Tokens.Table;
        const row = (cells: readonly Tokens.TableCell[]) => cells.map(({ tokens }) => this.#inlines(tokens));
        return { kind: 'table', head: row(header), rows: rows.map(row) };
      }
      case 'code':
        return { kind: 'code', text: (token as Tokens.Code).text };
      case 'blockquote':
        return { kind: 'quote', of: this.#blocks(token.tokens ?? []) };
      default:
        throw this.#fault(`has what the help cannot show: ${token.type}, ${token.raw}`);
    }
  }

  #headingBlock(token: Tokens.Heading): HelpBlock {
    const id = this.#headings.get(this.#path)?.[this.#heading] ?? '';
    this.#heading += 1;
    const level = Math.min(Math.max(token.depth, 2), 4) as 2 | 3 | 4;
    return { kind: 'heading', level, id, of: this.#inlines(token.tokens) };
  }

  #picture({ href, text }: Tokens.Image): HelpBlock {
    const name = normalize(join(dirname(this.#path), href));
    if (!existsSync(join(DOCS, name))) throw this.#fault(`shows a picture that is not there: ${href}`);
    this.#pictures.add(name);
    return { kind: 'picture', name, description: text };
  }

  #inlines(tokens: readonly Token[] = []): HelpInline[] {
    const parts: HelpInline[] = [];
    for (const part of tokens.flatMap((token) => this.#inline(token as Tokens.Generic))) {
      const last = parts.at(-1);
      // The parser divides a text at signs that it looks at.
      if (typeof last === 'string' && typeof part === 'string') parts[parts.length - 1] = last + part;
      else parts.push(part);
    }
    return parts;
  }

  #inline(token: Tokens.Generic): readonly HelpInline[] {
    switch (token.type) {
      case 'text':
        return token.tokens ? this.#inlines(token.tokens) : [lineOf(token['text'])];
      case 'escape':
        return [lineOf(token['text'])];
      case 'strong':
        return [{ kind: 'strong', of: this.#inlines(token.tokens) }];
      case 'em':
        return [{ kind: 'emphasis', of: this.#inlines(token.tokens) }];
      case 'codespan':
        return [{ kind: 'code', text: lineOf(token['text']) }];
      case 'link':
        return this.#link(token as Tokens.Link);
      default:
        throw this.#fault(`has what the help cannot show: ${token.type}, ${token.raw}`);
    }
  }

  /** A link to what the help does not have is its text alone: it could not be opened without a network. */
  #link({ href, tokens }: Tokens.Link): readonly HelpInline[] {
    const of = this.#inlines(tokens);
    if (/^(?:https?|mailto):/u.test(href)) return of;
    const [file = '', part] = href.split('#');
    const path = file === '' ? this.#path : normalize(join(dirname(this.#path), file)).replace(/\.md$/u, '');
    const headings = this.#headings.get(path);
    if (!headings) {
      if (!existsSync(join(DOCS, dirname(this.#path), file))) throw this.#fault(`links to nothing: ${href}`);
      return of;
    }
    if (part !== undefined && !headings.includes(part)) throw this.#fault(`links to no heading: ${href}`);
    const isBeginning = part === undefined || part === headings[0];
    return [{ kind: 'link', page: helpIdOf(path), part: isBeginning ? null : part, of }];
  }
}

/** Returns true for empty lines, and for comments to those who change a page. */
const isNothing = ({ type, raw }: Token): boolean =>
  type === 'space' || (type === 'html' && /^\s*<!--(?:(?!-->)[\s\S])*-->\s*$/u.test(raw));

/** A line end of the source is a space, as Markdown reads it. */
const lineOf = (text: string): string => text.replaceAll(/\s*\n\s*/gu, ' ');
