import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { referee } from '../fixtures/referees.ts';
import type { Fax } from '../setup/gateway.ts';
import { DAY, SECOND } from '../setup/manual-clock.ts';
import { needTools } from '../setup/tools.ts';
import { addMailbox, keyOn } from './inbound-mailboxes.ts';
import { type Inbound, InboundGateway, SENDER } from './inbound-setup.ts';

const FRONT = { id: 'mailbox-front', label: 'Front desk', number: '+12025550101' };
const LAB = { id: 'mailbox-lab', label: 'Lab', number: '+12025550102' };
const PERMISSIONS = ['fax:read', 'fax:send', 'fax:document', 'inbound:list', 'inbound:read', 'work:read'];

let inbound: InboundGateway;
const request: InboundGateway['gateway']['request'] = (...args) => inbound.gateway.request(...args);
beforeAll(async () => {
  inbound = await InboundGateway.start();
  addMailbox(inbound, FRONT);
  addMailbox(inbound, LAB);
});
afterAll(() => inbound.close());

async function receive(to = FRONT.number, from = SENDER): Promise<Inbound> {
  const known = new Set((await inbound.list()).map(({ id }) => id));
  await inbound.notify(inbound.arrive({ to, from }));
  await inbound.work();
  const fax = (await inbound.list()).find(({ id }) => !known.has(id));
  if (!fax) throw new Error('no fax arrived');
  return fax;
}

async function read<T>(path: string, key?: string): Promise<T> {
  const response = await request('GET', path, key === undefined ? {} : { key });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

const inboundFax = (id: string, key?: string) => read<Inbound>(`/inbound/${id}`, key);
const historyOf = async ({ work_item_id }: Inbound) =>
  (
    await read<{ events: { kind: string; text: string; actor: string }[] }>(`/work/${work_item_id}/history`)
  ).events
    .filter(({ kind }) => kind.startsWith('answer'))
    .map(({ kind, text }) => [kind, text]);

async function deliver(id: string): Promise<void> {
  await inbound.work();
  const { provider_sid, document } = await inbound.gateway.fax(id);
  inbound.gateway.emulator.complete(String(provider_sid), { status: 'success', pages: document.pages });
  inbound.gateway.clock.advance(31 * SECOND);
  await inbound.work();
}

async function post(fields: Record<string, string>, key?: string) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ to: SENDER, ...fields })) form.append(name, value);
  form.append('file', new File(['Dear colleague'], 'letter.txt', { type: 'text/plain' }));
  const answer = await request('POST', '/fax', { form, ...(key === undefined ? {} : { key }) });
  return {
    status: answer.status,
    code: answer.headers.get('X-Error-Code'),
    body: (await answer.json()) as Fax,
  };
}

test('rule (crossings): an answer and its received fax name each other, and the history of the work item records when the answer was accepted and delivered', async () => {
  const received = await receive();
  expect(received.answered_by).toEqual([]);
  const { body: fax } = await post({ answers: received.id });
  expect(fax.answers).toEqual({ inbound_id: received.id, from: SENDER, received_at: received.received_at });
  const answer = { fax_id: fax.id, to: SENDER, created_at: fax.created_at, by: fax.created_by.name };
  expect((await inboundFax(received.id)).answered_by).toEqual([{ ...answer, delivery_state: 'ready' }]);
  const accepted = [
    'answered',
    `${fax.created_by.name} answered by fax. The answer is not delivered yet (fax ${fax.id}).`,
  ];
  expect(await historyOf(received)).toEqual([accepted]);
  await deliver(fax.id);
  expect((await inboundFax(received.id)).answered_by).toEqual([{ ...answer, delivery_state: 'success' }]);
  expect(await historyOf(received)).toEqual([
    accepted,
    ['answer_ended', `The answer was delivered (fax ${fax.id}).`],
  ]);
  const listed = await read<{ items: Inbound[] }>('/inbound/page?limit=5');
  expect(listed.items.find(({ id }) => id === received.id)?.answered_by).toHaveLength(1);
});

