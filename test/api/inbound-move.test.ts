import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MailboxPeople, type Person } from '../setup/mailbox-people.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { type Inbound, InboundGateway } from './inbound-setup.ts';

const WARD = '+12025550101';
const OLD = '+12025550102';
const NOWHERE = '+12025550103';
const LATER = '+12025550104';
const SEEING = ['inbound:list', 'inbound:read', 'inbound:document'];

let inbound: InboundGateway;
let people: MailboxPeople;
beforeAll(async () => {
  inbound = await InboundGateway.start();
  people = new MailboxPeople(inbound.gateway, null);
  for (const [id, number] of [
    ['ward', WARD],
    ['old', OLD],
  ] as const) {
    await people.addMailbox(id, id);
    await people.addRule(number, id);
  }
});
afterAll(() => inbound.close());

async function arrive(to: string): Promise<Inbound> {
  inbound.gateway.clock.advance(MINUTE);
  await inbound.notify(inbound.arrive({ to }));
  const [newest] = await inbound.list('?limit=1');
  return newest as Inbound;
}

async function setEnabled(label: string, enabled: boolean): Promise<void> {
  const answer = await inbound.gateway.request('GET', '/access/mailboxes');
  const { items, policy_version } = (await answer.json()) as {
    items: { id: string; label: string; version: number }[];
    policy_version: number;
  };
  const mailbox = items.find((item) => item.label === label);
  const changed = await inbound.gateway.request('PATCH', `/access/mailboxes/${mailbox?.id ?? ''}`, {
    json: { enabled, version: mailbox?.version, expected_policy_version: policy_version },
  });
  if (!changed.ok) throw new Error(await changed.text());
}

async function move(id: string, mailbox: string, person?: Person) {
  const key = person === undefined ? {} : { key: person.key };
  const answer = await inbound.gateway.request('POST', `/inbound/${id}/move`, { json: { mailbox }, ...key });
  return { status: answer.status, body: (await answer.json()) as Inbound & { detail?: string } };
}

async function targets(id: string, person?: Person): Promise<string[]> {
  const key = person === undefined ? {} : { key: person.key };
  const answer = await inbound.gateway.request('GET', `/inbound/${id}/move`, key);
  const { mailboxes } = (await answer.json()) as { mailboxes: { label: string }[] };
  return mailboxes.map(({ label }) => label);
}

