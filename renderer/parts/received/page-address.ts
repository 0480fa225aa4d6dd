import type { DocumentPurpose } from '../../../shared/api/values.ts';
import { openedAddress } from '../../api/page-token.ts';

/**
 * Widths in px. A sheet is as wide as a fax line has dots, so that nothing of it is lost; half of that is drawn, sent and
 * decoded in a third of the time, for where a page is fitted into a narrow pane.
 */
const WIDTHS = { sheet: 1728, half: 864, thumb: 160 };

export type PageSize = keyof typeof WIDTHS;

/** Returns the size for a page that is shown so wide, in dots of the screen: a little is enlarged without a loss. */
export const sizeFor = (dots: number): PageSize => (dots <= WIDTHS.half * 1.1 ? 'half' : 'sheet');

export function pageAddress(faxId: string, page: number, size: PageSize): string {
  return openedAddress(`/inbound/${faxId}/pages/${page}.png?width=${WIDTHS[size]}`);
}

export const originalAddress = (faxId: string) => openedAddress(`/inbound/${faxId}/original`);

export const pdfAddress = (faxId: string, purpose: DocumentPurpose) =>
  openedAddress(`/inbound/${faxId}/pdf?purpose=${purpose}`);
