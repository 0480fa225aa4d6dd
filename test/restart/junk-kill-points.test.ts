import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import type { InboundFax } from '../../shared/api/inbound-shapes.ts';
import { eachKilled, endRun, RunTemplate, restart } from './killed-run.ts';

type Inbound = z.infer<typeof InboundFax>;

const FROM = '+12025550177';
const JSON_TYPE = { 'Content-Type': 'application/json' };

let template: RunTemplate;
beforeAll(async () => {
  template = await RunTemplate.open({ INBOUND_ENABLED: 'true', INBOUND_POLLING: 'off' });
});
afterAll(() => template.close());

test('rule (inbound): a block is there with its fax and the closed item, or not at all, wherever the gateway is killed', async () => {
  const run = await template.startCopied();
  const found = new Set<string>();
  try {
    const test = JSON.stringify({ from_number: FROM });
    const fax = await run.child.request<Inbound>('POST', '/inbound/test', test, JSON_TYPE);
    if (!fax?.work_item_id) throw new Error('the test fax has no work item');
    const { id, work_item_id: itemId } = fax;
    // Their first use within an hour is a commit of its own.
    await run.child.request('POST', '/inbound/blocked-senders', '{}', JSON_TYPE);
    run.child.order({ arm: true });
    const body = JSON.stringify({ fax_id: id });
    await run.child.request('POST', '/inbound/blocked-senders', body, JSON_TYPE);
    run.child.order({ stop: true });
    await run.child.ended;
    for await (const { label, answered } of eachKilled(run)) {
      const gateway = await restart(run);
      try {
        const read = async <T>(path: string) => (await (await gateway.request('GET', path)).json()) as T;
        const { items } = await read<{ items: { number: string }[] }>('/inbound/blocked-senders');
        const isBlocked = items.some(({ number }) => number === FROM);
        const { junk } = await read<Inbound>(`/inbound/${id}`);
        const { state } = await read<{ state: string }>(`/work/${itemId}`);
        expect([label, junk, state]).toEqual([label, isBlocked, isBlocked ? 'done' : 'open']);
        if (answered) expect([label, isBlocked]).toEqual([label, true]);
        found.add(isBlocked ? 'blocked' : 'not blocked');
        const json = { from_number: FROM };
        const next = (await (await gateway.request('POST', '/inbound/test', { json })).json()) as Inbound;
        expect([label, next.junk, next.work_item_id === null]).toEqual([label, isBlocked, isBlocked]);
      } finally {
        await gateway.stop();
      }
    }
  } finally {
    await endRun(run);
  }
  expect([...found].toSorted()).toEqual(['blocked', 'not blocked']);
}, 300_000);
