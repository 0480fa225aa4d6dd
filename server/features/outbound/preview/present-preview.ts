import type { z } from 'zod';
import type {
  FaxPreview,
  PreviewHeaderLine,
  PreviewPageFacts,
} from '../../../../shared/api/outbound-shapes.ts';
import { type PreviewPage, pageSeconds } from '../../../documents/documents.ts';
import { isoTime } from '../../../platform/clock.ts';
import { RefusalError } from '../../../platform/errors.ts';
import type { StoredPreview } from './preview.ts';
import type { PreviewHeader } from './preview-drawing.ts';

/** A preview as the contract shows it. */
export function presentPreview({ drawing, expiresAt }: StoredPreview): z.infer<typeof FaxPreview> {
  const { id, files, pages, isComplete, failure, cleanGreys, header, to } = drawing;
  return {
    preview_id: id,
    pages: files.pages,
    seconds: drawing.seconds,
    cost: null,
    notes: pages.flatMap((page) => page.notes),
    drawn: pages.length,
    complete: isComplete,
    problem: failure === null ? null : problemOf(failure),
    clean_greys: cleanGreys,
    to,
    document_sha256: files.digest(cleanGreys),
    documents: [...files.documents],
    page_facts: pages.map((page) => factsOf(page, files.documentOf(page.number))),
    header: header && presentHeader(header, files.pages),
    page_edits: files.edits as z.infer<typeof FaxPreview>['page_edits'],
    expires_at: isoTime(expiresAt),
  };
}

function presentHeader(
  { words: { parts, isNumbered }, hasRecipient, backend, ownForm }: PreviewHeader,
  pages: number,
): z.infer<typeof PreviewHeaderLine> {
  const text = [...parts, ...(isNumbered ? [`1/${pages}`] : [])].join('  ');
  return { text, has_recipient: hasRecipient, backend, own_form: [...ownForm] };
}

function factsOf(page: PreviewPage, document: number): z.infer<typeof PreviewPageFacts> {
  const rounded = (bytes: number) => Math.round(pageSeconds(bytes));
  return {
    page: page.number,
    document,
    seconds: rounded(page.encodedBytes),
    grey: page.greyBytes !== null,
    seconds_clean: page.greyBytes && rounded(page.greyBytes.clean),
    seconds_with_greys: page.greyBytes && rounded(page.greyBytes.dithered),
  };
}

function problemOf(failure: unknown): string {
  if (failure instanceof RefusalError) return failure.publicMessage;
  return 'Something went wrong while the pages were drawn. Nothing was sent. Try again.';
}
