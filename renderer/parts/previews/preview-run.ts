import type { z } from 'zod';
import type { FaxPreview } from '../../../shared/api/outbound-shapes.ts';
import type { PageEdits } from '../../../shared/page-edits.ts';
import { client, uploadingClient } from '../../api/client.ts';
import { type DraftFile, uploadNames } from '../draft-files.ts';

export type Preview = z.infer<typeof FaxPreview>;

/** The same changes as the client sends them. */
type RedrawEdits = Preview['page_edits'];

/** Interval between requests for the pages drawn so far. */
const DRAWING_MS = 300;

/** Options for drawing the files. */
export interface Drawing {
  readonly cleanGreys: boolean;
  /** E.164 of the recipient, in the header line; null while it is not a valid number. */
  readonly to: string | null;
  /** A call is placed to one of our own numbers, which prints a header line. */
  readonly byCall: boolean;
  /** Name of the person in the header line, as the gateway stores it; null for that of the office. */
  readonly headerName: string | null;
  /** Changes to the pages; null for none. */
  readonly pageEdits: PageEdits | null;
}

interface RunListener {
  /** `part` of the files is at the gateway, 0 to 1. */
  readonly onUpload: (part: number) => void;
  readonly onPreview: (preview: Preview) => void;
}

/** Uploads the files for a preview; answers when the pages are counted. */
export async function uploadForPreview(
  files: readonly DraftFile[],
  request: Drawing & { signal: AbortSignal },
  { onUpload }: Pick<RunListener, 'onUpload'>,
): Promise<Preview> {
  const names = uploadNames(files);
  const uploading = uploadingClient(({ sentBytes, totalBytes }) =>
    onUpload(sentBytes / Math.max(totalBytes, 1)),
  );
  return uploading.outbound.previewFax({
    query: { wait: 'false' },
    fields: {
      clean_greys: String(request.cleanGreys),
      ...(request.byCall ? { send_by_call: 'true' } : {}),
      ...(request.to === null ? {} : { to: request.to }),
      ...(request.pageEdits === null ? {} : { page_edits: JSON.stringify(request.pageEdits) }),
    },
    files: { file: files.map(({ content }, i) => ({ name: names[i] ?? '', content })) },
    signal: request.signal,
  });
}

/**
 * Follows a preview until it is drawn or fails. Does not keep it from expiring: an idle page must not keep its session
 * alive. Rejects when it is aborted, gone (404), or the gateway cannot be reached.
 */
export async function followPreview(
  first: Preview,
  signal: AbortSignal,
  { onPreview }: Pick<RunListener, 'onPreview'>,
): Promise<void> {
  const params = { id: first.preview_id };
  let preview = first;
  onPreview(preview);
  while (!preview.complete && preview.problem === null) {
    await pause(DRAWING_MS, signal);
    preview = await client.outbound.previewState({ params, signal });
    onPreview(preview);
  }
}

/** The same files drawn in another way, without another upload. */
export function redraw(
  id: string,
  { cleanGreys, to, byCall, pageEdits }: Drawing,
  { hadEdits, signal }: { hadEdits: boolean; signal: AbortSignal },
): Promise<Preview> {
  return client.outbound.redrawPreview({
    params: { id },
    query: { wait: 'false' },
    body: {
      clean_greys: cleanGreys,
      ...(byCall ? { send_by_call: true } : {}),
      ...(to === null ? {} : { to }),
      ...(pageEdits === null && !hadEdits ? {} : { page_edits: pageEdits as RedrawEdits }),
    },
    signal,
  });
}

/** Nobody looks at it any more; if this does not get through, it expires by itself. */
export function dropPreview(id: string): void {
  client.outbound.removePreview({ params: { id } }).catch(() => undefined);
}

/** Rejects with the reason when it is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(resolve, ms);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}
