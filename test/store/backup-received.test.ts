import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DamagedBackupError } from '../../server/backup/errors.ts';
import { RELEASE } from '../../server/config/release.ts';
import { type Inbound, InboundGateway } from '../api/inbound-setup.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { startTestGateway } from '../setup/gateway.ts';
import { DAY } from '../setup/manual-clock.ts';
import { postgresUrl, withoutPostgres } from '../setup/stores.ts';
import { emptyLocation, restore } from './backup-setup.ts';

const DATABASES = [
  { name: 'SQLite', server: null, skip: false },
  { name: `PostgreSQL${withoutPostgres}`, server: postgresUrl, skip: postgresUrl === null },
];
const DOCUMENT = textPdf(3);

let folder: string;
const cleaning: (() => Promise<void>)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-received-'));
});

afterEach(async () => {
  for (const clean of cleaning.splice(0).reverse()) await clean();
  await rm(folder, { recursive: true, force: true });
});

async function location(server: string | null) {
  const empty = await emptyLocation(server);
  cleaning.push(empty.remove);
  return empty;
}

/** Creates an installation that received one fax and was notified of another, which is still at the provider. */
async function receiving(server: string | null): Promise<{ room: InboundGateway; received: Inbound }> {
  const { folder: dataFolder, postgresUrl: databaseUrl } = await location(server);
  const inbound = await InboundGateway.start({ dataFolder, databaseUrl });
  cleaning.push(
    () => inbound.gateway.emulator.close(),
    () => inbound.gateway.stop(),
  );
  await inbound.notify(inbound.arrive({ document: DOCUMENT }));
  await inbound.work();
  const received = await inbound.only();
  await inbound.notifyBare(inbound.arrive({ from: '+12025550188', document: textPdf(2) }));
  return { room: inbound, received };
}

async function backUp({ gateway }: InboundGateway): Promise<string> {
  const begun = (await (await gateway.request('POST', '/console/backups')).json()) as { name: string };
  const state = async () => {
    const answer = await gateway.request('GET', `/console/backups/${begun.name}`);
    return ((await answer.json()) as { state: string }).state;
  };
  await expect.poll(state).toBe('done');
  await cp(join(gateway.dataFolder, 'backups', begun.name), join(folder, 'b.zip'));
  return join(folder, 'b.zip');
}

async function pdfOf({ gateway }: InboundGateway, id: string): Promise<Buffer> {
  const answer = await gateway.request('GET', `/inbound/${id}/pdf`);
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

describe.each(DATABASES)('A backup of received faxes on $name', ({ server, skip }) => {
  it.skipIf(skip)('brings a document back byte by byte, and the one on its way still comes', async () => {
    const { room: inbound, received } = await receiving(server);
    const document = await pdfOf(inbound, received.id);
    const opened = await inbound.gateway.request('GET', `/inbound/${received.id}`);
    const record = (await opened.json()) as Inbound;
    const file = await backUp(inbound);
    const { gateway } = inbound;
    await gateway.stop();
    const target = await location(server);
    const where = { dataFolder: target.folder, postgresUrl: target.postgresUrl };
    const { manifest } = await restore(file, where, RELEASE);
    expect(manifest.missing).toEqual([]);
    const { clock, emulator } = gateway;
    const again = new InboundGateway(
      await startTestGateway({
        clock,
        emulator,
        dataFolder: target.folder,
        databaseUrl: target.postgresUrl,
      }),
    );
    cleaning.push(() => again.gateway.stop());
    expect((await pdfOf(again, received.id)).equals(document)).toBe(true);
    expect(document.equals(DOCUMENT)).toBe(true);
    const [, same] = await again.list();
    expect(same).toEqual(record);
    clock.advance(DAY);
    await again.work();
    expect((await again.list()).map(({ status, pages }) => ({ status, pages }))).toEqual([
      { status: 'received', pages: 2 },
      { status: 'received', pages: 3 },
    ]);
  });
});

describe('A backup of received faxes', () => {
  it('is refused when a byte of a received document is damaged, and nothing is written', async () => {
    const { room: inbound } = await receiving(null);
    const file = await backUp(inbound);
    const bytes = await readFile(file);
    const at = bytes.indexOf(DOCUMENT);
    expect(at).toBeGreaterThan(0);
    for (const within of [0, DOCUMENT.length / 2, DOCUMENT.length - 1]) {
      const damaged = Buffer.from(bytes);
      const byte = at + Math.floor(within);
      damaged.writeUInt8(damaged.readUInt8(byte) ^ 1, byte);
      await writeFile(join(folder, 'damaged.zip'), damaged);
      const target = await location(null);
      const restoring = restore(join(folder, 'damaged.zip'), { dataFolder: target.folder }, RELEASE);
      await expect(restoring).rejects.toThrow(DamagedBackupError);
      expect(await readdir(target.folder)).toEqual([]);
    }
  });
});