describe('a received fax in no mailbox', () => {
  test('is moved to one, where its people find it unread, and its history and the audit say so', async () => {
    const nurse = await people.addPerson({ 'mailbox:ward': SEEING });
    expect(await inbound.counts(nurse.key)).toMatchObject({ unread: 0 });
    const fax = await arrive(NOWHERE);
    expect(fax.mailbox).toBeNull();
    inbound.gateway.clock.advance(120 * MINUTE);
    expect(await inbound.counts(nurse.key)).toMatchObject({ unread: 0 });
    expect(await targets(fax.id)).toEqual(['old', 'ward']);
    expect(await move(fax.id, 'ward')).toMatchObject({ status: 200, body: { id: fax.id, mailbox: 'ward' } });
    expect((await inbound.list('?unread=true', nurse.key)).map(({ id }) => id)).toEqual([fax.id]);
    expect((await inbound.evidence(fax.id)).at(-1)).toMatchObject({
      kind: 'moved',
      text: expect.stringMatching(/ moved the fax from no mailbox to ward\.$/u) as string,
    });
    const audit = await inbound.gateway.request('GET', '/access/audit?operation=inbound.move');
    expect(((await audit.json()) as { items: unknown[] }).items).toMatchObject([
      { target: { kind: 'inbound_fax', id: fax.id }, details: { from: 'no mailbox', to: 'ward' } },
    ]);
    expect(await targets(fax.id)).toEqual([]);
    expect(await move(fax.id, 'old')).toMatchObject({
      status: 409,
      body: { detail: 'This fax is already in an enabled mailbox.' },
    });
  });

  test('is moved once when two people move it at the same moment', async () => {
    const fax = await arrive(NOWHERE);
    const answers = await Promise.all([move(fax.id, 'ward'), move(fax.id, 'ward')]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect((await inbound.evidence(fax.id)).filter(({ kind }) => kind === 'moved')).toHaveLength(1);
  });

  test('is moved only by who may manage work where it is and in the mailbox, which must be enabled', async () => {
    const fax = await arrive(NOWHERE);
    const reader = await people.addPerson({ installation: SEEING });
    const limited = await people.addPerson({ installation: SEEING, 'mailbox:ward': ['work:manage'] });
    const stranger = await people.addPerson({ 'mailbox:ward': [...SEEING, 'work:manage'] });
    expect((await move(fax.id, 'ward', reader)).status).toBe(403);
    expect((await move(fax.id, 'ward', limited)).status).toBe(403);
    expect((await move(fax.id, 'ward', stranger)).status).toBe(404);
    expect([await targets(fax.id, reader), await targets(fax.id, limited)]).toEqual([[], []]);
    expect((await move(fax.id, 'no such mailbox')).status).toBe(404);
    await setEnabled('old', false);
    expect((await move(fax.id, 'old')).status).toBe(404);
    expect(await targets(fax.id)).toEqual(['ward']);
    await setEnabled('old', true);
    const operator = await people.addPerson({ installation: [...SEEING, 'work:manage'] });
    expect((await move(fax.id, 'ward', operator)).status).toBe(200);
  });
});

test('a fax in a disabled mailbox is moved by who manages work in both', async () => {
  const fax = await arrive(OLD);
  expect(fax.mailbox).toBe('old');
  const both = await people.addPerson({
    'mailbox:old': [...SEEING, 'work:manage'],
    'mailbox:ward': ['work:manage'],
  });
  expect((await move(fax.id, 'ward', both)).status).toBe(409);
  await setEnabled('old', false);
  expect(await targets(fax.id, both)).toEqual(['ward']);
  expect(await move(fax.id, 'ward', both)).toMatchObject({ status: 200, body: { mailbox: 'ward' } });
  await setEnabled('old', true);
});

test('number rules are applied to older faxes on request, each with a history entry', async () => {
  const disabled = await arrive(OLD);
  const early = await arrive(LATER);
  const without = await arrive(NOWHERE);
  const filed = await arrive(WARD);
  await people.addRule(LATER, 'ward');
  await setEnabled('old', false);
  const apply = async (key?: string) =>
    inbound.gateway.request('POST', '/inbound/apply-rules', key === undefined ? {} : { key });
  const operator = await people.addPerson({ installation: [...SEEING, 'work:manage'] });
  expect((await apply(operator.key)).status).toBe(403);
  const counts = (await (await apply()).json()) as { moved: number; left: number };
  expect(counts).toEqual({ moved: 1, left: 2 });
  const byId = new Map((await inbound.list('?limit=200')).map((fax) => [fax.id, fax]));
  expect([disabled, early, without, filed].map(({ id }) => byId.get(id)?.mailbox)).toEqual([
    'old',
    'ward',
    null,
    'ward',
  ]);
  expect((await inbound.evidence(early.id)).at(-1)?.text).toMatch(
    / applied the number rules: the fax was moved from no mailbox to ward\.$/u,
  );
  expect(await (await apply()).json()).toEqual({ moved: 0, left: 2 });
});

test('rule (crossings): a fax that is moved out of the mailbox of a legal hold stays under it', async () => {
  await setEnabled('old', true);
  const fax = await arrive(OLD);
  const answer = await inbound.gateway.request('GET', '/access/mailboxes');
  const { items } = (await answer.json()) as { items: { id: string; label: string }[] };
  const mailboxId = items.find(({ label }) => label === 'old')?.id;
  const placed = await inbound.gateway.request('POST', '/legal-holds', {
    json: { name: 'Old ward', reason: 'Letter', mailbox_id: mailboxId },
  });
  const hold = (await placed.json()) as { id: string };
  expect(placed.status).toBe(201);
  await setEnabled('old', false);
  const moved = await move(fax.id, 'ward');
  expect(moved).toMatchObject({
    status: 200,
    body: { mailbox: 'ward', legal_holds: [{ id: hold.id, name: 'Old ward' }] },
  });
});
