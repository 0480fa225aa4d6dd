import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyEvidence } from '../../server/features/work/offline.ts';
import { referee } from '../fixtures/referees.ts';
import type { Fax } from '../setup/gateway.ts';
import { HOUR, MINUTE } from '../setup/manual-clock.ts';
import { needTools } from '../setup/tools.ts';
import { addMailbox, keyOn } from './inbound-mailboxes.ts';
import { type Inbound, InboundGateway, OWN_NUMBER } from './inbound-setup.ts';

const FRONT = { id: 'mailbox-front', label: 'Front desk', number: '+12025550101' };
const ABOUT = { subject: 'Knee X-ray', reference: 'Patient 4711', document_type: 'Referral' };
const NONE = { subject: null, reference: null, document_type: null };
const LAB = '+12025550177';

let inbound: InboundGateway;
const request: InboundGateway['gateway']['request'] = (...args) => inbound.gateway.request(...args);
beforeAll(async () => {
  inbound = await InboundGateway.start();
  addMailbox(inbound, FRONT);
});
afterAll(() => inbound.close());

const describeFax = (id: string, json: object, key?: string) =>
  request('POST', `/fax/${id}/about`, { json, ...(key === undefined ? {} : { key }) });
const describeInbound = (id: string, json: object, key?: string) =>
  request('POST', `/inbound/${id}/about`, { json, ...(key === undefined ? {} : { key }) });
const search = async (q: string) => {
  const answer = await request('GET', `/fax?q=${encodeURIComponent(q)}`);
  return ((await answer.json()) as { items: Fax[] }).items.map(({ id }) => id);
};
const bodyOf = async (response: Response) => (await response.json()) as Record<string, unknown>;
const proposal = async (number: string, key?: string) =>
  bodyOf(
    await request(
      'GET',
      `/fax/about/proposal?number=${encodeURIComponent(number)}`,
      key === undefined ? {} : { key },
    ),
  );

describe('what a sent fax is about', () => {
  test('rule (outbound): subject, reference and type are recorded with a fax, listed and found by a search', async () => {
    const fax = await inbound.gateway.send({ ...ABOUT, subject: ` ${ABOUT.subject} ` });
    expect(fax).toMatchObject(ABOUT);
    expect(await search('knee x')).toContain(fax.id);
    expect(await search('patient 4711')).toContain(fax.id);
    expect(await search('REFERRAL')).toContain(fax.id);
    expect(await inbound.gateway.send({ subject: '', reference: ' ' })).toMatchObject(NONE);
  });

  test('is refused with line breaks, control characters and too much text', async () => {
    for (const fields of [
      { subject: 'a\nb' },
      { reference: 'x'.repeat(101) },
      { document_type: 'a\u202eb' },
    ]) {
      const form = new FormData();
      form.append('to', '+12025550123');
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      form.append('file', new File(['text'], 'letter.txt', { type: 'text/plain' }));
      const answer = await request('POST', '/fax', { form });
      expect([answer.status, await bodyOf(answer)]).toMatchObject([
        400,
        { detail: expect.stringContaining(Object.keys(fields)[0] ?? '') },
      ]);
    }
  });

  test('rule (outbound): a changed subject is in the history, and neither delivery nor its time changes', async () => {
    const fax = await inbound.gateway.send({ ...ABOUT, titles: 'Page of the knee' });
    await inbound.gateway.processAll();
    const before = await inbound.gateway.fax(fax.id);
    inbound.gateway.clock.advance(HOUR);
    const since = new Date(inbound.gateway.clock.now()).toISOString();
    const answer = await describeFax(fax.id, { subject: 'Shoulder', reference: null });
    expect(await bodyOf(answer)).toMatchObject({
      ...ABOUT,
      subject: 'Shoulder',
      reference: null,
      delivery_state: before.delivery_state,
      delivery_version: before.delivery_version + 1,
      attempt: before.attempt,
      updated_at: since,
    });
    const [last] = (await inbound.gateway.history(fax.id)).slice(-1);
    expect(last).toMatchObject({
      kind: 'about',
      text: 'Subject set to “Shoulder”. Reference removed.',
    });
    expect(await search('knee x-ray')).not.toContain(fax.id);
    for (const text of ['shoulder', 'referral', 'page of the knee'])
      expect(await search(text)).toContain(fax.id);
    const changed = await request('GET', `/fax?updated_since=${since}`);
    expect(((await changed.json()) as { items: Fax[] }).items.map(({ id }) => id)).toEqual([fax.id]);
  });

  test('rule (outbound): a change of values that somebody else changed meanwhile is refused', async () => {
    const fax = await inbound.gateway.send(ABOUT);
    const expected = { ...ABOUT };
    expect((await describeFax(fax.id, { subject: 'Hip', expected_about: expected })).status).toBe(200);
    const late = await describeFax(fax.id, { subject: 'Foot', expected_about: expected });
    expect([late.status, late.headers.get('x-error-code')]).toEqual([409, 'stale']);
    expect((await describeFax(fax.id, { subject: 'Foot' })).status).toBe(200);
    const { delivery_version } = await inbound.gateway.fax(fax.id);
    expect(
      (await describeFax(fax.id, { subject: 'Foot', expected_about: { reference: ABOUT.reference } })).status,
    ).toBe(200);
    expect(await inbound.gateway.fax(fax.id)).toMatchObject({ delivery_version, subject: 'Foot' });
  });

  test('goes with a fax that is sent again, unless other values are given', async () => {
    const fax = await inbound.gateway.send(ABOUT);
    await request('POST', `/fax/${fax.id}/cancel`, { json: { delivery_version: fax.delivery_version } });
    const again = await request('POST', `/fax/${fax.id}/resend`);
    expect(await bodyOf(again)).toMatchObject({ ...ABOUT, resend_of: fax.id });
    const other = await request('POST', `/fax/${fax.id}/resend`, {
      json: { subject: 'Second try', reference: null },
    });
    expect(await bodyOf(other)).toMatchObject({ ...ABOUT, subject: 'Second try', reference: null });
  });
});

