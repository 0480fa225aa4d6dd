import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../server/db/database.ts';
import { createIdentity } from '../../server/features/direct/identity.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { createSeal } from '../../server/platform/seal.ts';
import { DAY, ManualClock } from '../setup/manual-clock.ts';
import { openStore, STORES, type TestStore } from '../setup/stores.ts';

const SEAL = createSeal(new Uint8Array(32).fill(7));
const OTHER = createSeal(new Uint8Array(32).fill(8));
const LOCKED = createSeal(new Uint8Array(32).fill(7), 'The data key is not the one.');

describe.each(STORES)('the identity of an installation, on %s', (name) => {
  const clock = new ManualClock();
  let store: TestStore;
  let folder: string;
  let lines: string[];
  beforeEach(async () => {
    store = await openStore(name);
    folder = await mkdtemp(join(tmpdir(), 'faxdesk-identity-'));
    lines = [];
  });
  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  const fileOf = (gateway: string) => join(folder, `${gateway}.key`);
  const identityOf = (
    gateway: string,
    { db = store.db, seal = SEAL }: { db?: Database; seal?: typeof SEAL } = {},
  ) =>
    createIdentity({
      db,
      seal,
      clock,
      logger: createLogger({ level: 'debug', write: (line) => lines.push(line) }),
      keyFile: fileOf(gateway),
    });
  const rotate = async (identity: ReturnType<typeof identityOf>, db = store.db) => {
    const keys = await db.transaction((tx) => identity.rotate(tx));
    await identity.saveFile();
    return keys;
  };

  test('rule (direct): an installation has one identity, however many gateways first use it at once', async () => {
    const databases = [store.db, store.connectAgain(), store.connectAgain()];
    const identities = databases.map((db, number) => identityOf(`gateway-${number}`, { db }));
    const keys = await Promise.all(identities.map((identity) => identity.current()));
    expect(new Set(keys.map(({ signingKey }) => signingKey)).size).toBe(1);
    // Each gateway has a copy of it in its own folder.
    for (const [number, identity] of identities.entries()) {
      await identity.saveFile();
      expect(identity.fileProblem).toBeNull();
      expect((await stat(fileOf(`gateway-${number}`))).mode & 0o777).toBe(0o600);
    }
  });

  test('is found again in its key file when the store is lost', async () => {
    const { signingKey, exchangeKey } = await identityOf('one').current();
    await store.close();
    store = await openStore(name);
    expect(await identityOf('one').current()).toMatchObject({ signingKey, exchangeKey });
  });

  test('gets its key file again when that is lost, and closes it to other accounts', async () => {
    const identity = identityOf('one');
    const { signingKey } = await identity.current();
    await rm(fileOf('one'));
    await identity.saveFile();
    await chmod(fileOf('one'), 0o644);
    await identity.saveFile();
    expect((await stat(fileOf('one'))).mode & 0o777).toBe(0o600);
    await store.close();
    store = await openStore(name);
    expect(await identityOf('one').current()).toMatchObject({ signingKey });
  });

  test('rule (direct): after new keys were made, the former ones are accepted for 30 days', async () => {
    const identity = identityOf('one');
    const former = await identity.current();
    const present = await rotate(identity);
    expect((await identity.current()).signingKey).toBe(present.signingKey);
    clock.advance(30 * DAY - 1);
    expect((await identity.accepted()).map(({ signingKey }) => signingKey)).toEqual([
      present.signingKey,
      former.signingKey,
    ]);
    expect(await identity.find(former.signingKey)).toMatchObject({ exchangeKey: former.exchangeKey });
    clock.advance(1);
    expect(await identity.accepted()).toHaveLength(1);
    expect(await identity.find(former.signingKey)).toBeNull();
    expect(await identity.find(present.signingKey)).not.toBeNull();
  });

  test('is rotated once by two gateways at the same moment, and both see it', async () => {
    const other = store.connectAgain();
    const [one, two] = [identityOf('one'), identityOf('two', { db: other })];
    await one.current();
    await two.current();
    const outcomes = await Promise.allSettled([rotate(one), rotate(two, other)]);
    const done = outcomes.filter(({ status }) => status === 'fulfilled').length;
    expect(done).toBeGreaterThan(0);
    expect(await one.accepted()).toHaveLength(1 + done);
    expect((await one.current()).signingKey).toBe((await two.current()).signingKey);
  });

  test('follows its key file when a restored store is older', async () => {
    const identity = identityOf('one');
    await identity.current();
    const row = await store.db.read.selectFrom('direct_identity').selectAll().executeTakeFirstOrThrow();
    const { signingKey } = await rotate(identity);
    await store.db.transaction((tx) =>
      tx.updateTable('direct_identity').set({ sealed: row.sealed, version: row.version }).execute(),
    );
    const restored = identityOf('one');
    expect((await restored.current()).signingKey).not.toBe(signingKey);
    await restored.saveFile();
    expect((await restored.current()).signingKey).toBe(signingKey);
  });

  test('leaves the key file of another installation alone, and warns', async () => {
    const elsewhere = await openStore('sqlite');
    await identityOf('one', { db: elsewhere.db }).current();
    await elsewhere.close();
    const theirs = await readFile(fileOf('one'), 'utf8');
    const own = identityOf('two');
    const { signingKey } = await own.current();
    const identity = identityOf('one');
    await identity.saveFile();
    expect((await identity.current()).signingKey).toBe(signingKey);
    expect(identity.fileProblem).toContain('SERVICE_DIRECT_KEY_PATH');
    expect(await readFile(fileOf('one'), 'utf8')).toBe(theirs);
  });

  test('is not made while the data key is not that of the store, and made anew when another was accepted', async () => {
    await expect(identityOf('one', { seal: LOCKED }).current()).rejects.toThrow(/not that of the store/u);
    expect(await store.db.read.selectFrom('direct_identity').selectAll().execute()).toEqual([]);
    const former = await identityOf('one').current();
    const present = await identityOf('one', { seal: OTHER }).current();
    expect(present.signingKey).not.toBe(former.signingKey);
    expect(lines.join('')).toContain('does not open with this data key');
  });

  test('rule (direct): the private keys are sealed in store and key file, and never in the log', async () => {
    const identity = identityOf('one');
    const keys = await identity.current();
    await rotate(identity);
    await writeFile(fileOf('one'), 'damaged');
    await identity.saveFile();
    const rows = JSON.stringify(await store.db.read.selectFrom('direct_identity').selectAll().execute());
    const places = [rows, await readFile(fileOf('one'), 'utf8'), lines.join('')];
    for (const key of [keys.signing, keys.exchange]) {
      const { d = '' } = key.export({ format: 'jwk' });
      const der = key.export({ type: 'pkcs8', format: 'der' }).toString('base64');
      expect(d).toHaveLength(43);
      for (const place of places) for (const secret of [d, der]) expect(place).not.toContain(secret);
    }
    expect(await readFile(fileOf('one'), 'utf8')).toMatch(/^v1\./u);
  });
});
