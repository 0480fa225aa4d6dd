import { crc32, deflateRawSync } from 'node:zlib';

// Documents of word processors, as small ZIP archives that are made here.

/** A file of an archive; `stored` keeps it as it is. */
export interface ArchiveFile {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly stored?: boolean;
}

/** Makes a ZIP archive of the files. */
export function zipOf(files: readonly ArchiveFile[]): Buffer {
  const parts: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const { name, content, stored = false } of files) {
    const plain = Buffer.from(content as Uint8Array);
    const packed = stored ? plain : deflateRawSync(plain);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(stored ? 0 : 8, 4);
    facts.writeUInt32LE(crc32(plain), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(plain.length, 18);
    facts.writeUInt16LE(Buffer.byteLength(name), 22);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(20, 4);
    facts.copy(entry, 6);
    entry.writeUInt32LE(offset, 42);
    entries.push(entry, Buffer.from(name));
    const header = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), facts, Buffer.from(name), packed]);
    parts.push(header);
    offset += header.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, directory, end]);
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const VND = 'application/vnd.openxmlformats-officedocument';

function openXml(
  main: { readonly path: string; readonly type: string; readonly xml: string },
  more: readonly (ArchiveFile & { readonly type?: string })[],
): Buffer {
  const override = (path: string, type: string) => `<Override PartName="/${path}" ContentType="${type}"/>`;
  const overrides = more.flatMap(({ name, type }) => (type === undefined ? [] : [override(name, type)]));
  const types = `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${override(main.path, main.type)}${overrides.join('')}</Types>`;
  const relation = `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="${main.path}"/></Relationships>`;
  return zipOf([
    { name: '[Content_Types].xml', content: types },
    { name: '_rels/.rels', content: relation },
    { name: main.path, content: XML + main.xml },
    ...more,
  ]);
}

/** A Word document with these paragraphs; each `\f` begins a page. `extra` is added to its body, `relations` to its links. */
export function docx(paragraphs: readonly string[], { extra = '', relations = '' } = {}): Buffer {
  const body = paragraphs.map((text) =>
    text === '\f'
      ? '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
      : `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`,
  );
  const names =
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"';
  return openXml(
    {
      path: 'word/document.xml',
      type: `${VND}.wordprocessingml.document.main+xml`,
      xml: `<w:document ${names}><w:body>${body.join('')}${extra}</w:body></w:document>`,
    },
    [
      {
        name: 'word/_rels/document.xml.rels',
        content: `${XML}<Relationships xmlns="${PACKAGE}/relationships">${relations}</Relationships>`,
      },
    ],
  );
}

/** An Excel workbook of one sheet with these cells; one that begins with `=` is a formula. */
export function xlsx(rows: readonly (readonly string[])[]): Buffer {
  const cell = (text: string) =>
    text.startsWith('=') ? `<c><f>${text.slice(1)}</f></c>` : `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  const sheet = rows.map((row) => `<row>${row.map(cell).join('')}</row>`).join('');
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  return openXml(
    {
      path: 'xl/workbook.xml',
      type: `${VND}.spreadsheetml.sheet.main+xml`,
      xml: `<workbook xmlns="${main}" xmlns:r="${OFFICE}"><sheets><sheet name="Doses" sheetId="1" r:id="r1"/></sheets></workbook>`,
    },
    [
      {
        name: 'xl/_rels/workbook.xml.rels',
        content: `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
      },
      {
        name: 'xl/worksheets/sheet1.xml',
        type: `${VND}.spreadsheetml.worksheet+xml`,
        content: `${XML}<worksheet xmlns="${main}"><sheetData>${sheet}</sheetData></worksheet>`,
      },
    ],
  );
}

const ODT_TYPE = 'application/vnd.oasis.opendocument.text';

/** An OpenDocument text with these paragraphs; `extra` is added to its text, `manifest` to its list of files. */
export function odt(paragraphs: readonly string[], { extra = '', manifest = '' } = {}): Buffer {
  const urn = 'urn:oasis:names:tc:opendocument:xmlns';
  const names = ['office', 'text', 'drawing', 'svg-compatible'].map(
    (name) => `xmlns:${name.replace('drawing', 'draw').replace('-compatible', '')}="${urn}:${name}:1.0"`,
  );
  const text = paragraphs.map((each) => `<text:p>${each}</text:p>`).join('') + extra;
  return zipOf([
    { name: 'mimetype', content: ODT_TYPE, stored: true },
    {
      name: 'content.xml',
      content: `${XML}<office:document-content ${names.join(' ')} xmlns:xlink="http://www.w3.org/1999/xlink" office:version="1.2"><office:body><office:text>${text}</office:text></office:body></office:document-content>`,
    },
    {
      name: 'META-INF/manifest.xml',
      content: `${XML}<manifest:manifest xmlns:manifest="${urn}:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="${ODT_TYPE}"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml">${manifest}</manifest:file-entry></manifest:manifest>`,
    },
  ]);
}
