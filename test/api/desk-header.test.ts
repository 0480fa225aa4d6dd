import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { deskRoutes } from '../../shared/api/desk.ts';
import type { FaxPreview } from '../../shared/api/outbound-shapes.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { type Fax, startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';
import { MailboxPeople, type Person } from '../setup/mailbox-people.ts';
import { MINUTE, SECOND } from '../setup/manual-clock.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { reportFacts } from '../setup/report-facts.ts';
import { newPostgresDatabase, STORES } from '../setup/stores.ts';

type Defaults = z.infer<typeof deskRoutes.getDefaults.answer.schema>;
type Preview = z.infer<typeof FaxPreview>;

const TO = '+12025550123';
const OWN_NUMBER = '+1 202 555 0100 -> +1 202 555 0123';
const OF_OFFICE = `Example Clinic ${OWN_NUMBER}`;
const EVERYWHERE = { installation: ['fax:send', 'fax:read', 'fax:document', 'settings:write'] };
const BUSY = { errorId: 17, errorType: 'lineError' };

describe.each(STORES)('names of people in the header line on %s', (store) => {
  let gateway: TestGateway;
  let databaseUrl: string | null;
  let mara: Person;
  let ivo: Person;
  beforeAll(async () => {
    databaseUrl = store === 'sqlite' ? null : await newPostgresDatabase();
    gateway = await startTestGateway({ databaseUrl });
    const people = new MailboxPeople(gateway, databaseUrl);
    mara = await people.addUser('Mara Okafor', EVERYWHERE);
    ivo = await people.addUser('Ivo Lee', EVERYWHERE);
    await setName(mara, 'Dr. Okafor');
    await setName(ivo, 'Ivo Lee, Lab');
  });
  afterAll(async () => {
    await gateway.close();
    if (databaseUrl) await dropPostgresDatabase(databaseUrl);
  });

  const defaultsOf = async ({ key }: Pick<Person, 'key'>) =>
    (await (await gateway.request('GET', '/desk/defaults', { key })).json()) as Defaults;
  async function change(person: Pick<Person, 'key'>, header_name: unknown) {
    const { mailbox_id, cover_id, signature, version } = await defaultsOf(person);
    const json = { mailbox_id, cover_id, signature, header_name, version };
    const answer = await gateway.request('PUT', '/desk/defaults', { json, key: person.key });
    const body = (await answer.json()) as Defaults & { detail: string };
    return { status: answer.status, body, code: answer.headers.get('x-error-code') };
  }
  async function setName(person: Pick<Person, 'key'>, name: string | null) {
    const { status, body } = await change(person, name);
    expect([status, body.header_name, body.header_name_allowed]).toEqual([200, name, true]);
  }
  async function post(path: string, key: string | null, fields: Record<string, string> = {}) {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', textFile());
    return gateway.request('POST', path, key === null ? { form } : { form, key });
  }
  async function send(key: string | null, fields: Record<string, string> = {}): Promise<Fax> {
    const answer = await post('/fax', key, { to: TO, ...fields });
    expect(answer.status).toBe(202);
    return (await answer.json()) as Fax;
  }
  /** The header line that the provider was given for a fax. */
  async function printed({ id }: Pick<Fax, 'id'>): Promise<string | undefined> {
    await gateway.processAll();
    return gateway.emulator.faxes.get(String((await gateway.fax(id)).provider_sid))?.headerText;
  }
  async function end(id: string, outcome: Parameters<TestGateway['emulator']['complete']>[1]): Promise<Fax> {
    await gateway.processAll();
    gateway.emulator.complete(String((await gateway.fax(id)).provider_sid), outcome);
    gateway.clock.advance(31 * SECOND);
    await gateway.processAll();
    return gateway.fax(id);
  }
  async function again(path: string, key: string): Promise<Fax> {
    const answer = await gateway.request('POST', path, { json: {}, key });
    expect(answer.status).toBe(202);
    return (await answer.json()) as Fax;
  }

  test('rule (desk): a fax has the name that its person had set, one without a person that of the office', async () => {
    const faxes = [await send(mara.key), await send(ivo.key), await send(null)];
    expect(faxes.map(({ header_name }) => header_name)).toEqual(['Dr. Okafor', 'Ivo Lee, Lab', null]);
    // Numbers stay as they are.
    const lines = [`Dr. Okafor ${OWN_NUMBER}`, `Ivo Lee, Lab ${OWN_NUMBER}`, OF_OFFICE];
    for (const [i, fax] of faxes.entries()) expect(await printed(fax)).toBe(lines[i]);
  });

  test('rule (desk): a fax keeps the name that its person had when it was accepted', async () => {
    const send_at = new Date(gateway.clock.now() + 10 * MINUTE).toISOString();
    const [waiting, ofOffice] = [await send(mara.key, { send_at }), await send(null, { send_at })];
    await setName(mara, 'Front desk');
    gateway.clock.advance(11 * MINUTE);
    expect(await printed(waiting)).toBe(`Dr. Okafor ${OWN_NUMBER}`);
    expect(await printed(ofOffice)).toBe(OF_OFFICE);
    expect(await printed(await send(mara.key))).toBe(`Front desk ${OWN_NUMBER}`);
    await setName(mara, null);
    expect(await printed(await send(mara.key))).toBe(OF_OFFICE);
    await setName(mara, 'Dr. Okafor');
  });

  test('the gateway tries again with the name of before; a person sends again with their own', async () => {
    await gateway.set({ FAX_AUTOMATIC_TRIES: 1 });
    const failed = await end((await send(mara.key)).id, BUSY);
    await setName(mara, 'Front desk');
    gateway.clock.advance(6 * MINUTE);
    await gateway.processAll();
    const next = await gateway.fax(String((await gateway.fax(failed.id)).tried_again_as));
    await gateway.set({ FAX_AUTOMATIC_TRIES: 0 });
    expect([next.header_name, await printed(next)]).toEqual(['Dr. Okafor', `Dr. Okafor ${OWN_NUMBER}`]);
    await end(next.id, { status: 'success' });
    expect((await reportFacts(gateway, next.id)).fax).toMatchObject({ header_name: 'Dr. Okafor', to: TO });
    const resent = await again(`/fax/${next.id}/resend`, ivo.key);
    expect([resent.header_name, await printed(resent)]).toEqual([
      'Ivo Lee, Lab',
      `Ivo Lee, Lab ${OWN_NUMBER}`,
    ]);
    await setName(mara, 'Dr. Okafor');
  });

  test('every fax of a broadcast has the name that its person had at its beginning', async () => {
    const fields = { recipients: `${TO}\n+12025550124`, name: 'Hours' };
    const send_at = new Date(gateway.clock.now() + 10 * MINUTE).toISOString();
    const answer = await post('/broadcasts', mara.key, { ...fields, send_at });
    expect(answer.status).toBe(202);
    const { broadcast } = (await answer.json()) as { broadcast: { id: string; header_name: string | null } };
    expect(broadcast.header_name).toBe('Dr. Okafor');
    await setName(mara, 'Front desk');
    gateway.clock.advance(11 * MINUTE);
    await gateway.processAll();
    const list = await gateway.request('GET', `/fax?broadcast_id=${broadcast.id}`);
    const { items } = (await list.json()) as { items: Fax[] };
    expect(items.map(({ header_name }) => header_name)).toEqual(['Dr. Okafor', 'Dr. Okafor']);
    const failed = await end(items[0]?.id ?? '', { status: 'failure' });
    const retry = await gateway.request('POST', `/broadcasts/${broadcast.id}/retry`, { json: {} });
    expect(retry.status).toBe(200);
    await gateway.processAll();
    const next = String((await gateway.fax(failed.id)).tried_again_as);
    expect((await gateway.fax(next)).header_name).toBe('Dr. Okafor');
    await setName(mara, 'Dr. Okafor');
  });

  test('a case packet has the name of the person who sends it', async () => {
    const form = new FormData();
    form.append('to', TO);
    form.append('documents', new File([new Uint8Array(textPdf(1))], 'lab.pdf', { type: 'application/pdf' }));
    const answer = await gateway.request('POST', '/cases/4711/faxes', { form, key: mara.key });
    expect(answer.status).toBe(202);
    const { fax_id } = (await answer.json()) as { fax_id: string };
    expect([(await gateway.fax(fax_id)).header_name, await printed({ id: fax_id })]).toEqual([
      'Dr. Okafor',
      `Dr. Okafor ${OWN_NUMBER}`,
    ]);
  });

  test('the preview shows the header line that is sent, also after a change of the name', async () => {
    const answer = await post('/fax/preview', mara.key, { to: TO });
    const preview = (await answer.json()) as Preview;
    expect(preview.header?.text).toContain(`Dr. Okafor ${OWN_NUMBER}`);
    const redraw = async () => {
      const path = `/fax/preview/${preview.preview_id}/redraw`;
      const json = { clean_greys: false };
      return (await (await gateway.request('POST', path, { json, key: mara.key })).json()) as Preview;
    };
    expect((await redraw()).preview_id).toBe(preview.preview_id);
    await setName(mara, 'Front desk');
    const other = await redraw();
    expect(other.preview_id).not.toBe(preview.preview_id);
    expect(other.header?.text).toContain(`Front desk ${OWN_NUMBER}`);
    await setName(mara, 'Dr. Okafor');
    expect((await (await post('/fax/preview', null, { to: TO })).json()) as Preview).toMatchObject({
      header: { text: expect.stringContaining(OF_OFFICE) },
    });
  });

  test('a name that cannot be printed is refused in one sentence', async () => {
    const detail = '"header_name" must be 1 to 50 characters on one line.';
    for (const name of ['', '  ', 'x'.repeat(51), 'two\nlines', 'left\u202eright', 5])
      expect(await change(mara, name), String(name)).toMatchObject({ status: 400, body: { detail } });
    await setName(mara, 'Mara Okafor, Department of Cardiology and Surgery');
    // It is cut before the number is.
    const fax = await send(mara.key);
    expect(await printed(fax)).toBe('Mara Okafor, Department of Cardiol +1 202 555 0100');
    await setName(mara, 'Dr. Okafor');
  });

  test('rule (desk): an office that prints its own name does so, and refuses names of people and programs', async () => {
    await gateway.set({ HEADER_PER_PERSON: false });
    expect(await defaultsOf(mara)).toMatchObject({ header_name: 'Dr. Okafor', header_name_allowed: false });
    const fax = await send(mara.key);
    expect([fax.header_name, await printed(fax)]).toEqual([null, OF_OFFICE]);
    expect(await change(mara, 'Front desk')).toMatchObject({
      status: 409,
      code: 'header_name_refused',
      body: {
        detail: 'Your office prints its own name in the header line of every fax. Nothing was changed.',
      },
    });
    // The name that is there does not keep other defaults from being changed.
    expect((await change(mara, 'Dr. Okafor')).status).toBe(200);
    await gateway.set({ HEADER_PER_PERSON: true });
    expect((await send(mara.key)).header_name).toBe('Dr. Okafor');
    const scopes = { json: { scopes: ['fax:send'] } };
    const program = (await (await gateway.request('POST', '/admin/api-keys', scopes)).json()) as {
      token: string;
    };
    expect(await change({ key: program.token }, 'Program')).toMatchObject({
      status: 409,
      body: { detail: 'Only people can have their own name in the header line. Nothing was changed.' },
    });
  });
});
