import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openArchive } from '../../server/features/archives/offline.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { DAY } from '../setup/manual-clock.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, STORES } from '../setup/stores.ts';
import { ArchivingOffice, type Removal, TO } from './archives-removal-setup.ts';
import { InboundGateway } from './inbound-setup.ts';

describe.each(STORES)('archived faxes on %s', (store) => {
  let place: ArchivingOffice;
  let databaseUrl: string | null;
  let year: number;
  beforeEach(async () => {
    databaseUrl = store === 'sqlite' ? null : await newPostgresDatabase();
    place = new ArchivingOffice(await InboundGateway.start({ databaseUrl }));
    year = place.year;
    await place.gateway.set({ INBOUND_RETENTION_DAYS: 0, ARTIFACT_TTL_DAYS: 0 });
  });
  afterEach(async () => {
    await place.gateway.close();
    if (databaseUrl) await dropPostgresDatabase(databaseUrl);
  });

  const documents = async () => {
    const files = join(place.gateway.dataFolder, 'files');
    return (await readdir(files, { recursive: true })).filter((name) => name.endsWith('.pdf')).toSorted();
  };
  const staying = ({ staying: kept }: Removal) =>
    Object.fromEntries(kept.map(({ reason, faxes }) => [reason, faxes]));

  /** Readers of every fax get the place of a removed one; for others it does not exist. */
  async function expectNamedToReaders(paths: readonly string[], named: string): Promise<void> {
    const detailOf = async (path: string, key?: string) => {
      const answer = await place.gateway.request('GET', path, key === undefined ? {} : { key });
      return [answer.status, ((await answer.json()) as { detail: string }).detail];
    };
    const keyWith = async (json: object) => {
      const made = await place.gateway.request('POST', '/admin/api-keys', { json });
      return ((await made.json()) as { token: string }).token;
    };
    const scopes = ['fax:send', 'fax:read', 'inbound:list', 'inbound:read'];
    const sender = await keyWith({ scopes: ['fax:send', 'inbound:list'] });
    const tester = await keyWith({ scopes, test: true });
    for (const path of paths) {
      expect(await detailOf(path)).toEqual([404, expect.stringContaining(named)]);
      expect((await detailOf(path, tester))[1]).toMatch(/^There is no such/u);
      const [status, hidden] = await detailOf(path, sender);
      expect([status, hidden]).toEqual([status, (await detailOf(`${path.slice(0, -1)}z`, sender))[1]]);
      expect(hidden).not.toContain('archive');
    }
  }

  test('rule (archives): the faxes of an archive leave with their documents after a check and a start, and what changed, is held or not finished stays', async () => {
    const filed = await place.receive();
    const open = await place.receive({ isOpen: true });
    const sent = await place.send({}, { 'Idempotency-Key': 'once' });
    const held = await place.send({ to: '+12025550177' });
    const described = await place.send({ to: '+12025550188' });
    await place.pass();
    const bytes = await place.archive(year);
    await place.json('POST', '/legal-holds', { name: 'Smith', reason: 'Letter', fax_ids: [held] });
    const about = { subject: 'Invoice', expected_about: {} };
    await place.json('POST', `/fax/${described}/about`, about);
    const checked = await place.check(bytes, year);
    expect(checked).toMatchObject({ state: 'ready', waiting: 2, gone: 0, not_archived: 1, problem: null });
    expect(staying(checked)).toEqual({ legal_hold: 1, recent: 1 });
    expect(await place.status('GET', `/fax/${sent}`)).toEqual([200, null]);
    expect(await documents()).toHaveLength(5);

    expect(await place.start(checked)).toMatchObject({ state: 'running' });
    await place.gateway.processAll();
    const done = await place.removal(checked.id);
    expect(done).toMatchObject({ state: 'done', waiting: 0, removed: { sent: 1, received: 1 } });
    for (const path of [
      `/fax/${sent}`,
      `/fax/${sent}/document`,
      `/inbound/${filed}`,
      `/inbound/${filed}/pdf`,
    ])
      expect([path, ...(await place.status('GET', path))]).toEqual([path, 404, expect.any(String)]);
    await expectNamedToReaders([`/fax/${sent}`, `/inbound/${filed}`], `the archive of ${year}.`);
    for (const path of [`/fax/${held}/document`, `/fax/${described}/document`, `/inbound/${open}/pdf`])
      expect([path, ...(await place.status('GET', path))]).toEqual([path, 200, null]);
    expect(await documents()).toHaveLength(3);
    expect((await place.office.list()).map(({ id }) => id)).toEqual([open]);
    const span = `since=${year}-01-01T00:00:00Z&until=${year + 1}-01-01T00:00:00Z`;
    expect(await place.json('GET', `/work/statistics?${span}`)).toMatchObject({
      archived: 1,
      all: { received: 1 },
    });
  });

  test('rule (archives): a fax that was removed is never fetched, imported or sent again, whoever repeats it', async () => {
    const fax = place.office.arrive({ from: TO });
    await place.office.notify(fax);
    await place.office.work();
    await place.finishNewest();
    await place.send({}, { 'Idempotency-Key': 'once' });
    const imported = new FormData();
    const manifest = { source_system: 'Lab', operation_id: 'A-1', from_number: TO };
    imported.append('manifest', JSON.stringify(manifest));
    imported.append('file', new File([new Uint8Array(textPdf(2))], 'result.pdf'));
    const first = await place.gateway.request('POST', '/imports', { form: imported });
    expect(await first.json()).toMatchObject({ status: 'received' });
    await place.finishNewest();
    await place.pass();
    const checked = await place.check(await place.archive(year), year);
    await place.start(checked);
    await place.gateway.processAll();
    expect(await place.removal(checked.id)).toMatchObject({
      state: 'done',
      removed: { sent: 1, received: 2 },
    });

    expect((await place.office.notify(fax)).status).toBe(200);
    expect((await place.office.notifyBare(fax)).status).toBe(200);
    await place.office.work();
    expect(await place.office.list()).toEqual([]);
    const again = await place.gateway.request('POST', '/imports', { form: imported });
    expect([again.status, await again.json()]).toMatchObject([200, { status: 'duplicate' }]);
    const other = new FormData();
    other.append('manifest', JSON.stringify(manifest));
    other.append('file', new File([new Uint8Array(textPdf(3))], 'result.pdf'));
    const conflict = await place.gateway.request('POST', '/imports', { form: other });
    expect(conflict.status).toBe(409);
    await conflict.text();
    expect(await place.office.list()).toEqual([]);
    const accepted = place.gateway.emulator.counts.accepted;
    const repeated = await place.gateway.sendForm(
      { to: TO },
      [
        new File(['Dear colleague,\nplease find the referral below.\n'], 'letter.txt', {
          type: 'text/plain',
        }),
      ],
      { 'Idempotency-Key': 'once' },
    );
    expect([repeated.status, repeated.headers.get('x-error-code')]).toEqual([404, 'no_such_fax']);
    await repeated.text();
    await place.gateway.processAll();
    expect(place.gateway.emulator.counts.accepted).toBe(accepted);
  });

  test('rule (archives): the security audit verifies after a removal, names it, and is copied into the archive', async () => {
    await place.send();
    await place.pass();
    const bytes = await place.archive(year);
    const path = join(place.gateway.dataFolder, 'archive.zip');
    await writeFile(path, bytes);
    const archive = await openArchive(path);
    expect(archive.manifest.audit_entries).toBeGreaterThan(0);
    await archive.close();
    const checked = await place.check(bytes, year);
    await place.start(checked);
    await place.gateway.processAll();
    expect(await place.json('GET', '/access/audit/verify')).toMatchObject({ intact: true });
    const { items } = await place.json<{ items: { operation: string; details: object }[] }>(
      'GET',
      '/access/audit?limit=20',
    );
    const operations = items.map(({ operation }) => operation).filter((name) => name.startsWith('archive.'));
    expect(operations.toSorted()).toEqual([
      'archive.check',
      'archive.export',
      'archive.remove',
      'archive.removed',
    ]);
  });

  test('rule (archives): a removal that was interrupted continues after a restart, and one that was stopped only when a person starts it', async () => {
    for (let fax = 0; fax < 3; fax += 1) await place.send();
    await place.pass();
    const checked = await place.check(await place.archive(year), year);
    await place.start(checked);
    await place.restart();
    await place.gateway.processAll();
    expect(await place.removal(checked.id)).toMatchObject({ state: 'done', removed: { sent: 3 } });
  });

  test('stops, and continues when a person starts it again', async () => {
    await place.send();
    await place.pass();
    const checked = await place.check(await place.archive(year), year);
    const running = await place.start(checked);
    const stopped = await place.json<Removal>('POST', `/archive-removals/${checked.id}/stop`, {
      version: running.version,
    });
    await place.gateway.processAll();
    expect(await place.removal(checked.id)).toMatchObject({
      state: 'stopped',
      waiting: 1,
      removed: { sent: 0 },
    });
    await place.start(stopped);
    await place.gateway.processAll();
    expect(await place.removal(checked.id)).toMatchObject({ state: 'done', removed: { sent: 1 } });
  });

  test('rule (archives): a fax that comes under a legal hold, or changes, after the check stays', async () => {
    const held = await place.send();
    const changed = await place.send({ to: '+12025550177' });
    await place.pass();
    const checked = await place.check(await place.archive(year), year);
    expect(checked.waiting).toBe(2);
    await place.json('POST', '/legal-holds', { name: 'Smith', reason: 'Letter', fax_ids: [held] });
    await place.json('POST', `/fax/${changed}/about`, { subject: 'Invoice', expected_about: {} });
    place.gateway.clock.advance(31 * DAY);
    await place.start(checked);
    await place.gateway.processAll();
    const done = await place.removal(checked.id);
    expect([done.state, staying(done)]).toEqual(['done', { legal_hold: 1, changed: 1 }]);
    expect(await documents()).toHaveLength(2);
  });

  test('an archive that was handed over and given up is deleted after six hours', async () => {
    const id = await place.handOver(Buffer.from('a part of an archive'));
    const folder = join(place.gateway.dataFolder, 'work', 'archives');
    const uploads = () => readdir(folder);
    // The file system has a clock of its own.
    const now = new Date(place.gateway.clock.now());
    await utimes(join(folder, `${id}.zip`), now, now);
    await place.gateway.processAll();
    expect(await uploads()).toHaveLength(1);
    place.gateway.clock.advance(DAY);
    await place.gateway.processAll();
    expect(await uploads()).toEqual([]);
  });

  test('rule (archives): an archive that was altered, or is of another year or installation, removes nothing', async () => {
    await place.send();
    await place.pass();
    const bytes = await place.archive(year);
    const altered = Buffer.from(bytes);
    const at = altered.indexOf('manifest.json');
    altered[at + 60] = (altered[at + 60] ?? 0) ^ 1;
    const problems = [await place.check(altered, year), await place.check(bytes.subarray(0, -50), year)];
    problems.push(await place.check(await place.archive(year), year - 1));
    const other = new ArchivingOffice(await InboundGateway.start({ clock: place.gateway.clock }));
    problems.push(await place.check(await other.archive(year), year));
    await other.gateway.close();
    expect(problems.map(({ state }) => state)).toEqual(['failed', 'failed', 'failed', 'failed']);
    expect(problems.map(({ problem }) => problem)).toEqual([
      expect.stringMatching(/altered/u),
      expect.stringMatching(/not an archive|altered/u),
      `The archive is that of ${year}.`,
      'The archive was made by another installation: this one did not sign it.',
    ]);
    expect(await place.status('POST', `/archive-removals/${problems[0]?.id}/start`, { version: 2 })).toEqual([
      409,
      'stale',
    ]);
    const upload_id = await place.handOver(bytes);
    const now = new Date(place.gateway.clock.now()).getUTCFullYear();
    expect(await place.status('POST', '/archive-removals', { upload_id, year: now })).toEqual([
      409,
      'archive_not_over',
    ]);
    expect(await documents()).toHaveLength(1);
  });
});
