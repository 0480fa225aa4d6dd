import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import type { InboundFax } from '../../shared/api/inbound-shapes.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { eachKilled, endRun, type Run, RunTemplate, restart } from './killed-run.ts';

type Inbound = z.infer<typeof InboundFax>;

const PUBLIC_URL = 'https://fax.example.com';
const DOCUMENT = textPdf(1);
const SETTINGS = { INBOUND_ENABLED: 'true', PUBLIC_API_URL: PUBLIC_URL };

let template: RunTemplate;
beforeAll(async () => {
  template = await RunTemplate.open(SETTINGS);
});
afterAll(() => template.close());

interface Killed {
  readonly diedAt: string;
  readonly answered: boolean;
  /** State found by the next start. */
  readonly found: string;
}

test.each([
  ['without its document', false],
  ['with its document', true],
])(
  'rule (inbound): a gateway killed at any step of receiving files one complete fax [notification %s]',
  async (_name, attached) => {
    const killed = await killAtEachStep(attached);
    const died = killed.map(({ diedAt }) => diedAt);
    // Recording, claim, hold and the end of the job; or recording and hold.
    expect(died.filter((at) => at.endsWith('a commit')).length).toBeGreaterThanOrEqual(attached ? 2 : 8);
    expect(died).toContain('when a document was prepared');
    if (!attached) expect(died).toContain('when the provider answered');
    expect(new Set(killed.map(({ found }) => found))).toEqual(new Set(['nothing', 'waiting', 'received']));
    // A fax answered with success is in the store.
    expect(killed.filter(({ answered, found }) => answered && found === 'nothing')).toEqual([]);
  },
  600_000,
);

async function killAtEachStep(attached: boolean): Promise<Killed[]> {
  const run = await template.startCopied();
  try {
    const id = await fileOne(run, attached);
    const killed: Killed[] = [];
    for await (const { label, answered } of eachKilled(run)) {
      const found = await recover(run, { id, attached, answered });
      killed.push({ diedAt: label, answered, found });
      // All steps after the document behave the same either way.
      if (attached && found === 'received') break;
    }
    return killed;
  } finally {
    await endRun(run);
  }
}

/** Every step of it is taken when the gateway has ended. */
async function fileOne(run: Run, attached: boolean): Promise<string> {
  const id = String(
    run.emulator.receive({ from: '+12025550199', to: '+12025550100', document: DOCUMENT }).id,
  );
  run.child.order({ arm: true });
  expect(await notify(run, run.child.url, { id, attached })).toBe(true);
  await waitUntilFiled(run);
  run.child.order({ stop: true });
  expect(await run.child.ended, run.child.errors).toEqual({ killed: false });
  return id;
}

async function notify(run: Run, url: string, { id, attached }: { id: string; attached: boolean }) {
  const delivery = await run.emulator.sendCallback(id, {
    url: `${url}/cloudone-inbound`,
    signedUrl: `${PUBLIC_URL}/cloudone-inbound`,
    ...(attached ? {} : { file: null }),
  });
  return delivery.attempts.at(-1)?.status === 200;
}

async function waitUntilFiled({ child }: Run): Promise<void> {
  await expect
    .poll(async () => (await child.request<Inbound[]>('GET', '/inbound'))?.[0]?.status, {
      interval: 50,
      timeout: 60_000,
    })
    .toBe('received');
}

/** The next start; the provider notifies again as long as it got no good answer. */
async function recover(run: Run, fax: { id: string; attached: boolean; answered: boolean }): Promise<string> {
  const gateway = await restart(run);
  const list = async () => (await (await gateway.request('GET', '/inbound')).json()) as Inbound[];
  try {
    const [found] = await list();
    if (!fax.answered) expect(await notify(run, gateway.url, fax)).toBe(true);
    for (let i = 0; i < 3; i += 1) {
      await gateway.processAll();
      gateway.clock.advance(2 * MINUTE);
    }
    const faxes = await list();
    expect(faxes).toMatchObject([{ status: 'received', provider_fax_id: fax.id, conflicts: 0, pages: 1 }]);
    const { items } = (await (await gateway.request('GET', '/work')).json()) as { items: { id: string }[] };
    expect(items.map(({ id }) => id)).toEqual([faxes[0]?.work_item_id]);
    if (found) expect(faxes[0]?.id).toBe(found.id);
    const folder = join(run.folder, 'files', 'inbound');
    const [name = '', ...others] = await readdir(folder);
    expect(others).toEqual([]);
    expect(await readFile(join(folder, name))).toEqual(DOCUMENT);
    return found?.status ?? 'nothing';
  } finally {
    await gateway.stop();
  }
}
