import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { engineImage } from '../fixtures/engine-image.ts';
import { CALL, EngineGateway, orderOf } from './telephony-setup.ts';

let inbound: EngineGateway;
beforeEach(async () => {
  inbound = await EngineGateway.start();
});
afterEach(() => inbound.close());

describe('a fax that the telephone engine hands over', () => {
  test('rule (crossings): a received fax with missing pages is marked in inbox, work item, e-mail and evidence archive', async () => {
    const path = await inbound.dropImage('a.tif', engineImage(3));
    await inbound.handOver(orderOf(path, { faxstatus: 'FAILED', faxpages: 3 }));
    await inbound.work();
    const fax = await inbound.only();
    const problem = 'Pages may be missing: the call ended after 3 pages.';
    expect(fax).toMatchObject({ status: 'received', pages: 3, incomplete: true, problem });
    expect((await inbound.evidence(fax.id)).map(({ text }) => text)).toEqual([
      expect.stringMatching(/ended with FAILED, so pages may be missing\.$/u),
      `The image of the telephone engine was converted, checked and stored. ${problem}`,
    ]);
    const queue = await inbound.gateway.request('GET', '/work');
    expect(((await queue.json()) as { items: object[] }).items).toMatchObject([
      { incomplete: true, problem },
    ]);
    const archive = await inbound.gateway.request('GET', `/work/${fax.work_item_id}/export`);
    const manifest = Buffer.from(await archive.arrayBuffer()).toString('latin1');
    expect(manifest).toMatch(
      /"incomplete": true,\s+"operation_id": "1763715600\.17",\s+"problem": "Pages may/u,
    );
    expect(manifest.match(/the call ended after 3 pages\.\n/gu)).toHaveLength(1);
  });

  test.each([
    [
      'before a page',
      { faxstatus: 'FAILED', faxpages: 0 },
      'the call ended before the first page was complete.',
    ],
    ['without a count', { faxstatus: 'FAILED', faxpages: null }, 'the call ended after 1 page.'],
    [
      'with more pages than came',
      { faxpages: 4 },
      'the telephone engine counted 4 pages, but only 1 arrived.',
    ],
  ])('that ended %s says so', async (_case, told, sentence) => {
    await inbound.handOver(orderOf(await inbound.dropImage('a.tif'), told));
    await inbound.work();
    expect(await inbound.only()).toMatchObject({
      status: 'received',
      incomplete: true,
      problem: `Pages may be missing: ${sentence}`,
    });
  });

  test('after its image was brought in says then that pages may be missing', async () => {
    const path = await inbound.dropImage(`${CALL}.tiff`);
    await inbound.recover();
    await inbound.work();
    const found = await inbound.only();
    expect(found).toMatchObject({ status: 'received', incomplete: false, problem: null });
    await inbound.handOver(orderOf(path, { faxstatus: 'FAILED', faxpages: 1 }));
    const problem = 'Pages may be missing: the call ended after 1 page.';
    expect(await inbound.only()).toMatchObject({
      id: found.id,
      status: 'received',
      incomplete: true,
      problem,
    });
    expect((await inbound.evidence(found.id)).at(-1)?.text).toBe(
      `The telephone engine reported the fax again. ${problem}`,
    );
    // The same again is nothing new.
    await inbound.handOver(orderOf(path, { faxstatus: 'FAILED', faxpages: 1 }));
    const read = async (rest: string) =>
      (await inbound.gateway.request('GET', `/work/${found.work_item_id}${rest}`)).json();
    expect(await read('')).toMatchObject({ version: 2, incomplete: true, problem });
    expect(await read('/history')).toMatchObject({
      events: [{ kind: 'created' }, { kind: 'pages_missing', text: problem, actor: 'Telephone engine' }],
    });
  });
});
