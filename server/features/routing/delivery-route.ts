import type { z } from 'zod';
import type { DeliveryRoute } from '../../../shared/api/routing-routes.ts';
import type { AuditOperation } from '../../../shared/audit-operations.ts';
import type { Database, WriteTx } from '../../db/database.ts';
import { type Clock, isoTime } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { assertMayOpen } from '../../platform/may-open.ts';
import { requestedNumber } from '../../platform/phone-number.ts';
import type { Seal } from '../../platform/seal.ts';
import { actorOf, type Caller } from '../access/service.ts';
import { recordedActor, type SecurityAudit } from '../audit/service.ts';
import { badNumber, noSuchRoute, routeRefused, stale, unknownBackend } from './errors.ts';
import { type AccountValues, accountOf, type RouteProviders, sealAccount } from './route-account.ts';
import { findRoute, insertRoute, listRoutes, updateRoute } from './store/route-store.ts';
import type { RouteRow } from './types.ts';

interface RouteParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: SecurityAudit;
  readonly seal: Seal;
  readonly routing: RouteProviders;
  /** The default country of numbers. */
  readonly country: () => string;
}

/** Fields of a route as entered. The number as typed; `account` null removes its own account. */
interface RouteFields {
  readonly name: string;
  readonly backend: string;
  readonly prefixes: readonly string[];
  readonly priority: number;
  readonly enabled: boolean;
  readonly lines: number | null;
  readonly own_number: string | null;
  readonly header_name: string | null;
  readonly next_allowed: boolean;
  readonly account: AccountValues | null;
}

/** Fields that are left out stay as they are. */
type RoutePatch = { readonly [N in keyof RouteFields]?: RouteFields[N] | undefined };

type RouteAnswer = z.infer<typeof DeliveryRoute>;

/** Snapshot of a route at the time it was read. */
type RouteRead = Pick<RouteRow, 'id' | 'version'>;

/** Delivery routes, by which faxes leave. Refusals are RoutingRefusalError. */
export interface DeliveryRoutes {
  list(page: {
    limit: number;
    cursor?: string | undefined;
  }): Promise<{ items: RouteAnswer[]; next_cursor: string | null }>;
  get(id: string): Promise<RouteAnswer>;
  create(caller: Caller, fields: RouteFields): Promise<RouteAnswer>;
  change(caller: Caller, read: RouteRead, patch: RoutePatch): Promise<RouteAnswer>;
  remove(caller: Caller, read: RouteRead): Promise<RouteAnswer>;
}

export function createDeliveryRoutes(parts: RouteParts): DeliveryRoutes {
  const { db } = parts;
  const present = (row: RouteRow) => presentRoute(parts, row);
  return {
    async list(page) {
      const { items, next_cursor } = await listRoutes(db.read, page);
      return { items: items.map(present), next_cursor };
    },
    async get(id) {
      const row = await findRoute(db.read, id);
      if (!row) throw noSuchRoute();
      return present(row);
    },
    create: async (caller, fields) => present(await create(parts, caller, fields)),
    change: async (caller, read, patch) => present(await change(parts, caller, read, patch)),
    remove: async (caller, read) => present(await remove(parts, caller, read)),
  };
}

async function create(parts: RouteParts, caller: Caller, fields: RouteFields): Promise<RouteRow> {
  assertMayGiveAccount(caller, fields);
  const id = newId();
  const at = isoTime(parts.clock.now());
  const times = { created_at: at, updated_at: at, removed_at: null };
  const row: RouteRow = { id, ...valuesOf(parts, id, fields), version: 1, ...times };
  return parts.db.transaction(async (tx) => {
    await insertRoute(tx, row);
    await record(parts, tx, caller, { operation: 'delivery_route.create', row });
    return row;
  });
}

async function change(
  parts: RouteParts,
  caller: Caller,
  read: RouteRead,
  patch: RoutePatch,
): Promise<RouteRow> {
  assertMayGiveAccount(caller, patch);
  return parts.db.transaction(async (tx) => {
    const before = await getRoute(tx, read);
    const backend = patch.backend ?? before.backend;
    const fields = { ...fieldsOf(before), ...defined(patch), account: patch.account ?? null };
    const values = valuesOf(parts, before.id, fields);
    // An account is of one provider: with another one it goes, unless that comes with an account of its own.
    const keepsAccount = patch.account === undefined && backend === before.backend;
    const account = keepsAccount ? before.account : values.account;
    const changes = { ...values, account, updated_at: isoTime(parts.clock.now()) };
    if (!(await updateRoute(tx, read, changes))) throw stale();
    const row = { ...before, ...changes, version: read.version + 1 };
    await record(parts, tx, caller, { operation: 'delivery_route.change', row });
    return row;
  });
}

