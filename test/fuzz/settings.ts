import { PROVIDERS } from '../../server/composition/providers.ts';
import { createCatalog } from '../../server/features/settings/catalog.ts';
import { shapeOf, valueFor } from './json-value.ts';
import type { Random } from './random.ts';
import { type FuzzSubject, jsonRequest } from './subject.ts';

/** Settings that would end the trial instead of trying the reader of settings. */
const LEFT_OUT = ['MAX_REQUESTS_PER_MINUTE', 'STORAGE_BACKEND'];
/** A provider that accepts the connection and says nothing is given up after 10 s. */
const HANG_MS = 15_000;
/** Addresses: a valid one, and often the default, is one outside of this computer. */
const IS_ADDRESS = /URL|HOST|SERVER|ADDRESS|PROXY|ENDPOINT|DOMAIN|RELAY/u;
const NO_ADDRESSES = [
  '',
  ' ',
  'http://127.0.0.1:9',
  '127.0.0.1',
  '::1',
  'ftp://127.0.0.1',
  'http://',
  '[::1',
  'x\0y',
];

/** Changes of settings with values of any kind, and tries of credentials; from time to time all are reset. */
export function settingsSubject(): FuzzSubject {
  const catalog = createCatalog(PROVIDERS);
  const names = catalog.names.filter((name) => !LEFT_OUT.includes(name));
  const shapes = new Map(names.map((name) => [name, shapeOf(catalog.definitionOf(name).schema)]));
  const valueOf = (random: Random, name: string): unknown => {
    if (IS_ADDRESS.test(name)) return random.pick<unknown>([...NO_ADDRESSES, 7, true, [], {}]);
    if (random.chance(5)) return null;
    return valueFor(random, shapes.get(name) ?? {});
  };
  const changesOf = (random: Random, most: number) =>
    Object.fromEntries(
      Array.from({ length: 1 + random.int(most) }, () => {
        const name = random.pick(names);
        const value = valueOf(random, name);
        return [random.chance(10) ? name.toLowerCase() : name, value];
      }),
    );
  return {
    connections: 8,
    hangMs: HANG_MS,
    makeRequest(random, { key }) {
      const kind = random.int(20);
      if (kind === 0) {
        const others = names.filter((name) => !IS_ADDRESS.test(name));
        const changes = Object.fromEntries(others.map((name) => [name, null]));
        return jsonRequest('PUT', '/admin/settings', key, { changes });
      }
      if (kind < 3) {
        const provider = random.pick(['cloudone', 'cloudtwo', 'sip', '', 'x', '__proto__']);
        return jsonRequest('POST', '/admin/settings/validate', key, {
          provider,
          settings: changesOf(random, 3),
        });
      }
      if (kind < 5) return jsonRequest('PUT', '/admin/settings', key, changesOf(random, 3));
      const revision = random.chance(10) ? { expected_revision_id: random.pick(['', 'x', 7, null]) } : {};
      return jsonRequest('PUT', '/admin/settings', key, { changes: changesOf(random, 4), ...revision });
    },
  };
}
