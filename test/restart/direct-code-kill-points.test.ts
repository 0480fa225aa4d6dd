import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSigned, type Statement, signedText } from '../../server/features/direct/wire/statement.ts';
import { readCode } from '../api/direct-setup.ts';
import { referee, unlessMissing } from '../fixtures/referees.ts';
import { type FakePartner, startFakePartner } from '../setup/fake-partner.ts';
import { INSTALLATION_KEY, type TestGateway } from '../setup/gateway.ts';
import { MailboxPeople } from '../setup/mailbox-people.ts';
import { addPartnerTo, openDirectTemplate, PARTNER_ID, readCard, UNCHECKED } from './direct-runs.ts';
import { allFaxes, type CopiedRun, eachKilled, endRun, type RunTemplate, restart } from './killed-run.ts';

const poppler = unlessMissing('pdftotext');

let template: RunTemplate;
let partner: FakePartner;
beforeAll(async () => {
  template = await openDirectTemplate();
  partner = await startFakePartner('South Pharmacy', '+12025550123');
  await addPartnerTo(template, partner.card(), UNCHECKED);
});
afterAll(() => Promise.all([template?.close(), partner?.close()]));

interface Peer {
  readonly version: number;
  readonly state: string;
  readonly code_sent: boolean;
  readonly code_fax_id: string | null;
  readonly number_expires_at: string | null;
  readonly sends_directly: boolean;
  readonly receives_directly: boolean;
}

const PATH = `/direct/peers/${PARTNER_ID}`;
const JSON_BODY = { 'Content-Type': 'application/json' };

/** The only partner of a gateway. */
async function readPeer({ url }: { readonly url: string }): Promise<Peer> {
  const headers = { 'X-API-Key': INSTALLATION_KEY, Connection: 'close' };
  const answer = await fetch(`${url}/direct/peers`, { headers });
  const { items } = (await answer.json()) as { items: [Peer] };
  return items[0];
}

/** Does something in the child, whose steps are copied, and ends it. */
async function inChild<T>(run: CopiedRun, work: () => Promise<T>): Promise<T> {
  run.child.order({ arm: true });
  const result = await work();
  run.child.order({ stop: true });
  await run.child.ended;
  return result;
}

/** Starts on the data of each step, in their order, until a look returns false. Returns the labels of the steps. */
async function atEachStep(
  run: CopiedRun,
  look: (gateway: TestGateway, step: { label: string; answered: boolean }) => Promise<boolean>,
): Promise<string[]> {
  const labels: string[] = [];
  for await (const step of eachKilled(run)) {
    labels.push(step.label);
    const gateway = await restart(run);
    try {
      if (!(await look(gateway, step))) break;
    } finally {
      await gateway.stop();
    }
  }
  return labels;
}

