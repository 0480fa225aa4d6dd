import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Fax } from '../setup/gateway.ts';
import { SECOND } from '../setup/manual-clock.ts';
import {
  endRun,
  processUntilIdle,
  type Run,
  RunTemplate,
  restart,
  sendTo,
  waitForState,
} from './killed-run.ts';

const PUBLIC_URL = 'https://fax.example.com';

let template: RunTemplate;
let run: Run;
beforeAll(async () => {
  template = await RunTemplate.open({ PUBLIC_API_URL: PUBLIC_URL });
});
beforeEach(async () => {
  run = await template.start();
});
afterEach(() => endRun(run));
afterAll(() => template.close());

async function acceptedFax(): Promise<Fax> {
  const fax = await sendTo(run.child);
  if (!fax) throw new Error(run.child.errors);
  return fax;
}

test.each([
  ['accepted', true],
  ['not accepted', false],
])(
  'a kill while the provider has %s the fax and holds its answer becomes a question',
  async (_words, accepted) => {
    run.emulator.setFault({ kind: 'slow', accepted, method: 'POST' });
    const { id } = await acceptedFax();
    await run.emulator.waitUntilHeld();
    await run.child.kill();
    run.emulator.release();
    const gateway = await restart(run);
    await processUntilIdle(gateway);
    expect(await gateway.fax(id)).toMatchObject({
      delivery_state: 'reconciliation_required',
      reconciliation_reason: expect.stringMatching(/Check with the recipient, then decide\.$/u) as string,
      attempt: { number: 1, phase: 'uncertain', error_category: 'worker_lost' },
    });
    expect(run.emulator.counts.accepted).toBe(accepted ? 1 : 0);
    expect(run.emulator.calls.filter(({ method }) => method === 'POST').length).toBe(1);
    await gateway.stop();
  },
);

test('a kill while a poll waits for its answer costs nothing', async () => {
  const { id } = await acceptedFax();
  expect(await waitForState(run, id, ['in_progress'])).toBe(true);
  run.emulator.setFault({ kind: 'slow', method: 'GET' });
  run.child.order({ advanceMs: 31 * SECOND });
  await run.emulator.waitUntilHeld();
  await run.child.kill();
  run.emulator.release();
  const gateway = await restart(run);
  await processUntilIdle(gateway);
  expect((await gateway.fax(id)).delivery_state).toBe('success');
  expect(run.emulator.counts.accepted).toBe(1);
  await gateway.stop();
});

test.each([
  ['before', 1],
  ['after', 2],
])('a kill %s the commit of a callback loses nothing: the provider repeats it', async (_words, killAt) => {
  await endRun(run);
  run = await template.start({ killAt });
  const { id } = await acceptedFax();
  expect(await waitForState(run, id, ['in_progress'])).toBe(true);
  const sid = String([...run.emulator.faxes.keys()][0]);
  const { callbackUrl } = run.emulator.complete(sid);
  const signedUrl = String(callbackUrl);
  expect(signedUrl.startsWith(`${PUBLIC_URL}/cloudone-callback?`)).toBe(true);
  run.child.order({ arm: true });
  const first = await run.emulator.sendCallback(sid, {
    url: signedUrl.replace(PUBLIC_URL, run.child.url),
    signedUrl,
  });
  expect(first.attempts).toEqual([{ status: null, body: '' }]);
  expect(await run.child.ended).toEqual({ killed: true });

  const gateway = await restart(run);
  const again = await run.emulator.sendCallback(sid, {
    url: signedUrl.replace(PUBLIC_URL, gateway.url),
    signedUrl,
  });
  expect(again.attempts[0]).toMatchObject({
    status: 200,
    body: expect.stringContaining('"ok":true') as string,
  });
  expect((await gateway.fax(id)).delivery_state).toBe('success');
  const kinds = (await gateway.history(id)).map((event) => event.kind);
  expect(kinds).toEqual(['accepted', 'submitting', 'in_progress', 'success']);
  expect(run.emulator.counts.accepted).toBe(1);
  await gateway.stop();
});
