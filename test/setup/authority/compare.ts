import { join } from 'node:path';
import { type Database, openDatabase } from '../../../server/db/database.ts';
import { startTestGateway, type TestGateway } from '../gateway.ts';
import { MANAGE_PERMISSIONS, Random, randomWorld, storeWorld } from './random-world.ts';
import {
  answerChange,
  answerImport,
  answerReceived,
  answerSent,
  answerWork,
  type ChangedKind,
  containersOf,
  holds,
  holdsSomewhere,
  isInForce,
  type Key,
  maySent,
  type World,
} from './rule.ts';

const REQUESTS_A_WORLD = 100;
const SETTINGS = { INBOUND_ENABLED: 'true', INBOUND_LIST_RPM: '0', INBOUND_GET_RPM: '0' };

export interface Comparison {
  worlds: number;
  requests: number;
  /** Number of requests answered with success, by the rule. */
  done: number;
  /** Sentences; at most a few. */
  differences: string[];
}

interface PlannedRequest {
  readonly method: string;
  readonly path: string;
  readonly json?: object;
  readonly form?: FormData;
  /** A status, or the ids of a list. */
  readonly rule: number | 'done' | string[];
  /** The status where it may be done. */
  readonly done: number;
}

/** Sends random requests about random worlds to a gateway until so many are answered, and holds them to the rule. */
export async function compareWithRule(
  seed: number,
  requests: number,
  { stopAtFirst = true } = {},
): Promise<Comparison> {
  const gateway = await startTestGateway({ settings: SETTINGS });
  const sqliteFile = join(gateway.dataFolder, 'faxdesk.sqlite');
  const db = openDatabase({ postgresUrl: null, sqliteFile });
  const found: Comparison = { worlds: 0, requests: 0, done: 0, differences: [] };
  try {
    while (found.requests < requests) {
      await compareWorld({ gateway, db, seed: seed + found.worlds }, found);
      found.worlds += 1;
      if (stopAtFirst && found.differences.length > 0) break;
    }
  } finally {
    await db.close();
    await gateway.close();
  }
  return found;
}

async function compareWorld(
  { gateway, db, seed }: { gateway: TestGateway; db: Database; seed: number },
  found: Comparison,
): Promise<void> {
  const random = new Random(seed);
  const world = randomWorld(random);
  await storeWorld(db, world);
  const versions = new Map<string, number>();
  for (let i = 0; i < REQUESTS_A_WORLD; i += 1) {
    const key = random.of(world.keys);
    const planned = await randomRequest({ gateway, world, key, random, versions });
    const { method, path, json, form, rule } = planned;
    const answer = await gateway.request(method, path, {
      key: key.token,
      ...(json ? { json } : {}),
      ...(form ? { form } : {}),
    });
    const text = await answer.text();
    const seen = Array.isArray(rule) && answer.ok ? parseIds(text) : answer.status;
    const wanted = rule === 'done' ? planned.done : rule;
    found.requests += 1;
    if (rule === 'done' || Array.isArray(rule)) found.done += 1;
    if (JSON.stringify(seen) !== JSON.stringify(wanted) && found.differences.length < 5)
      found.differences.push(
        `Seed ${seed}: ${method} ${path}: the rule says ${JSON.stringify(wanted)}, the gateway ${JSON.stringify(seen)}\n` +
          `${text} (key ${key.id})`,
      );
  }
}

function parseIds(text: string): string[] {
  const body = JSON.parse(text) as { id: string }[] | { items: { id: string }[] };
  return (Array.isArray(body) ? body : body.items).map(({ id }) => id).sort();
}

interface RequestContext {
  readonly gateway: TestGateway;
  readonly world: World;
  readonly key: Key;
  readonly random: Random;
  /** Of what was changed before. */
  readonly versions: Map<string, number>;
}

async function randomRequest(choice: RequestContext): Promise<PlannedRequest> {
  const { world, key, random } = choice;
  const kind = random.below(14);
  if (kind < 3) return randomSentRequest(choice);
  if (kind < 5) {
    const fax = random.of(world.received);
    const rule = answerReceived(world, key, 'inbound:read', fax);
    return { method: 'GET', path: `/inbound/${fax.id}`, rule, done: 200 };
  }
  if (kind < 6) return list('/fax', 'fax:read', choice, sentIds);
  if (kind < 7) return list('/inbound', 'inbound:list', choice, receivedIds);
  if (kind < 8) return randomImportRequest(choice);
  if (kind < 11) return change(choice);
  return kind < 13 ? randomWorkRequest(choice) : list('/work', 'work:read', choice, itemIds);
}