async function post<T>(url: string, path: string, body: object, key = INSTALLATION_KEY): Promise<T> {
  const headers = { ...JSON_BODY, 'X-API-Key': key, Connection: 'close' };
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status} ${text}`);
  return JSON.parse(text) as T;
}

async function codeOfFax(url: string, id: string | null): Promise<string> {
  const headers = { 'X-API-Key': INSTALLATION_KEY, Connection: 'close' };
  const answer = await fetch(`${url}/fax/${id}/document`, { headers });
  expect(answer.status).toBe(200);
  const path = join(template.root, 'code.pdf');
  await writeFile(path, Buffer.from(await answer.arrayBuffer()));
  return readCode(referee('pdftotext', ['-layout', path, '-']).toString());
}

const colleagueAt = (gateway: TestGateway) =>
  new MailboxPeople(gateway).addPerson({ installation: ['settings:read', 'settings:write', 'fax:send'] });

/** The partner returns a code, signed. */
async function returnCode(url: string, to: string, code: string): Promise<Statement> {
  const digits = code.replaceAll(' ', '');
  const statement = { ...partner.head('verification', to, Date.now()), code: digits } as const;
  const answer = await fetch(`${url}/direct/verifications`, {
    method: 'POST',
    headers: { ...JSON_BODY, Connection: 'close' },
    body: signedText(partner.sign(statement)),
  });
  return openSigned(Buffer.from(await answer.arrayBuffer()), ['verified', 'refused']).statement;
}

describe.skipIf(poppler.skip)(`codes of partners${poppler.reason}`, () => {
  test('rule (direct): a gateway killed at any step of faxing a code sends one fax, whose code is valid', {
    timeout: 300_000,
  }, async () => {
    const run = await template.startCopied();
    try {
      const { signing_key } = await readCard(run.child);
      const { version } = await readPeer(run.child);
      const code = await inChild(run, async () => {
        const { code_fax_id } = await post<Peer>(run.child.url, `${PATH}/challenge`, { version });
        return codeOfFax(run.child.url, code_fax_id);
      });
      const found = { recorded: 0, sent: 0 };
      const labels = await atEachStep(run, async (gateway, { label }) => {
        const before = await readPeer(gateway);
        const isRecorded = before.version > version;
        if (isRecorded) found.recorded += 1;
        if (before.code_sent) found.sent += 1;
        // A person who sees that no code was faxed asks for it again, not always the one who did it first.
        const after = before.code_sent
          ? before
          : await post<Peer>(
              gateway.url,
              `${PATH}/challenge`,
              { version: before.version },
              (found.recorded % 2 === 0 ? await colleagueAt(gateway) : undefined)?.key,
            );
        const faxes = await allFaxes(gateway);
        expect([label, faxes]).toMatchObject([label, [{ id: after.code_fax_id, kind: 'code' }]]);
        const faxed = await codeOfFax(gateway.url, after.code_fax_id);
        expect([label, faxed === code]).toEqual([label, isRecorded]);
        expect(await returnCode(gateway.url, signing_key, faxed)).toMatchObject({ type: 'verified' });
        expect(await readPeer(gateway)).toMatchObject({ state: 'verified', sends_directly: true });
        // The later steps are those of sending the fax.
        return found.sent < 2;
      });
      expect(found.sent).toBeGreaterThan(0);
      expect(found.recorded).toBeGreaterThan(found.sent);
      expect(labels.length).toBeGreaterThan(found.recorded);
    } finally {
      await endRun(run);
    }
  });

  test('rule (direct): a gateway killed at any step of taking a code back gives the same answer when it comes again', {
    timeout: 300_000,
  }, async () => {
    const run = await template.startCopied();
    try {
      const { signing_key } = await readCard(run.child);
      const { version } = await readPeer(run.child);
      const { code_fax_id } = await post<Peer>(run.child.url, `${PATH}/challenge`, { version });
      const code = await codeOfFax(run.child.url, code_fax_id);
      const given = await inChild(run, () => returnCode(run.child.url, signing_key, code));
      expect(given).toMatchObject({ type: 'verified' });
      let checked = 0;
      const labels = await atEachStep(run, async (gateway, { label, answered }) => {
        const before = await readPeer(gateway);
        if (before.state === 'verified') checked += 1;
        const again = await returnCode(gateway.url, signing_key, code);
        expect([label, again]).toMatchObject([label, { type: 'verified' }]);
        const until = again.type === 'verified' ? again.expires_at : '';
        if (answered || before.state === 'verified') expect(given).toMatchObject({ expires_at: until });
        expect(await readPeer(gateway)).toMatchObject({
          state: 'verified',
          sends_directly: true,
          number_expires_at: until,
        });
        return true;
      });
      expect(checked).toBeGreaterThan(0);
      expect(labels.length).toBeGreaterThan(checked);
    } finally {
      await endRun(run);
    }
  });
});

test('rule (direct): a gateway killed at any step of confirming a code ends in the same state when it is typed again', {
  timeout: 300_000,
}, async () => {
  const until = new Date(Date.now() + 300 * 24 * 3_600_000).toISOString();
  partner.acceptCodes(until);
  const run = await template.startCopied();
  try {
    await readCard(run.child);
    const confirm = (url: string) => post<Peer>(url, `${PATH}/confirm`, { code: '01234 56789' });
    const given = await inChild(run, () => confirm(run.child.url));
    expect(given).toMatchObject({ state: 'verified', receives_directly: true });
    let confirmed = 0;
    const labels = await atEachStep(run, async (gateway, { label, answered }) => {
      const before = await readPeer(gateway);
      if (before.state === 'verified') confirmed += 1;
      if (answered) expect([label, before.state]).toEqual([label, 'verified']);
      const after = await confirm(gateway.url);
      const { state, receives_directly, sends_directly } = given;
      expect([label, after]).toMatchObject([
        label,
        { state, receives_directly, sends_directly, expires_at: until },
      ]);
      expect(await allFaxes(gateway)).toEqual([]);
      return true;
    });
    expect(labels).toContain('before a request to the provider');
    expect(labels).toContain('when the provider answered');
    expect(confirmed).toBeGreaterThan(0);
    expect(labels.length).toBeGreaterThan(confirmed);
  } finally {
    await endRun(run);
  }
});
