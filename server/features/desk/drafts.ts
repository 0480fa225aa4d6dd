import type { z } from 'zod';
import type { deskRoutes } from '../../../shared/api/desk.ts';
import { DESK_LIMITS } from '../../../shared/desk.ts';
import { StorageMissingError } from '../../adapters/storage/port.ts';
import { isoTime } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { draftsTooLarge, noSuchDraft, tooManyDrafts } from './errors.ts';
import type { DeskParts } from './parts.ts';
import {
  deleteDraft,
  findDraft,
  insertDraft,
  listDraftFiles,
  listDrafts,
  listFilesOf,
  renameDraft,
} from './store.ts';
import { DRAFT_PREFIX } from './stored-documents.ts';
import type { DraftFileRow, DraftKey, DraftRow, DraftSummaryRow } from './types.ts';

type DraftAnswer = z.infer<typeof deskRoutes.saveDraft.answer.schema>;
type DraftContentAnswer = z.infer<typeof deskRoutes.getDraft.answer.schema>;

/** Document of a draft as it was uploaded. */
interface DraftFile {
  readonly content: { readonly bytes: Uint8Array } | { readonly path: string; readonly key?: Uint8Array };
  /** Lowercase hex. */
  readonly sha256: string;
  readonly sizeBytes: number;
}

interface GivenDraft {
  readonly name: string;
  readonly content: string;
  readonly template: boolean;
  readonly files: readonly DraftFile[];
}

export async function listSaved(parts: DeskParts, personId: string): Promise<DraftAnswer[]> {
  const rows = await listDrafts(parts.db.read, personId);
  const files = Map.groupBy(await listDraftFiles(parts.db.read, personId), ({ draft_id }) => draft_id);
  return rows.map((row) => present(parts, row, files.get(row.id) ?? []));
}

/** Returns a draft. Throws a 404 refusal where the person has none of that ID. */
export async function readDraft(parts: DeskParts, key: DraftKey): Promise<DraftContentAnswer> {
  const row = await findDraft(parts.db.read, key);
  if (!row) throw noSuchDraft();
  const files = await listFilesOf(parts.db.read, key);
  return {
    ...present(parts, row, files),
    content: parts.seal.open(row.content, contextOf(key, 'content')),
    files: files.map(({ number, sha256, size_bytes }) => ({ number, sha256, size_bytes })),
  };
}

/** Opens a document of a draft. Throws a 404 refusal where there is none. */
export async function openDraftFile(parts: DeskParts, key: DraftKey, number: number) {
  const file = (await listFilesOf(parts.db.read, key)).find((each) => each.number === number);
  if (!file) throw noSuchDraft();
  const { stream, sizeBytes } = await parts.storage.open(file.artifact).catch((error: unknown) => {
    throw error instanceof StorageMissingError ? noSuchDraft() : error;
  });
  return { stream, sizeBytes, sha256: file.sha256 };
}

/** Saves a draft in place of the one with the same ID. Throws refusals; then the earlier one stays. */
export async function saveDraft(parts: DeskParts, key: DraftKey, given: GivenDraft): Promise<DraftAnswer> {
  await assertRoom(parts, key, given);
  const files: DraftFileRow[] = [];
  try {
    for (const { content, sha256, sizeBytes } of given.files) {
      const artifact = `${DRAFT_PREFIX}${newId()}.bin`;
      files.push({
        artifact,
        person_id: key.person_id,
        draft_id: key.id,
        number: files.length + 1,
        sha256,
        size_bytes: sizeBytes,
      });
      await keepFile(parts, artifact, content);
    }
    return await record(parts, key, given, files);
  } catch (error) {
    const kept = new Set(
      (await listFilesOf(parts.db.read, key).catch(() => files)).map(({ artifact }) => artifact),
    );
    for (const { artifact } of files) if (!kept.has(artifact)) await parts.storage.remove(artifact);
    throw error;
  }
}

/** Throws a 404 refusal where the person has none of that ID. */
export async function changeName(parts: DeskParts, key: DraftKey, name: string): Promise<DraftAnswer> {
  const sealed = parts.seal.seal(name, contextOf(key, 'name'));
  if (!(await parts.db.transaction((tx) => renameDraft(tx, key, sealed)))) throw noSuchDraft();
  const { content: _content, files: _files, ...draft } = await readDraft(parts, key);
  return draft;
}

/** Throws a 404 refusal where the person has none of that ID. */
export async function removeDraft(parts: DeskParts, key: DraftKey): Promise<void> {
  const artifacts = await parts.db.transaction((tx) => deleteDraft(tx, key));
  if (artifacts === null) throw noSuchDraft();
  for (const artifact of artifacts) await parts.storage.remove(artifact);
}

async function assertRoom({ db }: DeskParts, key: DraftKey, { files }: GivenDraft): Promise<void> {
  const others = (await listDrafts(db.read, key.person_id)).filter(({ id }) => id !== key.id);
  if (others.length >= DESK_LIMITS.drafts) throw tooManyDrafts();
  const stored = (await listDraftFiles(db.read, key.person_id)).filter(({ draft_id }) => draft_id !== key.id);
  const sizes = [...stored.map(({ size_bytes }) => size_bytes), ...files.map(({ sizeBytes }) => sizeBytes)];
  if (sizes.reduce((sum, size) => sum + size, 0) > DESK_LIMITS.draftBytes) throw draftsTooLarge();
}

/** A file that was sealed on its way in is copied as it is. */
async function keepFile(
  { storage }: DeskParts,
  artifact: string,
  content: DraftFile['content'],
): Promise<void> {
  if ('bytes' in content) await storage.writeSealed(artifact, content.bytes);
  else if (content.key === undefined) await storage.writeSealed(artifact, { path: content.path });
  else await storage.copy(artifact, content.path);
}

async function record(
  parts: DeskParts,
  key: DraftKey,
  { name, content, template }: GivenDraft,
  files: readonly DraftFileRow[],
): Promise<DraftAnswer> {
  const row: DraftRow = {
    ...key,
    name: parts.seal.seal(name, contextOf(key, 'name')),
    content: parts.seal.seal(content, contextOf(key, 'content')),
    template: template ? 1 : 0,
    saved_at: isoTime(parts.clock.now()),
  };
  const earlier = await parts.db.transaction(async (tx) => {
    const replaced = await deleteDraft(tx, key);
    await insertDraft(tx, row, files);
    return replaced ?? [];
  });
  for (const artifact of earlier) await parts.storage.remove(artifact);
  return present(parts, row, files);
}

function present({ seal }: DeskParts, row: DraftSummaryRow, files: readonly DraftFileRow[]): DraftAnswer {
  return {
    id: row.id,
    name: seal.open(row.name, contextOf(row, 'name')),
    template: row.template === 1,
    documents: files.length,
    size_bytes: files.reduce((sum, { size_bytes }) => sum + size_bytes, 0),
    saved_at: row.saved_at,
  };
}

const contextOf = ({ person_id, id }: DraftKey, column: 'name' | 'content') =>
  `desk_draft:${person_id}:${id}:${column}`;
