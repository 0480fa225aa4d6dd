import type { z } from 'zod';
import type { deskRoutes } from '../../../shared/api/desk.ts';
import type { ReadDb } from '../../db/database.ts';
import { isoTime } from '../../platform/clock.ts';
import { stale } from './errors.ts';
import type { DeskParts } from './parts.ts';
import { findDefaults, writeDefaults } from './store.ts';

type Defaults = z.infer<typeof deskRoutes.getDefaults.answer.schema>;
type DefaultsWrite = z.infer<typeof deskRoutes.setDefaults.body>;
type Choices = Omit<DefaultsWrite, 'version'>;
type DefaultsParts = Pick<DeskParts, 'db' | 'clock' | 'seal'>;

const NONE: Choices = { mailbox_id: null, cover_id: null, signature: null };

/** Returns the defaults of a person; version 0 before the first change. */
export async function readDefaults(
  { seal }: Pick<DefaultsParts, 'seal'>,
  db: ReadDb,
  personId: string,
): Promise<Defaults> {
  const row = await findDefaults(db, personId);
  if (!row) return { ...NONE, version: 0, updated_at: null };
  const choices = JSON.parse(seal.open(row.choices, contextOf(personId))) as Choices;
  return { ...NONE, ...choices, version: row.version, updated_at: row.updated_at };
}

/** Throws a 409 refusal where they changed since that version. */
export async function changeDefaults(
  parts: DefaultsParts,
  personId: string,
  { version, ...choices }: DefaultsWrite,
): Promise<Defaults> {
  const row = {
    person_id: personId,
    choices: parts.seal.seal(JSON.stringify(choices), contextOf(personId)),
    version: version + 1,
    updated_at: isoTime(parts.clock.now()),
  };
  if (!(await parts.db.transaction((tx) => writeDefaults(tx, row, version)))) throw stale();
  return { ...choices, version: row.version, updated_at: row.updated_at };
}

const contextOf = (personId: string) => `desk_defaults:${personId}`;
