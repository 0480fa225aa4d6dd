import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDocuments } from '../../server/documents/documents.ts';
import { childOptions, processorMs, serveCalls } from './child.ts';

const HEADER = { parts: ['2026-11-22 09:06', 'Practice'], isNumbered: true };

/** Files in which what a fax over the line begins with lies. */
interface LineDocuments {
  readonly sent: string;
  readonly received: string;
}

// Documents by themselves: what a fax over the line takes of the processor with no gateway around it.
const files = childOptions() as LineDocuments;
const folder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
const documents = createDocuments({ folders: [folder] });

async function prepare(path: string, fileName: string): Promise<string> {
  const [source, pdf] = [join(folder, fileName), join(folder, 'fax.pdf')];
  await writeFile(source, await readFile(path));
  await documents.prepare([{ path: source, fileName, declaredType: null }], pdf, { maxBytes: 1e9 });
  return pdf;
}

async function measureMs(times: number, work: () => Promise<unknown>): Promise<number> {
  await work();
  const before = processorMs();
  for (let i = 0; i < times; i += 1) await work();
  return (processorMs() - before) / times;
}

serveCalls(null, {
  /** Processor time of preparing and drawing a document to send. Milliseconds. */
  sent: async (times: number) =>
    await measureMs(times, async () => {
      const pdf = await prepare(files.sent, 'letter.pdf');
      const options = { headerLine: HEADER, cleanGreys: false, resolution: 'fine' } as const;
      await documents.rasterToTiff(pdf, join(folder, 'fax.tiff'), options);
    }),
  /** Of turning a received image into a document. */
  received: async (times: number) =>
    await measureMs(times, async () => await prepare(files.received, 'fax.tiff')),
  stop: async () => {
    await documents.close();
    await rm(folder, { recursive: true, force: true });
  },
});
