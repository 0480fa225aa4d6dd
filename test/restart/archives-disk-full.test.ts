import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ArchivingOffice, type Removal } from '../api/archives-removal-setup.ts';
import { InboundGateway } from '../api/inbound-setup.ts';
import { INSTALLATION_KEY } from '../setup/gateway.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { mountSmallDisk, type SmallDisk } from '../setup/small-disk.ts';
import { emptyLog } from './empty-log.ts';

/** More than the room that is kept for faxes. */
const MEGABYTES = 260;
const FAXES = 3;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const found = await mountSmallDisk(MEGABYTES);
const reason = 'unavailable' in found ? found.unavailable : null;
const disk = found as SmallDisk;
const other = reason === null ? ((await mountSmallDisk(1)) as SmallDisk) : disk;

describe.skipIf(reason !== null)(
  `archives on a full disk${reason === null ? '' : ` (skipped: ${reason})`}`,
  () => {
    let place: ArchivingOffice;
    let year: number;
    const sent: string[] = [];
    beforeAll(async () => {
      place = new ArchivingOffice(await InboundGateway.start({ dataFolder: join(disk.folder, 'data') }));
      year = place.year;
      await place.gateway.set({ INBOUND_RETENTION_DAYS: 0, ARTIFACT_TTL_DAYS: 0 });
      for (let fax = 0; fax < FAXES; fax += 1) sent.push(await place.send());
      await place.pass();
    });
    afterEach(() => disk.makeRoom());
    afterAll(async () => {
      await place.gateway.close();
      await disk.remove();
      await other.remove();
    });

    const documentsOf = async () =>
      Promise.all(sent.map(async (id) => (await place.status('GET', `/fax/${id}/document`))[0]));
    /** Runs a command beside the gateway, which is in this process. */
    const run = (...words: string[]) =>
      new Promise<{ code: unknown; err: string }>((resolve) => {
        const env = { ...process.env, FAXDESK_URL: place.gateway.url, FAXDESK_API_KEY: INSTALLATION_KEY };
        execFile(process.execPath, ['server/faxdesk.mjs', ...words], { cwd: ROOT, env }, (error, _out, err) =>
          resolve({ code: error === null ? 0 : error.code, err }),
        );
      });

    test('an archive that the disk has no room for is not saved, and the command says so', async () => {
      const path = join(other.folder, 'archive.zip');
      await other.fill();
      const full = await run('archives', 'create', '--year', String(year), '--output', path);
      expect(full).toEqual({ code: expect.any(Number), err: expect.stringContaining('The disk is full.') });
      expect(full.code).not.toBe(0);
      expect((await readdir(other.folder)).toSorted()).toEqual(['filler']);
      expect(await documentsOf()).toEqual([200, 200, 200]);
      await other.makeRoom();
      expect((await run('archives', 'create', '--year', String(year), '--output', path)).code).toBe(0);
    });

    test('an archive is handed over only while the disk keeps room for faxes, and its check goes on with the same pieces', async () => {
      const bytes = await place.archive(year);
      const id = randomBytes(16).toString('hex');
      const hand = async (offset: number, piece: Buffer) => {
        const form = new FormData();
        form.append('piece', new File([new Uint8Array(piece)], 'piece'));
        const answer = await place.gateway.request('POST', `/archive-uploads/${id}?offset=${offset}`, {
          form,
        });
        await answer.arrayBuffer();
        return [answer.status, answer.headers.get('x-error-code')];
      };
      expect(await hand(0, bytes.subarray(0, 100))).toEqual([200, null]);
      await disk.fill(100 * 1024 * 1024);
      expect(await hand(100, bytes.subarray(100))).toEqual([507, 'archive_no_room']);
      await disk.makeRoom();
      expect(await hand(100, bytes.subarray(100))).toEqual([200, null]);
      const { id: removal } = await place.json<Removal>('POST', '/archive-removals', { upload_id: id, year });
      await expect.poll(async () => (await place.removal(removal)).state).toBe('ready');
      await expect.poll(() => readdir(join(place.gateway.dataFolder, 'work', 'archives'))).toEqual([]);
    });

    test('rule (archives): a removal that meets a full disk removes nothing by halves, and continues when there is room', async () => {
      const checked = await place.check(await place.archive(year), year);
      emptyLog(place.gateway.dataFolder);
      await disk.fill();
      const address = `/archive-removals/${checked.id}/start`;
      expect(await place.status('POST', address, { version: checked.version })).toEqual([507, 'disk_full']);
      expect((await place.removal(checked.id)).state).toBe('ready');
      await disk.makeRoom();
      await place.start(checked);
      // With a little more room each time, so that each of its commits is the one that fails.
      for (let left = 4096, state = ''; state !== 'done'; left += 4096) {
        emptyLog(place.gateway.dataFolder);
        await disk.fill(left);
        await place.gateway.processAll().catch((error: unknown) => expect(String(error)).toContain('full'));
        await disk.makeRoom();
        const after = await place.removal(checked.id);
        state = after.state;
        const there = (await documentsOf()).filter((status) => status === 200).length;
        expect([left, there + after.removed.sent]).toEqual([left, FAXES]);
        place.gateway.clock.advance(MINUTE);
      }
      expect(await place.removal(checked.id)).toMatchObject({ state: 'done', removed: { sent: FAXES } });
      expect(await documentsOf()).toEqual([404, 404, 404]);
    });
  },
);