describe('what a received fax is about', () => {
  const receive = async (from: string): Promise<Inbound> => {
    const known = new Set((await inbound.list()).map(({ id }) => id));
    await inbound.notify(inbound.arrive({ from, to: FRONT.number }));
    await inbound.work();
    const fax = (await inbound.list()).find(({ id }) => !known.has(id));
    if (!fax) throw new Error('no fax arrived');
    return fax;
  };

  test('rule (inbound): people record what a received fax is about, and its evidence and work item have it', async () => {
    const fax = await receive(LAB);
    expect(fax).toMatchObject(NONE);
    const answer = await describeInbound(fax.id, ABOUT);
    expect(await bodyOf(answer)).toMatchObject({ ...ABOUT, version: fax.version + 1 });
    const { items } = (await bodyOf(await request('GET', `/inbound/${fax.id}/evidence`))) as {
      items: object[];
    };
    expect(items.at(-1)).toMatchObject({
      kind: 'about',
      text: 'Subject set to “Knee X-ray”. Reference set to “Patient 4711”. Document type set to “Referral”.',
    });
    const found = await request('GET', '/inbound?q=patient%204711');
    expect(((await found.json()) as Inbound[]).map(({ id }) => id)).toEqual([fax.id]);
    const work = (await bodyOf(await request('GET', '/work?q=knee'))) as {
      items: { inbound_fax_id: string }[];
    };
    expect(work.items).toMatchObject([{ inbound_fax_id: fax.id, ...ABOUT }]);
    const id = (await inbound.list()).find((each) => each.id === fax.id)?.work_item_id;
    const { events } = (await bodyOf(await request('GET', `/work/${id}/history`))) as { events: object[] };
    expect(events.at(-1)).toMatchObject({ kind: 'about' });
  });

  test('rule (inbound): who may not open the document of a received fax may not change what it is about', async () => {
    const fax = await receive(LAB);
    const reader = await keyOn(inbound, ['inbound:list', 'inbound:read'], [`mailbox:${FRONT.id}`]);
    expect((await describeInbound(fax.id, ABOUT, reader)).status).toBe(403);
    const stale = await describeInbound(fax.id, { subject: 'x', expected_about: { subject: 'y' } });
    expect(stale.status).toBe(409);
    expect(await bodyOf(await request('GET', `/inbound/${fax.id}`))).toMatchObject(NONE);
  });

  test('rule (outbound): the last visible fax with a number, sent or received, proposes what the next one is about', async () => {
    const number = '+12025550166';
    expect(await proposal(number)).toEqual({ ...NONE, fax: null });
    expect(await proposal('nobody')).toEqual({ ...NONE, fax: null });
    const sent = await inbound.gateway.send({ to: number, ...ABOUT });
    expect(await proposal('(202) 555-0166')).toMatchObject({
      ...ABOUT,
      fax: { direction: 'sent', id: sent.id },
    });
    inbound.gateway.clock.advance(MINUTE);
    const received = await receive(number);
    await inbound.gateway.send({ to: number });
    expect(await proposal(number)).toMatchObject({ fax: { id: sent.id } });
    await describeInbound(received.id, { subject: 'Answer' });
    expect(await proposal(number)).toMatchObject({
      ...NONE,
      subject: 'Answer',
      fax: { direction: 'received', id: received.id },
    });
    const stranger = await keyOn(inbound, ['fax:send'], ['mailbox:another']);
    expect(await proposal(number, stranger)).toEqual({ ...NONE, fax: null });
  });
});

describe('what a fax is about elsewhere', () => {
  const saved = async (name: string, answer: Response) => {
    const path = join(inbound.gateway.dataFolder, name);
    await writeFile(path, Buffer.from(await answer.arrayBuffer()));
    return path;
  };

  test('rule (crossings): subject, reference and type are in the transmission report, with the word of the office for the reference', async (context) => {
    needTools(context, 'pdftotext');
    await inbound.gateway.set({ REFERENCE_LABEL: 'Patient file' });
    const fax = await inbound.gateway.send(ABOUT);
    const path = await saved('report.pdf', await request('GET', `/fax/${fax.id}/report`));
    const printed = referee('pdftotext', ['-layout', path, '-']).toString();
    expect(printed).toMatch(
      /Subject +Knee X-ray\n[^]*Patient file +Patient 4711\n[^]*Document type +Referral/u,
    );
    const { about } = (await bodyOf(await request('GET', '/auth/context'))) as { about: object };
    expect(about).toMatchObject({
      reference_label: 'Patient file',
      document_types: expect.arrayContaining(['Referral']),
    });
  });

  test('rule (crossings): subject, reference and type go with a fax to our own number, and are in the evidence archive of its work item', async () => {
    const sent = await inbound.gateway.send({ to: OWN_NUMBER, ...ABOUT });
    await inbound.gateway.processAll();
    const { provider_sid } = await inbound.gateway.fax(sent.id);
    const received = (await bodyOf(await request('GET', `/inbound/${provider_sid}`))) as {
      work_item_id: string;
    };
    expect(received).toMatchObject(ABOUT);
    await describeInbound(provider_sid ?? '', { subject: 'Hip X-ray' });
    const archive = await request('GET', `/work/${received.work_item_id}/export`);
    const found = await verifyEvidence(await saved('evidence.zip', archive), {});
    expect(found).toMatchObject({ intact: true, manifest: { about: { ...ABOUT, subject: 'Hip X-ray' } } });
  });
});
