import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Fax, textFile } from '../setup/gateway.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import {
  allFaxes,
  eachKilled,
  endRun,
  RunTemplate,
  restart,
  storedStates,
  waitForState,
} from './killed-run.ts';

const TO = '+12025550166';
const WINDOW_MINUTES = 30;

let template: RunTemplate;
beforeAll(async () => {
  template = await RunTemplate.open();
});
afterAll(() => template.close());

function form(fields: Record<string, string> = {}): FormData {
  const parts = new FormData();
  for (const [name, value] of Object.entries({ to: TO, ...fields })) parts.append(name, value);
  parts.append('file', textFile());
  return parts;
}

test('a gateway that is killed at any step of a call with two faxes sends both once, or opens questions about both', async () => {
  const run = await template.startCopied();
  const found = new Set<string>();
  const steps = new Set<string>();
  try {
    const contact = { name: 'Laboratory', fax_number: TO, send_together_minutes: WINDOW_MINUTES };
    await run.child.request('POST', '/contacts', JSON.stringify(contact), {
      'Content-Type': 'application/json',
    });
    await run.child.request<Fax>('POST', '/fax', form(), { 'Idempotency-Key': 'waits' });
    run.child.order({ arm: true });
    const now = await run.child.request<Fax>('POST', '/fax', form({ send_now: 'true' }), {
      'Idempotency-Key': 'now',
    });
    expect(await waitForState(run, now?.id ?? '', ['in_progress'])).toBe(true);
    run.child.order({ stop: true });
    await run.child.ended;
    for await (const { label } of eachKilled(run)) {
      const stored = await storedStates(run.folder);
      // Skips a step whose stored states were restarted before, since each restart takes seconds.
      const step = `${label}: ${stored.join(' ')}`;
      if (steps.has(step)) continue;
      steps.add(step);
      const mayBeSent = stored.some((state) => state === 'submitting' || state === 'in_progress');
      const gateway = await restart(run);
      try {
        const before = gateway.emulator.counts.accepted;
        const faxes = await allFaxes(gateway);
        for (const wait of [MINUTE, WINDOW_MINUTES * MINUTE, MINUTE]) {
          await gateway.processAll();
          gateway.clock.advance(wait);
        }
        await gateway.processAll();
        const after = await allFaxes(gateway);
        const states = [...new Set(after.map(({ delivery_state }) => delivery_state))];
        found.add(`${faxes.length} ${stored.join(' ')}`);
        expect([label, gateway.emulator.counts.accepted - before]).toEqual([label, mayBeSent ? 0 : 1]);
        // Both faxes have the state of their common call.
        expect([label, states]).toEqual([
          label,
          [expect.stringMatching(/^(?:in_progress|reconciliation_required)$/u)],
        ]);
        for (const { id, together } of after)
          expect([label, together.with]).toEqual([
            label,
            after.flatMap((other) => (other.id === id ? [] : other.id)),
          ]);
      } finally {
        await gateway.stop();
      }
    }
  } finally {
    await endRun(run);
  }
  for (const met of [
    '1 ready',
    '2 ready ready',
    '2 preparing preparing',
    '2 submitting submitting',
    '2 in_progress in_progress',
  ])
    expect([...found]).toContain(met);
}, 300_000);
