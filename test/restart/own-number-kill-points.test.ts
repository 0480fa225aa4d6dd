import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Fax, type TestGateway, textFile } from '../setup/gateway.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { eachKilled, endRun, RunTemplate, restart, waitForState } from './killed-run.ts';

const OWN_NUMBER = '+12025550100';
const KEY = 'to-our-own-number';

let template: RunTemplate;
beforeAll(async () => {
  template = await RunTemplate.open({ INBOUND_ENABLED: 'true', INBOUND_POLLING: 'off' });
});
afterAll(() => template.close());

function form(): FormData {
  const parts = new FormData();
  parts.append('to', OWN_NUMBER);
  parts.append('file', textFile());
  return parts;
}

async function received(gateway: TestGateway): Promise<{ provider_fax_id: string }[]> {
  return (await (await gateway.request('GET', '/inbound')).json()) as { provider_fax_id: string }[];
}

test('rule (outbound): a fax to our own number becomes exactly one received fax, wherever the gateway is killed', async () => {
  const run = await template.startCopied();
  const found = new Set<string>();
  try {
    run.child.order({ arm: true });
    const accepted = await run.child.request<Fax>('POST', '/fax', form(), { 'Idempotency-Key': KEY });
    expect(await waitForState(run, accepted?.id ?? '', ['success'])).toBe(true);
    run.child.order({ stop: true });
    await run.child.ended;
    for await (const { label } of eachKilled(run)) {
      if (label === 'before a document is prepared') continue;
      const gateway = await restart(run);
      try {
        const before = (await received(gateway)).length;
        const answer = await gateway.request('POST', '/fax', {
          form: form(),
          headers: { 'Idempotency-Key': KEY },
        });
        const { id, delivery_state } = (await answer.json()) as Fax;
        found.add(`${before} ${delivery_state}`);
        // Of a fax that is recorded as delivered there is the received one, and of no other.
        expect([label, before]).toEqual([label, delivery_state === 'success' ? 1 : 0]);
        await gateway.processAll();
        gateway.clock.advance(MINUTE);
        await gateway.processAll();
        const fax = await gateway.fax(id);
        expect([label, fax]).toMatchObject([label, { delivery_state: 'success', delivered_by: 'internal' }]);
        expect([label, await received(gateway)]).toMatchObject([
          label,
          [{ id: fax.provider_sid, provider_fax_id: id, sha256: fax.document.sha256, conflicts: 0 }],
        ]);
        expect(await readdir(join(run.folder, 'files', 'inbound'))).toHaveLength(1);
        expect(gateway.emulator.counts.accepted).toBe(0);
      } finally {
        await gateway.stop();
      }
    }
  } finally {
    await endRun(run);
  }
  expect([...found].sort()).toEqual(['0 ready', '1 success']);
}, 300_000);
