import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { InboundGateway } from '../api/inbound-setup.ts';
import type { Fax, TestGateway } from '../setup/gateway.ts';
import { DAY, HOUR, MINUTE } from '../setup/manual-clock.ts';

/** Error of the system when one of these files is opened. */
const disk = vi.hoisted(() => ({ fault: null as string | null, files: /\/files\// }));
function assertWell(path: unknown): void {
  if (disk.fault !== null && disk.files.test(String(path)))
    throw Object.assign(new Error(`${disk.fault}: open '${String(path)}'`), { code: disk.fault });
}
vi.mock(import('node:fs/promises'), async (original) => {
  const real = await original();
  const open: typeof real.open = async (...args) => {
    assertWell(args[0]);
    return real.open(...args);
  };
  return { ...real, open, default: { ...real, open } };
});
vi.mock(import('node:fs'), async (original) => {
  const real = await original();
  const openSync: typeof real.openSync = (...args) => {
    assertWell(args[0]);
    return real.openSync(...args);
  };
  return { ...real, openSync, default: { ...real, openSync } };
});

let inbound: InboundGateway;
let gateway: TestGateway;
const files = () => join(gateway.dataFolder, 'files');
beforeEach(async () => {
  disk.files = /\/files\//;
  inbound = await InboundGateway.startPolling();
  gateway = inbound.gateway;
});
afterEach(async () => {
  disk.fault = null;
  await inbound.close();
});

async function workLater(ms: number): Promise<void> {
  gateway.clock.advance(ms);
  await gateway.processAll();
}

const lastOf = async ({ id }: Fax) => (await gateway.history(id)).at(-1);

describe('a document that cannot be read now', () => {
  test('makes its fax wait with a sentence, and it is sent as soon as that has passed', async () => {
    const faults = [
      ['EMFILE', 'Faxdesk has too many files open right now.'],
      ['EIO', 'The disk of Faxdesk reports errors. Check it.'],
      ['EACCES', 'Faxdesk is not allowed to use its files. Check the permissions of its data folder.'],
    ] as const;
    for (const [code, why] of faults) {
      const fax = await gateway.send();
      disk.fault = code;
      await gateway.processAll();
      expect(await gateway.fax(fax.id)).toMatchObject({ delivery_state: 'ready', error: null });
      expect(await lastOf(fax)).toMatchObject({
        kind: 'waiting',
        text: `Waiting for the document. The document cannot be read. ${why} Nothing was sent. Faxdesk tries again automatically.`,
      });
      await workLater(HOUR);
      disk.fault = null;
      await workLater(HOUR);
      expect(await gateway.fax(fax.id)).toMatchObject({
        delivery_state: 'in_progress',
        attempt: { number: 1 },
      });
      expect((await gateway.history(fax.id)).filter(({ kind }) => kind === 'waiting')).toHaveLength(1);
    }
    expect(gateway.emulator.faxes.size).toBe(faults.length);
  });

  test('because its folder is away is not gone', async () => {
    const fax = await gateway.send();
    await rename(files(), `${files()}-away`);
    await gateway.processAll();
    await workLater(HOUR);
    expect(await gateway.fax(fax.id)).toMatchObject({ delivery_state: 'ready' });
    expect((await lastOf(fax))?.text).toContain(
      'Its folder cannot be found: check that its disk is connected.',
    );
    const answer = await gateway.request('GET', `/fax/${fax.id}/document`);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30']);
    await rename(`${files()}-away`, files());
    await workLater(HOUR);
    expect(await gateway.fax(fax.id)).toMatchObject({ delivery_state: 'in_progress' });
  });

  test('for a day becomes a question for a person, and is sent when they say so', async () => {
    const fax = await gateway.send();
    disk.fault = 'EIO';
    await gateway.processAll();
    await workLater(DAY);
    expect(await gateway.fax(fax.id)).toMatchObject({ delivery_state: 'ready' });
    await workLater(MINUTE * 6);
    const held = await gateway.fax(fax.id);
    expect(held).toMatchObject({ delivery_state: 'held', error: null });
    expect(await lastOf(fax)).toMatchObject({
      kind: 'held',
      text: 'Held: it could not be sent for a day. The document cannot be read. The disk of Faxdesk reports errors. Check it. Nothing was sent. Send it once that is fixed, or cancel it.',
    });
    disk.fault = null;
    await workLater(DAY);
    expect(gateway.emulator.faxes.size).toBe(0);
    await gateway.request('POST', `/fax/${fax.id}/release`, {
      json: { delivery_version: held.delivery_version },
    });
    await gateway.processAll();
    expect(await gateway.fax(fax.id)).toMatchObject({ delivery_state: 'in_progress' });
  });

  test('is answered with 503, a sentence and when to retry, wherever it is opened', async () => {
    const fax = await gateway.send();
    inbound.arrive();
    await workLater(HOUR);
    const received = await inbound.only();
    disk.fault = 'EMFILE';
    for (const path of [
      `/fax/${fax.id}/document`,
      `/fax/${fax.id}/report`,
      `/inbound/${received.id}/pdf`,
      `/inbound/${received.id}/pages/1.png`,
    ]) {
      const answer = await gateway.request('GET', path);
      expect([answer.status, answer.headers.get('retry-after'), await answer.json()], path).toEqual([
        503,
        '30',
        { detail: 'The document cannot be read. Faxdesk has too many files open right now.' },
      ]);
    }
  });
});

describe('a document that is damaged', () => {
  const stored = async () => join(files(), 'fax', (await readdir(join(files(), 'fax')))[0] ?? '');

  test('once and whole at the next look is sent', async () => {
    const fax = await gateway.send();
    const whole = await readFile(await stored());
    await writeFile(await stored(), 'something else');
    await gateway.processAll();
    expect(await gateway.fax(fax.id)).toMatchObject({ delivery_state: 'ready' });
    expect((await lastOf(fax))?.text).toContain('The stored document is not the one that was accepted.');
    await writeFile(await stored(), whole);
    await workLater(MINUTE);
    expect(await gateway.fax(fax.id)).toMatchObject({ delivery_state: 'in_progress' });
  });

  test('is said to be so to whoever opens it', async () => {
    await gateway.set({ ENCRYPT_DOCUMENTS: true });
    const fax = await gateway.send();
    const bytes = await readFile(await stored());
    bytes[bytes.length - 20] = (bytes[bytes.length - 20] ?? 0) ^ 1;
    await writeFile(await stored(), bytes);
    const answer = await gateway.request('GET', `/fax/${fax.id}/document`);
    expect([answer.status, await answer.json()]).toEqual([
      500,
      { detail: 'The stored document is damaged. Restore it from a backup.' },
    ]);
  });

  test('twice in a row ends its fax, and so does one that is gone', async () => {
    const changed = await gateway.send();
    await writeFile(await stored(), 'something else');
    await gateway.processAll();
    await workLater(MINUTE);
    expect(await gateway.fax(changed.id)).toMatchObject({
      delivery_state: 'failed',
      error: 'The stored document is not the one that was accepted.',
      attempt: { error_category: 'artifact_damaged' },
    });
    await rm(await stored());
    const gone = await gateway.send();
    await rm(await stored());
    await gateway.processAll();
    expect(await gateway.fax(gone.id)).toMatchObject({ delivery_state: 'ready' });
    await workLater(MINUTE);
    expect(await gateway.fax(gone.id)).toMatchObject({
      delivery_state: 'failed',
      error: 'The stored document is no longer in its folder.',
    });
    expect((await gateway.request('GET', `/fax/${gone.id}/document`)).status).toBe(404);
    expect(gateway.emulator.faxes.size).toBe(0);
  });
});

test('a received document that cannot be stored now waits, costs no attempt, and is filed when that has passed', async () => {
  disk.files = /\/work[^/]*\//;
  disk.fault = 'EMFILE';
  inbound.arrive();
  for (const _hour of [1, 2, 3]) await workLater(12 * HOUR);
  expect(await inbound.only()).toMatchObject({
    status: 'waiting',
    problem:
      'The document could not be stored. Faxdesk has too many files open right now. Faxdesk fetches it again automatically.',
  });
  disk.fault = null;
  await workLater(HOUR);
  expect(await inbound.only()).toMatchObject({ status: 'received', problem: null });
});
