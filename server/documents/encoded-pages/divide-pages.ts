import type { EncodedEstimate } from '../jobs.ts';
import type { SealedBody } from './message-body.ts';
import { type MessageHeader, PAGE_HEADER_BYTES, writeMessagePage } from './page-header.ts';
import { type EncodedPaper, PAPERS, pageBytesOf } from './page-layout.ts';
import { parityPagesFor, parityPart } from './page-parity.ts';

/** Bytes of the sealed body that a full page of the paper carries. */
function partBytesOf(paper: EncodedPaper): number {
  return pageBytesOf(PAPERS[paper].tileRows) - PAGE_HEADER_BYTES;
}

/** Computes the pages of a sealed body. */
export function countPages(sealedBytes: number, paper: EncodedPaper): EncodedEstimate {
  const dataPages = Math.ceil(sealedBytes / partBytesOf(paper));
  const parityPages = parityPagesFor(dataPages);
  return { pages: dataPages + parityPages, dataPages, parityPages, sealedBytes };
}

/** Divides a sealed body over pages, header and payload of each, data pages first. */
export function* dividePages(
  { sealed, isCompressed, isEncrypted }: SealedBody,
  messageId: string,
  paper: EncodedPaper,
): Generator<{ index: number; bytes: Buffer }> {
  const partBytes = partBytesOf(paper);
  const { pages, dataPages, parityPages, sealedBytes } = countPages(sealed.length, paper);
  const header: MessageHeader = {
    isCompressed,
    isEncrypted,
    messageId,
    sealedBytes,
    dataPages,
    parityPages,
    partBytes,
  };
  const parts = Array.from({ length: dataPages }, (_, i) =>
    sealed.subarray(i * partBytes, (i + 1) * partBytes),
  );
  for (let index = 0; index < pages; index++) {
    const payload = parts[index] ?? parityPart(parts, index - dataPages);
    yield { index, bytes: writeMessagePage({ header, index, payload }) };
  }
}
