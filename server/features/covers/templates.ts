import { BUILT_IN_COVERS, type CoverField } from '../../../shared/covers.ts';
import type { ReadDb } from '../../db/database.ts';
import { findCover } from './store.ts';
import type { CoverRow, Template } from './types.ts';

const BUILT_IN: readonly Template[] = BUILT_IN_COVERS.map((cover) => ({
  ...cover,
  logo: null,
  pdf: null,
  formFields: [],
  stored: null,
}));

export const builtInTemplate = (id: string): Template | null =>
  BUILT_IN.find((cover) => cover.id === id) ?? null;

/** Returns a cover page by ID; null for none. */
export async function findTemplate(db: ReadDb, id: string): Promise<Template | null> {
  const builtIn = builtInTemplate(id);
  if (builtIn !== null) return builtIn;
  const row = await findCover(db, id);
  return row ? templateOf(row) : null;
}

function templateOf(row: CoverRow): Template {
  const { id, name, title, text, notice } = row;
  return {
    id,
    name,
    title,
    text,
    notice,
    fields: JSON.parse(row.fields) as CoverField[],
    logo: row.logo === null ? null : Buffer.from(row.logo, 'base64'),
    pdf: row.pdf === null ? null : Buffer.from(row.pdf, 'base64'),
    formFields: JSON.parse(row.form_fields) as string[],
    stored: { version: row.version, createdAt: row.created_at, updatedAt: row.updated_at },
  };
}
