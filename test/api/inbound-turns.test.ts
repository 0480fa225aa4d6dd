import { afterAll, beforeAll, expect, test } from 'vitest';
import { textPdf } from '../fixtures/long-pdf.ts';
import { HOUR } from '../setup/manual-clock.ts';
import { addMailbox, keyOn } from './inbound-mailboxes.ts';
import { type Inbound, InboundGateway } from './inbound-setup.ts';

const FRONT = { id: 'mailbox-front', label: 'Front desk', number: '+12025550101' };
const SEEING = ['inbound:list', 'inbound:read', 'inbound:document'];

let inbound: InboundGateway;
let id = '';
beforeAll(async () => {
  inbound = await InboundGateway.start();
  addMailbox(inbound, FRONT);
  await inbound.notify(inbound.arrive({ to: FRONT.number, document: textPdf(4) }));
  await inbound.work();
  ({ id } = await inbound.only());
});
afterAll(() => inbound.close());

const turn = (pages: readonly number[], quarter_turns: number, key?: string) =>
  inbound.gateway.request('PUT', `/inbound/${id}/turns`, {
    json: { pages, quarter_turns },
    ...(key === undefined ? {} : { key }),
  });
const document = async () =>
  Buffer.from(await (await inbound.gateway.request('GET', `/inbound/${id}/pdf`)).arrayBuffer());

test('rule (inbound): a turned page is turned for everybody, and the document stays as it came', async () => {
  const before = await document();
  const { version, turned_pages, sha256 } = await inbound.only();
  expect(turned_pages).toEqual([]);
  const answer = (await (await turn([3, 1], 1)).json()) as Inbound;
  expect(answer.turned_pages).toEqual([
    { page: 1, quarter_turns: 1 },
    { page: 3, quarter_turns: 1 },
  ]);
  expect(answer.version).toBe(version + 1);
  await turn([3], 2);
  const reader = await keyOn(inbound, SEEING, [`mailbox:${FRONT.id}`]);
  const seen = await (await inbound.gateway.request('GET', `/inbound/${id}`, { key: reader })).json();
  expect(seen).toMatchObject({
    turned_pages: [
      { page: 1, quarter_turns: 1 },
      { page: 3, quarter_turns: 2 },
    ],
    sha256,
  });
  expect(((await (await turn([1, 3], 0, reader)).json()) as Inbound).turned_pages).toEqual([]);
  expect(await document()).toEqual(before);
});

test('turning pages to where they are changes nothing and announces nothing', async () => {
  await turn([2], 3);
  const { version, updated_at } = await inbound.only();
  expect((await turn([2], 3)).status).toBe(200);
  expect(await inbound.only()).toMatchObject({ version, updated_at });
});

test('a page that the fax lacks, and who may not open its document, are refused', async () => {
  const answer = await turn([1, 5], 1);
  expect([answer.status, await answer.json()]).toMatchObject([
    404,
    { detail: expect.stringContaining('no page 5') },
  ]);
  expect((await inbound.only()).turned_pages.map(({ page }) => page)).not.toContain(1);
  const without = await keyOn(inbound, SEEING.slice(0, 2), [`mailbox:${FRONT.id}`]);
  expect((await turn([1], 1, without)).status).toBe(403);
  for (const [pages, quarters] of [
    [[], 1],
    [[0], 1],
    [[1], 4],
  ] as const)
    expect((await turn(pages, quarters)).status).toBe(400);
});

test('a received fax that changed is found by the time of its change, a turn of a page included', async () => {
  inbound.gateway.clock.advance(HOUR);
  const since = new Date(inbound.gateway.clock.now()).toISOString();
  const changed = async (query = '') =>
    (await inbound.list(`?updated_since=${since}${query}`)).map((fax) => fax.id);
  expect(await changed()).toEqual([]);
  await turn([4], 1);
  expect(await changed()).toEqual([id]);
  expect(await changed('&status=waiting')).toEqual([]);
  expect(await changed('&ids=another')).toEqual([]);
  const page = await inbound.gateway.request('GET', `/inbound/page?updated_since=${since}&unread=true`);
  expect(await page.json()).toMatchObject({ items: [], next_cursor: null });
});
