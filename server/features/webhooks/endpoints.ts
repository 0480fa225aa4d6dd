import type { z } from 'zod';
import type { WebhookEndpoint } from '../../../shared/api/webhooks.ts';
import type { AuditOperation } from '../../../shared/audit-operations.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { hasEffectOn } from '../../../shared/permissions.ts';
import type { WebhookEvent } from '../../../shared/states/webhooks.ts';
import type { ReadDb, WriteTx } from '../../db/database.ts';
import { isoTime } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { actorOf, assertMayGrant, type Caller, principalNames } from '../access/service.ts';
import { recordedActor } from '../audit/service.ts';
import { addressProblem } from './address.ts';
import { noSuchEndpoint, noSuchPerson, refused, stale } from './errors.ts';
import type { WebhookParts } from './parts.ts';
import { newSecret, sealSecret } from './secrets.ts';
import { deleteDeliveriesOf, skipWaiting } from './store/delivery-store.ts';
import {
  countEndpoints,
  deleteEndpoint,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  lockEndpoint,
  updateEndpoint,
} from './store/endpoint-store.ts';
import { eventsOf, SEEING } from './subscriptions.ts';
import type { EndpointRead, EndpointRow } from './types.ts';

export type EndpointAnswer = z.infer<typeof WebhookEndpoint>;

/** Endpoint as a person sets it up. */
export interface EndpointFields {
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly enabled: boolean;
}

/** Endpoint to create, and whose it is. */
export interface NewEndpoint extends EndpointFields {
  readonly integration_id: string;
  /** True for events about test faxes, and no others. */
  readonly test: boolean;
}

const HOUR_MS = 3_600_000;
const NO_FORMER_SECRET = { former_secret: null, former_until: null } as const;

/** Lists the endpoints by the name of their integration, then by address. */
export async function readEndpoints({ db, clock }: WebhookParts): Promise<EndpointAnswer[]> {
  const answers = await presentEndpoints(db.read, await listEndpoints(db.read), clock.now());
  return answers.toSorted((a, b) => a.integration.name.localeCompare(b.integration.name, 'en'));
}

/**
 * Creates an endpoint with its secret. It passes on what the integration sees, so the caller must hold the same permissions.
 * Throws 400, 403 and 404 refusals.
 */
export async function createEndpoint(
  parts: WebhookParts,
  caller: Caller,
  { integration_id, test, ...fields }: NewEndpoint,
): Promise<{ endpoint: EndpointAnswer; secret: string }> {
  const { db, access, clock } = parts;
  const values = valuesOf(parts, fields);
  const id = newId();
  const secret = newSecret();
  const sealed = sealSecret(parts, id, secret);
  const at = isoTime(clock.now());
  const endpoint = await db.transaction(async (tx) => {
    const principal = await access.findPrincipal(tx, integration_id);
    if (!principal) throw noSuchPerson();
    if (principal.kind !== 'integration') throw refused('Webhooks belong to integrations, not to people.');
    await assertMaySeeAsMuch(parts, tx, caller, integration_id);
    if ((await countEndpoints(tx)) >= LIMITS.webhooks.endpoints)
      throw refused(`There can be ${LIMITS.webhooks.endpoints} webhooks. Remove one first.`);
    const row: EndpointRow = {
      ...values,
      ...NO_FORMER_SECRET,
      id,
      principal_id: integration_id,
      test: test ? 1 : 0,
      secret: sealed,
      paused_reason: null,
      failing_since: null,
      last_accepted_at: null,
      wait_until: null,
      version: 1,
      created_by_name: caller.principal.displayName,
      created_at: at,
      updated_at: at,
    };
    await insertEndpoint(tx, row);
    await recordChange(parts, tx, caller, { operation: 'webhook.create', row });
    return presentEndpoint(tx, row, clock.now());
  });
  return { endpoint, secret };
}

/** Replaces address, events and whether it is on. Turning it on ends a pause. Throws 400, 403, 404 and 409 refusals. */
export async function changeEndpoint(
  parts: WebhookParts,
  caller: Caller,
  read: EndpointRead,
  fields: EndpointFields,
): Promise<EndpointAnswer> {
  const { db, clock } = parts;
  return db.transaction(async (tx) => {
    const before = await getEndpoint(parts, tx, read);
    // Unchanged values need no permission: anybody who finds an endpoint in trouble can turn it off.
    const isOnlyOff = !fields.enabled && fields.url === before.url;
    if (!isOnlyOff) await assertMaySeeAsMuch(parts, tx, caller, before.principal_id);
    const values = isOnlyOff ? { ...plainValues(fields), url: before.url } : valuesOf(parts, fields);
    const at = isoTime(clock.now());
    const trouble =
      fields.enabled && (before.paused_reason !== null || before.url !== fields.url)
        ? { paused_reason: null, failing_since: null, wait_until: null }
        : {};
    const changes = { ...values, ...trouble, updated_at: at };
    if (!(await updateEndpoint(tx, read, changes))) throw stale();
    const row = { ...before, ...changes, version: before.version + 1 };
    if (!fields.enabled) await skipWaiting(tx, before.id, 'The webhook was turned off.', at);
    await recordChange(parts, tx, caller, { operation: 'webhook.change', row });
    return presentEndpoint(tx, row, clock.now());
  });
}

