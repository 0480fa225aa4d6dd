import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { createLibreOffice } from '../../server/adapters/office/libreoffice.ts';
import { sha256Hex } from '../../server/platform/hash.ts';
import { referee, unlessMissing } from '../fixtures/referees.ts';
import { docx, odt, xlsx } from '../setup/office-files.ts';
import { toolPath } from '../setup/tools.ts';
import { openWorkspace } from './workspace.ts';

const missing = unlessMissing('soffice', 'pdftotext', 'pdfimages');

const folder = mkdtempSync(join(tmpdir(), 'faxdesk-libreoffice-'));
const work = join(folder, 'work');
mkdirSync(work);
const workspace = openWorkspace({
  folders: [tmpdir()],
  office: {
    converter: createLibreOffice({ program: toolPath('soffice'), environment: {} }),
    folder: work,
    newKey: () => null,
  },
});
afterAll(async () => {
  await workspace.close();
  rmSync(folder, { recursive: true, force: true });
});

const SECRET = 'SECRET-OF-THE-COMPUTER';
const secret = join(folder, 'secret.txt');
writeFileSync(secret, SECRET);
const picture = join(folder, 'secret.png');
const textLink = pathToFileURL(secret).href;
const pictureLink = pathToFileURL(picture).href;

async function convert(content: Uint8Array | string, fileName: string) {
  const bytes = Buffer.from(content as Uint8Array);
  const path = join(folder, `${fileName}.pdf`);
  const source = { bytes, fileName, declaredType: null, digest: sha256Hex(bytes) };
  const { pages } = await workspace.documents.prepare([source], path, { maxBytes: 10_000_000 });
  const text = referee('pdftotext', ['-layout', path, '-']).toString();
  // The width of each picture.
  const pictures = referee('pdfimages', ['-list', path]).toString().split('\n').slice(2).filter(Boolean);
  return { pages, text, widths: pictures.map((line) => Number(line.trim().split(/\s+/u)[3])) };
}

describe.skipIf(missing.skip)(`LibreOffice${missing.reason}`, () => {
  const patience = 300_000;

  it('converts each type with all its pages and cells', { timeout: patience }, async () => {
    const letter = await convert(docx(['Dear Dr. Meyer, ärztlicher Bericht', '\f', 'Second page']), 'a.docx');
    expect(letter.pages).toBe(2);
    expect(letter.text).toMatch(/Dear Dr\. Meyer, ärztlicher Bericht[^]*\f[^]*Second page/u);
    const table = await convert(
      xlsx([
        ['Aspirin', '=50+50'],
        ['Ibuprofen', '=2*200'],
      ]),
      'a.xlsx',
    );
    expect(table.text).toMatch(/Aspirin\s+100\s+Ibuprofen\s+400/u);
    expect((await convert(odt(['One', 'Two']), 'a.odt')).text).toMatch(/One\s+Two/u);
    const page = '<!doctype html><meta charset="utf-8"><h1>Überweisung</h1><table><tr><td>A<td>B</table>';
    expect((await convert(page, 'a.html')).text).toMatch(/Überweisung\s+A\s+B/u);
    expect(readdirSync(work).filter((name) => !name.endsWith('.pdf'))).toEqual([]);
  });

  it('loads nothing from the computer that a document links to', { timeout: patience }, async () => {
    await sharp({ create: { width: 211, height: 211, channels: 3, background: 'red' } })
      .png()
      .toFile(picture);
    const relation = (id: string, kind: string, target: string) =>
      `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${kind}" Target="${target}" TargetMode="External"/>`;
    const drawing =
      '<w:p><w:r><w:drawing><wp:inline><wp:extent cx="990000" cy="990000"/><wp:docPr id="1" name="p"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:link="p1"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="990000" cy="990000"/></a:xfrm><a:prstGeom prst="rect"/></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>';
    const field = (code: string) =>
      `<w:p><w:fldSimple w:instr='${code}'><w:r><w:t>before</w:t></w:r></w:fldSimple></w:p>`;
    const odtLinks = `<text:section text:name="S"><text:section-source xlink:type="simple" xlink:href="${textLink}"/><text:p>before</text:p></text:section><text:p><draw:frame svg:width="5cm" svg:height="5cm"><draw:image xlink:href="${pictureLink}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame></text:p><text:p><draw:frame svg:width="5cm" svg:height="5cm"><draw:floating-frame xlink:href="${textLink}" xlink:type="simple"/></draw:frame></text:p>`;
    const made = [
      await convert(
        docx(['Letter'], {
          extra: drawing + field(`INCLUDETEXT "${textLink}"`) + field(`INCLUDEPICTURE "${pictureLink}"`),
          relations: relation('p1', 'image', pictureLink),
        }),
        'linked.docx',
      ),
      await convert(odt(['Letter'], { extra: odtLinks }), 'linked.odt'),
      await convert(
        xlsx([['Letter', `=_xlfn.WEBSERVICE("${textLink}")`, `='${textLink}'#$Sheet1.A1`]]),
        'linked.xlsx',
      ),
      await convert(
        `<!doctype html><link rel="stylesheet" href="${textLink}"><p>Letter</p><img src="${pictureLink}" width="300"><img src="../../secret.png"><iframe src="${textLink}"></iframe><object data="${textLink}"></object>`,
        'linked.html',
      ),
    ];
    for (const { text, widths } of made) {
      expect(text).toContain('Letter');
      expect(text).not.toContain(SECRET);
      expect(widths).not.toContain(211);
    }
  });
});
