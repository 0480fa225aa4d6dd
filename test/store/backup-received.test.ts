import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DamagedBackupError } from '../../server/backup/errors.ts';
import { RELEASE } from '../../server/config/release.ts';
import { type Inbound, InboundDesk } from '../api/inbound-setup.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { startTestGateway } from '../setup/gateway.ts';
import { DAY } from '../setup/manual-clock.ts';
import { postgresUrl, withoutPostgres } from '../setup/stores.ts';
import { emptyPlace, restore } from './backup-setup.ts';

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

async function place(server: string | null) {
  const empty = await emptyPlace(server);
  cleaning.push(empty.remove);
  return empty;
}

/** An installation that received one fax and was told of another, which is still at the provider. */
async function receiving(server: string | null): Promise<{ room: InboundDesk; received: Inbound }> {
  const { folder: dataFolder, postgresUrl: databaseUrl } = await place(server);
  const room = await InboundDesk.start({ dataFolder, databaseUrl });
  cleaning.push(
    () => room.desk.emulator.close(),
    () => room.desk.gateway.stop(),
  );
  await room.notify(room.arrive({ document: DOCUMENT }));
  await room.work();
  const received = await room.only();
  await room.notifyBare(room.arrive({ from: '+12025550188', document: textPdf(2) }));
  return { room, received };
}

async function backUp({ desk }: InboundDesk): Promise<string> {
  const begun = (await (await desk.request('POST', '/console/backups')).json()) as { name: string };
  const state = async () => {
    const answer = await desk.request('GET', `/console/backups/${begun.name}`);
    return ((await answer.json()) as { state: string }).state;
  };
  await expect.poll(state).toBe('done');
  await cp(join(desk.dataFolder, 'backups', begun.name), join(folder, 'b.zip'));
  return join(folder, 'b.zip');
}

async function pdfOf({ desk }: InboundDesk, id: string): Promise<Buffer> {
  const answer = await desk.request('GET', `/inbound/${id}/pdf`);
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

describe.each(DATABASES)('A backup of received faxes on $name', ({ server, skip }) => {
  it.skipIf(skip)('brings a document back byte by byte, and the one on its way still comes', async () => {
    const { room, received } = await receiving(server);
    const document = await pdfOf(room, received.id);
    const opened = await room.desk.request('GET', `/inbound/${received.id}`);
    const record = (await opened.json()) as Inbound;
    const file = await backUp(room);
    const { desk } = room;
    await desk.gateway.stop();
    const target = await place(server);
    const where = { dataFolder: target.folder, postgresUrl: target.postgresUrl };
    const { manifest } = await restore(file, where, RELEASE);
    expect(manifest.missing).toEqual([]);
    const { clock, emulator } = desk;
    const again = new InboundDesk(
      await startTestGateway({
        clock,
        emulator,
        dataFolder: target.folder,
        databaseUrl: target.postgresUrl,
      }),
    );
    cleaning.push(() => again.desk.gateway.stop());
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
    const { room } = await receiving(null);
    const file = await backUp(room);
    const bytes = await readFile(file);
    const at = bytes.indexOf(DOCUMENT);
    expect(at).toBeGreaterThan(0);
    for (const within of [0, DOCUMENT.length / 2, DOCUMENT.length - 1]) {
      const damaged = Buffer.from(bytes);
      const byte = at + Math.floor(within);
      damaged.writeUInt8(damaged.readUInt8(byte) ^ 1, byte);
      await writeFile(join(folder, 'damaged.zip'), damaged);
      const target = await place(null);
      const restoring = restore(join(folder, 'damaged.zip'), { dataFolder: target.folder }, RELEASE);
      await expect(restoring).rejects.toThrow(DamagedBackupError);
      expect(await readdir(target.folder)).toEqual([]);
    }
  });
});
