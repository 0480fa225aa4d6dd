import { flate, onePage } from '../fixtures/pdf-parts.ts';

/** A PDF of one page with some lines and no font: about 1 KB, so that a year of them fits on a disk. */
export function smallLetter(): Buffer {
  const lines = Array.from({ length: 30 }, (_, line) => `72 ${720 - line * 20} 400 6 re f`);
  return onePage(flate('', lines.join('\n')), '', []);
}
