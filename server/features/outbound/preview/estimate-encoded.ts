import type { z } from 'zod';
import type { EncodedPreview } from '../../../../shared/api/outbound-shapes.ts';
import type { PageForm } from '../../../../shared/encoded-pages.ts';
import { RefusalError } from '../../../platform/errors.ts';
import type { Caller } from '../../access/service.ts';
import { assessEncodedPages, choosePages } from '../accept/encoded-pages.ts';
import { documentNameOf } from '../accept/sent-document.ts';
import { encodedSeconds } from '../encoded-time.ts';
import type { OutboundParts } from '../parts.ts';
import type { PreviewDrawing } from './preview-drawing.ts';

type Parts = Pick<OutboundParts, 'db' | 'contacts' | 'documents' | 'settings' | 'transports'>;

/** Number and form of the pages for which the document of a preview is assessed. */
export interface EncodedRequest {
  /** E.164, or as it was typed. */
  readonly to: string;
  readonly form: PageForm;
  readonly byCall: boolean;
}

const ORDINARY_PAGES = { encoded: null, note: null, problem: null } as const;

/** Estimates the encoded pages that a fax of a preview would be sent as. */
export async function estimateForPreview(
  parts: Parts,
  caller: Caller,
  { files, cleanGreys, seconds }: PreviewDrawing,
  { to, form, byCall }: EncodedRequest,
): Promise<z.infer<typeof EncodedPreview>> {
  const { preferredRoute, encodedPages } = await parts.contacts.preferencesFor(to);
  const planned = await parts.transports.plan({ to, byCall, preferredRoute });
  if ('refusal' in planned) return { to, ...ORDINARY_PAGES };
  try {
    const given = {
      to,
      mode: encodedPages,
      plan: planned,
      form,
      resendOf: null,
      isCopy: false,
      isCode: false,
    };
    const { encoded, isForced, note } = await choosePages(parts, given);
    if (encoded === null) return { to, ...ORDINARY_PAGES, note };
    const found = await assessEncodedPages(
      parts,
      { encoded, isForced },
      {
        documentPath: await files.preparedFile(cleanGreys),
        fileName: documentNameOf(files.sources.map(({ fileName }) => fileName)),
        pages: files.pages,
        callSeconds: seconds,
        by: caller.principal.id,
      },
    );
    if (found.estimate === null) return { to, ...ORDINARY_PAGES, note: found.note };
    const { pages } = found.estimate;
    const { mode } = encoded;
    return { to, ...ORDINARY_PAGES, encoded: { mode, pages, seconds: encodedSeconds(found.estimate) } };
  } catch (error) {
    if (error instanceof RefusalError) return { to, ...ORDINARY_PAGES, problem: error.publicMessage };
    throw error;
  }
}
