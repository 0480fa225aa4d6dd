import type { z } from 'zod';
import type { deskRoutes } from '../../../shared/api/desk.ts';
import type { ReadDb } from '../../db/database.ts';
import { isoTime } from '../../platform/clock.ts';
import type { Caller } from '../access/service.ts';
import { headerNameRefused, stale } from './errors.ts';
import type { DeskParts } from './parts.ts';
import { findDefaults, writeDefaults } from './store.ts';

type Defaults = z.infer<typeof deskRoutes.getDefaults.answer.schema>;
type DefaultsWrite = z.infer<typeof deskRoutes.setDefaults.body>;
type Choices = Omit<DefaultsWrite, 'version'>;
type DefaultsParts = Pick<DeskParts, 'db' | 'clock' | 'seal' | 'settings'>;

const NONE: Choices = { mailbox_id: null, cover_id: null, signature: null, header_name: null };

/** Returns the defaults of the caller; version 0 before the first change. */
export async function readDefaults(
  parts: Pick<DefaultsParts, 'seal' | 'settings'>,
  db: ReadDb,
  { principal }: Caller,
): Promise<Defaults> {
  const header_name_allowed = mayNameHeader(parts, principal) === null;
  const row = await findDefaults(db, principal.id);
  if (!row) return { ...NONE, header_name_allowed, version: 0, updated_at: null };
  const choices = JSON.parse(parts.seal.open(row.choices, contextOf(principal.id))) as Choices;
  return { ...NONE, ...choices, header_name_allowed, version: row.version, updated_at: row.updated_at };
}

/** Throws a 409 refusal where they changed since that version, and for a new name in a header line that is the office's. */
export async function changeDefaults(
  parts: DefaultsParts,
  caller: Caller,
  { version, ...choices }: DefaultsWrite,
): Promise<Defaults> {
  const { id } = caller.principal;
  const refusal = mayNameHeader(parts, caller.principal);
  if (refusal !== null && choices.header_name !== null) {
    const before = await readDefaults(parts, parts.db.read, caller);
    if (before.header_name !== choices.header_name) throw headerNameRefused(refusal);
  }
  const row = {
    person_id: id,
    choices: parts.seal.seal(JSON.stringify(choices), contextOf(id)),
    version: version + 1,
    updated_at: isoTime(parts.clock.now()),
  };
  if (!(await parts.db.transaction((tx) => writeDefaults(tx, row, version)))) throw stale();
  const header_name_allowed = refusal === null;
  return { ...choices, header_name_allowed, version: row.version, updated_at: row.updated_at };
}

/** Returns null for people of an office that lets them name themselves in the header line; else the sentence why not. */
function mayNameHeader(
  { settings }: Pick<DefaultsParts, 'settings'>,
  { kind }: Caller['principal'],
): string | null {
  if (kind !== 'user') return 'Only people can have their own name in the header line. Nothing was changed.';
  if (settings.headerPerPerson()) return null;
  return 'Your office prints its own name in the header line of every fax. Nothing was changed.';
}

const contextOf = (personId: string) => `desk_defaults:${personId}`;
