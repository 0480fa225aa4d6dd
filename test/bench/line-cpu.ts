import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engineImage } from '../fixtures/engine-image.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { onBothStores } from './both-stores.ts';
import { startChild } from './child.ts';
import type { Figure } from './figure.ts';
import { type LineGateway, openLineGateway } from './line-gateway.ts';

const FAXES = 30;
/** With ringing and training a call takes 14 to 19 seconds with one page, 59 to 109 with ten. */
const PAGE_MS = 10_000;
const PAGES = [1, 10];
/** Rows of a letter page. */
const ROWS = 2_156;

/** Processor time of the gateway for a fax over the phone line, against that of its documents alone. */
export async function run(): Promise<Figure[]> {
  return await onBothStores('faxes over the phone line', async (store, [databaseUrl]) => {
    const gateway = await openLineGateway({ lines: FAXES, pageMs: PAGE_MS, databaseUrl });
    const figures: Figure[] = [];
    try {
      await warmUp(gateway);
      for (const [round, pages] of PAGES.entries()) {
        const done = FAXES * (round + 1) + 1;
        const [sent, received] = [letters(pages), images(pages)];
        const alone = await documentsAlone(sent[0], received[0]);
        const ofSent = await measureMs(gateway, async () => {
          await gateway.send(sent);
          await gateway.waitUntilSent(done);
        });
        const ofReceived = await measureMs(gateway, async () => {
          await gateway.handOver(received);
          await gateway.waitUntilReceived(done);
        });
        const name = (what: string) =>
          `processor for a fax of ${pages === 1 ? 'one page' : `${pages} pages`} ${what} over the line, ${store}`;
        figures.push(
          figureOf(name('sent'), ofSent, alone.sent),
          figureOf(name('received'), ofReceived, alone.received),
        );
      }
      return figures;
    } finally {
      await gateway.close();
    }
  });
}

function figureOf(name: string, ms: number, alone: number): Figure {
  return {
    name,
    ratio: Number((ms / alone).toFixed(2)),
    bar: 0,
    unit: 'of its documents alone',
    detail: `${ms.toFixed(0)} ms a fax, documents alone ${alone.toFixed(0)} ms`,
  };
}

/** Milliseconds a fax. */
async function measureMs(gateway: LineGateway, work: () => Promise<void>): Promise<number> {
  const before = await gateway.processorMs();
  await work();
  return ((await gateway.processorMs()) - before) / FAXES;
}

/** The process of documents is there, and what is compiled once is compiled. */
async function warmUp(gateway: LineGateway): Promise<void> {
  await gateway.send([textPdf(1)]);
  await gateway.handOver([engineImage(1, 1_000_000, ROWS)]);
  await gateway.waitUntilSent(1);
  await gateway.waitUntilReceived(1);
}

async function documentsAlone(
  sent: Uint8Array = Buffer.alloc(0),
  received: Uint8Array = Buffer.alloc(0),
): Promise<{ sent: number; received: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  const files = { sent: join(folder, 'sent.pdf'), received: join(folder, 'received.tiff') };
  await writeFile(files.sent, sent);
  await writeFile(files.received, received);
  const documents = await startChild('line-documents-process.ts', files);
  try {
    return {
      sent: await documents.call<number>('sent', FAXES),
      received: await documents.call<number>('received', FAXES),
    };
  } finally {
    await documents.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** None like another. */
function letters(pages: number): Uint8Array[] {
  const letter = textPdf(pages);
  return Array.from({ length: FAXES }, (_, i) => Buffer.concat([letter, Buffer.from(`\n% ${i}\n`)]));
}

function images(pages: number): Uint8Array[] {
  return Array.from({ length: FAXES }, (_, i) => engineImage(pages, pages * 1_000 + i, ROWS));
}
