import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import type { broadcastsRoutes } from '../../shared/api/broadcasts.ts';
import { type Fax, textFile } from '../setup/gateway.ts';
import { SECOND } from '../setup/manual-clock.ts';
import type { ChildGateway } from './child-gateway.ts';
import { endRun, type Run, RunTemplate } from './killed-run.ts';

type Broadcast = z.infer<(typeof broadcastsRoutes.getBroadcast)['answer']['schema']>;
type Sent = z.infer<(typeof broadcastsRoutes.sendBroadcast)['answer']['schema']>;

/** The whole broadcast takes minutes; a small one shows the same. */
const isLarge = process.env['FAXDESK_LARGE_BROADCAST'] === '1';
const RECIPIENTS = isLarge ? 1_000 : 60;
const KILLS = isLarge ? 10 : 3;
/** One in so many fails at the provider. */
const FAILS = 10;
const POLL_MS = 61 * SECOND;

let template: RunTemplate;
beforeAll(async () => {
  template = await RunTemplate.open({ INBOUND_POLLING: 'off', FAX_AUTOMATIC_TRIES: '0' });
});
afterAll(() => template.close());

const numbers = Array.from({ length: RECIPIENTS }, (_, at) => `+1202555${String(at + 1000)}`);

async function begin({ child }: Run): Promise<string> {
  const form = new FormData();
  form.append('recipients', numbers.join('\n'));
  form.append('file', textFile());
  const sent = await child.request<Sent>('POST', '/broadcasts', form);
  return String(sent?.broadcast?.id);
}

/** Lets the provider end what it has: the outcome of a number is always the same. */
function complete({ emulator }: Run): void {
  for (const [id, fax] of emulator.faxes) {
    if (fax.completedAt !== null) continue;
    const number = Number(fax.recipients[0]?.phone_number.slice(-4));
    emulator.complete(id, number % FAILS === 0 ? { errorId: 17, errorType: 'faxError' } : {});
  }
}

test(`rule (broadcasts): Each recipient has exactly one fax, submitted at most once, when the gateway is killed [${KILLS} times]`, async () => {
  const run = await template.start();
  const started = Date.now();
  let child: ChildGateway = run.child;
  let advanced = 0;
  const advance = () => {
    advanced += POLL_MS;
    child.order({ advanceMs: POLL_MS });
  };
  try {
    const id = await begin(run);
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const wanted = Math.floor((kill * RECIPIENTS) / (KILLS + 1));
      await expect
        .poll(() => run.emulator.faxes.size, { interval: 5, timeout: 120_000 })
        .toBeGreaterThan(wanted);
      await child.kill();
      child = template.child(run.folder, {});
      expect(await child.ready()).toBe(true);
      // A started process has the real time again.
      child.order({ advanceMs: advanced });
      advance();
    }
    let broadcast: Broadcast | null = null;
    await expect
      .poll(
        async () => {
          complete(run);
          advance();
          broadcast = await child.request<Broadcast>('GET', `/broadcasts/${id}`);
          return broadcast?.state;
        },
        { interval: 500, timeout: 240_000 },
      )
      .toBe('finished');
    const faxes: Fax[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const path: string = `/fax?broadcast_id=${id}&limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const page: { items: Fax[]; next_cursor: string | null } | null = await child.request('GET', path);
      faxes.push(...(page?.items ?? []));
      cursor = page?.next_cursor ?? null;
    }
    expect(faxes.map(({ to }) => to).sort()).toEqual([...numbers].sort());
    const submitted = [...run.emulator.faxes.values()].map(({ recipients }) => recipients[0]?.phone_number);
    expect(new Set(submitted).size).toBe(submitted.length);
    const count = (state: Fax['delivery_state']) =>
      faxes.filter(({ delivery_state }) => delivery_state === state).length;
    const counted = {
      delivered: count('success'),
      failed: count('failed'),
      unconfirmed: count('reconciliation_required'),
    };
    expect(broadcast).toMatchObject({
      counts: { ...counted, waiting: 0, queued: 0, sending: 0, refused: 0 },
    });
    expect(counted.delivered + counted.failed + counted.unconfirmed).toBe(RECIPIENTS);
    // At most the calls of four workers are in the air at a kill.
    expect(counted.unconfirmed).toBeLessThanOrEqual(4 * KILLS);
    const seconds = Math.round((Date.now() - started) / 1_000);
    process.stdout.write(
      `broadcast of ${RECIPIENTS}, killed ${KILLS} times: ${JSON.stringify(counted)}, ${submitted.length} submitted, ${seconds} s\n`,
    );
  } finally {
    if (child.isRunning) await child.kill();
    await endRun(run);
  }
}, 600_000);
