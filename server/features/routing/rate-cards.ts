import type { z } from 'zod';
import type { RateCard, RateCardVersion } from '../../../shared/api/routing-rates.ts';
import type { AuditOperation } from '../../../shared/audit-operations.ts';
import { type Database, isUniqueViolation, type WriteTx } from '../../db/database.ts';
import { type Clock, epochOf, isoTime } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { actorOf, type Caller } from '../access/service.ts';
import { recordedActor, type SecurityAudit } from '../audit/service.ts';
import { currentVersions } from './choose-card.ts';
import {
  emptyCard,
  noSuchCard,
  prefixTaken,
  routeRefused,
  stale,
  unknownBackend,
  unknownRoute,
} from './errors.ts';
import {
  changeCard,
  claimPrefixes,
  findCard,
  insertCard,
  insertVersion,
  listCards,
  versionsOf,
} from './store/card-store.ts';
import { findRoute } from './store/route-store.ts';
import type { CardRow, VersionRow } from './types.ts';

interface CardParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: SecurityAudit;
  /** Returns true when this release has a provider of that name. */
  readonly isBackend: (name: string) => boolean;
}

/** Prices of a version, as entered. */
type Prices = Pick<
  VersionRow,
  | 'currency'
  | 'per_page'
  | 'per_minute'
  | 'per_fax'
  | 'increment_seconds'
  | 'minimum_seconds'
  | 'monthly_fee'
  | 'included_pages'
  | 'source'
> & {
  readonly prefixes: readonly string[];
  /** With any offset; left out: now. */
  readonly valid_from?: string | undefined;
};

/** Subject of a card's prices; `route_id` null: all faxes by the backend. */
type CardOf = Pick<CardRow, 'backend' | 'route_id'>;

type CardAnswer = z.infer<typeof RateCard>;
type VersionAnswer = z.infer<typeof RateCardVersion>;

/** Rate cards of providers and the phone line. Refusals are RoutingRefusalError. */
export interface RateCards {
  list(page: {
    limit: number;
    cursor?: string | undefined;
  }): Promise<{ items: CardAnswer[]; next_cursor: string | null }>;
  get(id: string): Promise<CardAnswer & { versions: VersionAnswer[] }>;
  create(caller: Caller, of: CardOf, prices: Prices): Promise<CardAnswer>;
  change(caller: Caller, read: Pick<CardRow, 'id' | 'version'>, prices: Prices): Promise<CardAnswer>;
  remove(caller: Caller, read: Pick<CardRow, 'id' | 'version'>): Promise<CardAnswer>;
}

export function createRateCards(parts: CardParts): RateCards {
  const { db, clock } = parts;
  const present = (card: CardRow, versions: readonly VersionRow[]) =>
    presentCard(card, versions, isoTime(clock.now()));
  const presentOne = async (card: CardRow) => present(card, await versionsOf(db.read, [card.id]));
  return {
    async list(page) {
      const { items, next_cursor } = await listCards(db.read, page);
      const ids = items.map(({ id }) => id);
      const versions = Map.groupBy(await versionsOf(db.read, ids), ({ card_id }) => card_id);
      return { items: items.map((card) => present(card, versions.get(card.id) ?? [])), next_cursor };
    },
    async get(id) {
      const card = await findCard(db.read, id);
      if (!card) throw noSuchCard();
      const versions = await versionsOf(db.read, [id]);
      return { ...present(card, versions), versions: versions.map(presentVersion) };
    },
    create: async (caller, of, prices) => presentOne(await create(parts, caller, of, prices)),
    change: async (caller, read, prices) => presentOne(await change(parts, caller, read, prices)),
    remove: async (caller, read) => presentOne(await remove(parts, caller, read)),
  };
}

async function create(parts: CardParts, caller: Caller, of: CardOf, prices: Prices): Promise<CardRow> {
  const { backend, route_id } = of;
  if (!parts.isBackend(backend)) throw unknownBackend();
  const card = { id: newId(), backend, route_id, version: 1, removed_at: null };
  return writing(parts, async (tx) => {
    if (route_id !== null) await checkRoute(tx, of);
    await insertCard(tx, card);
    await enter(parts, tx, caller, { card, prices });
    await recordAudit(parts, tx, caller, { operation: 'rate_card.create', card });
    return card;
  });
}

