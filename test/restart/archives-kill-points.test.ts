import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import type { ArchiveRemoval } from '../../shared/api/archives-removal.ts';
import { type Fax, INSTALLATION_KEY, textFile } from '../setup/gateway.ts';
import { DAY } from '../setup/manual-clock.ts';
import type { ChildGateway } from './child-gateway.ts';
import { allFaxes, eachKilled, endRun, RunTemplate, restart } from './killed-run.ts';

type Removal = z.infer<typeof ArchiveRemoval>;

/** More than leave in one transaction. */
const FAXES = 22;
const LATER_MS = 500 * DAY;

let template: RunTemplate;
beforeAll(async () => {
  template = await RunTemplate.open({ INBOUND_POLLING: 'off', ARTIFACT_TTL_DAYS: '0' });
});
afterAll(() => template.close());

/** Makes faxes that are finished: they were canceled before they left. */
async function makeFaxes(child: ChildGateway): Promise<void> {
  for (let number = 0; number < FAXES; number += 1) {
    const form = new FormData();
    form.append('to', '+12025550123');
    form.append('send_at', new Date(Date.now() + 2 * DAY).toISOString());
    form.append('file', textFile());
    const fax = await child.request<Fax>('POST', '/fax', form);
    expect(fax).toMatchObject({ id: expect.any(String) });
    await expect
      .poll(
        async () => {
          const now = await child.request<Fax>('GET', `/fax/${fax?.id}`);
          const body = JSON.stringify({ delivery_version: now?.delivery_version });
          const json = { 'Content-Type': 'application/json' };
          if (now?.delivery_state === 'cancelled') return now.delivery_state;
          const ended = await child.request<Fax & { detail?: string }>(
            'POST',
            `/fax/${fax?.id}/cancel`,
            body,
            json,
          );
          return ended?.detail ?? ended?.delivery_state ?? JSON.stringify(fax);
        },
        { interval: 20, timeout: 10_000 },
      )
      .toBe('cancelled');
  }
}

async function checked(child: ChildGateway): Promise<Removal> {
  const year = new Date().getUTCFullYear();
  const headers = { 'X-API-Key': INSTALLATION_KEY };
  let archive = new Uint8Array();
  // Its clock is moved by a message.
  await expect
    .poll(async () => {
      const answer = await fetch(`${child.url}/archives/${year}`, { headers });
      archive = new Uint8Array(await answer.arrayBuffer());
      return answer.status;
    })
    .toBe(200);
  const form = new FormData();
  form.append('piece', new File([archive], 'piece'));
  const upload_id = randomBytes(16).toString('hex');
  await child.request('POST', `/archive-uploads/${upload_id}`, form);
  const json = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ upload_id, year });
  const { id } = (await child.request<Removal>('POST', '/archive-removals', body, json)) as Removal;
  return settled(child, id);
}

async function settled(child: ChildGateway, id: string): Promise<Removal> {
  let removal: Removal | null = null;
  await expect
    .poll(
      async () => {
        removal = await child.request<Removal>('GET', `/archive-removals/${id}`);
        return removal?.state;
      },
      { interval: 20, timeout: 60_000 },
    )
    .not.toMatch(/checking|running/u);
  return removal as unknown as Removal;
}

test('rule (archives): a removal that is killed at any commit continues at the next start, and removes each fax once', async () => {
  const run = await template.startCopied();
  const found: string[] = [];
  try {
    await makeFaxes(run.child);
    run.child.order({ advanceMs: LATER_MS });
    const { id, version, ...plan } = await checked(run.child);
    expect(plan).toMatchObject({ state: 'ready', waiting: FAXES, problem: null });
    run.child.order({ arm: true });
    const json = { 'Content-Type': 'application/json' };
    await run.child.request('POST', `/archive-removals/${id}/start`, JSON.stringify({ version }), json);
    expect(await settled(run.child, id)).toMatchObject({ state: 'done', removed: { sent: FAXES } });
    run.child.order({ stop: true });
    await run.child.ended;
    for await (const { label } of eachKilled(run)) {
      const gateway = await restart(run);
      try {
        gateway.clock.advance(LATER_MS);
        const read = async () =>
          (await (await gateway.request('GET', `/archive-removals/${id}`)).json()) as Removal;
        const before = await read();
        const left = (await allFaxes(gateway)).length;
        found.push(`${label}: ${before.state}, ${before.removed.sent} removed`);
        // What left, and that it left, is one transaction.
        expect([label, before.removed.sent + left]).toEqual([label, FAXES]);
        if (before.state === 'ready') {
          const again = { json: { version: before.version } };
          await (await gateway.request('POST', `/archive-removals/${id}/start`, again)).text();
        }
        await gateway.processAll();
        expect([label, await read()]).toMatchObject([
          label,
          { state: 'done', waiting: 0, removed: { sent: FAXES }, staying: [], gone: 0 },
        ]);
        expect([label, await allFaxes(gateway)]).toEqual([label, []]);
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
