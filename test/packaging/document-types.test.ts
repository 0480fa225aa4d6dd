import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/source-tree.ts';
import type { IntakeChannel } from '../../shared/credential-kinds.ts';
import { DOCUMENT_TYPE_TABLE, type DocumentTypeRow } from '../../shared/document-type-table.ts';
import { extensionsOf } from '../../shared/document-types.ts';

const ROWS: [string, DocumentTypeRow][] = Object.entries(DOCUMENT_TYPE_TABLE);
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const listIn = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].flatMap(([, list = '']) => list.split(',').map((each) => each.trim()));
const withoutPoint = (extensions: readonly string[]) => extensions.map((each) => each.slice(1));

describe('the menus of the operating system offer the types of the table', () => {
  it('on macOS and Linux', () => {
    const text = textOf('electron-builder.yml');
    expect(listIn(text, /^ {4}ext: \[(.*)\]$/gmu)).toEqual(withoutPoint(extensionsOf('open_with')));
    const types = ROWS.filter(([, { channels }]) => channels.open_with).map(([type]) => type);
    expect(listIn(text, /^ {2}mimeTypes: \[(.*)\]$/gmu)).toEqual(types);
  });

  it.each(['SendAsFax', 'NoSendAsFax'])('on Windows: %s', (macro) => {
    const text = textOf('resources/windows/installer.nsh');
    const pattern = new RegExp(`^ {2}!insertmacro ${macro} "(.*)"$`, 'gmu');
    expect(listIn(text, pattern)).toEqual(extensionsOf('open_with'));
  });
});

/** Page of each channel, with the line that lists its types. */
const PAGES: Readonly<Record<IntakeChannel | 'upload', { path: string; line: RegExp }>> = {
  upload: { path: 'docs/operating/documents.md', line: /^\| `POST \/fax`.*$/mu },
  send_mailbox: { path: 'docs/email-to-fax.md', line: /^- \*\*The attachments\*\*.*$/mu },
  assistant: { path: 'docs/assistants.md', line: /^\| `send_fax`.*$/mu },
  send_folder: { path: 'docs/folders.md', line: /^PDF.*up to `MAX_FILE_SIZE_MB`.*$/mu },
};

describe('the documentation names the types of the table', () => {
  it.each(Object.entries(PAGES) as [keyof typeof PAGES, (typeof PAGES)['upload']][])(
    'for the channel %s',
    (channel, { path, line }) => {
      const [found = ''] = line.exec(textOf(path)) ?? [];
      const accepted = ROWS.filter(([, { channels }]) => channel === 'upload' || channels[channel]);
      const named = ROWS.filter(([, { name }]) => found.includes(name));
      expect(named.map(([type]) => type)).toEqual(accepted.map(([type]) => type));
    },
  );

  it('with every extension that can be uploaded', () => {
    const operations = textOf('docs/operating/documents.md');
    for (const extension of extensionsOf('upload')) expect(operations).toContain(`\`${extension}\``);
  });
});