/** Of what is no PDF, so that it is refused where it may be done. */
function randomImportRequest({ world, key, random }: RequestContext): PlannedRequest {
  const mailbox = random.of([null, ...world.mailboxes]);
  const manifest = { source_system: 'Lab bridge', operation_id: 'A-1', to_number: mailbox?.number };
  const form = new FormData();
  form.append('manifest', JSON.stringify(manifest));
  form.append('file', new File(['no PDF'], 'result.pdf'));
  const rule = answerImport(world, key, mailbox?.id ?? null);
  return { method: 'POST', path: '/imports', form, rule, done: 400 };
}

function randomWorkRequest({ world, key, random }: RequestContext): PlannedRequest {
  const fax = random.of(world.received);
  const path = `/work/${fax.item}`;
  if (random.below(2) === 0)
    return { method: 'GET', path, rule: answerWork(world, key, 'work:read', fax), done: 200 };
  // Of another version, so that it is refused where it may be done.
  const json = { version: 99 };
  return {
    method: 'POST',
    path: `${path}/reopen`,
    json,
    rule: answerWork(world, key, 'work:manage', fax),
    done: 409,
  };
}

function randomSentRequest({ world, key, random }: RequestContext): PlannedRequest {
  const fax = random.of(world.sent);
  if (random.below(2) === 0)
    return {
      method: 'GET',
      path: `/fax/${fax.id}`,
      rule: answerSent(world, key, 'fax:read', fax),
      done: 200,
    };
  // Of another version, so that it is refused where it may be done.
  const json = { delivery_version: 99 };
  const rule = answerSent(world, key, 'fax:send', fax);
  return { method: 'POST', path: `/fax/${fax.id}/cancel`, json, rule, done: 409 };
}

const sentIds = (world: World, key: Key) =>
  world.sent.filter((fax) => maySent(world, key, 'fax:read', fax)).map(({ id }) => id);
const receivedIds = (world: World, key: Key) =>
  world.received
    .filter(({ id, mailbox }) => holds(world, key, 'inbound:list', containersOf(mailbox, id)))
    .map(({ id }) => id);

const itemIds = (world: World, key: Key) =>
  world.received
    .filter(({ id, mailbox }) => holds(world, key, 'work:read', containersOf(mailbox, id)))
    .map(({ item }) => item);

/** Asked for the faxes of this world alone: those of others may be seen by who holds it on the installation. */
function list(
  path: string,
  permission: string,
  { world, key }: RequestContext,
  idsOf: (world: World, key: Key) => string[],
): PlannedRequest {
  const listed = path === '/fax' ? world.sent : world.received;
  const ids = (path === '/work' ? world.received.map(({ item }) => item) : listed.map(({ id }) => id)).join(
    ',',
  );
  const planned = { method: 'GET', path: `${path}?ids=${ids}`, done: 200 };
  if (!isInForce(world, key)) return { ...planned, rule: 401 };
  if (!holdsSomewhere(world, key, permission)) return { ...planned, rule: 403 };
  return { ...planned, rule: idsOf(world, key).sort() };
}

const PATHS: Readonly<Record<string, [ChangedKind, string, string]>> = {
  'users:manage': ['person', 'integrations', 'display_name'],
  'groups:manage': ['group', 'groups', 'name'],
  'roles:manage': ['role', 'roles', 'name'],
  'grants:manage': ['assignment', 'assignments', ''],
  'keys:manage': ['key', 'keys', 'name'],
  'mailboxes:manage': ['mailbox', 'mailboxes', 'label'],
};

/** A change that writes what stands there already; an assignment is taken away. */
async function change({ gateway, world, key, random, versions }: RequestContext): Promise<PlannedRequest> {
  const permission = random.of(MANAGE_PERMISSIONS);
  const [changedKind, path, field] = PATHS[permission] ?? ['person', 'integrations', 'display_name'];
  const things: readonly { readonly id: string }[] = {
    person: world.people,
    group: world.groups,
    role: world.roles,
    key: world.keys,
    mailbox: world.mailboxes,
    assignment: world.assignments,
  }[changedKind];
  if (things.length === 0) return randomSentRequest({ gateway, world, key, random, versions });
  const { id } = random.of(things);
  const rule = answerChange(world, key, permission, { changedKind, id });
  const version = versions.get(id) ?? 1;
  const me = await gateway.request('GET', '/auth/me');
  const { policy_version } = (await me.json()) as { policy_version: number };
  const of = { version, expected_policy_version: policy_version };
  const isEnded = changedKind === 'key' && world.keys.find((each) => each.id === id)?.ends === 'revoked';
  const done = isEnded ? 409 : 200;
  if (rule === 'done' && !isEnded) versions.set(id, version + 1);
  if (changedKind !== 'assignment')
    return { method: 'PATCH', path: `/access/${path}/${id}`, json: { ...of, [field]: id }, rule, done };
  if (rule === 'done')
    world.assignments.splice(
      world.assignments.findIndex((each) => each.id === id),
      1,
    );
  return { method: 'POST', path: `/access/${path}/${id}/remove`, json: of, rule, done };
}
