import { inflateSync } from 'node:zlib';
import { COVER_FIELD_NAME, COVER_LIMITS } from '../../../shared/covers.ts';
import { hasSignature, SIGNATURE_BYTES } from '../../../shared/document-types.ts';
import { DocumentError } from '../document-error.ts';
import type { DocumentJobs } from '../jobs.ts';
import type { PdfiumEngine } from '../pdfium/engine.ts';
import { takeTextFields } from '../pdfium/form-fields.ts';
import { openPdf } from '../pdfium/opened-pdf.ts';
import { loadSharp } from '../pictures/sharp.ts';
import { fillCoverForm } from './cover-form.ts';

/** A picture with more pixels is not opened. */
const maxLogoPixels = 25_000_000;
const maxStreamBytes = 2_000_000;
const script = /\/(?:JavaScript|JS|XFA|Launch)\b/u;

/** Checks an uploaded logo or PDF and returns it as it is kept. Throws a DocumentError that says why it cannot be used. */
export async function checkCoverFile(
  engine: PdfiumEngine,
  { kind, file }: DocumentJobs['coverFile']['task'],
): Promise<DocumentJobs['coverFile']['result']> {
  if (kind === 'logo') return { file: await smallLogo(file), formFields: [] };
  return { file, formFields: engine.guard(() => checkForm(engine, file)) };
}

async function smallLogo(file: Uint8Array): Promise<Uint8Array> {
  const bytes = Buffer.from(file);
  const start = bytes.toString('latin1', 0, SIGNATURE_BYTES);
  if (!hasSignature('image/png', start) && !hasSignature('image/jpeg', start))
    throw new DocumentError('unsupported', 'The logo must be a PNG or JPEG picture.');
  const sharp = await loadSharp();
  try {
    return await sharp(bytes, { limitInputPixels: maxLogoPixels, failOn: 'error' })
      .autoOrient()
      .flatten({ background: 'white' })
      .toColourspace('b-w')
      .resize({ ...COVER_LIMITS.logoPixels, fit: 'inside', withoutEnlargement: true })
      .png()
      .toBuffer();
  } catch (error) {
    const isLarge = error instanceof Error && /pixel limit/u.test(error.message);
    throw new DocumentError(
      isLarge ? 'too_large' : 'invalid',
      isLarge
        ? 'The logo has too many pixels. Make it smaller, such as 800 pixels wide.'
        : 'The picture of the logo is damaged or incomplete.',
      { cause: error },
    );
  }
}

/** Returns the names of the fields that can be filled in. */
function checkForm(engine: PdfiumEngine, file: Uint8Array): string[] {
  const bytes = Buffer.from(file);
  if (!hasSignature('application/pdf', bytes.toString('latin1', 0, SIGNATURE_BYTES)))
    throw new DocumentError('unsupported', 'The cover page must be a PDF.');
  using pdf = openPdf(engine, file);
  if (engine.lib.FPDFDoc_GetJavaScriptActionCount(pdf.handle) > 0 || hasScript(bytes))
    throw new DocumentError(
      'unsupported',
      'The PDF has a script or actions, which a cover page must not have. Save it without them.',
    );
  if (pdf.pageCount !== 1)
    throw new DocumentError('invalid', `A cover page has one page; this PDF has ${pdf.pageCount}.`);
  if (pdf.withPage(0, (page) => engine.lib.FPDFPage_GetRotation(page)) !== 0)
    throw new DocumentError('invalid', 'The page of the PDF is turned. Save it upright.');
  const names = [...new Set(takeTextFields(pdf).map(({ name }) => name))].filter((name) =>
    COVER_FIELD_NAME.test(name),
  );
  if (names.length === 0)
    throw new DocumentError(
      'invalid',
      'The PDF has no form fields with names such as “to”, “from”, “pages” or “note”. Add text fields with these names.',
    );
  fillCoverForm(engine, file, {});
  return names;
}

/** Returns true for a PDF with scripts or actions, also in its compressed objects. */
function hasScript(bytes: Buffer): boolean {
  const text = bytes.toString('latin1');
  if (script.test(text)) return true;
  let at = text.indexOf('/ObjStm');
  while (at >= 0) {
    const begin = text.indexOf('stream', at);
    if (begin < 0) return false;
    const data = text[begin + 6] === '\r' ? begin + 8 : begin + 7;
    const end = text.indexOf('endstream', data);
    if (end < 0) return false;
    if (script.test(inflated(bytes.subarray(data, end)))) return true;
    at = text.indexOf('/ObjStm', end);
  }
  return false;
}

function inflated(data: Buffer): string {
  try {
    return inflateSync(data, { maxOutputLength: maxStreamBytes }).toString('latin1');
  } catch {
    // An object stream that cannot be read here may hold anything.
    return '/JavaScript';
  }
}
