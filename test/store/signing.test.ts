import { createPublicKey, verify } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../server/db/database.ts';
import { createSigningService } from '../../server/features/signing/service.ts';
import { createSeal } from '../../server/platform/seal.ts';
import { ManualClock } from '../setup/manual-clock.ts';
import { openStore, STORES, type TestStore } from '../setup/stores.ts';

const SEAL = createSeal(new Uint8Array(32).fill(7));
const OTHER = createSeal(new Uint8Array(32).fill(8));
const LOCKED = createSeal(new Uint8Array(32).fill(9), 'The data key is not the one.');
const BYTES = Buffer.from('what is signed');

describe.each(STORES)('the signing key of an installation, on %s', (name) => {
  let store: TestStore;
  const clock = new ManualClock();
  beforeEach(async () => {
    store = await openStore(name);
  });
  afterEach(() => store.close());

  const serviceOf = (seal = SEAL, db: Database = store.db) => createSigningService({ db, seal, clock });
  async function started(seal = SEAL, db: Database = store.db) {
    const service = serviceOf(seal, db);
    await service.start();
    return service;
  }
  async function signedBy(service: ReturnType<typeof serviceOf>) {
    const signer = await service.signer();
    return { key: signer.key, signature: signer.sign(BYTES) };
  }
  const fits = ({ signature, key }: Awaited<ReturnType<typeof signedBy>>) =>
    verify(null, BYTES, createPublicKey(key.publicKey), signature);

  it('is made at the first start, stays, and signs so that others can check it', async () => {
    const [made, ...others] = await (await started()).keys();
    expect(others).toEqual([]);
    expect(made).toMatchObject({ fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/u), isCurrent: true });
    const again = await started(SEAL, store.connectAgain());
    expect(await again.keys()).toEqual([made]);
    const signed = await signedBy(again);
    expect(signed.key).toEqual(made);
    expect(fits(signed)).toBe(true);
    expect(fits({ ...signed, signature: signed.signature.map((byte) => byte ^ 1) })).toBe(false);
  });

  it('is one, however many gateways start at once', async () => {
    const databases = [store.db, store.connectAgain(), store.connectAgain()];
    const services = await Promise.all(databases.map((db) => started(SEAL, db)));
    const fingerprints = await Promise.all(
      services.map(async (each) => (await each.signer()).key.fingerprint),
    );
    expect(new Set(fingerprints).size).toBe(1);
    expect(await services[0]?.keys()).toHaveLength(1);
  });

  it('cannot be read in the store', async () => {
    await started();
    const row = await store.db.read.selectFrom('signing_key').selectAll().executeTakeFirstOrThrow();
    expect(() => createPublicKey(Buffer.from(row.private_key, 'base64'))).toThrow();
    expect(row.private_key).toMatch(/^v1\./u);
  });

  it('is made anew where its public half cannot be read any more', async () => {
    const [former] = await (await started()).keys();
    await store.db.unrestricted.updateTable('signing_key').set({ public_key: 'damaged' }).execute();
    const service = await started();
    const keys = await service.keys();
    expect(keys).toMatchObject([{ isCurrent: true }]);
    expect(keys[0]?.fingerprint).not.toBe(former?.fingerprint);
    expect(fits(await signedBy(service))).toBe(true);
  });

  it('neither signs nor is made while the data key is not that of the store', async () => {
    const locked = await started(LOCKED);
    expect(await locked.keys()).toEqual([]);
    await started();
    await expect((await started(LOCKED)).signer()).rejects.toMatchObject({
      refusalCode: 'other_data_key',
    });
    expect(await serviceOf(LOCKED).keys()).toMatchObject([{ isCurrent: false }]);
  });

  it('follows another one when its data key was lost, and the former one can still be compared', async () => {
    const [former] = await (await started()).keys();
    const service = await started(OTHER);
    const keys = await service.keys();
    expect(keys).toMatchObject([{ isCurrent: true }, { fingerprint: former?.fingerprint, isCurrent: false }]);
    expect((await service.signer()).key).toEqual(keys[0]);
  });

  it('is not used with a public key that was put in its place', async () => {
    const [former] = await (await started()).keys();
    const whole = store.db.unrestricted;
    const [stranger] = await (await started(OTHER)).keys();
    const rows = await whole.selectFrom('signing_key').selectAll().orderBy('number').execute();
    await whole.deleteFrom('signing_key').where('number', '=', 2).execute();
    await whole
      .updateTable('signing_key')
      .set({ public_key: rows[1]?.public_key ?? '' })
      .where('number', '=', 1)
      .execute();
    await expect(serviceOf().signer()).rejects.toMatchObject({ status: 503 });
    const signed = await signedBy(await started());
    expect([former?.fingerprint, stranger?.fingerprint]).not.toContain(signed.key.fingerprint);
    expect(fits(signed)).toBe(true);
  });
});
