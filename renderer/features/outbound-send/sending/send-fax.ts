import { uploadingClient } from '../../../api/client.ts';
import { isRefused } from '../../../api/sentence.ts';
import { uploadNames } from '../../../parts/draft-files.ts';
import { areSameEdits, pageEditsOf } from '../../../parts/edit-pages/page-order.ts';
import type { Fax } from '../../../parts/fax-state.ts';
import { guardFields } from '../../../parts/guard/guard.ts';
import type { PreviewStore } from '../../../parts/previews/preview-store.ts';
import type { CoverOfDraft } from '../cover/use-cover.ts';
import { contentOf, type Draft, documentOf, resendOf } from '../draft/draft.ts';
import type { DraftStore } from '../draft/draft-store.ts';
import { printedIds } from '../printed/printed-documents.ts';
import { problemOf } from './sending-problem.ts';

/** The draft as it stood on the screen when it was sent off, and the number that stood there with it, E.164. */
export interface ShownFax {
  readonly draft: Draft;
  readonly to: string;
  readonly cover: Pick<CoverOfDraft, 'sent' | 'values'>;
}

/**
 * Sends the draft. It is submitted under its key, so that pressing twice, a lost response or a reload never makes a
 * second fax. Files that the gateway has from a preview are not uploaded again; `isOfPreview` returns true while it
 * still has them. Throws the errors of the client.
 */
export async function sendDraft(
  drafts: DraftStore,
  previews: PreviewStore,
  { onUpload, ...shown }: ShownFax & { onUpload: (part: number) => void },
): Promise<{ fax: Fax; isOfPreview: boolean }> {
  const { draft } = shown;
  const { preview, phase, files } = await previews.uploaded();
  // Stored before the request leaves: if this page closes now, the next one reports that a try was made.
  note(drafts, draft, contentOf(draft, shown.to));
  await drafts.written();
  const hasAll = draft.files.map(({ id }) => id).join() === files.join();
  // A preview of other changes may be shown still while the new one is requested.
  const hasEdits = preview !== null && areSameEdits(preview.page_edits, pageEditsOf(draft.files));
  const previewId = phase !== 'failed' && hasAll && hasEdits ? preview.preview_id : null;
  try {
    const sent = await send(shown, previewId, onUpload);
    drafts.sent(draft.key);
    // Removed before the screen changes: a page that is read anew brings back no draft that was sent.
    await drafts.written();
    return sent;
  } catch (error) {
    // The guard looks at a fax only where no earlier try with its key was taken.
    if (isRefused(error, 'guard_refused', 'number_blocked')) note(drafts, draft, null);
    else if (problemOf(error)?.kind === 'refused') note(drafts, draft, draft.tried);
    throw error;
  }
}

/** Notes what was tried with a draft, unless another was begun meanwhile, e.g. in another window. */
function note(drafts: DraftStore, { key }: Draft, tried: string | null): void {
  drafts.change((now) => (now.key === key ? { ...now, tried } : now));
}

async function send(shown: ShownFax, previewId: string | null, onUpload: (part: number) => void) {
  if (previewId === null) return { fax: await post(shown, null, onUpload), isOfPreview: false };
  try {
    return { fax: await post(shown, previewId, onUpload), isOfPreview: true };
  } catch (error) {
    // The preview has ended meanwhile, or an earlier try brought the files itself; they are here still.
    if (!isRefused(error, 'preview_files_gone', 'idempotency_key_reused')) throw error;
    return { fax: await post(shown, null, onUpload), isOfPreview: false };
  }
}

/** The earlier fax of a draft that sends one again may be removed by now; then the new one is sent without naming it. */
async function post(
  shown: ShownFax,
  previewId: string | null,
  onUpload: (part: number) => void,
): Promise<Fax> {
  const earlier = resendOf(shown.draft);
  try {
    return await postNaming(shown, { previewId, earlier, onUpload });
  } catch (error) {
    if (earlier === null || !isRefused(error, 'no_such_fax')) throw error;
    return postNaming(shown, { previewId, earlier: null, onUpload });
  }
}

/** Without a page that is shown, the gateway takes that of the contact or the mailbox. */
function coverFields({ sent, values }: ShownFax['cover']) {
  if (sent === null) return {};
  const hasValues = Object.keys(values).length > 0;
  return { cover: sent, ...(hasValues ? { cover_fields: JSON.stringify(values) } : {}) };
}

function postNaming(
  { draft, to, cover }: ShownFax,
  {
    previewId,
    earlier,
    onUpload,
  }: { previewId: string | null; earlier: string | null; onUpload: (part: number) => void },
): Promise<Fax> {
  const { files, options, about, answers, cleanGreys } = draft;
  const names = uploadNames(files);
  const printed = printedIds(files);
  const client = uploadingClient(({ sentBytes, totalBytes }) =>
    onUpload(sentBytes / Math.max(totalBytes, 1)),
  );
  return client.outbound.sendFax({
    headers: { 'Idempotency-Key': draft.key },
    fields: {
      to,
      urgent: String(options.urgent),
      send_now: String(options.sendNow),
      send_by_call: String(options.byCall),
      queue_only: String(options.queueOnly),
      clean_greys: String(cleanGreys),
      ...coverFields(cover),
      ...guardFields(draft, { to, document: documentOf(draft) }),
      ...Object.fromEntries(Object.entries(about).filter(([, text]) => text.trim() !== '')),
      ...(options.pageForm ? { page_form: options.pageForm } : {}),
      ...(options.mailbox === '' ? {} : { mailbox: options.mailbox }),
      ...(options.sendAt === '' ? {} : { send_at: new Date(options.sendAt).toISOString() }),
      ...(options.sendBy ? { send_by: new Date(options.sendBy).toISOString() } : {}),
      ...(options.sendWhen ? { send_when: options.sendWhen } : {}),
      ...(files.some(({ title }) => title !== '') ? { titles: files.map(({ title }) => title) } : {}),
      ...(previewId === null ? editsFieldOf(files) : { preview_id: previewId }),
      ...(answers === null ? {} : { answers: answers.id }),
      ...(earlier === null ? {} : { resend_of: earlier }),
      ...(printed.length === 0 ? {} : { printed }),
    },
    files:
      previewId === null ? { file: files.map(({ content }, i) => ({ name: names[i] ?? '', content })) } : {},
  });
}

/** Changes to the pages of files that come with the request. */
function editsFieldOf(files: Draft['files']): { page_edits?: string } {
  const edits = pageEditsOf(files);
  return edits === null ? {} : { page_edits: JSON.stringify(edits) };
}
