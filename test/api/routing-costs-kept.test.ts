import { describe, expect, test } from 'vitest';
import { startGatewayOn } from '../setup/both-gateways.ts';
import { DAY, MINUTE } from '../setup/manual-clock.ts';
import { STORES, withoutPostgres } from '../setup/stores.ts';

describe.each(STORES)(`costs of old faxes on %s${withoutPostgres}`, (kind) => {
  test('rule (crossings): costs stay with the record of a fax and in the sums when its document is removed', async () => {
    const { gateway, close } = await startGatewayOn(kind);
    try {
      const card = { backend: 'cloudone', currency: 'USD', prefixes: [], per_page: '0.07' };
      expect((await gateway.request('POST', '/routing/rate-cards', { json: card })).status).toBe(201);
      const { id } = await gateway.send();
      await gateway.processAll();
      const { provider_sid } = await gateway.fax(id);
      gateway.emulator.complete(String(provider_sid), { cost: 0 });
      gateway.clock.advance(5 * MINUTE);
      await gateway.processAll();
      const sums = async () =>
        (await gateway.request('GET', '/routing/costs?group_by=day&from=2026-11-01&to=2026-11-30')).json();
      const [before, summed] = [await gateway.fax(id), await sums()];
      expect(summed).toMatchObject({ rows: [expect.objectContaining({})] });
      expect(before.cost).toEqual({ amount: '0.07', currency: 'USD' });

      await gateway.set({ ARTIFACT_TTL_DAYS: 2 });
      gateway.clock.advance(3 * DAY);
      await gateway.processAll();
      expect((await gateway.request('GET', `/fax/${id}/document`)).status).toBe(404);
      const { cost, attempt } = await gateway.fax(id);
      expect([cost, attempt?.cost, await sums()]).toEqual([before.cost, before.attempt?.cost, summed]);
    } finally {
      await close();
    }
  });
});
