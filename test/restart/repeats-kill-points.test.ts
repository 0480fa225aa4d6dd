import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import type { InboundFax } from '../../shared/api/inbound-shapes.ts';
import type { WorkItem } from '../../shared/api/work-shapes.ts';
import { eachKilled, endRun, RunTemplate, restart } from './killed-run.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const KEYED = { ...JSON_TYPE, 'Idempotency-Key': 'done-once' };

let template: RunTemplate;
beforeAll(async () => {
  template = await RunTemplate.open({ INBOUND_ENABLED: 'true', INBOUND_POLLING: 'off' });
});
afterAll(() => template.close());

test('rule (api): a change that is repeated under its key is carried out once, wherever the gateway is killed', async () => {
  const run = await template.startCopied();
  const found = new Set<string>();
  try {
    const { child } = run;
    const fax = await child.request<z.infer<typeof InboundFax>>('POST', '/inbound/test', '{}', JSON_TYPE);
    const itemId = fax?.work_item_id;
    if (!itemId) throw new Error('the test fax has no work item');
    const path = `/work/${itemId}`;
    const before = await child.request<z.infer<typeof WorkItem>>('GET', path);
    // Its first use within an hour is a commit of its own.
    await child.request('POST', `${path}/done`, '{}', JSON_TYPE);
    const body = { note: 'Filed', version: before?.version };
    child.order({ arm: true });
    await child.request('POST', `${path}/done`, JSON.stringify(body), KEYED);
    child.order({ stop: true });
    await child.ended;
    for await (const { label } of eachKilled(run)) {
      const gateway = await restart(run);
      try {
        const headers = { 'Idempotency-Key': 'done-once' };
        const again = await gateway.request('POST', `${path}/done`, { json: body, headers });
        const item = (await again.json()) as z.infer<typeof WorkItem>;
        expect([label, again.status, item.state, item.done_note]).toEqual([label, 200, 'done', 'Filed']);
        const history = await gateway.request('GET', `${path}/history`);
        const { events } = (await history.json()) as { events: { kind: string }[] };
        expect([label, events.filter(({ kind }) => kind === 'done').length]).toEqual([label, 1]);
        found.add(again.headers.get('Idempotency-Replayed') ?? 'carried out');
      } finally {
        await gateway.stop();
      }
    }
  } finally {
    await endRun(run);
  }
  expect([...found].toSorted()).toEqual(['carried out', 'true']);
}, 300_000);
