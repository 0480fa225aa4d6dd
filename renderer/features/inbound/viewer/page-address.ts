import type { DocumentPurpose } from '../../../../shared/api/values.ts';
import { openedAddress } from '../../../api/page-token.ts';

/** As wide as a fax line has dots, so that nothing of it is lost. */
const SHEET_PX = 1728;
const THUMB_PX = 160;

export function pageAddress(faxId: string, page: number, size: 'thumb' | 'sheet'): string {
  return openedAddress(`/inbound/${faxId}/pages/${page}.png?width=${size === 'sheet' ? SHEET_PX : THUMB_PX}`);
}

export const pdfAddress = (faxId: string, purpose: DocumentPurpose) =>
  openedAddress(`/inbound/${faxId}/pdf?purpose=${purpose}`);
