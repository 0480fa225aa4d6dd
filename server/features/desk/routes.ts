import { deskRoutes as routes } from '../../../shared/api/desk.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import { FileReply } from '../../http/reply.ts';
import { uploadedBytes } from '../../http/uploaded-bytes.ts';
import { sha256Hex } from '../../platform/hash.ts';
import type { Caller } from '../access/service.ts';
import { changeDefaults, readDefaults } from './defaults.ts';
import { changeName, listSaved, openDraftFile, readDraft, removeDraft, saveDraft } from './drafts.ts';
import type { DeskParts } from './parts.ts';
import { createPhrase, readPhrases, removePhrase, updatePhrase } from './phrases.ts';
import { addSignature, readPicture, readSignatures, removeSignature } from './signatures.ts';
import { readTour, recordTour } from './tour.ts';

export function deskServedRoutes(parts: DeskParts): ServedRoute[] {
  return [...ownServedRoutes(parts), ...signatureServedRoutes(parts), ...draftServedRoutes(parts)];
}

const DONE = { ok: true as const };

/** Every thing is the caller's own: the same ID of another person is another thing. */
const keyOf = (caller: Caller, { id }: { readonly id: string }) => ({ person_id: caller.principal.id, id });

function ownServedRoutes(parts: DeskParts): ServedRoute[] {
  return [
    serve(routes.getDefaults, ({ caller }) => readDefaults(parts, parts.db.read, caller)),
    serve(routes.setDefaults, ({ caller, body }) => changeDefaults(parts, caller, body)),
    serve(routes.getTour, ({ caller }) => readTour(parts, caller.principal.id)),
    serve(routes.setTour, ({ caller, body }) => recordTour(parts, caller.principal.id, body)),
    serve(routes.listPhrases, async ({ caller }) => ({
      items: await readPhrases(parts, caller.principal.id),
    })),
    serve(routes.createPhrase, ({ caller, body }) => createPhrase(parts, caller.principal.id, body)),
    serve(routes.changePhrase, ({ caller, params, body }) =>
      updatePhrase(parts, keyOf(caller, params), body),
    ),
    serve(routes.removePhrase, async ({ caller, params }) => {
      await removePhrase(parts, keyOf(caller, params));
      return DONE;
    }),
  ];
}

function signatureServedRoutes(parts: DeskParts): ServedRoute[] {
  return [
    serve(routes.listSignatures, async ({ caller }) => ({
      items: await readSignatures(parts, caller.principal.id),
    })),
    serve(routes.addSignature, async ({ caller, fields, files: [file] }) =>
      addSignature(parts, caller, { ...fields, file: file ? await uploadedBytes(file) : new Uint8Array() }),
    ),
    serve(routes.getSignaturePicture, async ({ caller, params }) => {
      const picture = await readPicture(parts, keyOf(caller, params));
      return new FileReply(picture, { contentType: 'image/png', sha256: sha256Hex(picture) });
    }),
    serve(routes.removeSignature, async ({ caller, params }) => {
      await removeSignature(parts, caller, params.id);
      return DONE;
    }),
  ];
}

function draftServedRoutes(parts: DeskParts): ServedRoute[] {
  return [
    serve(routes.listDrafts, async ({ caller }) => ({ items: await listSaved(parts, caller.principal.id) })),
    serve(routes.saveDraft, ({ caller, params, fields, files }) =>
      saveDraft(parts, keyOf(caller, params), {
        ...fields,
        files: files.map(({ content, digest, sizeBytes }) => ({ content, sha256: digest, sizeBytes })),
      }),
    ),
    serve(routes.getDraft, ({ caller, params }) => readDraft(parts, keyOf(caller, params))),
    serve(routes.getDraftFile, async ({ caller, params }) => {
      const { stream, sizeBytes, sha256 } = await openDraftFile(parts, keyOf(caller, params), params.number);
      return new FileReply(stream, {
        contentType: 'application/octet-stream',
        sizeBytes,
        sha256,
        isDownload: true,
      });
    }),
    serve(routes.renameDraft, ({ caller, params, body }) =>
      changeName(parts, keyOf(caller, params), body.name),
    ),
    serve(routes.removeDraft, async ({ caller, params }) => {
      await removeDraft(parts, keyOf(caller, params));
      return DONE;
    }),
  ];
}
