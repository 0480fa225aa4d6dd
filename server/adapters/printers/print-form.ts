import type { PrinterRaster, PrintForm } from '../../features/print-rules/printer-port.ts';
import type { IppAttribute } from '../../platform/ipp/message.ts';
import { textsOf, valuesOf } from '../../platform/ipp/values.ts';

const MARGINS = {
  left: 'media-left-margin-supported',
  right: 'media-right-margin-supported',
  top: 'media-top-margin-supported',
  bottom: 'media-bottom-margin-supported',
} as const;

/** Names of sheets, those in the trays first. */
const SHEETS = ['media-ready', 'media-default', 'media-supported'] as const;

/** Attributes for the forms in which a printer takes documents. */
export const FORM_ATTRIBUTES = [
  'document-format-supported',
  'pwg-raster-document-resolution-supported',
  'pwg-raster-document-type-supported',
  ...SHEETS,
  ...Object.values(MARGINS),
] as const;

const DOTS_PER_INCH = 3;
const DOTS_PER_CENTIMETER = 4;
const CENTIMETERS = 2.54;
/** Fine enough for a fax, of which more pixels show nothing new. */
const ENOUGH_PER_INCH = 300;
/** Limits of what can be drawn: Tabloid and A3 at 600 per inch. */
const MOST_PER_INCH = 600;
const LEAST_PER_INCH = 100;
const MOST_WIDTH = 29_700;
const MOST_HEIGHT = 43_180;
/** Wider edges are those of a sheet of labels. */
const WIDEST_MARGIN = 1_270;

/** Reads in which form a printer takes documents; null for none of ours. */
export function formOf(printer: readonly IppAttribute[]): PrintForm | null {
  const formats = textsOf(printer, 'document-format-supported').map((format) => format.toLowerCase());
  if (formats.includes('application/pdf')) return { format: 'application/pdf' };
  const raster = formats.includes('image/pwg-raster') ? rasterOf(printer) : null;
  return raster && { format: 'image/pwg-raster', raster };
}

/** Reads how a printer takes pixels; null where that is no way of ours. */
function rasterOf(printer: readonly IppAttribute[]): PrinterRaster | null {
  const perInch = perInchOf(printer);
  const types = textsOf(printer, 'pwg-raster-document-type-supported');
  // Grey first: the printer knows best how its dots make tones.
  const tones = types.includes('sgray_8') ? 'grey' : types.includes('black_1') ? 'black bits' : null;
  const sheets = sheetsOf(printer);
  if (perInch === null || tones === null || sheets.length === 0) return null;
  return { perInch, tones, sheets, margins: marginsOf(printer) };
}

/** Returns the lowest resolution that is enough, or the highest one. */
function perInchOf(printer: readonly IppAttribute[]): number | null {
  const found = valuesOf(printer, 'pwg-raster-document-resolution-supported').flatMap((value) => {
    if (value.kind !== 'resolution' || value.value.x !== value.value.y) return [];
    const { x, unit } = value.value;
    if (unit === DOTS_PER_INCH) return [x];
    return unit === DOTS_PER_CENTIMETER ? [Math.round(x * CENTIMETERS)] : [];
  });
  const usable = found
    .filter((perInch) => perInch >= LEAST_PER_INCH && perInch <= MOST_PER_INCH)
    .toSorted((one, other) => one - other);
  return usable.find((perInch) => perInch >= ENOUGH_PER_INCH) ?? usable.at(-1) ?? null;
}

/** Returns the sheets in the trays, or where the printer lists none, that of its jobs, or those that it has at all. */
function sheetsOf(printer: readonly IppAttribute[]): PrinterRaster['sheets'] {
  const listed = SHEETS.map((name) => textsOf(printer, name).flatMap(readSheet));
  return listed.find(({ length }) => length > 0) ?? [];
}

/** Reads the name of a sheet, such as `iso_a4_210x297mm` (PWG 5101.1), which has its size; none for rolls and limits. */
function readSheet(name: string): PrinterRaster['sheets'] {
  const size = /^(?!custom_|roll_)[a-z0-9-]+_[a-z0-9.-]+_(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)(mm|in)$/u.exec(name);
  if (size === null) return [];
  const hundredths = (text = '') => Math.round(Number(text) * (size[3] === 'in' ? CENTIMETERS * 1_000 : 100));
  const [width, height] = [hundredths(size[1]), hundredths(size[2])];
  const fits = Math.min(width, height) <= MOST_WIDTH && Math.max(width, height) <= MOST_HEIGHT;
  return fits && width > 0 && height > 0 ? [{ name, width, height }] : [];
}

/** Returns the edges of a usual sheet: those without edges, which some printers list as well, are for photographs. */
function marginsOf(printer: readonly IppAttribute[]): PrinterRaster['margins'] {
  const widest = (name: string) =>
    Math.max(
      0,
      ...valuesOf(printer, name).flatMap(({ kind, value }) =>
        kind === 'integer' && value <= WIDEST_MARGIN ? [value] : [],
      ),
    );
  return {
    left: widest(MARGINS.left),
    right: widest(MARGINS.right),
    top: widest(MARGINS.top),
    bottom: widest(MARGINS.bottom),
  };
}
