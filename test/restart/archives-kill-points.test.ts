import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { begin, checked, expectContinued, FAXES, LATER_MS, makeFaxes, settled } from './archives-kills.ts';
import { eachKilled, endRun, RunTemplate, restart } from './killed-run.ts';

let template: RunTemplate;
beforeAll(async () => {
  template = await RunTemplate.open({ INBOUND_POLLING: 'off', ARTIFACT_TTL_DAYS: '0' });
});
afterAll(() => template.close());

test('rule (archives): a removal that is killed at any commit continues at the next start, and removes each fax once', async () => {
  const run = await template.startCopied();
  const found: string[] = [];
  try {
    await makeFaxes(run.child);
    run.child.order({ advanceMs: LATER_MS });
    const plan = await checked(run.child);
    const { id } = plan;
    expect(plan).toMatchObject({ state: 'ready', waiting: FAXES, problem: null });
    run.child.order({ arm: true });
    await begin(run.child, plan);
    expect(await settled(run.child, id)).toMatchObject({ state: 'done', removed: { sent: FAXES } });
    run.child.order({ stop: true });
    await run.child.ended;
    for await (const { label } of eachKilled(run)) {
      const gateway = await restart(run);
      try {
        gateway.clock.advance(LATER_MS);
        const before = await expectContinued(gateway, id, label);
        found.push(`${label}: ${before.state}, ${before.removed.sent} removed`);
        await expect
          .poll(async () =>
            (await readdir(join(run.folder, 'files', 'fax'))).filter((name) => name.endsWith('.pdf')),
          )
          .toEqual([]);
      } finally {
        await gateway.stop();
      }
    }
  } finally {
    await endRun(run);
  }
  expect(found).toEqual(
    expect.arrayContaining([
      expect.stringContaining('running, 0 removed'),
      expect.stringContaining('running, 20 removed'),
      expect.stringContaining('running, 22 removed'),
    ]),
  );
}, 300_000);
