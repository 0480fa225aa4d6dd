import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../server/db/database.ts';
import type { Card } from '../../server/features/direct/wire/card.ts';
import { signRequest } from '../../server/features/direct/wire/request-signature.ts';
import { openSigned, type StatementOf } from '../../server/features/direct/wire/statement.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { listDirect, partnerRow } from '../setup/direct-partners.ts';
import { type FakePartner, startFakePartner } from '../setup/fake-partner.ts';
import type { TestGateway } from '../setup/gateway.ts';
import { postgresUrl, withoutPostgres } from '../setup/stores.ts';
import { postgresOfTest, startTwo } from '../setup/two-gateways.ts';

const TIMES = 8;
const DOCUMENT = textPdf(1);
const OTHER = textPdf(2);
const newId = (n: number) => n.toString(16).padStart(32, '0');

type Answer = StatementOf<'receipt'> | StatementOf<'refused'>;

describe.skipIf(postgresUrl === null)(`two gateways on one database${withoutPostgres}`, () => {
  const cleanups: (() => Promise<unknown>)[] = [];
  let gateways: readonly [TestGateway, TestGateway];
  let partner: FakePartner;
  let own: Card;
  beforeAll(async () => {
    const cleanup = (end: () => Promise<unknown>) => void cleanups.push(end);
    const databaseUrl = await postgresOfTest(cleanup);
    gateways = await startTwo(cleanup, databaseUrl, {
      DIRECT_DELIVERY_ENABLED: 'true',
      DIRECT_ORGANIZATION: 'North Clinic',
      DIRECT_FAX_NUMBER: '+12025550100',
      DIRECT_ALLOW_PRIVATE_PEERS: 'true',
      PUBLIC_API_URL: 'https://fax.example.com',
      INBOUND_ENABLED: 'true',
      INBOUND_POLLING: 'off',
    });
    partner = await startFakePartner('South Pharmacy', '+12025550123');
    cleanup(() => partner.close());
    const row = partnerRow('partner', partner.card(), gateways[0].clock);
    const db = openDatabase({ postgresUrl: databaseUrl, sqliteFile: '' });
    await db.transaction(async (tx) => void (await tx.insertInto('direct_partner').values(row).execute()));
    await db.close();
    own = ((await (await gateways[0].request('GET', '/direct/card')).json()) as { card: Card }).card;
  });
  afterAll(async () => {
    for (const clean of cleanups.toReversed()) await clean();
  });

  const form = (content: Buffer, message_id: string) =>
    partner.deliveryForm(own, content, { message_id, time: new Date(gateways[0].clock.now()).toISOString() });
  async function upload(to: number, body: FormData): Promise<{ status: number; statement: Answer }> {
    const url = `${gateways[to % 2]?.url}/direct/deliveries`;
    const answer = await fetch(url, { method: 'POST', headers: { Connection: 'close' }, body });
    const signed = openSigned(Buffer.from(await answer.arrayBuffer()), ['receipt', 'refused']);
    return { status: answer.status, statement: signed.statement };
  }
  async function ask(of: number, messageId: string): Promise<StatementOf<'status'>> {
    const path = `/direct/deliveries/${messageId}`;
    const headers = signRequest({ method: 'GET', path }, partner.signing, gateways[0].clock.now());
    const answer = await fetch(`${gateways[of % 2]?.url}${path}`, { headers });
    expect(answer.status).toBe(200);
    return openSigned(Buffer.from(await answer.arrayBuffer()), ['status']).statement;
  }
  /** Faxes under an id, as each gateway lists them. */
  async function received(messageId: string): Promise<{ sha256: string }[]> {
    const lists = await Promise.all(
      gateways.map(async (gateway) => {
        const faxes = (await (await gateway.request('GET', '/inbound?limit=200')).json()) as {
          provider_fax_id: string;
          sha256: string;
        }[];
        return faxes.filter(({ provider_fax_id }) => provider_fax_id === messageId);
      }),
    );
    expect(lists[0]).toEqual(lists[1]);
    return lists[0] ?? [];
  }
  const receiptsOf = (answers: { statement: Answer }[]) =>
    answers.flatMap(({ statement }) => (statement.type === 'receipt' ? [statement] : []));
  const reasonsOf = (answers: { statement: Answer }[]) =>
    answers.flatMap(({ statement }) => (statement.type === 'refused' ? [statement.reason] : []));

  test('both have one identity', async () => {
    const answer = await gateways[1].request('GET', '/direct/card');
    expect(await answer.json()).toMatchObject({ card: { signing_key: own.signing_key } });
  });

  test('rule (direct): the same document at two gateways at once is one fax with one receipt, and no other takes its id', async () => {
    const id = newId(1);
    const same = await form(DOCUMENT, id);
    const answers = await Promise.all(Array.from({ length: TIMES }, (_, i) => upload(i, same)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(receiptsOf(answers).map((receipt) => JSON.stringify(receipt))).size).toBe(1);
    const [fax, ...others] = await received(id);
    expect([fax?.sha256, others]).toEqual([receiptsOf(answers)[0]?.sha256, []]);
    const other = await form(OTHER, id);
    const refused = await Promise.all([upload(0, other), upload(1, other)]);
    expect(refused.map(({ status }) => status)).toEqual([409, 409]);
    expect(reasonsOf(refused)).toEqual(['other_document', 'other_document']);
    expect(await received(id)).toHaveLength(1);
    for (const gateway of gateways)
      expect(await listDirect({ gateway })).toMatchObject([{ message_id: id, state: 'accepted' }]);
  });

  test('of two documents with one id that come to two gateways at once, one is taken', async () => {
    for (let n = 0; n < TIMES; n += 1) {
      const id = newId(100 + n);
      const forms = [await form(DOCUMENT, id), await form(OTHER, id)] as const;
      const answers = await Promise.all([upload(n, forms[0]), upload(n + 1, forms[1])]);
      expect(reasonsOf(answers)).toEqual(['other_document']);
      const [receipt] = receiptsOf(answers);
      expect((await received(id)).map(({ sha256 }) => sha256)).toEqual([receipt?.sha256]);
    }
  });

  test('a question at one gateway during the upload at the other gets the answer that the upload gets', async () => {
    for (let n = 0; n < TIMES; n += 1) {
      const id = newId(200 + n);
      const body = await form(DOCUMENT, id);
      const [status, answer] = await Promise.all([ask(n, id), upload(n + 1, body)]);
      const isTaken = answer.statement.type === 'receipt';
      expect(status.state).toBe(isTaken ? 'accepted' : 'not_received');
      if (!isTaken) expect(reasonsOf([answer])).toEqual(['withdrawn']);
      expect(await received(id)).toHaveLength(isTaken ? 1 : 0);
    }
  });

  test('nothing is left of the documents that were not taken', async () => {
    const [gateway] = gateways;
    const faxes = (await (await gateway.request('GET', '/inbound?limit=200')).json()) as unknown[];
    expect(await readdir(join(gateway.dataFolder, 'files', 'inbound'))).toHaveLength(faxes.length);
  });
});
