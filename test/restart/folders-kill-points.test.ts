import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textPdf } from '../fixtures/long-pdf.ts';
import { startTestGateway } from '../setup/gateway.ts';
import { SECOND } from '../setup/manual-clock.ts';
import {
  allFaxes,
  eachKilled,
  endRun,
  processUntilIdle,
  type Run,
  RunTemplate,
  restart,
} from './killed-run.ts';

const NAME = 'letter__+12025550123';
const DOCUMENT = textPdf(1);
const MANIFEST = JSON.stringify({ cover: 'Dear Ann' });
const SCAN_MS = 10 * SECOND;

let template: RunTemplate;
beforeAll(async () => {
  template = await RunTemplate.open({ INBOUND_POLLING: 'off' });
  const dataFolder = join(template.root, 'data');
  const gateway = await startTestGateway({ dataFolder, emulator: template.emulator });
  const made = await gateway.request('POST', '/admin/api-keys', { json: { scopes: ['fax:send'] } });
  const { key_id } = (await made.json()) as { key_id: string };
  await gateway.set({ SEND_FOLDER: 'send', SEND_FOLDER_FOR: key_id });
  await gateway.stop();
});
afterAll(() => template.close());

test('rule (folders): a file in the send folder is sent once, wherever the gateway is killed', async () => {
  const run = await template.startCopied();
  const folder = join(run.folder, 'send');
  const found = new Set<string>();
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${NAME}.json`), MANIFEST);
    await writeFile(join(folder, `${NAME}.pdf`), DOCUMENT);
    await pollUntilSent(run, folder);
    for await (const { label } of eachKilled(run)) {
      const gateway = await restart(run);
      try {
        const before = (await allFaxes(gateway)).length;
        const where = (await readdir(folder)).includes(`${NAME}.pdf`) ? 'left' : 'moved';
        found.add(`${before} ${where}`);
        for (let looks = 0; looks < 8; looks += 1) {
          gateway.clock.advance(SCAN_MS);
          await gateway.processAll();
        }
        await processUntilIdle(gateway);
        const faxes = await allFaxes(gateway);
        expect([label, faxes.map(({ document }) => document.pages)]).toEqual([label, [2]]);
        const sent = await readdir(join(folder, 'sent'));
        expect(sent.filter((name) => !name.endsWith('.txt')).sort()).toEqual([`${NAME}.json`, `${NAME}.pdf`]);
        expect(await readdir(join(folder, 'failed'))).toEqual([]);
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

async function pollUntilSent({ child }: Run, folder: string): Promise<void> {
  const sent = join(folder, 'sent', `${NAME}.json`);
  const isSent = () =>
    readFile(sent).then(
      () => true,
      () => false,
    );
  // The first look only sees the files; the steps of the one that takes them are wanted.
  child.order({ arm: true });
  await expect
    .poll(
      async () => {
        child.order({ advanceMs: SCAN_MS / 4 });
        return isSent();
      },
      { interval: 300, timeout: 200_000 },
    )
    .toBe(true);
  // The end of the job.
  await child.request('GET', '/fax');
  child.order({ stop: true });
  await child.ended;
}
