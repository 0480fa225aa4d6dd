import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyEvidence } from '../../server/features/work/offline.ts';
import { startMailServer } from '../setup/mail-server.ts';
import type { Person } from '../setup/mailbox-people.ts';
import { HOUR } from '../setup/manual-clock.ts';
import { ONE_PAGE } from './inbound-setup.ts';
import { ALICE, BOB, IntakeGateway } from './intake-setup.ts';
import { MANAGER, NUMBERS, READER, WorkGateway } from './work-setup.ts';

let work: WorkGateway;
let folder: string;
let ada: Person;
let auditor: Person;
let viewer: Person;
let stranger: Person;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-export-'));
  work = await WorkGateway.start({ settings: { TIME_ZONE: 'America/New_York' } });
  ada = await work.people.addUser('Ada', { 'mailbox:ward': [...MANAGER, 'work:export'] });
  auditor = await work.people.addUser('Aude', { 'mailbox:ward': ['work:read', 'work:export'] });
  viewer = await work.people.addUser('Vic', { 'mailbox:ward': READER });
  stranger = await work.people.addUser('Sam', { 'mailbox:lab': [...MANAGER, 'work:export'] });
});
afterAll(async () => {
  await work.close();
  await rm(folder, { recursive: true, force: true });
});

const exportOf = (id: string, person?: Person) => work.request('GET', `/work/${id}/export`, person);

async function checked(answer: Response, fingerprint?: string) {
  const path = join(folder, 'evidence.zip');
  const bytes = Buffer.from(await answer.arrayBuffer());
  await writeFile(path, bytes);
  return { ...(await verifyEvidence(path, { fingerprint })), bytes };
}

async function currentFingerprint(): Promise<string> {
  const answer = await work.request('GET', '/signing/keys');
  const { keys } = (await answer.json()) as { keys: { fingerprint: string; current: boolean }[] };
  return keys.find(({ current }) => current)?.fingerprint ?? '';
}

async function downloads(id: string) {
  const answer = await work.request('GET', `/access/audit?target_id=${id}&operation=document.downloaded`);
  return ((await answer.json()) as { items: { actor: string; details: object }[] }).items;
}

test('an item is exported as an archive that holds up, with how its document came', async () => {
  const item = await work.arrive('ward');
  await work.assign(item, ada, ada);
  const answer = await exportOf(item.id, ada);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('Content-Type')).toBe('application/zip');
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  expect(answer.headers.get('Content-Disposition')).toMatch(
    /^attachment; filename="faxdesk-evidence-\d{4}-\d\d-\d\d-\d{6}\.zip"$/u,
  );
  const { bytes, ...found } = await checked(answer, await currentFingerprint());
  expect(found).toMatchObject({ intact: true, faults: [], missing: [] });
  expect(answer.headers.get('Content-Length')).toBe(String(bytes.length));
  const [fax] = await work.inbound.list('?limit=1');
  expect(found.manifest).toMatchObject({
    export: { snapshot_version: 2, missing: [] },
    item: {
      id: item.id,
      state_text: 'Assigned',
      mailbox: { id: 'ward', label: 'ward' },
      owner: { name: 'Ada' },
    },
    document: { file: 'original.pdf', sha256: fax?.sha256, pages: 1, media_type: 'application/pdf' },
    acquisition: [
      {
        source: 'cloudone',
        account: fax?.provider_account,
        operation_id: fax?.provider_fax_id,
        source_received_at: fax?.source_received_at,
        imported_at: null,
      },
    ],
    email_delivery: [],
  });
  const [{ events } = { events: [] }] = found.manifest?.acquisition ?? [];
  expect(events[0]).toMatchObject({
    kind: 'notification',
    checked_by: 'signature',
    report: expect.any(Object),
  });
  const text = bytes.toString('latin1');
  expect(text).toContain('Times are in America/New_York.');
  expect(text).toContain('  Ada took it.\n');
  expect((await work.item(item.id)).version).toBe(2);
  expect(await work.kinds(item.id)).toEqual(['created', 'assigned', 'exported']);
});

test('rule (crossings): a document in an evidence archive is recorded in the security audit as a download', async () => {
  const item = await work.arrive('ward');
  const without = await checked(await exportOf(item.id, auditor));
  expect(without).toMatchObject({
    intact: true,
    missing: [{ part: 'original.pdf', reason: 'not_allowed' }],
  });
  expect(without.bytes.includes('%PDF')).toBe(false);
  expect(await downloads(item.inbound_fax_id)).toEqual([]);
  const head = await work.request('HEAD', `/work/${item.id}/export`, ada);
  expect([head.status, await downloads(item.inbound_fax_id)]).toEqual([200, []]);
  expect((await checked(await exportOf(item.id, ada))).bytes.includes('%PDF')).toBe(true);
  expect(await downloads(item.inbound_fax_id)).toMatchObject([{ details: { document: 'received fax' } }]);
  expect(await work.kinds(item.id)).toEqual(['created', 'exported', 'exported']);
  const [fax] = await work.inbound.list('?limit=1', ada.key);
  expect(fax).toMatchObject({ id: item.inbound_fax_id, read_at: null });
});