/** Gives an endpoint a new secret; the former one signs as well for some hours. Throws 403, 404 and 409 refusals. */
export async function replaceSecret(
  parts: WebhookParts,
  caller: Caller,
  { overlap_hours, ...read }: EndpointRead & { readonly overlap_hours: number },
): Promise<{ endpoint: EndpointAnswer; secret: string }> {
  const { db, clock } = parts;
  const secret = newSecret();
  const sealed = sealSecret(parts, read.id, secret);
  const endpoint = await db.transaction(async (tx) => {
    const before = await getEndpoint(parts, tx, read);
    await assertMaySeeAsMuch(parts, tx, caller, before.principal_id);
    const now = clock.now();
    const former =
      overlap_hours === 0
        ? NO_FORMER_SECRET
        : { former_secret: before.secret, former_until: isoTime(now + overlap_hours * HOUR_MS) };
    const changes = { ...former, secret: sealed, updated_at: isoTime(now) };
    if (!(await updateEndpoint(tx, read, changes))) throw stale();
    const row = { ...before, ...changes, version: before.version + 1 };
    await recordChange(parts, tx, caller, { operation: 'webhook.replace_secret', row });
    return presentEndpoint(tx, row, now);
  });
  return { endpoint, secret };
}

/** Removes an endpoint with its deliveries, and returns it as it was. Throws 404 and 409 refusals. */
export async function removeEndpoint(
  parts: WebhookParts,
  caller: Caller,
  read: EndpointRead,
): Promise<EndpointAnswer> {
  return parts.db.transaction(async (tx) => {
    const row = await getEndpoint(parts, tx, read);
    const answer = await presentEndpoint(tx, row, parts.clock.now());
    await deleteDeliveriesOf(tx, row.id);
    await deleteEndpoint(tx, row.id);
    await recordChange(parts, tx, caller, { operation: 'webhook.remove', row });
    return answer;
  });
}

/** Records an operation in the security audit, with the address and the integration. */
export async function recordChange(
  { audit }: Pick<WebhookParts, 'audit'>,
  tx: WriteTx,
  caller: Caller,
  {
    operation,
    row,
    target = { kind: 'webhook', id: row.id },
  }: {
    readonly operation: AuditOperation;
    readonly row: EndpointRow;
    readonly target?: { readonly kind: string; readonly id: string };
  },
): Promise<void> {
  await audit.record(tx, {
    ...recordedActor(actorOf(caller)),
    operation,
    target,
    outcome: 'done',
    details: { address: row.url, integration: row.principal_id, events: eventsOf(row) },
  });
}

/** Throws 404, and 409 for one that changed since it was read. */
async function getEndpoint(parts: WebhookParts, tx: WriteTx, read: EndpointRead): Promise<EndpointRow> {
  const row = await lockEndpoint(tx, parts.db.capabilities, read.id);
  if (!row) throw noSuchEndpoint();
  if (row.version !== read.version) throw stale();
  return row;
}

/** Finds an endpoint. Throws 404. */
export async function requireEndpoint(db: ReadDb, id: string): Promise<EndpointRow> {
  const row = await findEndpoint(db, id);
  if (!row) throw noSuchEndpoint();
  return row;
}

/** Throws 403 unless the caller sees all that the integration sees, or would see once everything is enabled. */
async function assertMaySeeAsMuch(
  { access }: WebhookParts,
  tx: WriteTx,
  caller: Caller,
  integrationId: string,
): Promise<void> {
  for (const [resource, held] of await access.possibleGrants(tx, integrationId)) {
    const seen = SEEING.filter((permission) => held.has(permission) && hasEffectOn(permission, resource));
    assertMayGrant(actorOf(caller), seen, resource);
  }
}

function valuesOf({ settings }: WebhookParts, fields: EndpointFields) {
  const problem = addressProblem(fields.url, { allowsPrivate: settings.allowsPrivate() });
  if (problem !== null) throw refused(problem);
  return plainValues(fields);
}

const plainValues = ({ url, events, enabled }: EndpointFields) => ({
  url: new URL(url).href,
  events: JSON.stringify([...new Set(events)]),
  enabled: enabled ? (1 as const) : (0 as const),
});

async function presentEndpoint(db: ReadDb, row: EndpointRow, now: number): Promise<EndpointAnswer> {
  const [answer] = await presentEndpoints(db, [row], now);
  return answer as EndpointAnswer;
}

async function presentEndpoints(
  db: ReadDb,
  rows: readonly EndpointRow[],
  now: number,
): Promise<EndpointAnswer[]> {
  const names = await principalNames(
    db,
    rows.map(({ principal_id }) => principal_id),
  );
  const at = isoTime(now);
  return rows.map((row) => ({
    id: row.id,
    integration: { id: row.principal_id, name: names.get(row.principal_id) ?? '' },
    url: row.url,
    events: eventsOf(row),
    test: row.test === 1,
    state: row.enabled !== 1 ? 'off' : row.paused_reason === null ? 'on' : 'paused',
    paused_reason: row.paused_reason,
    failing_since: row.failing_since,
    last_accepted_at: row.last_accepted_at,
    former_secret_until: row.former_until !== null && row.former_until > at ? row.former_until : null,
    version: row.version,
    created_by_name: row.created_by_name,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }));
}
