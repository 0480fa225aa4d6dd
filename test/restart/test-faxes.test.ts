import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TEST_KEY_PERMISSIONS } from '../../shared/permissions.ts';
import { type TestOutcome, testOutcomeOf } from '../../shared/test-numbers.ts';
import { type Fax, textFile } from '../setup/gateway.ts';
import { endRun, type Run, RunTemplate } from './killed-run.ts';

const CALLERS = 12;
const FAXES_OF_EACH = 4;
const KILLS = 4;
const BETWEEN_KILLS_MS = 1_500;
const NUMBERS = ['0100', '0101', '0103', '0105', '0106', '0150'].map((end) => `+1202555${end}`);
const STATES: Record<TestOutcome, Fax['delivery_state']> = {
  delivered: 'success',
  busy: 'failed',
  no_answer: 'failed',
  refused: 'failed',
  cut_off: 'failed',
  delayed: 'success',
  unconfirmed: 'reconciliation_required',
};

let template: RunTemplate;
beforeAll(async () => {
  template = await RunTemplate.open({ FAX_AUTOMATIC_TRIES: '0' });
});
afterAll(() => template.close());

test('rule (outbound): test faxes of twelve callers reach no provider, and none is lost or doubled, however often the gateway is killed', async () => {
  const run: { -readonly [Name in keyof Run]: Run[Name] } = await template.start();
  try {
    const made = await run.child.request<{ token: string }>(
      'POST',
      '/admin/api-keys',
      JSON.stringify({ name: 'Shop', scopes: TEST_KEY_PERMISSIONS, test: true }),
      { 'Content-Type': 'application/json' },
    );
    const key = made?.token ?? '';
    const accepted = new Map<string, Set<string>>();
    const callers = Array.from({ length: CALLERS }, async (_caller, caller) => {
      for (let at = 0; at < FAXES_OF_EACH; at += 1) {
        const name = `${caller}-${at}`;
        const to = NUMBERS[(caller + at) % NUMBERS.length] ?? '';
        const known = new Set<string>();
        accepted.set(name, known);
        // Asked twice at least: what was answered before a kill has to be answered again.
        for (let answers = 0; answers < 2; ) {
          const fax = await send(run, { key, name, to });
          if (fax === null) await sleep(50);
          else {
            known.add(fax.id);
            answers += 1;
          }
        }
      }
    });
    const killer = (async () => {
      for (let kills = 0; kills < KILLS; kills += 1) {
        await sleep(BETWEEN_KILLS_MS);
        expect(await run.child.kill()).toEqual({ killed: true });
        const child = template.child(run.folder, {});
        if (!(await child.ready())) throw new Error(`the child did not start: ${child.errors}`);
        run.child = child;
      }
    })();
    await Promise.all([...callers, killer]);

    const ids = [...accepted.values()].map((found) => [...found]);
    expect(ids.filter((found) => found.length !== 1)).toEqual([]);
    const list = async () =>
      (await run.child.request<{ items: Fax[] }>('GET', '/fax?include_test=true&limit=200'))?.items ?? [];
    // The time of leases and delayed faxes goes by.
    const leftAfterHalfMinute = async () => {
      run.child.order({ advanceMs: 30_000 });
      return (await list()).filter(isUnderWay).length;
    };
    await expect.poll(leftAfterHalfMinute, { timeout: 120_000, interval: 1_000 }).toBe(0);
    const faxes = await list();
    expect(faxes.map(({ id }) => id).toSorted()).toEqual(ids.flat().toSorted());
    for (const { to, test: isTest, delivery_state: state, backend } of faxes)
      expect([to, isTest, state, backend]).toEqual([to, true, STATES[testOutcomeOf(to)], 'test']);
    // Every request to the provider is in this list.
    expect(run.emulator.calls).toEqual([]);
    expect(run.emulator.state.faxes.size).toBe(0);
  } finally {
    await endRun(run);
  }
}, 300_000);

const isUnderWay = ({ delivery_state: state }: Fax) =>
  ['ready', 'preparing', 'submitting', 'in_progress'].includes(state);

/** Null when there was no answer. */
async function send(
  { child }: Run,
  { key, name, to }: { key: string; name: string; to: string },
): Promise<Fax | null> {
  const form = new FormData();
  form.append('to', to);
  form.append('file', textFile(`Order ${name}\n`));
  const headers = { 'X-API-Key': key, 'Idempotency-Key': name };
  try {
    const response = await fetch(`${child.url}/fax`, { method: 'POST', headers, body: form });
    const answer = (await response.json()) as Fax;
    return response.status === 202 ? answer : null;
  } catch {
    return null;
  }
}
