import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/source-tree.ts';
import {
  DOCUMENT_TYPE_TABLE,
  type DocumentChannel,
  type DocumentTypeRow,
} from '../../shared/document-type-table.ts';
import { extensionsOf } from '../../shared/document-types.ts';

const ROWS: [string, DocumentTypeRow][] = Object.entries(DOCUMENT_TYPE_TABLE);
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const listIn = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].flatMap(([, list = '']) => list.split(',').map((each) => each.trim()));
const withoutPoint = (extensions: readonly string[]) => extensions.map((each) => each.slice(1));

describe('the menus of the operating system offer the types of the table', () => {
  it('on macOS and Linux', () => {
    const text = textOf('electron-builder.yml');
    expect(listIn(text, /^ {4}ext: \[(.*)\]$/gmu)).toEqual(withoutPoint(extensionsOf('openWith')));
    const types = ROWS.filter(([, { channels }]) => channels.includes('openWith')).map(([type]) => type);
    expect(listIn(text, /^ {2}mimeTypes: \[(.*)\]$/gmu)).toEqual(types);
  });

  it.each(['SendAsFax', 'NoSendAsFax'])('on Windows: %s', (macro) => {
    const text = textOf('resources/windows/installer.nsh');
    const pattern = new RegExp(`^ {2}!insertmacro ${macro} "(.*)"$`, 'gmu');
    expect(listIn(text, pattern)).toEqual(extensionsOf('openWith'));
  });
});

describe('the documentation names the types of the table', () => {
  it.each<[string, RegExp, DocumentChannel | 'upload']>([
    ['docs/operations.md', /^\| `POST \/fax`.*$/mu, 'upload'],
    ['docs/email-to-fax.md', /^- \*\*The attachments\*\*.*$/mu, 'mail'],
    ['docs/folders.md', /^PDF.*up to `MAX_FILE_SIZE_MB`.*$/mu, 'sendFolder'],
  ])('in %s', (path, line, channel) => {
    const [found = ''] = line.exec(textOf(path)) ?? [];
    const accepted = ROWS.filter(([, { channels }]) => channel === 'upload' || channels.includes(channel));
    const named = ROWS.filter(([, { name }]) => found.includes(name));
    expect(named.map(([type]) => type)).toEqual(accepted.map(([type]) => type));
  });

  it('with every extension that can be uploaded', () => {
    const operations = textOf('docs/operations.md');
    for (const extension of extensionsOf('upload')) expect(operations).toContain(`\`${extension}\``);
  });
});
