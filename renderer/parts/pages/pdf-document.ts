import type { PDFDocumentProxy } from 'pdfjs-dist';
import { loadPart } from '../../api/load-part.ts';

export type { PDFDocumentProxy as PdfDocument } from 'pdfjs-dist';

/** Fonts, character maps and decoders that some documents need; the build puts them there. */
const PARTS = `${import.meta.env.BASE_URL}pdf-parts/`;

/**
 * Opens a PDF for drawing its pages; reading runs in a worker. The code for it is loaded with the first document. Nothing
 * in a document is run, and the content policy allows no WebAssembly, so that plain decoders are used.
 */
export async function openPdf(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  const [pdf, worker] = await Promise.all([
    loadPart(() => import('pdfjs-dist')),
    loadPart(() => import('pdfjs-dist/build/pdf.worker.min.mjs?url')),
  ]);
  pdf.GlobalWorkerOptions.workerSrc = worker.default;
  return pdf.getDocument({
    data: bytes,
    useWasm: false,
    disableWorkerRendering: true,
    cMapUrl: `${PARTS}cmaps/`,
    cMapPacked: true,
    standardFontDataUrl: `${PARTS}standard_fonts/`,
    wasmUrl: `${PARTS}wasm/`,
    verbosity: 0,
  }).promise;
}
