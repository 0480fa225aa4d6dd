import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Fax, startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';
import { MINUTE, SECOND } from '../setup/manual-clock.ts';
import { mountSmallDisk, type SmallDisk } from '../setup/small-disk.ts';
import { emptyLog } from './empty-log.ts';

const found = await mountSmallDisk(24);
const reason = 'unavailable' in found ? found.unavailable : null;
const disk = found as SmallDisk;
const FULL = 'The disk is full. Nothing was recorded. Free up space and try again.';

describe.skipIf(reason !== null)(`a full disk${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let gateway: TestGateway;
  let before: number;
  beforeAll(async () => {
    gateway = await startTestGateway({ dataFolder: join(disk.folder, 'data') });
    await gateway.send();
    await gateway.processAll();
  });
  beforeEach(async () => {
    before = (await faxes()).length;
  });
  afterEach(() => disk.makeRoom());
  afterAll(async () => {
    await gateway.close();
    await disk.remove();
  });

  const faxes = async () => ((await (await gateway.request('GET', '/fax')).json()) as { items: Fax[] }).items;
  const filesIn = (name: string) => readdir(join(gateway.dataFolder, name));

  async function expectRefusedThenAccepted(files: File[], key: string): Promise<void> {
    const send = () => gateway.sendForm({ to: '+12025550123' }, files, { 'Idempotency-Key': key });
    const documents = await filesIn('files/fax');
    const refused = await send();
    expect([refused.status, await refused.json()], gateway.logLines.slice(-3).join('')).toEqual([
      507,
      { detail: FULL },
    ]);
    expect(await faxes()).toHaveLength(before);
    expect(await filesIn('files/fax')).toEqual(documents);
    expect(await filesIn('work')).toEqual([]);
    await disk.makeRoom();
    const accepted = await send();
    expect(accepted.status).toBe(202);
    expect(await faxes()).toHaveLength(before + 1);
    await gateway.processAll();
    expect((await gateway.fax(((await accepted.json()) as Fax).id)).delivery_state).toBe('in_progress');
  }

  test('when the upload is written refuses the fax and leaves nothing behind', async () => {
    await disk.fill();
    await expectRefusedThenAccepted([textFile('x'.repeat(400_000).replaceAll(/x{70}/gu, '$&\n'))], 'upload');
  });

  test('when the document is written refuses the fax and leaves nothing behind', async () => {
    const text = 'A line of the letter.\n'.repeat(60);
    await disk.fill(Math.ceil(text.length / 4096) * 4096);
    await expectRefusedThenAccepted([textFile(text)], 'document');
  });

  test('when the fax is recorded refuses it and leaves nothing behind', async () => {
    // Room for the upload and the document, and the store may not grow its log any more.
    for (let left = 16_384; ; left += 4096) {
      await disk.makeRoom();
      await disk.fill(left);
      const answer = await gateway.sendForm({ to: '+12025550123' }, [textFile()], {
        'Idempotency-Key': `r${left}`,
      });
      const faxesNow = await faxes();
      expect(await filesIn('work')).toEqual([]);
      expect(await filesIn('files/fax')).toHaveLength(faxesNow.length);
      if (answer.status === 202) break;
      expect([left, answer.status, await answer.json()]).toEqual([left, 507, { detail: FULL }]);
      expect(faxesNow).toHaveLength(before);
    }
    expect(await faxes()).toHaveLength(before + 1);
  });

  test('when the outcome is recorded keeps the provider id in the log and opens a question', async () => {
    await gateway.processAll();
    const { id } = await gateway.send();
    gateway.emulator.setFault({ kind: 'slow', method: 'POST' });
    const accepted = gateway.emulator.counts.accepted;
    const working = gateway.processAll();
    await gateway.emulator.waitUntilHeld();
    const providerId = String([...gateway.emulator.faxes.keys()].at(-1));
    emptyLog(gateway.dataFolder);
    await disk.fill();
    gateway.emulator.release();
    await working;
    expect((await gateway.fax(id)).delivery_state).toBe('submitting');
    const lines = gateway.logLines.filter((line) =>
      line.includes('the answer of the provider could not be recorded'),
    );
    expect(lines.some((line) => line.includes(id) && line.includes(providerId))).toBe(true);

    await disk.makeRoom();
    gateway.clock.advance(5 * SECOND);
    await gateway.processAll();
    expect(await gateway.fax(id)).toMatchObject({
      delivery_state: 'reconciliation_required',
      reconciliation_reason: expect.stringMatching(/Check with the recipient, then decide\.$/u) as string,
    });
    gateway.clock.advance(30 * MINUTE);
    await gateway.processAll();
    expect(gateway.emulator.counts.accepted).toBe(accepted + 1);
  });
});
