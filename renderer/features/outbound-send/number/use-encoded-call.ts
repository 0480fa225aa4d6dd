import { useQuery } from '@tanstack/react-query';
import { client } from '../../../api/client.ts';
import type { Preview } from '../../../parts/previews/preview-run.ts';
import type { DraftOptions } from '../draft/draft.ts';
import type { Recipient } from './recipient.ts';

/** Parts of a draft by which its fax has encoded pages or ordinary ones. */
export interface EncodedFax {
  readonly recipient: Recipient;
  readonly options: DraftOptions;
  /** The preview of the documents; null while there is none. */
  readonly preview: Preview | null;
}

/** Returns the number and how documents are encoded for it; null for a fax that is not called, or has ordinary pages. */
export function encodedFormOf({
  recipient: { check, open },
  options,
}: Pick<EncodedFax, 'recipient' | 'options'>): {
  readonly to: string;
  readonly form: 'plain' | 'encrypted';
} | null {
  const isCalled = check !== null && ((!check.internal && !check.direct) || options.byCall);
  if (!check?.to || open?.action === 'refuse' || !isCalled || check.encoded_pages === 'off') return null;
  return { to: check.to, form: check.encoded_pages };
}

/** Estimates encoded pages once every page of the preview is there, whose time decides whether they are worth it. */
export function useEncodedEstimate({ recipient, options, preview }: EncodedFax) {
  const to = encodedFormOf({ recipient, options })?.to ?? null;
  const { pageForm, byCall } = options;
  const id = preview?.complete ? preview.preview_id : null;
  return useQuery({
    queryKey: ['encoded-pages', id, to, pageForm, byCall],
    enabled: id !== null && to !== null,
    queryFn: ({ signal }) =>
      client.outbound.previewEncoded({
        params: { id: id ?? '' },
        query: { to: to ?? '', page_form: pageForm || 'automatic', send_by_call: String(byCall) },
        signal,
      }),
  });
}

/**
 * Returns the pages and seconds of the call where they are not those of the preview: null for ordinary pages, and
 * `pending` until they are known.
 */
export function useEncodedCall(fax: EncodedFax): { pages: number; seconds: number } | 'pending' | null {
  const estimate = useEncodedEstimate(fax);
  if (encodedFormOf(fax) === null || estimate.error !== null) return null;
  return estimate.data === undefined ? 'pending' : estimate.data.encoded;
}
