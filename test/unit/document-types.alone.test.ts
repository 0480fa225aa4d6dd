import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { documentPaths } from '../../main/send-files.ts';
import { t } from '../../renderer/texts/index.ts';
import { addSend } from '../../server/cli/commands/send.ts';
import { mediaTypeOf } from '../../server/documents/media-type.ts';
import { createSendFolder } from '../../server/features/folders/send-folder.ts';
import { createWatchedFolder } from '../../server/features/imports/folder/watched-folder.ts';
import { documentsOf } from '../../server/features/mail-to-fax/documents.ts';
import type { FolderUse } from '../../server/platform/watched-folder/folder-watch.ts';
import { outboundRoutes } from '../../shared/api/outbound.ts';
import type { DocumentTypeRow } from '../../shared/document-type-table.ts';
import { CHOOSABLE_FILES, extensionsOf, isPictureName } from '../../shared/document-types.ts';

/** A row that the product does not have. Mocks are set up before anything else in the file. */
const SKETCH = vi.hoisted(
  (): DocumentTypeRow => ({
    extensions: ['.sketch'],
    mailAliases: ['application/x-sketch'],
    name: 'Sketch',
    apiName: 'SKETCH',
    phrase: 'a sketch',
    signature: { starts: ['SKETCH!'], within: null },
    isOffice: false,
    channels: {
      assistant: true,
      send_mailbox: true,
      send_folder: true,
      import_folder: true,
      open_with: true,
    },
  }),
);

vi.mock(import('../../shared/document-type-table.ts'), async (original) => {
  const table = await original();
  return { ...table, DOCUMENT_TYPE_TABLE: { ...table.DOCUMENT_TYPE_TABLE, 'image/sketch': SKETCH } };
});

const uses = vi.hoisted((): FolderUse[] => []);
vi.mock(import('../../server/platform/watched-folder/folder-watch.ts'), async (original) => ({
  ...(await original()),
  createFolderWatch(_parts, use) {
    uses.push(use);
    return { poll: async () => undefined, warnings: () => [] };
  },
}));

/** Its types are those of a browser, which the types of the other tests do not go with. */
const INCOMING: string = '../../renderer/features/outbound-send/documents/incoming-files.ts';
type TakeFiles = (
  offered: readonly File[],
  there: readonly never[],
  maxMegabytes: number,
) => Promise<{ readonly files: readonly { name: string }[]; readonly refusals: readonly string[] }>;

beforeEach(() => {
  uses.length = 0;
});

const CONTENT = new TextEncoder().encode('SKETCH! of a house');
const attachment = (fileName: string, contentType: string) => ({
  path: '/nowhere',
  fileName,
  contentType,
  sizeBytes: CONTENT.length,
});

describe('a new row of the table of document types reaches', () => {
  it('recognition by content, and the sentence on a name that promises something else', () => {
    const source = { bytes: CONTENT, declaredType: null };
    expect(mediaTypeOf({ ...source, fileName: 'house.sketch' })).toBe('image/sketch');
    expect(() => mediaTypeOf({ ...source, fileName: 'house.pdf' })).toThrow(
      'The name of this file says it is a PDF, but its content is a sketch.',
    );
    const text = { bytes: new TextEncoder().encode('A letter'), declaredType: 'image/sketch' };
    expect(() => mediaTypeOf({ ...text, fileName: 'letter' })).toThrow(
      'This file was sent as a sketch, but its content is plain text.',
    );
  });

  it.each([
    ['house.sketch', 'image/sketch'],
    ['house', 'application/x-sketch'],
    ['HOUSE.SKETCH', 'application/octet-stream'],
  ])('attachments of e-mail: %s as %s', (fileName, contentType) => {
    expect(documentsOf([attachment(fileName, contentType)])).toMatchObject({
      documents: [{ mediaType: 'image/sketch' }],
    });
  });

  it('the sentence on attachments that cannot be faxed', () => {
    const { refusal } = documentsOf([attachment('house.cad', 'image/cad')]) as { refusal: string };
    expect(refusal).toBe(
      'The attachment “house.cad” cannot be faxed. Attach PDF, TIFF, PNG, JPEG, DOCX, XLSX, ODT, HTML, Sketch or text files.',
    );
  });

  it('the send folder and its sentence', () => {
    createSendFolder({ settings: {} } as never);
    expect(uses[0]?.extensions).toContain('.sketch');
    expect(uses[0]?.sentences.unsupported(1)).toContain(
      'it accepts PDF, TIFF, PNG, JPEG, DOCX, XLSX, ODT, HTML and Sketch files,',
    );
  });

  it('the import folder and its sentence', () => {
    createWatchedFolder({ settings: {} } as never);
    expect(uses[0]?.extensions).toEqual(['.pdf', '.sketch']);
    expect(uses[0]?.sentences.unsupported(1)).toContain('it accepts PDF and Sketch files,');
  });

  it('the file chooser, what is dropped or pasted, and the texts of the console', async () => {
    expect(CHOOSABLE_FILES).toEqual(expect.arrayContaining(['.sketch', 'image/sketch']));
    const offered = [
      new File([CONTENT], 'house.sketch'),
      new File([CONTENT], 'pasted', { type: 'image/sketch' }),
      new File([CONTENT], 'house.cad'),
    ];
    const { takeFiles } = (await import(INCOMING)) as { takeFiles: TakeFiles };
    const { files, refusals } = await takeFiles(offered, [], 1);
    expect(files.map(({ name }) => name)).toEqual(['house.sketch', 'pasted']);
    expect(refusals).toEqual([
      '“house.cad”: Faxdesk can’t read this kind of file. Use PDF, TIFF, text, PNG, JPEG, DOCX, XLSX, ODT, HTML or Sketch.',
    ]);
    expect(isPictureName('house.sketch')).toBe(true);
    expect(t.send.kinds).toBe('PDF, TIFF, text, PNG, JPEG, DOCX, XLSX, ODT, HTML, Sketch');
  });

  it('the command line', () => {
    const program = new Command();
    addSend(program);
    const [, files] = program.commands[0]?.registeredArguments ?? [];
    expect(files?.description).toBe(
      'PDF, TIFF, text, PNG, JPEG, DOCX, XLSX, ODT, HTML or Sketch, merged in order',
    );
  });

  it('the description of the API', () => {
    for (const { form } of [outboundRoutes.sendFax, outboundRoutes.previewFax])
      expect(form.files.file.description).toBe(
        'PDF, TXT, TIFF, PNG, JPEG, DOCX, XLSX, ODT, HTML or SKETCH; several files are merged in order',
      );
  });

  it('Send as fax of the desktop application, and the menus of the operating system', () => {
    const folder = mkdtempSync(join(tmpdir(), 'faxdesk-types-'));
    writeFileSync(join(folder, 'house.sketch'), CONTENT);
    expect(documentPaths(['faxdesk', 'house.sketch', 'house.cad'], folder)).toEqual([
      join(folder, 'house.sketch'),
    ]);
    rmSync(folder, { recursive: true });
    expect(extensionsOf('open_with')).toContain('.sketch');
  });
});
