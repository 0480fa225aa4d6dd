import type { PacketTask } from '../jobs.ts';

/** Document of a packet in its order: where its pages are, or why they are not in it. */
export type PacketEntry =
  | { readonly title: string; readonly pages: number; readonly firstPage: number }
  | { readonly title: string; readonly note: string };

/** The words of the pages that a packet adds. */
export const packetWords = {
  title: ({ caseId }: Pick<PacketTask, 'caseId'>) => `Case ${caseId}`,
  pageNumber: (caseId: string, page: number, pages: number) => `case ${caseId}, page ${page} of ${pages}`,
  contents: 'Documents',
  pagesColumn: 'Pages',
  pageColumn: 'On page',
  document: (number: number, documents: number) => `Document ${number} of ${documents}`,
  pagesFrom: (pages: number, firstPage: number) =>
    pages === 1 ? `1 page: page ${firstPage}` : `${pages} pages: ${firstPage} to ${firstPage + pages - 1}`,
  total: (pages: number) => `${pages} pages with this index`,
} as const;

/** Names a document by its place and title in front of the reason why it cannot be sent. */
export function namePacketDocument(number: number, title: string, reason: string): string {
  return `Document ${number}, "${title.replace(/[\p{C}"]/gu, '').slice(0, 80)}": ${reason}`;
}
