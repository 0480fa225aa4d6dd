import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pageKeys } from '../../server/features/access/store/key-pages.ts';
import { findKey, insertKey, type KeyColumns, updateKey } from '../../server/features/access/store/keys.ts';
import { insertPrincipal } from '../../server/features/access/store/principals.ts';
import { openStore, STORES, type TestStore, withoutPostgres } from '../setup/stores.ts';

const NOW = '2026-11-21T09:00:00.000Z';
const BEFORE = '2026-11-21T08:59:59.999Z';
const AFTER = '2026-11-21T09:00:00.001Z';

describe.each(STORES)(`API keys on %s${withoutPostgres}`, (name) => {
  let store: TestStore;
  beforeEach(async () => {
    store = await openStore(name);
    for (const id of ['ann', 'ben']) await addPrincipal(id);
  });
  afterEach(() => store.close());

  const addPrincipal = (id: string) =>
    store.db.transaction((tx) =>
      insertPrincipal(tx, {
        id,
        kind: 'user',
        login: id,
        display_name: id.toUpperCase(),
        enabled: 1,
        password_hash: null,
        password_change_required: 0,
        version: 1,
        created_at: NOW,
        updated_at: NOW,
      }),
    );

  const addKey = (key_id: string, more: KeyColumns = {}) =>
    store.db.transaction((tx) =>
      insertKey(tx, {
        key_id,
        principal_id: 'ann',
        name: null,
        note: null,
        owner: null,
        made_by: null,
        made_by_name: 'Local operator',
        maker_left_at: '',
        secret_hash: `hash of ${key_id}`,
        hash_kind: 'sha256',
        test: 0,
        ceiling: '[]',
        state: 'active',
        version: 1,
        created_at: NOW,
        expires_at: null,
        last_used_at: null,
        revoked_at: null,
        ...more,
      }),
    );

  const page = async (query: Partial<Parameters<typeof pageKeys>[1]> = {}) => {
    const whole = { principalId: undefined, state: undefined, limit: 50, cursor: undefined, ...query };
    return await pageKeys(store.db.read, whole, { now: NOW, leftBefore: '' });
  };
  const idsOf = async (query: Partial<Parameters<typeof pageKeys>[1]>) =>
    (await page(query)).items.map((key) => key.keyId);

  test('are in one state each, by the requested time', async () => {
    await addKey('a-lasting');
    await addKey('b-ending', { expires_at: AFTER });
    await addKey('c-ended', { expires_at: NOW });
    await addKey('d-long-ended', { expires_at: BEFORE });
    await addKey('e-waiting', { state: 'review', expires_at: BEFORE });
    await addKey('f-revoked', { revoked_at: NOW, expires_at: BEFORE });
    await addKey('g-revoked-waiting', { revoked_at: NOW, state: 'review' });
    expect(await idsOf({ state: 'active' })).toEqual(['b-ending', 'a-lasting']);
    expect(await idsOf({ state: 'expired' })).toEqual(['d-long-ended', 'c-ended']);
    expect(await idsOf({ state: 'review' })).toEqual(['e-waiting']);
    expect(await idsOf({ state: 'revoked' })).toEqual(['g-revoked-waiting', 'f-revoked']);
  });

  test('come page by page, each once, with whom they belong to and without a hash', async () => {
    for (const id of ['1', '2', '3', '4']) await addKey(id, { principal_id: id === '2' ? 'ben' : 'ann' });
    const first = await page({ limit: 3 });
    expect(first.items.map((key) => [key.keyId, key.principal.displayName])).toEqual([
      ['4', 'ANN'],
      ['3', 'ANN'],
      ['2', 'BEN'],
    ]);
    const second = await page({ limit: 3, cursor: first.next_cursor ?? '' });
    expect([second.items.map((key) => key.keyId), second.next_cursor]).toEqual([['1'], null]);
    expect(await idsOf({ principalId: 'ben' })).toEqual(['2']);
    expect(JSON.stringify(first)).not.toContain('hash of');
  });

  test('are changed by one of those who read the same version', async () => {
    await addKey('one');
    const changed = await Promise.all(
      ['A', 'B', 'C'].map((word) =>
        store.db.transaction((tx) => updateKey(tx, { keyId: 'one', version: 1 }, { name: word })),
      ),
    );
    expect(changed.filter(Boolean)).toHaveLength(1);
    const word = ['A', 'B', 'C'][changed.indexOf(true)];
    expect(await findKey(store.db.read, 'one')).toMatchObject({ name: word, version: 2 });
  });
});
