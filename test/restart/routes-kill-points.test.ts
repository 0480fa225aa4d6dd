import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Fax } from '../setup/gateway.ts';
import { SECOND } from '../setup/manual-clock.ts';
import { BUSY } from '../setup/route-gateway.ts';
import type { KillPoint } from './child-gateway.ts';
import {
  allFaxes,
  endRun,
  processUntilIdle,
  type Run,
  RunTemplate,
  restart,
  sendTo,
  storedStates,
  waitForState,
} from './killed-run.ts';

const TEMPLATES = 2;

let templates: RunTemplate[];
beforeAll(async () => {
  templates = await Promise.all(Array.from({ length: TEMPLATES }, () => RunTemplate.open()));
});
afterAll(() => Promise.all(templates.map((template) => template.close())));

/** By what the store holds then: a count of steps is another one on a busy machine. */
const POINTS: readonly [stored: string, label: string][] = [
  ['in_progress', 'before a request to the provider'],
  ['in_progress', 'when the provider answered'],
  ['in_progress', 'before a commit'],
  ['ready', 'after a commit'],
  ['ready', 'before a commit'],
  ['preparing', 'after a commit'],
  ['preparing', 'before a commit'],
  ['submitting', 'after a commit'],
  ['submitting', 'before a request to the provider'],
  ['submitting', 'when the provider answered'],
  ['submitting', 'before a commit'],
];

test('a gateway that is killed at any step between a failure and the next route sends by that one once, and by none after a doubt', async () => {
  const points = [...POINTS];
  const ends: string[] = [];
  const work = async (template: RunTemplate) => {
    for (let point = points.shift(); point; point = points.shift()) {
      const [stored, label] = point;
      ends.push(`${stored}, ${label}: ${await killAndRecover(template, { stored, label })}`);
    }
  };
  await Promise.all(templates.map(work));
  const end = (stored: string) => (stored === 'submitting' ? 'reconciliation_required' : 'success');
  const expected = POINTS.map(([stored, label]) => `${stored}, ${label}: ${end(stored)}`);
  expect(ends.sort()).toEqual(expected.sort());
}, 300_000);

/** A fax whose first route was busy, killed at this step and recovered; null when it came to the next route before. */
async function killAndRecover(template: RunTemplate, killAt: KillPoint): Promise<string | null> {
  const run = await template.start({ killAt });
  try {
    for (const [i, name] of ['One', 'Two'].entries()) {
      const route = { name, backend: 'cloudone', prefixes: ['+1202'], priority: i + 1, account: null };
      const headers = { 'Content-Type': 'application/json' };
      await run.child.request('POST', '/routing/routes', JSON.stringify(route), headers);
    }
    const accepted = await sendTo(run.child);
    if (accepted === null) throw new Error(`it was killed before it was told to: ${run.child.errors}`);
    expect(await waitForState(run, accepted.id, ['in_progress'])).toBe(true);
    run.child.order({ arm: true });
    for (const sid of run.emulator.faxes.keys()) run.emulator.complete(sid, BUSY);
    run.child.order({ advanceMs: 31 * SECOND });
    if (await waitForSecondRoute(run, accepted.id)) return null;
    expect(await run.child.ended, run.child.errors).toEqual({ killed: true });
    return await recover(run, accepted);
  } finally {
    await endRun(run);
  }
}

/** Waits until the fax is sent by the second route. False when the gateway died first. */
async function waitForSecondRoute(run: Run, id: string): Promise<boolean> {
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

async function recover(run: Run, accepted: Fax): Promise<string> {
  const [stored = 'nothing'] = await storedStates(run.folder);
  const gateway = await restart(run);
  try {
    await processUntilIdle(gateway);
    const [fax, ...others] = await allFaxes(gateway);
    const where = `killed ${run.child.diedAt}, stored as ${stored}`;
    expect(others, where).toEqual([]);
    expect(fax, where).toMatchObject({ id: accepted.id, route: { name: 'Two' }, attempt: { number: 2 } });
    const end = fax?.delivery_state ?? 'none';
    const { accepted: sent } = gateway.emulator.counts;
    if (end === 'success') expect(sent, where).toBe(2);
    else expect(sent, where).toBeLessThanOrEqual(2);
    return end;
  } finally {
    await gateway.stop();
  }
}
