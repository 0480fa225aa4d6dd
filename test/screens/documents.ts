import { PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from 'pdf-lib';

/** Invented documents of a clinic, good enough to look at. */
const INK = rgb(0, 0, 0);

interface Fonts {
  readonly plain: PDFFont;
  readonly bold: PDFFont;
}

async function newDocument(): Promise<{ document: PDFDocument; fonts: Fonts }> {
  const document = await PDFDocument.create();
  const plain = await document.embedFont(StandardFonts.Helvetica);
  const bold = await document.embedFont(StandardFonts.HelveticaBold);
  return { document, fonts: { plain, bold } };
}

const LETTER = [
  'Dear Dr Falkirk,',
  '',
  'thank you for seeing Mrs Example next week. The results of 18 November are',
  'enclosed: the lipid panel improved further, creatinine is unchanged.',
  '',
  'She tolerates the present dose well. Blood pressure at home was 128 over 78',
  'on average over two weeks; the diary is enclosed as well. I would be glad of',
  'your advice on whether to continue unchanged over the winter.',
  '',
  'Please send your report to the fax number at the top of this page.',
  '',
  'With kind regards,',
  'P. Sandoval, MD',
];

export async function letterPdf(): Promise<Buffer> {
  const { document, fonts } = await newDocument();
  const page = document.addPage([612, 792]);
  page.drawText('Alder Street Clinic', { x: 72, y: 700, size: 20, font: fonts.bold });
  page.drawText('14 Alder Street, Portland', { x: 72, y: 682, size: 10, font: fonts.plain });
  lines(page, fonts.plain, LETTER, 620);
  return Buffer.from(await document.save());
}

function lines(page: PDFPage, font: PDFFont, texts: readonly string[], top: number): void {
  for (const [index, text] of texts.entries())
    page.drawText(text, { x: 72, y: top - index * 20, size: 12, font });
}

const RESULTS = [
  ['Test', 'Result', 'Unit', 'Range'],
  ['Sodium', '141', 'mmol/L', '136-145'],
  ['Potassium', '4.2', 'mmol/L', '3.5-5.1'],
  ['Chloride', '104', 'mmol/L', '98-107'],
  ['Urea nitrogen', '16', 'mg/dL', '7-20'],
  ['Creatinine', '0.88', 'mg/dL', '0.60-1.10'],
  ['eGFR', '84', 'mL/min', '> 60'],
  ['Glucose', '102', 'mg/dL', '70-99'],
  ['Calcium', '9.5', 'mg/dL', '8.6-10.3'],
  ['Cholesterol', '187', 'mg/dL', '< 200'],
  ['LDL', '108', 'mg/dL', '< 130'],
  ['HDL', '56', 'mg/dL', '> 40'],
];
const LAST_LDL = [152, 144, 139, 128, 117, 108];

export async function reportPdf(): Promise<Buffer> {
  const { document, fonts } = await newDocument();
  const page = document.addPage([612, 792]);
  page.drawText('Harborview Laboratory', { x: 72, y: 700, size: 20, font: fonts.bold });
  const reported = 'Final report   Collected 18 Nov 2026 09:05   Reported 18 Nov 2026 15:30';
  page.drawText(reported, { x: 72, y: 682, size: 9, font: fonts.plain });
  drawTable(page, fonts, 650);
  drawBars(page, fonts, 190);
  const second = document.addPage([612, 792]);
  second.drawText('Notes of the laboratory', { x: 72, y: 700, size: 16, font: fonts.bold });
  lines(second, fonts.plain, LETTER.slice(2, 8), 660);
  return Buffer.from(await document.save());
}

function drawTable(page: PDFPage, { plain, bold }: Fonts, top: number): void {
  for (const [row, cells] of RESULTS.entries()) {
    const y = top - row * 24;
    const font = row === 0 ? bold : plain;
    page.drawRectangle({ x: 66, y: y - 8, width: 480, height: 24, borderColor: INK, borderWidth: 0.75 });
    for (const [column, text] of cells.entries())
      page.drawText(text, { x: 72 + column * 120, y, size: 11, font });
  }
}

function drawBars(page: PDFPage, { plain, bold }: Fonts, bottom: number): void {
  page.drawText('LDL, last six results', { x: 72, y: bottom + 130, size: 12, font: bold });
  page.drawLine({ start: { x: 80, y: bottom }, end: { x: 540, y: bottom }, thickness: 1.5 });
  for (const [index, value] of LAST_LDL.entries()) {
    const height = (value - 60) * 1.1;
    const x = 100 + index * 72;
    page.drawRectangle({ x, y: bottom, width: 40, height, color: INK });
    page.drawText(String(value), { x: x + 10, y: bottom + height + 6, size: 10, font: plain });
  }
}
