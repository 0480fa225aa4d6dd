import type { RouteDefinition } from '../../shared/api/route.ts';
import { allRoutes } from '../setup/every-route.ts';
import { type JsonShape, shapeOf, valueFor } from './json-value.ts';
import type { Random } from './random.ts';
import { type FuzzSubject, type FuzzTargets, jsonRequest } from './subject.ts';

/** Ends the gateway, or fills the disk with backups; settings are tried on their own. */
const LEFT_OUT = ['restoreBackup', 'makeBackup', 'writeSettings'];
const PARAMETERS = ['x', '%00', '%zz', '..%2f', '0', 'a'.repeat(300), '__proto__', '%2B12025550123'];

interface Tried {
  readonly route: RouteDefinition;
  readonly body: JsonShape | null;
  readonly query: readonly (readonly [name: string, shape: JsonShape])[];
}

/** Every route with an installation key: bodies and queries that fit their schemas in most fields, and ids of real records. */
export function routesSubject(): FuzzSubject {
  const tried = allRoutes.filter(({ id }) => !LEFT_OUT.includes(id)).map(triedOf);
  return {
    connections: 8,
    makeRequest(random, targets) {
      const { route, body, query } = random.pick(tried);
      const path = `${pathOf(route.path, random, targets)}${queryOf(query, random, targets)}`;
      const value = body === null ? {} : withIds(random, valueFor(random, body), targets);
      return jsonRequest(route.method, path, targets.key, value);
    },
  };
}

function triedOf(route: RouteDefinition): Tried {
  const fields = Object.entries(route.query === undefined ? {} : (shapeOf(route.query).properties ?? {}));
  return { route, body: route.body === undefined ? null : shapeOf(route.body), query: fields };
}

function pathOf(path: string, random: Random, targets: FuzzTargets): string {
  return path.replaceAll(/:\w+/gu, () =>
    random.chance(80) ? idOf(random, targets) : random.pick(PARAMETERS),
  );
}

const idOf = (random: Random, { ids }: FuzzTargets) => (ids.length === 0 ? 'x' : random.pick(ids));

function queryOf(fields: Tried['query'], random: Random, targets: FuzzTargets): string {
  const chosen = fields.filter(() => random.chance(30));
  const pairs = chosen.map(([name, shape]) => {
    const value = valueFor(random, shape);
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const cut = (random.chance(20) ? idOf(random, targets) : text).slice(0, 2_000);
    return `${name}=${encodeURIComponent(cut.toWellFormed())}`;
  });
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Puts ids of records where fields end in `id` or `ids`, so that more than the reading of the body is tried. */
function withIds(random: Random, value: unknown, targets: FuzzTargets): unknown {
  if (Array.isArray(value)) return value.map((each) => withIds(random, each, targets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (random.chance(30)) return [name, inner];
      if (/(?:^|_)id$/u.test(name)) return [name, idOf(random, targets)];
      if (/(?:^|_)ids$/u.test(name)) return [name, [idOf(random, targets)]];
      return [name, withIds(random, inner, targets)];
    }),
  );
}
