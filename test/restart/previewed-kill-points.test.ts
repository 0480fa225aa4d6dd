import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Fax, TestGateway } from '../setup/gateway.ts';
import { textFile } from '../setup/gateway.ts';
import { allFaxes, type CopiedRun, eachKilled, endRun, KEY, RunTemplate, restart } from './killed-run.ts';

let template: RunTemplate;
beforeAll(async () => {
  template = await RunTemplate.open();
});
afterAll(() => template.close());

interface Previewed {
  readonly preview_id: string;
  readonly document_sha256: string;
}

test('a fax of a preview is there with its document or not at all, wherever the gateway is killed', async () => {
  const run = await template.startCopied();
  try {
    const { preview, id } = await acceptPreviewed(run);
    const left: string[] = [];
    for await (const { label } of eachKilled(run)) {
      left.push(`${label}: ${(await storedDocuments(run)).join()}`);
      const gateway = await restart(run);
      try {
        await expectWholeOrNothing({ run, gateway, preview, id: label === 'after a commit' ? id : null });
      } finally {
        await gateway.stop();
      }
      if (left.length === 2) break;
    }
    // The document was in its place before anything was recorded; no document was prepared.
    expect(left).toEqual([`before a commit: ${id}.pdf`, `after a commit: ${id}.pdf`]);
  } finally {
    await endRun(run);
  }
}, 120_000);

const storedDocuments = ({ folder }: CopiedRun) => readdir(join(folder, 'files', 'fax'));

/** Accepts it in the child, which then ends. */
async function acceptPreviewed({ child }: CopiedRun): Promise<{ preview: Previewed; id: string }> {
  const upload = new FormData();
  upload.append('file', textFile());
  const preview = await child.request<Previewed>('POST', '/fax/preview', upload);
  child.order({ arm: true });
  const form = new FormData();
  form.append('to', '+12025550123');
  form.append('preview_id', preview?.preview_id ?? '');
  const fax = await child.request<Fax>('POST', '/fax', form, { 'Idempotency-Key': KEY });
  child.order({ stop: true });
  await child.ended;
  if (!preview || !fax?.id) throw new Error(`nothing was accepted: ${child.errors}`);
  return { preview, id: fax.id };
}

async function expectWholeOrNothing(after: {
  run: CopiedRun;
  gateway: TestGateway;
  preview: Previewed;
  id: string | null;
}): Promise<void> {
  const { run, gateway, preview, id } = after;
  await gateway.processAll();
  const fields = { to: '+12025550123', preview_id: preview.preview_id };
  const again = await gateway.sendForm(fields, [], { 'Idempotency-Key': KEY });
  expect(again.status).toBe(id === null ? 409 : 202);
  expect((await allFaxes(gateway)).map((fax) => fax.id)).toEqual(id === null ? [] : [id]);
  expect(await readdir(join(run.folder, 'work'))).toEqual([]);
  await expect.poll(() => storedDocuments(run)).toEqual(id === null ? [] : [`${id}.pdf`]);
  if (id === null) return;
  expect(((await again.json()) as Fax).document.sha256).toBe(preview.document_sha256);
}
