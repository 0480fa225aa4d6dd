import type { AuditOperation } from '../../../shared/audit-operations.ts';
import { BUILT_IN_COVERS, COVER_LIMITS, type CoverDesign } from '../../../shared/covers.ts';
import { hasSignature, SIGNATURE_BYTES } from '../../../shared/document-types.ts';
import { isUniqueViolation, type ReadDb, type WriteTx } from '../../db/database.ts';
import { isoTime } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { actorOf, type Caller } from '../access/service.ts';
import { recordedActor } from '../audit/service.ts';
import { builtInCover, coverRefused, nameTaken, noSuchCover, stale, tooManyCovers } from './errors.ts';
import { type KeptFile, keptFile } from './kept-file.ts';
import type { CoversParts } from './parts.ts';
import { countCovers, deleteCover, findCover, insertCover, updateCover } from './store.ts';
import { builtInTemplate } from './templates.ts';
import type { CoverRow } from './types.ts';

/** Parts of a template that people change by text; a logo is only removed so. */
interface CoverFields extends CoverDesign {
  readonly name: string;
  readonly logo: null;
}

/** Fields that are left out stay as they are. */
export type CoverPatch = { readonly [N in keyof CoverFields]?: CoverFields[N] | undefined };

export interface NewCover extends Omit<CoverFields, 'logo'> {
  /** Logo of a page, or a PDF that is the page; null for a page without a logo. */
  readonly file: Uint8Array | null;
}

interface CoverRead {
  readonly id: string;
  readonly version: number;
}

/** Creates a cover page and returns its ID. */
export async function createCover(parts: CoversParts, caller: Caller, cover: NewCover): Promise<string> {
  const { file, ...fields } = cover;
  const kind = file !== null && isPdf(file) ? 'pdf' : 'page';
  const kept = file && (await keptFile(parts, caller, kind === 'pdf' ? 'pdf' : 'logo', file));
  const at = isoTime(parts.clock.now());
  const row: CoverRow = {
    id: newId(),
    ...(columnsOf(fields) as Pick<CoverRow, 'name' | 'sort_name' | 'title' | 'fields' | 'text' | 'notice'>),
    kind,
    logo: kind === 'page' ? base64(kept) : null,
    pdf: kind === 'pdf' ? base64(kept) : null,
    form_fields: JSON.stringify(kept?.formFields ?? []),
    version: 1,
    created_at: at,
    updated_at: at,
  };
  return refuseTakenName(
    parts.db.transaction(async (tx) => {
      if ((await countCovers(tx)) >= COVER_LIMITS.templates) throw tooManyCovers();
      await insertCover(tx, row);
      await record(parts, tx, caller, { operation: 'cover.create', row });
      return row.id;
    }),
  );
}

export async function changeCover(
  parts: CoversParts,
  caller: Caller,
  read: CoverRead,
  fields: CoverPatch,
): Promise<void> {
  await refuseTakenName(change(parts, caller, read, columnsOf(fields)));
}

/** Replaces the logo of a page, or the PDF of one that is a PDF. */
export async function replaceFile(
  parts: CoversParts,
  caller: Caller,
  read: CoverRead,
  file: Uint8Array,
): Promise<void> {
  const { kind } = await loadCover(parts.db.read, read);
  const kept = await keptFile(parts, caller, kind === 'pdf' ? 'pdf' : 'logo', file);
  const columns =
    kind === 'pdf'
      ? { pdf: base64(kept), form_fields: JSON.stringify(kept.formFields) }
      : { logo: base64(kept) };
  await change(parts, caller, read, columns);
}

export async function removeCover(parts: CoversParts, caller: Caller, read: CoverRead): Promise<void> {
  await parts.db.transaction(async (tx) => {
    const row = await loadCover(tx, read);
    if (!(await deleteCover(tx, read))) throw stale();
    await record(parts, tx, caller, { operation: 'cover.remove', row });
  });
}

async function change(
  parts: CoversParts,
  caller: Caller,
  read: CoverRead,
  columns: Partial<CoverRow>,
): Promise<void> {
  await parts.db.transaction(async (tx) => {
    const before = await loadCover(tx, read);
    const changed = { ...columns, updated_at: isoTime(parts.clock.now()) };
    if (!(await updateCover(tx, read, changed))) throw stale();
    await record(parts, tx, caller, { operation: 'cover.change', row: { ...before, ...changed } });
  });
}

/** Throws 404, and 409 for a built-in one or one that changed since that version. */
async function loadCover(db: ReadDb, { id, version }: CoverRead): Promise<CoverRow> {
  if (builtInTemplate(id) !== null) throw builtInCover();
  const row = await findCover(db, id);
  if (!row) throw noSuchCover();
  if (row.version !== version) throw stale();
  return row;
}

function columnsOf({ name, title, fields: shown, text, notice, logo }: CoverPatch): Partial<CoverRow> {
  return {
    ...(name !== undefined && { name: name.trim(), sort_name: sortName(name) }),
    ...(title !== undefined && { title }),
    ...(shown !== undefined && { fields: JSON.stringify(shown) }),
    ...(text !== undefined && { text }),
    ...(notice !== undefined && { notice }),
    ...(logo === null && { logo: null }),
  };
}

const base64 = (kept: KeptFile | null): string | null => kept && Buffer.from(kept.file).toString('base64');

function isPdf(file: Uint8Array): boolean {
  return hasSignature('application/pdf', Buffer.from(file.subarray(0, SIGNATURE_BYTES)).toString('latin1'));
}

function sortName(name: string): string {
  const sorted = name.trim().toLowerCase();
  if (sorted === '') throw coverRefused('Give the cover page a name.');
  if (BUILT_IN_COVERS.some((cover) => cover.name.toLowerCase() === sorted)) throw nameTaken();
  return sorted;
}

async function refuseTakenName<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isUniqueViolation(error) ? nameTaken() : error;
  }
}

async function record(
  { audit }: CoversParts,
  tx: WriteTx,
  caller: Caller,
  { operation, row }: { operation: AuditOperation; row: CoverRow },
): Promise<void> {
  await audit.record(tx, {
    ...recordedActor(actorOf(caller)),
    operation,
    target: { kind: 'cover', id: row.id },
    outcome: 'done',
    details: { name: row.name },
  });
}