async function remove(parts: RouteParts, caller: Caller, read: RouteRead): Promise<RouteRow> {
  return parts.db.transaction(async (tx) => {
    const before = await getRoute(tx, read);
    const at = isoTime(parts.clock.now());
    // Faxes that captured the account have it; nobody else needs it any more.
    const changes = { removed_at: at, updated_at: at, account: null };
    if (!(await updateRoute(tx, read, changes))) throw stale();
    const row = { ...before, ...changes, version: read.version + 1 };
    await record(parts, tx, caller, { operation: 'delivery_route.remove', row });
    return row;
  });
}

/**
 * Throws 403 when a caller who may not change providers sets an account: its holder sees the documents that leave by
 * it.
 */
function assertMayGiveAccount(caller: Caller, { account = null }: RoutePatch): void {
  if (account !== null) assertMayOpen(caller, ['providers:write'], 'To give a route its own account');
}

async function getRoute(tx: WriteTx, { id, version }: RouteRead): Promise<RouteRow> {
  const row = await findRoute(tx, id);
  if (!row) throw noSuchRoute();
  if (row.version !== version || row.removed_at !== null) throw stale();
  return row;
}

async function record(
  { audit }: RouteParts,
  tx: WriteTx,
  caller: Caller,
  { operation, row }: { operation: AuditOperation; row: RouteRow },
): Promise<void> {
  const { id, name, backend, version } = row;
  await audit.record(tx, {
    ...recordedActor(actorOf(caller)),
    operation,
    target: { kind: 'delivery_route', id },
    outcome: 'done',
    details: { name, backend, version, enabled: row.enabled === 1 },
  });
}

type Values = Omit<RouteRow, 'id' | 'version' | 'created_at' | 'updated_at' | 'removed_at'>;

/** Returns the columns of the fields. Throws 400 for values that cannot be set up. */
function valuesOf(parts: RouteParts, id: string, fields: RouteFields): Values {
  const { routing, country } = parts;
  const provider = routing.provider(fields.backend);
  if (provider === null) throw unknownBackend();
  const problem = fields.account === null ? null : provider.accountFrom(fields.account);
  if (typeof problem === 'string') throw routeRefused(problem);
  const { name, backend, priority, lines } = fields;
  return {
    name,
    backend,
    prefixes: JSON.stringify([...new Set(fields.prefixes)].sort()),
    priority,
    enabled: fields.enabled ? 1 : 0,
    lines,
    own_number: numberOf(fields.own_number, country()),
    header_name: fields.header_name || null,
    next_allowed: fields.next_allowed ? 1 : 0,
    account: fields.account === null ? null : sealAccount(parts, { id, backend }, fields.account),
  };
}

function numberOf(typed: string | null, country: string): string | null {
  if (typed === null || typed === '') return null;
  const number = requestedNumber(typed, country);
  if (number === null) throw badNumber();
  return number;
}

function fieldsOf(row: RouteRow): Omit<RouteFields, 'account'> {
  const { name, backend, priority, lines, own_number, header_name } = row;
  const prefixes = JSON.parse(row.prefixes) as string[];
  const flags = { enabled: row.enabled === 1, next_allowed: row.next_allowed === 1 };
  return { name, backend, prefixes, priority, lines, own_number, header_name, ...flags };
}

/** Removes the fields that were left out. */
function defined(patch: RoutePatch): Partial<RouteFields> {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
}

function presentRoute(parts: RouteParts, row: RouteRow): RouteAnswer {
  const { id, version, created_at, updated_at, removed_at } = row;
  const found = removed_at === null ? accountOf(parts, row) : 'It was removed.';
  return {
    id,
    ...fieldsOf(row),
    prefixes: JSON.parse(row.prefixes) as string[],
    has_account: row.account !== null,
    problem: typeof found === 'string' ? found : null,
    version,
    created_at,
    updated_at,
    removed_at,
  };
}
