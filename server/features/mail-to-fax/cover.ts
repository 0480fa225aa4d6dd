import type { COVER_WORDS } from '../../../shared/api/mail-to-fax.ts';
import { filledTemplate } from '../../platform/template.ts';

type CoverWords = Readonly<Record<(typeof COVER_WORDS)[number], string>>;

/**
 * Returns the page before the attachments, each part between vertical lines on a line of its own; null when it is
 * empty. `text` is that of the message, empty where it has none.
 */
export function coverOf(template: string, words: CoverWords): string | null {
  const lines = template.split('|').map((part) => filledTemplate(part, words).trim());
  const cover = lines.join('\n').trim();
  return cover === '' ? null : cover;
}

/** Returns true when the text of a message is faxed, as a note on its cover page. */
export const usesText = (template: string) => template.includes('{text}');