test('rule (outbound): a fax answers only a received fax that its sender may read', async () => {
  const received = await receive(LAB.number);
  const front = await keyOn(inbound, PERMISSIONS, [`mailbox:${FRONT.id}`]);
  const before = (await read<{ items: Fax[] }>('/fax?limit=200')).items.length;
  expect(await post({ answers: received.id }, front)).toMatchObject({
    status: 404,
    code: 'no_such_received_fax',
  });
  const listOnly = await keyOn(inbound, ['inbound:list', 'fax:send', 'fax:read'], [`mailbox:${LAB.id}`]);
  expect(await post({ answers: received.id }, listOnly)).toMatchObject({ status: 403, code: 'not_allowed' });
  expect(await post({ answers: 'unknown' })).toMatchObject({ status: 404, code: 'no_such_received_fax' });
  expect((await read<{ items: Fax[] }>('/fax?limit=200')).items).toHaveLength(before);
  expect(await historyOf(received)).toEqual([]);
});

test('rule (crossings): an answer does not reveal a received or sent fax to a person who may not see it', async (context) => {
  const received = await receive(LAB.number);
  const { body: fax } = await post({ answers: received.id, mailbox: FRONT.id });
  const front = await keyOn(inbound, PERMISSIONS, [`mailbox:${FRONT.id}`]);
  const lab = await keyOn(inbound, PERMISSIONS, [`mailbox:${LAB.id}`]);
  expect(await read<Fax>(`/fax/${fax.id}`, front)).toMatchObject({ id: fax.id, answers: null });
  expect(JSON.stringify(await read(`/fax/${fax.id}/history`, front))).not.toContain(received.id);
  expect((await inboundFax(received.id, lab)).answered_by).toEqual([]);
  expect((await inboundFax(received.id)).answered_by).toHaveLength(1);
  const reportFor = async (key?: string) =>
    Buffer.from(
      await (await request('GET', `/fax/${fax.id}/report`, key === undefined ? {} : { key })).arrayBuffer(),
    );
  needTools(context, 'pdftotext');
  expect(await reportText(await reportFor())).toMatch(/Answers +fax from \+1 202 555 0199 of/u);
  expect(await reportText(await reportFor(front))).not.toContain('Answers');
});

async function reportText(report: Buffer): Promise<string> {
  const path = join(inbound.gateway.dataFolder, 'report.pdf');
  await writeFile(path, report);
  return referee('pdftotext', ['-layout', path, '-']).toString();
}

test('rule (crossings): an answer that is sent again still names its received fax, even after the received pages were deleted', async () => {
  const received = await receive();
  const { body: first } = await post({ answers: received.id });
  await deliver(first.id);
  await inbound.gateway.set({ INBOUND_RETENTION_DAYS: 1 });
  for (let day = 0; day < 3; day += 1) {
    inbound.gateway.clock.advance(DAY);
    await inbound.work();
  }
  await inbound.gateway.set({ INBOUND_RETENTION_DAYS: 0 });
  expect(await inboundFax(received.id)).toMatchObject({ document_kept: false });
  const resent = await request('POST', `/fax/${first.id}/resend`, { json: {} });
  const copy = (await resent.json()) as Fax;
  expect(copy.answers).toEqual(first.answers);
  const { body: changed } = await post({ resend_of: first.id });
  expect(changed.answers).toEqual(first.answers);
  expect((await inboundFax(received.id)).answered_by.map(({ fax_id }) => fax_id)).toEqual([
    changed.id,
    copy.id,
    first.id,
  ]);
});

test('the history of the work item records that an answer was canceled', async () => {
  const received = await receive();
  const at = new Date(inbound.gateway.clock.now() + DAY).toISOString();
  const { body: fax } = await post({ answers: received.id, send_at: at });
  const canceled = await request('POST', `/fax/${fax.id}/cancel`, {
    json: { delivery_version: fax.delivery_version },
  });
  expect(canceled.status).toBe(200);
  expect((await historyOf(received)).at(-1)).toEqual([
    'answer_ended',
    `The answer was canceled before it was sent (fax ${fax.id}).`,
  ]);
});
