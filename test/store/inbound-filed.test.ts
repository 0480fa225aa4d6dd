import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FiledFax } from '../../server/features/inbound/types.ts';
import { fakeCaller } from '../setup/fake-caller.ts';
import { type InboundProcess, startInbound } from '../setup/inbound-room.ts';

/** Handler of a higher room for a filed document; a test replaces it. */
let onFiled: (fax: FiledFax) => void = () => undefined;
let seen: string[] = [];
let inbound: InboundProcess;

beforeAll(async () => {
  inbound = await startInbound();
  inbound.room.addFiledHandler({
    onFiled: async (tx, fax) => {
      await tx.updateTable('inbound_fax').set({ problem: 'seen' }).where('id', '=', fax.id).execute();
      seen.push(fax.id);
      onFiled(fax);
    },
  });
});
afterAll(() => inbound.stop());

const faxes = () =>
  inbound.process.database.read.selectFrom('inbound_fax').select(['id', 'problem']).execute();

test('a higher room is notified of a document in the transaction that files it, once', async () => {
  seen = [];
  const fax = await inbound.room.service.makeTest(fakeCaller(), { to_number: '+12025550100' });
  expect(seen).toEqual([fax.id]);
  expect(await faxes()).toEqual([{ id: fax.id, problem: 'seen' }]);
});

test('rule (work): a document and its work item are filed in one transaction, or neither is', async () => {
  const before = await faxes();
  seen = [];
  onFiled = () => {
    throw new Error('no room for an item');
  };
  await expect(inbound.room.service.makeTest(fakeCaller(), {})).rejects.toThrow('no room for an item');
  expect(seen).toHaveLength(1);
  expect(await faxes()).toEqual(before);
});
