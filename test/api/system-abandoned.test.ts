import { randomBytes } from 'node:crypto';
import { readdirSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rawPdf } from '../fixtures/pdf-parts.ts';
import { type Fax, INSTALLATION_KEY, startTestGateway, type TestGateway } from '../setup/gateway.ts';

const CALLERS = 200;
const ANSWERS = 200;
/** So large that nobody takes it in one piece. */
const NOISE_BYTES = 2_000_000;

/** One page with a stream that nothing shows and nothing packs. */
function largePdf(): Buffer {
  const noise = randomBytes(NOISE_BYTES / 2).toString('hex');
  return rawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>',
    `<< /Length ${noise.length} >>\nstream\n${noise}\nendstream`,
  ]);
}

const hasDescriptors = process.platform === 'linux';

/** The files of the gateway's folder that are open. */
function openFiles(folder: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      return [];
    }
  });
}

/** Asks for something and leaves after so many turns of the loop, or when the answer begins. */
function leave(url: URL, path: string, turns: number): Promise<void> {
  return new Promise((done) => {
    const socket = connect(Number(url.port), url.hostname);
    const end = () => socket.destroy();
    const wait = (left: number): void => {
      if (left === 0) end();
      else setImmediate(() => wait(left - 1));
    };
    socket.on('error', end);
    socket.on('close', () => done());
    socket.once('data', end);
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${url.host}\r\nX-API-Key: ${INSTALLATION_KEY}\r\nConnection: keep-alive\r\n\r\n`,
      () => wait(turns),
    );
  });
}

describe.skipIf(!hasDescriptors).each([
  ['', {}],
  [', with encrypted documents,', { ENCRYPT_DOCUMENTS: 'true' }],
])('a caller who leaves in the middle%s', (_how, settings) => {
  let gateway: TestGateway;
  let id: string;
  let before: string[];
  beforeAll(async () => {
    gateway = await startTestGateway({ settings });
    const file = new File([Uint8Array.from(largePdf())], 'large.pdf', { type: 'application/pdf' });
    const sent = await gateway.sendForm({ to: '+12025550123' }, [file]);
    id = ((await sent.json()) as Fax).id;
    before = openFiles(gateway.dataFolder);
  });
  afterAll(() => gateway.close());

  test.each([
    ['a document', () => `/fax/${id}/document?purpose=open`],
    ['a report', () => `/fax/${id}/report`],
    ['the log', () => '/console/logs/file'],
    ['the audit as a file', () => '/access/audit/export?format=csv'],
    ['a file of the console', () => '/admin/ui/'],
  ])('of %s leaves no file open', async (_what, pathOf) => {
    const url = new URL(gateway.url);
    await Promise.all(Array.from({ length: CALLERS }, (_, index) => leave(url, pathOf(), index)));
    // At once: while the gateway answers others a few times, not when a time has passed.
    for (
      let others = 0;
      others < ANSWERS && openFiles(gateway.dataFolder).length > before.length;
      others += 1
    )
      await gateway.request('GET', '/health');
    expect(openFiles(gateway.dataFolder)).toEqual(before);
  });
});