/** Throws 400 for a route that is not there, or that sends by another backend. */
async function checkRoute(tx: WriteTx, { backend, route_id }: CardOf): Promise<void> {
  const route = await findRoute(tx, route_id ?? '');
  if (!route || route.removed_at !== null) throw unknownRoute();
  if (route.backend !== backend) throw routeRefused('The route uses a different provider.');
}

async function change(
  parts: CardParts,
  caller: Caller,
  read: Pick<CardRow, 'id' | 'version'>,
  prices: Prices,
): Promise<CardRow> {
  return writing(parts, async (tx) => {
    const card = { ...(await getCard(tx, read)), version: read.version + 1 };
    if (!(await changeCard(tx, read, { version: card.version }))) throw stale();
    await enter(parts, tx, caller, { card, prices });
    await recordAudit(parts, tx, caller, { operation: 'rate_card.change', card });
    return card;
  });
}

async function remove(
  parts: CardParts,
  caller: Caller,
  read: Pick<CardRow, 'id' | 'version'>,
): Promise<CardRow> {
  return writing(parts, async (tx) => {
    const card = { ...(await getCard(tx, read)), removed_at: isoTime(parts.clock.now()) };
    if (!(await changeCard(tx, read, { removed_at: card.removed_at }))) throw stale();
    await claimPrefixes(tx, card, []);
    await recordAudit(parts, tx, caller, { operation: 'rate_card.remove', card });
    return card;
  });
}

async function enter(
  { clock }: CardParts,
  tx: WriteTx,
  caller: Caller,
  { card, prices }: { card: CardRow; prices: Prices },
): Promise<void> {
  const { prefixes: named, valid_from, ...rest } = prices;
  if ([rest.per_page, rest.per_minute, rest.per_fax, rest.monthly_fee].every((price) => price === null))
    throw emptyCard();
  const at = isoTime(clock.now());
  const prefixes = [...new Set(named)].sort();
  await insertVersion(tx, {
    card_id: card.id,
    version: card.version,
    backend: card.backend,
    ...rest,
    prefixes: JSON.stringify(prefixes),
    valid_from: valid_from === undefined ? at : isoTime(epochOf(valid_from)),
    created_at: at,
    created_by_name: actorOf(caller).name,
  });
  await claimPrefixes(tx, card, prefixes.length === 0 ? [''] : prefixes);
}

async function getCard(tx: WriteTx, { id, version }: Pick<CardRow, 'id' | 'version'>): Promise<CardRow> {
  const card = await findCard(tx, id);
  if (!card) throw noSuchCard();
  if (card.version !== version || card.removed_at !== null) throw stale();
  return card;
}

async function recordAudit(
  { audit }: CardParts,
  tx: WriteTx,
  caller: Caller,
  { operation, card }: { operation: AuditOperation; card: CardRow },
): Promise<void> {
  await audit.record(tx, {
    ...recordedActor(actorOf(caller)),
    operation,
    target: { kind: 'rate_card', id: card.id },
    outcome: 'done',
    details: { backend: card.backend, version: card.version },
  });
}

async function writing(parts: CardParts, work: (tx: WriteTx) => Promise<CardRow>): Promise<CardRow> {
  try {
    return await parts.db.transaction(work);
  } catch (error) {
    throw isUniqueViolation(error) ? prefixTaken() : error;
  }
}

function presentCard(card: CardRow, versions: readonly VersionRow[], now: string): CardAnswer {
  const newest = versions.find(({ version }) => version === card.version);
  if (!newest) throw new Error('a rate card has a version');
  const valid = card.removed_at === null ? versions.filter(({ valid_from }) => valid_from <= now) : [];
  return {
    id: card.id,
    backend: card.backend,
    route_id: card.route_id,
    ...presentVersion(newest),
    in_force: currentVersions(valid)[0]?.version ?? null,
    removed_at: card.removed_at,
  };
}

function presentVersion(row: VersionRow): VersionAnswer {
  const { card_id: _, backend: __, prefixes, created_by_name: created_by, ...rest } = row;
  return { ...rest, prefixes: JSON.parse(prefixes) as string[], created_by };
}
