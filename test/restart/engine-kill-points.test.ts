import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import type { InboundFax } from '../../shared/api/inbound-shapes.ts';
import { engineImage } from '../fixtures/engine-image.ts';
import { HOUR, MINUTE } from '../setup/manual-clock.ts';
import { eachKilled, endRun, type Run, RunTemplate, restart } from './killed-run.ts';

type Inbound = z.infer<typeof InboundFax>;

const CALL = '1763715600.17';
/** Differs from the ID of its call, so that the hand-over must be found otherwise. */
const NAME = 'image-of-a-call';
const IMAGE = engineImage(2);
const SETTINGS = { INBOUND_ENABLED: 'true', INBOUND_POLLING: 'off' };

let template: RunTemplate;
beforeAll(async () => {
  template = await RunTemplate.open(SETTINGS);
});
afterAll(() => template.close());

interface Killed {
  readonly diedAt: string;
  readonly answered: boolean;
  /** State found by the next start: that of the fax, and whether the image was there. */
  readonly found: string;
}

test('a gateway that is killed at any step after the telephone engine handed a fax over files one whole fax', async () => {
  const killed = await killAtEachStep({ report: handOver, id: CALL });
  const died = killed.map(({ diedAt }) => diedAt);
  // Recording, claim, hold, letting go of the image and the end of the job.
  expect(died.filter((at) => at.endsWith('a commit')).length).toBeGreaterThanOrEqual(10);
  expect(died).toContain('when a document was prepared');
  expect(new Set(killed.map(({ found }) => found))).toEqual(
    new Set(['nothing, image', 'waiting, image', 'received, image', 'received, no image']),
  );
  expect(lost(killed)).toEqual([]);
}, 600_000);

test('a gateway that is killed while it takes in the images that were left files each once', async () => {
  // All later steps behave the same once a fax is recorded.
  const killed = await killAtEachStep({ report: recover, id: NAME }, 'waiting, image');
  expect(new Set(killed.map(({ found }) => found))).toEqual(new Set(['nothing, image', 'waiting, image']));
  expect(lost(killed)).toEqual([]);
}, 600_000);

/** Of one step after the other, until the last of them or until that was found. */
async function killAtEachStep(reported: Report, until?: string): Promise<Killed[]> {
  const run = await template.startCopied();
  try {
    await fileOne(run, reported);
    const killed: Killed[] = [];
    for await (const { label, answered } of eachKilled(run)) {
      const found = await restartAndRead(run, reported, answered);
      killed.push({ diedAt: label, answered, found });
      if (found === until) break;
    }
    return killed;
  } finally {
    await endRun(run);
  }
}

/** Lists kills after which a fax answered with success is not in the store. */
const lost = (killed: readonly Killed[]) =>
  killed.filter(({ answered, found }) => answered && found.startsWith('nothing'));

interface Report {
  /** Sends the report and returns the error; null when it was answered with success. */
  readonly report: (url: string, folder: string) => Promise<string | null>;
  /** The id of the fax that comes of it. */
  readonly id: string;
}

/** Every step of it is taken when the gateway has ended. */
async function fileOne(run: Run, reported: Report): Promise<void> {
  await leaveImage(run);
  run.child.order({ arm: true });
  expect(await reported.report(run.child.url, run.folder), run.child.errors).toBeNull();
  await waitUntilFiled(run);
  run.child.order({ stop: true });
  expect(await run.child.ended, run.child.errors).toEqual({ killed: false });
}

/** Written to just now by the real clock: the look of every minute leaves it alone. */
async function leaveImage({ folder }: Run): Promise<void> {
  await mkdir(join(folder, 'inbound'), { recursive: true });
  await writeFile(imageIn(folder), IMAGE);
}

const imageIn = (folder: string) => join(folder, 'inbound', `${NAME}.tif`);
const imagesIn = (folder: string) => readdir(join(folder, 'inbound'));

/** Sends the request of the engine's script after a call. */
async function handOver(url: string, folder: string): Promise<string | null> {
  const secret = (await readFile(join(folder, 'telephony', 'inbound-secret'), 'utf8')).trim();
  return post(`${url}/_internal/telephony/inbound`, {
    headers: { 'X-Internal-Secret': secret, 'Content-Type': 'application/json' },
    body: JSON.stringify({ tiff_path: imageIn(folder), uniqueid: CALL, to_number: '+12025550100' }),
  });
}

async function recover(url: string): Promise<string | null> {
  return post(`${url}/inbound/recover`, {
    headers: { 'X-API-Key': 'test-installation-key-of-this-gateway' },
  });
}

async function post(url: string, request: RequestInit): Promise<string | null> {
  try {
    const answer = await fetch(url, { method: 'POST', ...request });
    return answer.ok ? null : `${answer.status} ${await answer.text()}`;
  } catch (error) {
    return `${String(error)}: ${String((error as Error).cause)}`;
  }
}

/** Held, and the image gone. */
async function waitUntilFiled({ child, folder }: Run): Promise<void> {
  await expect
    .poll(
      async () => [
        (await child.request<Inbound[]>('GET', '/inbound'))?.[0]?.status,
        (await imagesIn(folder)).length,
      ],
      // An image that could not be converted at once is tried again after a minute.
      { interval: 50, timeout: 120_000 },
    )
    .toEqual(['received', 0]);
}

/** The engine hands over again as long as it got no good answer, and the look at the folder sees an old image. */
async function restartAndRead(run: Run, { report, id }: Report, answered: boolean): Promise<string> {
  const { folder } = run;
  const hasImage = (await imagesIn(folder)).length === 1;
  const gateway = await restart(run);
  const list = async () => (await (await gateway.request('GET', '/inbound')).json()) as Inbound[];
  try {
    const [found] = await list();
    if (!answered) expect(await report(gateway.url, folder)).toBeNull();
    const old = new Date(gateway.clock.now() - HOUR);
    await utimes(imageIn(folder), old, old).catch(() => undefined);
    for (let i = 0; i < 4; i += 1) {
      await gateway.processAll();
      gateway.clock.advance(2 * MINUTE);
    }
    const faxes = await list();
    expect(faxes).toMatchObject([{ status: 'received', provider_fax_id: id, conflicts: 0, pages: 2 }]);
    if (found) expect(faxes[0]?.id).toBe(found.id);
    expect(await imagesIn(folder)).toEqual([]);
    expect(await readdir(join(folder, 'files', 'inbound'))).toHaveLength(1);
    return `${found?.status ?? 'nothing'}, ${hasImage ? 'image' : 'no image'}`;
  } finally {
    await gateway.stop();
  }
}
