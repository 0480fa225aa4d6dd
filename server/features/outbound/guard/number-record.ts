import { GUARD_FAILURES } from '../../../../shared/guard.ts';
import { isoTime } from '../../../platform/clock.ts';
import type { Caller } from '../../access/service.ts';
import type { OutboundParts } from '../parts.ts';
import { countFailures } from '../store/guard-store.ts';
import { findNumber, listReached } from '../store/number-store.ts';
import { findVisibleNumber, listReachedVisibly } from '../store/visible-numbers.ts';
import type { SentScope } from '../types.ts';
import { visibleFaxes } from '../visibility.ts';
import type { GuardFacts, KnownNumber } from './decide.ts';
import { slipsOf } from './slips.ts';

type Parts = Pick<OutboundParts, 'db' | 'clock' | 'contacts'>;

/** Age up to which a failure counts for a number, in ms. */
const RECENT_MS = 30 * 24 * 60 * 60_000;

/** Maximum delivered numbers that are compared with a typed one. */
const MAX_NEIGHBORS = 20;

/** Facts about a number from contacts and sent faxes that the caller may see. */
export interface NumberRecord {
  /** Its contact; null for none. */
  readonly contact: { readonly id: string; readonly name: string } | null;
  readonly preferences: Awaited<ReturnType<Parts['contacts']['preferencesFor']>>;
  readonly voice: { readonly name: string } | null;
  readonly isUsed: boolean;
  /** ISO 8601 UTC; null when no fax was delivered to it. */
  readonly lastSuccessAt: string | null;
  readonly failures: number;
  /** Delivered numbers that differ by one slip, the last one first. */
  readonly reached: readonly { readonly to: string; readonly last_success_at: string }[];
  /** The same and those of contacts, contacts first. */
  readonly neighbors: readonly KnownNumber[];
}

/** Reads the record of an E.164 number. The number of queries, and of rows that they read, does not grow with the store. */
export async function readNumberRecord(parts: Parts, caller: Caller, to: string): Promise<NumberRecord> {
  const { db, contacts } = parts;
  const scope = visibleFaxes(caller);
  const [names, voices, preferences, known] = await Promise.all([
    contacts.namesOf(caller, [to]),
    contacts.voiceNamesOf(caller, [to]),
    contacts.preferencesFor(to),
    caller.isTest ? undefined : scope ? findVisibleNumber(db.read, scope, to) : findNumber(db.read, to),
  ]);
  const contact = names.get(to) ?? null;
  const lastSuccessAt = known?.last_success_at ?? null;
  const isKnown = contact !== null || lastSuccessAt !== null || caller.isTest;
  const near = isKnown ? NONE : await readNeighbors(parts, caller, scope, to);
  return {
    contact,
    preferences,
    voice: voices.get(to) ?? null,
    isUsed: known !== undefined,
    lastSuccessAt,
    failures: known === undefined ? 0 : await recentFailures(parts, scope, { to, lastSuccessAt }),
    ...near,
  };
}

/** Returns the facts that the guard decides by. */
export function guardFacts(
  to: string,
  record: NumberRecord,
  found: Pick<GuardFacts, 'isOwn' | 'isSameDocument'>,
): GuardFacts {
  return {
    to,
    ...found,
    isBlocked: record.preferences.blocked,
    hasOptedOut: record.preferences.optedOut,
    voice: record.voice,
    isContact: record.contact !== null,
    isUsed: record.isUsed,
    isReached: record.lastSuccessAt !== null,
    failures: record.failures,
    neighbors: record.neighbors,
  };
}

type Neighbors = Pick<NumberRecord, 'reached' | 'neighbors'>;

const NONE: Neighbors = { reached: [], neighbors: [] };

async function readNeighbors(
  { db, contacts }: Parts,
  caller: Caller,
  scope: SentScope | null,
  to: string,
): Promise<Neighbors> {
  const slips = slipsOf(to);
  const [reached, names] = await Promise.all([
    scope
      ? listReachedVisibly(db.read, scope, slips, MAX_NEIGHBORS)
      : listReached(db.read, slips, MAX_NEIGHBORS),
    contacts.namesOf(caller, slips),
  ]);
  const times = new Map(reached.map((known) => [known.to, known.last_success_at]));
  const known = [...new Set([...names.keys(), ...times.keys()])].map((number) => ({
    to: number,
    name: names.get(number)?.name ?? null,
    lastSuccessAt: times.get(number) ?? '',
  }));
  known.sort(
    (a, b) =>
      Number(b.name !== null) - Number(a.name !== null) ||
      Number(b.lastSuccessAt > a.lastSuccessAt) - Number(b.lastSuccessAt < a.lastSuccessAt) ||
      Number(a.to > b.to) - Number(a.to < b.to),
  );
  return { reached, neighbors: known.map(({ to: number, name }) => ({ to: number, name })) };
}

async function recentFailures(
  { db, clock }: Parts,
  scope: SentScope | null,
  { to, lastSuccessAt }: { to: string; lastSuccessAt: string | null },
): Promise<number> {
  const recent = isoTime(clock.now() - RECENT_MS);
  const since = lastSuccessAt !== null && lastSuccessAt > recent ? lastSuccessAt : recent;
  return countFailures(db.read, scope, { to, since, limit: GUARD_FAILURES });
}
