import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Fax } from '../setup/gateway.ts';
import { SECOND } from '../setup/manual-clock.ts';
import { BUSY } from '../setup/route-desk.ts';
import {
  allFaxes,
  endRun,
  letFinish,
  type Run,
  RunTemplate,
  sendTo,
  startAgain,
  storedStates,
  untilState,
} from './killed-run.ts';

const TEMPLATES = 2;

let templates: RunTemplate[];
beforeAll(async () => {
  templates = await Promise.all(Array.from({ length: TEMPLATES }, () => RunTemplate.open()));
});
afterAll(() => Promise.all(templates.map((template) => template.close())));

interface Killed {
  readonly diedAt: string;
  readonly stored: string;
  readonly end: string;
}

test('a gateway that is killed at any step between a failure and the next route sends by that one once, and by none after a doubt', async () => {
  const killed: Killed[] = [];
  let next = 1;
  let survived = false;
  const work = async (template: RunTemplate) => {
    while (!survived) {
      const end = await killAndRecover(template, next++);
      if (end === null) survived = true;
      else killed.push(end);
    }
  };
  await Promise.all(templates.map(work));
  const met = new Set(killed.map(({ stored, end }) => `${stored}: ${end}`));
  // Before the failure was noted, after it, while the next route was asked, and when it had answered.
  expect(met).toEqual(
    new Set([
      'in_progress: success',
      'ready: success',
      'preparing: success',
      'submitting: reconciliation_required',
    ]),
  );
  const steps = new Set(killed.map(({ diedAt }) => diedAt));
  for (const step of ['before a commit', 'after a commit', 'before a request to the provider'])
    expect(steps).toContain(step);
}, 300_000);

/** A fax whose first route was busy, killed at this step and recovered; null when it came to the next route before. */
async function killAndRecover(template: RunTemplate, killAt: number): Promise<Killed | null> {
  const run = await template.start({ killAt });
  try {
    for (const [i, name] of ['One', 'Two'].entries()) {
      const route = { name, backend: 'cloudone', prefixes: ['+1202'], priority: i + 1, account: null };
      const headers = { 'Content-Type': 'application/json' };
      await run.child.request('POST', '/routing/routes', JSON.stringify(route), headers);
    }
    const accepted = await sendTo(run.child);
    if (accepted === null) throw new Error(`it was killed before it was told to: ${run.child.errors}`);
    expect(await untilState(run, accepted.id, ['in_progress'])).toBe(true);
    run.child.order({ arm: true });
    for (const sid of run.emulator.faxes.keys()) run.emulator.complete(sid, BUSY);
    run.child.order({ advanceMs: 31 * SECOND });
    if (await untilByTwo(run, accepted.id)) return null;
    expect(await run.child.ended, run.child.errors).toEqual({ killed: true });
    return { diedAt: run.child.diedAt, ...(await recover(run, accepted)) };
  } finally {
    await endRun(run);
  }
}

/** Waits until the fax is sent by the second route. False when the gateway died first. */
async function untilByTwo(run: Run, id: string): Promise<boolean> {
  let fax: Fax | null = null;
  const isThere = () => fax?.route?.name === 'Two' && fax.delivery_state === 'in_progress';
  await expect
    .poll(
      async () => {
        fax = await run.child.request<Fax>('GET', `/fax/${id}`);
        return !run.child.isRunning || isThere();
      },
      { interval: 50, timeout: 60_000 },
    )
    .toBe(true);
  return isThere() && run.child.isRunning;
}

async function recover(run: Run, accepted: Fax): Promise<{ stored: string; end: string }> {
  const [stored = 'nothing'] = await storedStates(run.folder);
  const gateway = await startAgain(run);
  try {
    await letFinish(gateway);
    const [fax, ...others] = await allFaxes(gateway);
    const where = `killed ${run.child.diedAt}, stored as ${stored}`;
    expect(others, where).toEqual([]);
    expect(fax, where).toMatchObject({ id: accepted.id, route: { name: 'Two' }, attempt: { number: 2 } });
    const end = fax?.delivery_state ?? 'none';
    const { accepted: sent } = gateway.emulator.counts;
    if (end === 'success') expect(sent, where).toBe(2);
    else expect(sent, where).toBeLessThanOrEqual(2);
    return { stored, end };
  } finally {
    await gateway.stop();
  }
}
