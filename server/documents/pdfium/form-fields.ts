import { DocumentError } from '../document-error.ts';
import type { OpenedPdf } from './opened-pdf.ts';

/** FPDF_ANNOT_WIDGET, FPDF_FORMFIELD_TEXTFIELD and the flag of fields with several lines. */
const widget = 20;
const textField = 6;
const multiline = 1 << 12;
const maxFields = 200;

/** A text field: its place in points from the lower left corner of the page. */
export interface FormField {
  readonly name: string;
  readonly left: number;
  readonly bottom: number;
  readonly width: number;
  readonly height: number;
  readonly isMultiline: boolean;
  /** Points; 0 where the field leaves it open. */
  readonly fontSize: number;
}

/** Removes the text fields of the first page of an opened PDF and returns them. Only what is open changes, not the file. */
export function takeTextFields(pdf: OpenedPdf): FormField[] {
  const { lib } = pdf.engine;
  const info = lib.PDFiumExt_OpenFormFillInfo();
  const form = lib.PDFiumExt_InitFormFillEnvironment(pdf.handle, info);
  try {
    if (form === 0) return [];
    return pdf.withPage(0, (page) => {
      const fields: FormField[] = [];
      for (let index = lib.FPDFPage_GetAnnotCount(page) - 1; index >= 0; index--) {
        const annotation = lib.FPDFPage_GetAnnot(page, index);
        if (annotation === 0) continue;
        const field = readField(pdf, { form, page, annotation });
        lib.FPDFPage_CloseAnnot(annotation);
        if (field === null) continue;
        lib.FPDFPage_RemoveAnnot(page, index);
        fields.push(field);
        if (fields.length > maxFields)
          throw new DocumentError('too_large', `The PDF has more than ${maxFields} form fields.`);
      }
      return fields.reverse();
    });
  } finally {
    if (!pdf.engine.isBroken) {
      if (form !== 0) lib.PDFiumExt_ExitFormFillEnvironment(form);
      lib.PDFiumExt_CloseFormFillInfo(info);
    }
  }
}

function readField(
  { engine }: OpenedPdf,
  { form, page, annotation }: { form: number; page: number; annotation: number },
): FormField | null {
  const { lib } = engine;
  if (lib.FPDFAnnot_GetSubtype(annotation) !== widget) return null;
  if (lib.FPDFAnnot_GetFormFieldType(form, annotation) !== textField) return null;
  const name = nameOf(engine, form, annotation);
  const box = readFloats(engine, 4, (pointer) => lib.FPDFAnnot_GetRect(annotation, pointer));
  const paper = readFloats(engine, 4, (pointer) => lib.FPDF_GetPageBoundingBox(page, pointer));
  const size = readFloats(engine, 1, (pointer) => lib.FPDFAnnot_GetFontSize(form, annotation, pointer));
  if (name === '' || box === null) return null;
  const [left = 0, top = 0, right = 0, bottom = 0] = box;
  const [paperLeft = 0, , , paperBottom = 0] = paper ?? [];
  const isMultiline = (lib.FPDFAnnot_GetFormFieldFlags(form, annotation) & multiline) !== 0;
  return {
    name,
    left: Math.min(left, right) - paperLeft,
    bottom: Math.min(top, bottom) - paperBottom,
    width: Math.abs(right - left),
    height: Math.abs(top - bottom),
    isMultiline,
    fontSize: size?.[0] ?? 0,
  };
}

function nameOf(engine: OpenedPdf['engine'], form: number, annotation: number): string {
  const length = engine.lib.FPDFAnnot_GetFormFieldName(form, annotation, 0, 0);
  if (length <= 2 || length > 1000) return '';
  return engine.withScratch(length, (pointer) => {
    engine.lib.FPDFAnnot_GetFormFieldName(form, annotation, pointer, length);
    const { buffer, byteOffset, byteLength } = engine.bytes(pointer, length - 2);
    return Buffer.from(buffer, byteOffset, byteLength).toString('utf16le');
  });
}

function readFloats(
  engine: OpenedPdf['engine'],
  count: number,
  read: (pointer: number) => boolean,
): number[] | null {
  return engine.withScratch(count * 4, (pointer) => {
    if (!read(pointer)) return null;
    const view = engine.view();
    return Array.from({ length: count }, (_, i) => view.getFloat32(pointer + i * 4, true));
  });
}
