import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { LegalHoldDetails } from '../../shared/api/holds.ts';
import { DAY, HOUR } from '../setup/manual-clock.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, STORES } from '../setup/stores.ts';
import { InboundGateway } from './inbound-setup.ts';

type Hold = z.infer<typeof LegalHoldDetails>;

const REASON = 'Letter of the court of 1 March';
const TO = '+12025550123';
const OTHER = '+12025550177';

describe.each(STORES)('legal holds on %s', (store) => {
  let office: InboundGateway;
  let databaseUrl: string | null;
  beforeAll(async () => {
    databaseUrl = store === 'sqlite' ? null : await newPostgresDatabase();
    office = await InboundGateway.start({ databaseUrl });
    await office.gateway.set({ INBOUND_RETENTION_DAYS: 30, ARTIFACT_TTL_DAYS: 30 });
  });
  afterAll(async () => {
    await office.close();
    if (databaseUrl) await dropPostgresDatabase(databaseUrl);
  });

  const request = async (method: string, path: string, json?: object) => {
    const answer = await office.gateway.request(method, path, json === undefined ? {} : { json });
    return { status: answer.status, code: answer.headers.get('x-error-code'), body: await answer.json() };
  };
  const place = async (fields: object, name = 'Smith v. Harbor Clinic'): Promise<Hold> => {
    const { status, body } = await request('POST', '/legal-holds', { name, reason: REASON, ...fields });
    expect([status, body]).toEqual([201, expect.anything()]);
    return body as Hold;
  };
  const release = async ({ id, version }: Hold): Promise<Hold> => {
    const { status, body } = await request('POST', `/legal-holds/${id}/release`, {
      version,
      note: 'Settled',
    });
    expect(status).toBe(200);
    return body as Hold;
  };
  const receive = async (from: string) => {
    await office.notify(office.arrive({ from }));
    const [fax] = await office.list('?limit=1');
    if (!fax) throw new Error('no fax came');
    return fax;
  };
  const sent = async (to: string) => {
    const fax = await office.gateway.send({ to });
    await office.gateway.processAll();
    office.gateway.emulator.complete(String((await office.gateway.fax(fax.id)).provider_sid));
    office.gateway.clock.advance(HOUR);
    await office.gateway.processAll();
    return office.gateway.fax(fax.id);
  };
  const documents = async (...paths: string[]) => {
    const statuses = [];
    for (const path of paths) {
      const answer = await office.gateway.request('GET', path);
      await answer.arrayBuffer();
      statuses.push(answer.status);
    }
    return statuses;
  };
  const pass = async (days: number) => {
    office.gateway.clock.advance(days * DAY);
    await office.gateway.processAll();
  };

  test('rule (holds): the retention deletes no document of a fax under a legal hold, and deletes it at its next run after the release', async () => {
    const kept = await receive(TO);
    const other = await receive(OTHER);
    const keptSent = await sent(TO);
    const otherSent = await sent(OTHER);
    const hold = await place({ number: '(202) 555-0123' });
    expect(hold).toMatchObject({
      kind: 'number',
      numbers: [TO],
      faxes: { sent: 1, received: 1 },
      documents_due: 0,
      released_at: null,
    });
    await pass(40);
    const paths = [`/inbound/${kept.id}/pdf`, `/fax/${keptSent.id}/document`];
    const others = [`/inbound/${other.id}/pdf`, `/fax/${otherSent.id}/document`];
    expect(await documents(...paths, ...others)).toEqual([200, 200, 404, 404]);
    expect((await request('GET', `/legal-holds/${hold.id}`)).body).toMatchObject({ documents_due: 2 });
    expect(await release(hold)).toMatchObject({
      documents_due: 2,
      next_cleanup_at: expect.any(String),
      release_note: 'Settled',
    });
    expect(await documents(...paths)).toEqual([200, 200]);
    await pass(1);
    expect(await documents(...paths)).toEqual([404, 404]);
    expect(await office.gateway.fax(keptSent.id)).toMatchObject({ legal_holds: [] });
  });

  test('rule (holds): a legal hold covers faxes that arrive after it was placed, and its faxes name it', async () => {
    const hold = await place({ number: TO }, 'Later faxes');
    const fax = await receive(TO);
    const out = await sent(TO);
    expect(fax.legal_holds).toEqual([{ id: hold.id, name: 'Later faxes' }]);
    expect(await office.gateway.fax(out.id)).toMatchObject({ legal_holds: [{ name: 'Later faxes' }] });
    await receive(OTHER);
    expect((await office.list('?legal_hold=true')).map(({ id }) => id)).toEqual(
      expect.arrayContaining([fax.id]),
    );
    expect((await office.list('?legal_hold=true')).every(({ fr }) => fr === TO)).toBe(true);
    const listed = (await request('GET', '/fax?legal_hold=true')).body as { items: { to: string }[] };
    expect(listed.items.length).toBeGreaterThan(0);
    expect(listed.items.every(({ to }) => to === TO)).toBe(true);
    await release(hold);
    expect(await office.list('?legal_hold=true')).toEqual([]);
  });

  test('covers single faxes, cases, contacts, mailboxes and times', async () => {
    const fax = await receive(OTHER);
    const out = await sent(OTHER);
    const contact = (await request('POST', '/contacts', { name: 'Lee', fax_number: OTHER })).body as {
      id: string;
      version: number;
    };
    const since = new Date(office.gateway.clock.now() - DAY).toISOString();
    const holds = [
      await place({ fax_ids: [fax.id, out.id] }, 'Faxes'),
      await place({ contact_id: contact.id, since }, 'Contact'),
      await place({ since }, 'Time'),
    ];
    const later = await place({ since: new Date(office.gateway.clock.now() + DAY).toISOString() }, 'Later');
    const ofCase = await place({ case_id: '4711' }, 'Case');
    expect(holds.map(({ kind }) => kind)).toEqual(['faxes', 'contact', 'period']);
    const names = holds.map(({ name }) => ({ id: expect.any(String), name }));
    expect((await office.list('?limit=1'))[0]?.legal_holds).toEqual(names);
    expect((await office.gateway.fax(out.id)).legal_holds).toEqual(names);
    await request('POST', `/contacts/${contact.id}/remove`, { version: contact.version });
    expect((await office.gateway.fax(out.id)).legal_holds).toEqual(names);
    for (const hold of [...holds, later, ofCase]) await release(hold);
  });

  test('refuses what is no choice of faxes, and an old version', async () => {
    const refusedAs = async (fields: object) => {
      const { status, code } = await request('POST', '/legal-holds', { name: 'A', reason: 'B', ...fields });
      return `${status} ${code}`;
    };
    expect(await refusedAs({})).toBe('400 legal_hold_refused');
    expect(await refusedAs({ number: TO, case_id: '1' })).toBe('400 legal_hold_refused');
    expect(await refusedAs({ number: '12' })).toBe('400 invalid_fax_number');
    expect(await refusedAs({ fax_ids: ['nothing'] })).toBe('400 legal_hold_refused');
    expect(await refusedAs({ mailbox_id: 'nothing' })).toBe('404 no_such_mailbox');
    expect(await refusedAs({ contact_id: 'nothing' })).toBe('404 no_such_contact');
    const hold = await place({ number: TO });
    const stale = await request('POST', `/legal-holds/${hold.id}/release`, { version: 7 });
    expect([stale.status, stale.code]).toEqual([409, 'stale']);
    await release(hold);
    const again = await request('POST', `/legal-holds/${hold.id}/release`, { version: 2 });
    expect([again.status, again.code]).toEqual([409, 'legal_hold_released']);
  });

  test('rule (holds): placing and releasing a legal hold are in the security audit', async () => {
    const hold = await place({ number: TO }, 'Audited');
    await release(hold);
    const { body } = await request('GET', '/access/audit?limit=10');
    const entries = (body as { items: { operation: string }[] }).items.filter(({ operation }) =>
      operation.startsWith('legal_hold.'),
    );
    expect(entries.slice(0, 2)).toMatchObject([
      { operation: 'legal_hold.release', target: { kind: 'legal_hold', id: hold.id } },
      { operation: 'legal_hold.place', details: { name: 'Audited', reason: REASON } },
    ]);
  });

  test('rule (crossings): the evidence archive of a received fax names its legal holds', async () => {
    const hold = await place({ number: TO }, 'In the archive');
    const fax = await receive(TO);
    const answer = await office.gateway.request('GET', `/work/${fax.work_item_id}/export`);
    const archive = Buffer.from(await answer.arrayBuffer());
    expect(answer.status).toBe(200);
    expect(archive.includes('In the archive')).toBe(true);
    await release(hold);
  });
});
