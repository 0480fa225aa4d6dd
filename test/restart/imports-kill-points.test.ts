import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import type { InboundFax } from '../../shared/api/inbound-shapes.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import type { TestGateway } from '../setup/gateway.ts';
import { SECOND } from '../setup/manual-clock.ts';
import { eachKilled, endRun, type Run, RunTemplate, restart } from './killed-run.ts';

type Inbound = z.infer<typeof InboundFax>;

const DOCUMENT = textPdf(1);
const MANIFEST = JSON.stringify({ source_system: 'Lab bridge', operation_id: 'A-1' });
const SCAN_MS = 10 * SECOND;

let template: RunTemplate;
beforeAll(async () => {
  template = await RunTemplate.open({
    INBOUND_ENABLED: 'true',
    INBOUND_POLLING: 'off',
    IMPORT_FOLDER: 'import',
  });
});
afterAll(() => template.close());

function form(): FormData {
  const parts = new FormData();
  parts.append('manifest', MANIFEST);
  parts.append('file', new File([new Uint8Array(DOCUMENT)], 'result.pdf'));
  return parts;
}

const listed = async (gateway: TestGateway) =>
  (await (await gateway.request('GET', '/inbound')).json()) as Inbound[];

test('rule (imports): an import is complete or absent, wherever the gateway is killed', async () => {
  const run = await template.startCopied();
  const found: string[] = [];
  try {
    run.child.order({ arm: true });
    expect(await run.child.request('POST', '/imports', form())).toMatchObject({ status: 'received' });
    run.child.order({ stop: true });
    await run.child.ended;
    for await (const { label, answered } of eachKilled(run)) {
      if (label === 'before a document is prepared') continue;
      const gateway = await restart(run);
      try {
        const before = await listed(gateway);
        if (answered) expect([label, before.length]).toEqual([label, 1]);
        // Whoever got no answer sends it again.
        const answer = await gateway.request('POST', '/imports', { form: form() });
        const { status, inbound_id } = (await answer.json()) as { status: string; inbound_id: string };
        expect([label, status]).toEqual([label, before.length === 0 ? 'received' : 'duplicate']);
        expect(await listed(gateway)).toMatchObject([
          { id: inbound_id, status: 'received', conflicts: 0, work_item_id: expect.any(String) },
        ]);
        // Stored documents are cleared after the start, which waits for none of it.
        await gateway.processAll();
        await expectOneDocument(run);
        found.push(`${label}: ${before.length}`);
      } finally {
        await gateway.stop();
      }
    }
  } finally {
    await endRun(run);
  }
  expect(found).toContain('when a document was prepared: 0');
  expect(found).toContain('before a commit: 0');
  expect(found).toContain('after a commit: 1');
}, 300_000);

test('a gateway that is killed at any step of a look into the import folder imports each document once', async () => {
  const run = await template.startCopied();
  const folder = join(run.folder, 'import');
  const found = new Set<string>();
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'result.json'), MANIFEST);
    await writeFile(join(folder, 'result.pdf'), DOCUMENT);
    await pollUntilDone(run, folder);
    for await (const { label } of eachKilled(run)) {
      if (label === 'before a document is prepared') continue;
      const gateway = await restart(run);
      try {
        const before = (await listed(gateway)).length;
        const where = (await readdir(folder)).includes('result.pdf') ? 'left' : 'moved';
        found.add(`${before} ${where}`);
        for (let looks = 0; looks < 3; looks += 1) {
          gateway.clock.advance(SCAN_MS);
          await gateway.processAll();
        }
        expect([label, await listed(gateway)]).toMatchObject([label, [{ status: 'received', conflicts: 0 }]]);
        await expectOneDocument(run);
        expect(await readdir(join(folder, 'done'))).toEqual(['result.json', 'result.pdf']);
        expect(await readdir(join(folder, 'refused'))).toEqual([]);
      } finally {
        await gateway.stop();
      }
      // All steps after the last move behave the same.
      if (found.has('1 moved')) break;
    }
  } finally {
    await endRun(run);
  }
  expect([...found].sort()).toEqual(['0 left', '1 left', '1 moved']);
}, 300_000);

/** Whatever an earlier try stored is in no list of documents any more. */
async function expectOneDocument({ folder }: Run): Promise<void> {
  const documents = join(folder, 'files', 'inbound');
  const [name = '', ...others] = await readdir(documents);
  expect(others).toEqual([]);
  expect(await readFile(join(documents, name))).toEqual(DOCUMENT);
}

async function pollUntilDone({ child }: Run, folder: string): Promise<void> {
  const done = join(folder, 'done', 'result.json');
  const isDone = () =>
    readFile(done).then(
      () => true,
      () => false,
    );
  // The first look only sees the files; the steps of the one that takes them are wanted.
  child.order({ arm: true });
  await expect
    .poll(
      async () => {
        child.order({ advanceMs: SCAN_MS / 4 });
        return isDone();
      },
      { interval: 300, timeout: 60_000 },
    )
    .toBe(true);
  // The end of the job.
  await child.request('GET', '/inbound');
  child.order({ stop: true });
  await child.ended;
}
