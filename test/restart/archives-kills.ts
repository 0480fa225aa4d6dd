import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { z } from 'zod';
import type { ArchiveRemoval } from '../../shared/api/archives-removal.ts';
import { type Fax, INSTALLATION_KEY, type TestGateway, textFile } from '../setup/gateway.ts';
import { DAY } from '../setup/manual-clock.ts';
import type { ChildGateway } from './child-gateway.ts';
import { allFaxes } from './killed-run.ts';

export type Removal = z.infer<typeof ArchiveRemoval>;

/** More than leave in one transaction. */
export const FAXES = 22;
export const LATER_MS = 500 * DAY;
const JSON_BODY = { 'Content-Type': 'application/json' };

/** Makes faxes that are finished: they were canceled before they left. */
export async function makeFaxes(child: ChildGateway): Promise<void> {
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
          if (now?.delivery_state === 'cancelled') return now.delivery_state;
          const ended = await child.request<Fax & { detail?: string }>(
            'POST',
            `/fax/${fax?.id}/cancel`,
            body,
            JSON_BODY,
          );
          return ended?.detail ?? ended?.delivery_state ?? JSON.stringify(fax);
        },
        { interval: 20, timeout: 10_000 },
      )
      .toBe('cancelled');
  }
}

/** Archives them and hands the archive over. Returns the removal once it is checked. */
export async function checked(child: ChildGateway): Promise<Removal> {
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
  const body = JSON.stringify({ upload_id, year });
  const { id } = (await child.request<Removal>('POST', '/archive-removals', body, JSON_BODY)) as Removal;
  const removal = await settled(child, id);
  if (removal === null) throw new Error(`the child died: ${child.errors}`);
  return removal;
}

/** Waits until a removal neither checks nor removes; null for a gateway that died. */
export async function settled(child: ChildGateway, id: string): Promise<Removal | null> {
  let removal: Removal | null = null;
  await expect
    .poll(
      async () => {
        removal = await child.request<Removal>('GET', `/archive-removals/${id}`);
        return removal?.state ?? 'dead';
      },
      { interval: 20, timeout: 60_000 },
    )
    .not.toMatch(/checking|running/u);
  return removal;
}

/** Begins a removal; the child may die of it. */
export async function begin(child: ChildGateway, { id, version }: Removal): Promise<void> {
  await child.request('POST', `/archive-removals/${id}/start`, JSON.stringify({ version }), JSON_BODY);
}

/** Expects after a kill that each fax is there or counted as removed, lets the gateway continue, and expects that all have left. */
export async function expectContinued(gateway: TestGateway, id: string, label: string): Promise<Removal> {
  const read = async () =>
    (await (await gateway.request('GET', `/archive-removals/${id}`)).json()) as Removal;
  const before = await read();
  const left = (await allFaxes(gateway)).length;
  // One transaction removes a fax and records it.
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
  return before;
}
