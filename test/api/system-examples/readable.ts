import { dirname } from 'node:path';
import { FIXTURE } from '../../setup/earlier-installation.ts';
import type { TestGateway } from '../../setup/gateway.ts';

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/gu;
const EARLIER_FOLDER = '/srv/earlier-fax';
const LONGEST_TEXT = 160;
const LONGEST_LIST = 2;

/** Ids in the order in which they appeared, so that an example has the same ones each time. */
const places = new WeakMap<TestGateway, Map<string, string>>();

/**
 * Returns a request or answer as readers get it: with ids and addresses of an example, short texts, and the first
 * entries of lists.
 */
export function readable<T>(value: T, gateway: TestGateway): T {
  const ids = places.get(gateway) ?? new Map<string, string>();
  places.set(gateway, ids);
  const text = (given: string): string => {
    const named = given
      .replaceAll(ID, (id) => {
        const known = ids.get(id) ?? `019a8f00-0000-7000-8000-${String(ids.size + 1).padStart(12, '0')}`;
        ids.set(id, known);
        return known;
      })
      .replaceAll(gateway.url, 'https://fax.example.com')
      .replaceAll(gateway.emulator.url, 'https://provider.example.com')
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+/gu, 'https://fax.riverside.example')
      .replaceAll(/\b[a-z2-9]{5}(?:-[a-z2-9]{5}){3}\b/gu, 'k7m2p-x4hqt-9rwvb-c3nsd')
      .replaceAll(/ipp:\/\/127\.0\.0\.1:\d+/gu, 'ipp://127.0.0.1:6310')
      .replaceAll(gateway.dataFolder, '/var/lib/faxdesk')
      .replaceAll(dirname(FIXTURE.from), EARLIER_FOLDER)
      .replaceAll(dirname(FIXTURE.files), EARLIER_FOLDER)
      .replaceAll(/key_(live|test)_[\w-]+/gu, 'key_$1_KEYID_SECRET');
    return named.length > LONGEST_TEXT ? `${named.slice(0, LONGEST_TEXT)}…` : named;
  };
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return text(part);
    if (Array.isArray(part)) return part.slice(0, LONGEST_LIST).map(walk);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, each]) => [text(name), walk(each)]));
  };
  return walk(value) as T;
}