test('rule (crossings): e-mails with a received document are in the evidence archive, with recipients, times and doubts', async () => {
  const desk = new IntakeGateway(work.inbound, await startMailServer());
  await desk.connect({ name: 'Ward', match_number: NUMBERS.ward, recipients: [ALICE, BOB] });
  desk.mail.faults = { recipients: { [BOB]: { code: 550, text: 'no such person' } } };
  const item = await work.arrive('ward');
  await work.inbound.work();
  const first = await checked(await exportOf(item.id, auditor));
  const at = expect.stringMatching(/^2026-11-21T09:/u);
  expect(first).toMatchObject({ intact: true, faults: [] });
  expect(first.manifest?.email_delivery).toMatchObject([
    {
      connector: { name: 'Ward' },
      state: 'received',
      recipients: [
        { address: ALICE, state: 'delivered', sentence: null, at },
        { address: BOB, state: 'refused', sentence: expect.stringContaining('550'), at },
      ],
    },
  ]);
  const told = first.bytes.toString('latin1');
  expect(told).toMatch(/ {2}The e-mail to alice@example\.com by the connector .+ was delivered\.\n/u);
  expect(told).toMatch(/ {2}The e-mail to bob@example\.com by the connector .+ was refused\. .+\n/u);
  desk.mail.faults = { cut: 'after keeping' };
  await desk.pass(HOUR);
  const { manifest, bytes } = await checked(await exportOf(item.id, ada));
  expect(manifest?.email_delivery).toMatchObject([
    { state: 'uncertain', recipients: [{ state: 'delivered' }, { address: BOB, state: 'uncertain' }] },
  ]);
  expect(bytes.toString('latin1')).toMatch(
    /bob@example\.com by the connector .+ may or may not have arrived\./u,
  );
  await desk.clear();
  await desk.mail.close();
});

test('rule (crossings): an imported document is in the evidence archive with its system, operation and revision', async () => {
  const form = new FormData();
  const told = { source_system: 'Lab bridge', operation_id: 'A#17', revision: '2', to_number: NUMBERS.ward };
  form.append('manifest', JSON.stringify({ ...told, source_received_at: '2026-11-20T10:00:00+01:00' }));
  form.append('file', new File([new Uint8Array(ONE_PAGE)], 'result.pdf'));
  const answer = await work.inbound.gateway.request('POST', '/imports', { form });
  const made = (await answer.json()) as { import_id: string; inbound_id: string };
  const item = (await work.list()).find(({ inbound_fax_id }) => inbound_fax_id === made.inbound_id);
  const { manifest, faults } = await checked(await exportOf(item?.id ?? '', ada));
  expect(faults).toEqual([]);
  expect(manifest?.acquisition).toMatchObject([
    {
      source_system: 'Lab bridge',
      operation_id: 'A#17',
      revision: '2',
      import_id: made.import_id,
      imported_at: item?.available_at,
      source_received_at: '2026-11-20T09:00:00.000Z',
    },
  ]);
  const [reported] = manifest?.acquisition[0]?.events ?? [];
  expect(reported).toMatchObject({ kind: 'imported', report: { manifest: { operation_id: 'A#17' } } });
});

test('nobody exports what they may not see, or may see only', async () => {
  const item = await work.arrive('ward');
  const answers = await Promise.all([stranger, viewer].map((person) => exportOf(item.id, person)));
  expect(answers.map(({ status }) => status)).toEqual([404, 403]);
  expect((await exportOf('none', ada)).status).toBe(404);
  expect(await work.kinds(item.id)).toEqual(['created']);
});

test('a document that was altered in the storage is named, and the rest is exported', async () => {
  const item = await work.arrive('ward');
  const stored = join(work.inbound.gateway.dataFolder, 'files', 'inbound');
  const file = (await readdir(stored)).find((name) => name.startsWith(item.inbound_fax_id)) ?? '';
  await writeFile(join(stored, file), 'another document');
  const answer = await exportOf(item.id, ada);
  expect([answer.status, await checked(answer)]).toMatchObject([
    200,
    {
      intact: false,
      faults: ['The stored document is not the one that was received: it was altered.'],
      manifest: { document: { file: null }, item: { id: item.id } },
    },
  ]);
  expect(work.inbound.gateway.logLines.join('\n')).toContain('is not as it was recorded');
});

test('an archive of before a restart is that of the same installation', async () => {
  const item = await work.arrive('ward');
  const before = await checked(await exportOf(item.id));
  const fingerprint = await currentFingerprint();
  work = await work.restart();
  const after = await checked(await exportOf(item.id), fingerprint);
  expect(after.faults).toEqual([]);
  expect({ ...after.manifest, export: null }).toEqual({ ...before.manifest, export: null });
});
