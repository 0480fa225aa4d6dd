import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Fax, type TestGateway, textFile } from '../setup/gateway.ts';
import { HOUR } from '../setup/manual-clock.ts';
import { allFaxes, eachKilled, endRun, KEY, RunTemplate, restart } from './killed-run.ts';

let template: RunTemplate;
beforeAll(async () => {
  template = await RunTemplate.open({ SPENDING_CURRENCY: 'USD', SPENDING_MONTH: '0.15' });
});
afterAll(() => template.close());

function form(fields: Record<string, string> = {}): FormData {
  const parts = new FormData();
  for (const [name, value] of Object.entries({ to: '+12025550123', ...fields })) parts.append(name, value);
  parts.append('file', textFile());
  return parts;
}

const underWay = async (gateway: TestGateway) => {
  const answer = await gateway.request('GET', '/routing/limits');
  return ((await answer.json()) as { month: { under_way: unknown } }).month.under_way;
};

test('rule (routing): a fax held by a spending limit is recorded as held or not at all, wherever the gateway is killed', async () => {
  const run = await template.startCopied();
  const headers = { 'Idempotency-Key': KEY };
  const left: string[] = [];
  try {
    const prices = { backend: 'cloudone', currency: 'USD', per_page: '0.10' };
    const asJson = { 'Content-Type': 'application/json' };
    await run.child.request('POST', '/routing/rate-cards', JSON.stringify(prices), asJson);
    const send_at = new Date(Date.now() + HOUR).toISOString();
    await run.child.request('POST', '/fax', form({ send_at }));
    run.child.order({ arm: true });
    const held = await run.child.request<Fax>('POST', '/fax', form(), headers);
    expect(held?.delivery_state).toBe('held');
    run.child.order({ stop: true });
    await run.child.ended;
    for await (const { label } of eachKilled(run)) {
      if (label === 'before a document is prepared') continue;
      const gateway = await restart(run);
      try {
        const faxes = await allFaxes(gateway);
        left.push(`${label}: ${faxes.map(({ delivery_state }) => delivery_state).join(' ')}`);
        expect(await underWay(gateway)).toEqual([{ amount: '0.10', currency: 'USD' }]);
        const again = (await (
          await gateway.request('POST', '/fax', { form: form(), headers })
        ).json()) as Fax;
        expect([label, again.delivery_state, again.held_reason]).toEqual([label, 'held', held?.held_reason]);
        await gateway.processAll();
        expect(await allFaxes(gateway)).toHaveLength(2);
        expect(await underWay(gateway)).toEqual([{ amount: '0.10', currency: 'USD' }]);
        expect(gateway.emulator.counts.accepted).toBe(0);
      } finally {
        await gateway.stop();
      }
      if (left.length === 3) break;
    }
    expect(left).toEqual([
      'when a document was prepared: ready',
      'before a commit: ready',
      'after a commit: held ready',
    ]);
  } finally {
    await endRun(run);
  }
}, 120_000);
