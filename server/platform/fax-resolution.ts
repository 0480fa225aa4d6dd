const INCHES_PER_METER = 1 / 0.0254;
/** No fax has so many dots per inch. */
const MAX_DOTS_PER_INCH = 1_000;

/** `204x196` of `8031x7700` or of itself: telephone engines count dots per meter, or per inch in some releases. Null for no resolution. */
export function dotsPerInch(text: string | null | undefined): string | null {
  const [, across, down] = /^(\d{2,5})x(\d{2,5})$/u.exec(text ?? '') ?? [];
  if (across === undefined || down === undefined) return null;
  const unit = Number(across) > MAX_DOTS_PER_INCH ? INCHES_PER_METER : 1;
  return [across, down].map((dots) => Math.round(Number(dots) / unit)).join('x');
}
