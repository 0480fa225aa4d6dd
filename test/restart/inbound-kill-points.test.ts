import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import type { InboundFax } from '../../shared/api/inbound-shapes.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { endRun, Lane, type Run, startAgain } from './killed-run.ts';

type Inbound = z.infer<typeof InboundFax>;

const PUBLIC_URL = 'https://fax.example.com';
const DOCUMENT = textPdf(1);
const SETTINGS = { INBOUND_ENABLED: 'true', PUBLIC_API_URL: PUBLIC_URL };

interface Killed {
  readonly killAt: number;
  readonly diedAt: string;
  readonly answered: boolean;
  /** What the next start found. */
  readonly found: string;
}

test.each([
  ['without its document', false],
  ['with its document', true],
])(
  'a gateway that is killed at any step after a notification %s files one whole fax',
  async (_name, attached) => {
    const lane = await Lane.open(SETTINGS);
    const killed: Killed[] = [];
    try {
      for (let killAt = 1; ; killAt += 1) {
        const end = await killAndRecover(lane, killAt, attached);
        if (end === null) break;
        killed.push(end);
        // What follows the document is the same either way.
        if (attached && end.found === 'received') break;
      }
    } finally {
      await lane.close();
    }
    const died = killed.map(({ diedAt }) => diedAt);
    // Recording, claim, hold and the end of the job; or recording and hold.
    expect(died.filter((at) => at.endsWith('a commit')).length).toBeGreaterThanOrEqual(attached ? 2 : 8);
    expect(died).toContain('when a document was prepared');
    if (!attached) expect(died).toContain('when the provider answered');
    expect(new Set(killed.map(({ found }) => found))).toEqual(new Set(['nothing', 'waiting', 'received']));
    // What was answered with success is in the store.
    expect(killed.filter(({ answered, found }) => answered && found === 'nothing')).toEqual([]);
  },
  600_000,
);

/** One fax, killed at this step and recovered; null when it was filed without reaching the step. */
async function killAndRecover(lane: Lane, killAt: number, attached: boolean): Promise<Killed | null> {
  const run = await lane.start({ killAt });
  try {
    const fax = run.emulator.receive({ from: '+12025550199', to: '+12025550100', document: DOCUMENT });
    run.child.order({ arm: true });
    const answered = await notify(run, run.child.url, { id: String(fax.id), attached });
    if (await isFiled(run)) {
      run.child.order({ stop: true });
      if (!(await run.child.ended).killed) return null;
    }
    expect(await run.child.ended, run.child.errors).toEqual({ killed: true });
    const found = await recover(run, { id: String(fax.id), attached, answered });
    return { killAt, diedAt: run.child.diedAt, answered, found };
  } finally {
    await endRun(run);
  }
}

async function notify(run: Run, url: string, { id, attached }: { id: string; attached: boolean }) {
  const delivery = await run.emulator.sendCallback(id, {
    url: `${url}/cloudone-inbound`,
    signedUrl: `${PUBLIC_URL}/cloudone-inbound`,
    ...(attached ? {} : { file: null }),
  });
  return delivery.attempts.at(-1)?.status === 200;
}

/** False when the child died first. */
async function isFiled({ child }: Run): Promise<boolean> {
  let status = '';
  await expect
    .poll(
      async () => {
        status = (await child.request<Inbound[]>('GET', '/inbound'))?.[0]?.status ?? '';
        return !child.isRunning || status === 'received';
      },
      { interval: 15, timeout: 60_000 },
    )
    .toBe(true);
  return status === 'received' && child.isRunning;
}

/** The next start; the provider notifies again as long as it got no good answer. */
async function recover(run: Run, fax: { id: string; attached: boolean; answered: boolean }): Promise<string> {
  const desk = await startAgain(run);
  const list = async () => (await (await desk.request('GET', '/inbound')).json()) as Inbound[];
  try {
    const [found] = await list();
    if (!fax.answered) expect(await notify(run, desk.url, fax)).toBe(true);
    for (let i = 0; i < 3; i += 1) {
      await desk.gateway.processAll();
      desk.clock.advance(2 * MINUTE);
    }
    const faxes = await list();
    expect(faxes).toMatchObject([{ status: 'received', provider_fax_id: fax.id, conflicts: 0, pages: 1 }]);
    if (found) expect(faxes[0]?.id).toBe(found.id);
    const folder = join(run.folder, 'files', 'inbound');
    const [name = '', ...others] = await readdir(folder);
    expect(others).toEqual([]);
    expect(await readFile(join(folder, name))).toEqual(DOCUMENT);
    return found?.status ?? 'nothing';
  } finally {
    await desk.gateway.stop();
  }
}
