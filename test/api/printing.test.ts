import { deflateRawSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { JOB_STATE, STATUS } from '../../server/platform/ipp/codes.ts';
import { GROUP, type IppAttribute } from '../../server/platform/ipp/message.ts';
import { attribute, groupOf, soleValue, valuesOf } from '../../server/platform/ipp/values.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { pwgRaster, urfRaster } from '../fixtures/print-raster.ts';
import { AccessAdministrator } from '../setup/access-administrator.ts';
import { INSTALLATION_KEY } from '../setup/gateway.ts';
import { callPrinter, ippRequest, postToPrinter, printByIpp } from '../setup/ipp-client.ts';
import { enrolMara } from '../setup/owner.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { openPrintingOffice, type PrintingOffice } from '../setup/printing-office.ts';
import { newPostgresDatabase, STORES } from '../setup/stores.ts';

const DAY = 24 * 3_600_000;
const LETTER = textPdf(2);

describe.each(STORES)('print to fax on %s', (store) => {
  let office: PrintingOffice;
  let databaseUrl: string | null;
  /** Keys of two senders without the right to open every document. */
  let ann: string;
  let ben: string;
  beforeAll(async () => {
    databaseUrl = store === 'sqlite' ? null : await newPostgresDatabase();
    office = await openPrintingOffice(databaseUrl);
    const administrator = new AccessAdministrator(office.gateway);
    const role = await administrator.role('Sends', ['fax:send']);
    const keyOf = async (name: string) => {
      const sender = await administrator.integration(name);
      await administrator.assign(sender, role);
      return (await administrator.key(sender, ['fax:send'])).token;
    };
    ann = await keyOf('Ann');
    ben = await keyOf('Ben');
  });
  afterAll(async () => {
    await office.gateway.close();
    if (databaseUrl) await dropPostgresDatabase(databaseUrl);
  });

  async function discardAll(): Promise<void> {
    for (const { id } of await office.waiting()) await office.act('DELETE', `/printed/${id}`);
  }
  const audited = async (operation: string) => {
    const answer = await office.gateway.request('GET', `/access/audit?operation=${operation}`);
    return ((await answer.json()) as { items: { outcome: string; details: object }[] }).items.filter(
      ({ outcome }) => outcome === 'done',
    );
  };

  test('rule (printing): a printed document waits until someone takes it, and then is that person’s alone', async () => {
    expect(await printByIpp(office.uri, LETTER)).toMatchObject({
      status: STATUS.ok,
      state: JOB_STATE.completed,
      message: 'The document waits on the Send screen of Faxdesk.',
    });
    const [printed] = await office.waiting({ key: ann });
    expect(printed).toMatchObject({ name: 'Letter to Ann', printed_by: 'mara', pages: 2, mine: false });
    const path = `/printed/${printed?.id}`;
    // From another computer it does not exist for them.
    expect(await office.waiting({ key: ann, elsewhere: true })).toEqual([]);
    expect(await office.act('POST', `${path}/take`, { key: ann, elsewhere: true })).toBe(404);
    // Nobody opens what is no one's.
    expect(await office.act('GET', `${path}/document`, { key: ann })).toBe(404);
    expect(await office.act('POST', `${path}/take`, { key: ann })).toBe(200);
    expect(await office.act('POST', `${path}/take`, { key: ann })).toBe(200);
    expect(await office.act('POST', `${path}/take`, { key: ben })).toBe(404);
    expect(await office.act('DELETE', path, { key: ben })).toBe(404);
    expect(await office.act('GET', `${path}/document`, { key: INSTALLATION_KEY })).toBe(404);
    expect(await office.waiting({ key: ann, elsewhere: true })).toMatchObject([{ mine: true, version: 2 }]);
    const document = await office.gateway.request('GET', `${path}/document`, { key: ann });
    expect(Buffer.from(await document.arrayBuffer()).equals(LETTER)).toBe(true);
    expect(await office.act('DELETE', path, { key: ann })).toBe(200);
    expect(await office.act('DELETE', path, { key: ann })).toBe(404);
    expect((await audited('printed.take'))[0]).toMatchObject({ details: { pages: 2 } });
    expect((await audited('printed.remove'))[0]).toMatchObject({ details: { pages: 2 } });
  });

  test('rule (printing): nothing that is printed is sent by itself', async () => {
    const faxes = async () => (await (await office.gateway.request('GET', '/fax')).json()) as { items: [] };
    await printByIpp(office.uri, LETTER);
    await office.gateway.processAll();
    expect((await faxes()).items).toEqual([]);
    await discardAll();
  });

  test.each([
    ['as it is', 'none', (bytes: Buffer) => bytes],
    ['with gzip', 'gzip', (bytes: Buffer) => gzipSync(bytes)],
    ['with bare deflate', 'deflate', (bytes: Buffer) => deflateRawSync(bytes)],
  ])('takes a document %s', async (_how, compression, packed) => {
    const operation = [
      attribute('compression', 'keyword', compression),
      attribute('document-format', 'mimeMediaType', 'application/pdf'),
    ];
    expect(await printByIpp(office.uri, packed(textPdf(3)), { operation, name: compression })).toMatchObject({
      status: STATUS.ok,
      state: JOB_STATE.completed,
    });
    expect((await office.waiting()).map(({ name, pages }) => [name, pages])).toEqual([[compression, 3]]);
    await discardAll();
  });

  test('takes a job whose document comes later, and shows what became of it', async () => {
    const created = await callPrinter(office.uri, 'createJob', {
      operation: [attribute('job-name', 'name', 'Two steps')],
    });
    const number = soleValue(groupOf(created, GROUP.job), 'job-id', 'integer') ?? 0;
    const job = [attribute('job-id', 'integer', number)];
    const state = async () => {
      const answer = await callPrinter(office.uri, 'getJobAttributes', { operation: job });
      return soleValue(groupOf(answer, GROUP.job), 'job-state', 'enum');
    };
    expect(await state()).toBe(JOB_STATE.pending);
    const document = { operation: [...job, attribute('last-document', 'boolean', true)], document: LETTER };
    const sent = await callPrinter(office.uri, 'sendDocument', document);
    expect(sent.code).toBe(STATUS.ok);
    expect(await state()).toBe(JOB_STATE.completed);
    // No program learns the name of a document, or another account.
    const shown = await callPrinter(office.uri, 'getJobs', {
      user: 'ben',
      operation: [
        attribute('which-jobs', 'keyword', 'completed'),
        attribute('requested-attributes', 'keyword', 'all'),
      ],
    });
    expect(JSON.stringify(shown)).not.toMatch(/Two steps|mara/u);
    expect((await callPrinter(office.uri, 'cancelJob', { operation: job })).code).toBe(STATUS.notPossible);
    expect((await office.waiting()).map(({ name }) => name)).toEqual(['Two steps']);
    await discardAll();
  });

  test('keeps nothing of a job that is canceled, closed or given up before its document', async () => {
    const open = async () => {
      const created = await callPrinter(office.uri, 'createJob');
      const number = soleValue(groupOf(created, GROUP.job), 'job-id', 'integer') ?? 0;
      return [attribute('job-id', 'integer', number)];
    };
    const [canceled, closed, late] = [await open(), await open(), await open()];
    expect((await callPrinter(office.uri, 'cancelJob', { operation: canceled })).code).toBe(STATUS.ok);
    expect((await callPrinter(office.uri, 'closeJob', { operation: closed })).code).toBe(STATUS.ok);
    office.gateway.clock.advance(121_000);
    for (const job of [canceled, closed, late]) {
      const operation = [...job, attribute('last-document', 'boolean', true)];
      const sent = await callPrinter(office.uri, 'sendDocument', { operation, document: LETTER });
      expect(sent.code).toBe(STATUS.notPossible);
    }
    expect(await office.waiting()).toEqual([]);
  });

  test('rule (printing): takes pages that a computer drew for a printer', async () => {
    const rows = Array.from({ length: 702 }, (_, y) => new Uint8Array(496).fill(y % 9 === 0 ? 0 : 255));
    const page = { width: 496, height: 702, perInch: 60, bitsPerPixel: 8, space: 18, rows };
    await printByIpp(office.uri, pwgRaster([page, page]), { name: 'PWG' });
    await printByIpp(office.uri, urfRaster([{ ...page, space: 0 }]), { name: 'URF' });
    expect(
      (await office.waiting())
        .map(({ name, pages }) => [name, pages])
        .toSorted((a, b) => String(a).localeCompare(String(b))),
    ).toEqual([
      ['PWG', 2],
      ['URF', 1],
    ]);
    const cut = pwgRaster([page]).subarray(0, 2_000);
    expect(await printByIpp(office.uri, cut)).toMatchObject({ state: JOB_STATE.aborted });
    await discardAll();
  });

  test('keeps the chosen pages', async () => {
    const job = [attribute('page-ranges', 'range', { lower: 2, upper: 3 }, { lower: 5, upper: 99 })];
    expect(await printByIpp(office.uri, textPdf(6), { job })).toMatchObject({ state: JOB_STATE.completed });
    expect((await office.waiting()).map(({ pages }) => pages)).toEqual([4]);
    await discardAll();
  });

  const destination = (uri: string, ...more: IppAttribute[]) => [
    attribute('destination-uris', 'collection', [attribute('destination-uri', 'uri', uri), ...more]),
  ];

  test('rule (printing): a number that a program gives with a document waits with it, and no other program can read it', async () => {
    const job = destination('tel:+1%20(202)%20555-0147');
    expect(await printByIpp(office.faxUri, LETTER, { job })).toMatchObject({ status: STATUS.ok });
    expect(await printByIpp(office.faxUri, textPdf(1))).toMatchObject({ status: STATUS.ok });
    expect(new Set((await office.waiting()).map(({ to, pages }) => [to, pages]))).toEqual(
      new Set([
        ['+1 (202) 555-0147', 2],
        [null, 1],
      ]),
    );
    const listed = async (uri: string) => {
      const operation = [
        attribute('which-jobs', 'keyword', 'completed'),
        attribute('requested-attributes', 'keyword', 'all'),
      ];
      const { groups } = await callPrinter(uri, 'getJobs', { operation });
      return groups.filter(
        ({ tag, attributes }) => tag === GROUP.job && JSON.stringify(attributes).includes('faxout'),
      );
    };
    expect(await listed(office.faxUri)).toHaveLength(2);
    expect(JSON.stringify(await listed(office.faxUri))).not.toMatch(/555|destination/u);
    expect(await listed(office.uri)).toEqual([]);
    // The same letter to another number is another fax.
    await printByIpp(office.faxUri, LETTER, { job: destination('tel:+12025550148') });
    expect(await office.waiting()).toHaveLength(3);
    await discardAll();
  });

  test('the printer without recipients ignores a number, and the one with them says what it takes', async () => {
    const attributesOf = async (uri: string) =>
      groupOf(await callPrinter(uri, 'getPrinterAttributes'), GROUP.printer);
    const [plain, fax] = [await attributesOf(office.uri), await attributesOf(office.faxUri)];
    expect(valuesOf(plain, 'destination-uri-schemes-supported')).toEqual([]);
    expect(valuesOf(fax, 'destination-uri-schemes-supported')).toEqual([{ kind: 'uriScheme', value: 'tel' }]);
    expect(JSON.stringify(valuesOf(fax, 'ipp-features-supported'))).toContain('faxout');
    expect(soleValue(fax, 'printer-uuid', 'uri')).not.toBe(soleValue(plain, 'printer-uuid', 'uri'));
    const ignored = await printByIpp(office.uri, LETTER, { job: destination('tel:+12025550147') });
    expect(ignored.status).toBe(STATUS.okIgnored);
    // Faxdesk dials the prefix of its own line.
    const prefixed = destination('tel:2025550147', attribute('pre-dial-string', 'text', '9'));
    expect((await printByIpp(office.faxUri, LETTER, { job: prefixed })).status).toBe(STATUS.okIgnored);
    expect(new Set((await office.waiting()).map(({ to }) => to))).toEqual(new Set(['2025550147', null]));
    await discardAll();
  });

  test.each([
    ['an address of another printer', destination('ipp://192.0.2.1/ipp/print'), STATUS.uriSchemeNotSupported],
    ['a mail address', destination('mailto:ann@example.com'), STATUS.uriSchemeNotSupported],
    ['no number', destination('tel:'), STATUS.attributesNotSupported],
    ['words', destination('tel:call%20me'), STATUS.attributesNotSupported],
    ['a broken escape', destination('tel:%E0%A4%A'), STATUS.attributesNotSupported],
    ['a number that is too long', destination(`tel:${'1'.repeat(41)}`), STATUS.attributesNotSupported],
    ['a part for another network', destination('tel:+12025550147;ext=1'), STATUS.attributesNotSupported],
    ['no address', [attribute('destination-uris', 'keyword', 'tel')], STATUS.badRequest],
    [
      'two numbers',
      [
        {
          name: 'destination-uris',
          values: ['7', '8'].flatMap((end) => destination(`tel:+1202555014${end}`)[0]?.values ?? []),
        },
      ],
      STATUS.attributesNotSupported,
    ],
  ])('refuses a recipient with %s', async (_what, job, status) => {
    expect((await printByIpp(office.faxUri, LETTER, { job })).status).toBe(status);
    const checked = await callPrinter(office.faxUri, 'validateJob', { job });
    expect(checked.code).toBe(status);
    expect(await office.waiting()).toEqual([]);
  });

  test('rule (printing): a document whose answer was lost and that is printed again waits once', async () => {
    const number = async () => (await printByIpp(office.uri, LETTER)).number;
    const first = await number();
    expect(await number()).not.toBe(first);
    expect(await office.waiting()).toHaveLength(1);
    await printByIpp(office.uri, LETTER, { name: 'Another letter' });
    await printByIpp(office.uri, LETTER, { user: 'ben' });
    office.gateway.clock.advance(121_000);
    await printByIpp(office.uri, LETTER);
    expect(await office.waiting()).toHaveLength(4);
    await discardAll();
  });

  test.each([
    ['text', 'text/plain', Buffer.from('hello'), STATUS.formatNotSupported],
    ['PostScript', 'application/octet-stream', Buffer.from('%!PS-Adobe'), STATUS.formatNotSupported],
    ['PostScript called PDF', 'application/pdf', Buffer.from('%!PS-Adobe'), STATUS.formatNotSupported],
    ['a program called PDF', 'application/pdf', Buffer.from('\x7fELF'), STATUS.formatError],
    ['nothing', 'application/pdf', Buffer.alloc(0), STATUS.badRequest],
  ])('refuses %s', async (_what, format, document, status) => {
    const operation = [attribute('document-format', 'mimeMediaType', format)];
    expect((await printByIpp(office.uri, document, { operation })).status).toBe(status);
    expect(await office.waiting()).toEqual([]);
  });

  test('rule (printing): a document that cannot be faxed ends its job with the reason', async () => {
    expect(await printByIpp(office.uri, Buffer.from('%PDF-1.7 broken'))).toMatchObject({
      status: STATUS.ok,
      state: JOB_STATE.aborted,
      message: expect.stringMatching(/^[A-Z].*\.$/u),
    });
    expect(await office.waiting()).toEqual([]);
  });

  test('rule (printing): a document that grows beyond the limit when it is decompressed is refused on the way', async () => {
    await office.gateway.set({ MAX_FILE_SIZE_MB: 1 });
    const operation = [attribute('compression', 'keyword', 'gzip')];
    const bomb = gzipSync(Buffer.concat([Buffer.from('%PDF-1.7'), Buffer.alloc(64 * 1024 * 1024)]));
    expect((await printByIpp(office.uri, bomb, { operation })).status).toBe(STATUS.tooLarge);
    const broken = Buffer.from('not gzip at all');
    expect((await printByIpp(office.uri, broken, { operation })).status).toBe(STATUS.compressionError);
    await office.gateway.set({ MAX_FILE_SIZE_MB: 50 });
  });

  test('rule (printing): web pages and other names than those of this computer do not reach the printer', async () => {
    const body = ippRequest(office.uri, 'getPrinterAttributes');
    expect((await postToPrinter(office.uri, body)).readUInt16BE(2)).toBe(STATUS.ok);
    // A page can send this type, but not that of IPP.
    await expect(postToPrinter(office.uri, body, { 'Content-Type': 'text/plain' })).rejects.toThrow('415');
    await expect(postToPrinter(office.uri, body, { Host: 'attacker.example:6310' })).rejects.toThrow('403');
    const statusOf = async (path: string, init: RequestInit) => {
      const answer = await fetch(office.uri.replace('ipp:', 'http:').replace('/ipp/print', path), init);
      await answer.arrayBuffer();
      return answer.status;
    };
    expect(await statusOf('/ipp/print', { method: 'OPTIONS' })).toBe(405);
    expect(await statusOf('/', { method: 'GET' })).toBe(404);
    expect(await statusOf('/icon.png', { method: 'GET' })).toBe(200);
  });

  test('reports only what it does not do of a job, and refuses it where the job insists', async () => {
    const job = [attribute('sides', 'keyword', 'two-sided-long-edge'), attribute('copies', 'integer', 2)];
    const validated = await callPrinter(office.uri, 'validateJob', { job });
    expect(validated.code).toBe(STATUS.okIgnored);
    expect(groupOf(validated, GROUP.unsupported).map(({ name }) => name)).toEqual(['sides']);
    const operation = [attribute('ipp-attribute-fidelity', 'boolean', true)];
    const refused = await callPrinter(office.uri, 'validateJob', { operation, job });
    expect(refused.code).toBe(STATUS.attributesNotSupported);
  });

  test('has the same UUID after a restart, and what waits waits on', async () => {
    const uuid = async () => {
      const answer = await callPrinter(office.uri, 'getPrinterAttributes', {
        operation: [attribute('requested-attributes', 'keyword', 'printer-uuid')],
      });
      return valuesOf(groupOf(answer, GROUP.printer), 'printer-uuid')[0]?.value;
    };
    const before = await uuid();
    await printByIpp(office.uri, LETTER);
    const waiting = await office.waiting();
    office.gateway = await office.gateway.restart();
    expect(await office.waiting()).toEqual(waiting);
    expect(await uuid()).toBe(before);
    expect((await printByIpp(office.uri, textPdf(1))).number).toBeGreaterThan(1);
    await discardAll();
  });

  test('rule (crossings): printed documents are counted in `/metrics` and deleted after PRINTED_DAYS', async () => {
    const counted = async () => {
      const text = await (await office.gateway.request('GET', '/metrics')).text();
      return /faxdesk_printed_documents\{state="unclaimed"\} (\d+)/u.exec(text)?.[1];
    };
    await printByIpp(office.uri, LETTER);
    expect(await counted()).toBe('1');
    office.gateway.clock.advance(6 * DAY);
    await office.gateway.processAll();
    expect(await office.waiting()).toHaveLength(1);
    office.gateway.clock.advance(2 * DAY);
    await office.gateway.processAll();
    expect(await office.waiting()).toEqual([]);
    expect(await counted()).toBe('0');
  });

  test('follows the settings, and refuses a mode that does not exist', async () => {
    const printer = async () => (await (await office.gateway.request('GET', '/printer')).json()) as object;
    expect(await printer()).toMatchObject({ mode: 'this_computer', uri: office.uri, problem: null });
    const wrong = { json: { changes: { PRINT_TO_FAX: 'everyone' } } };
    const refused = await office.gateway.request('PUT', '/admin/settings', wrong);
    expect([refused.status, (await refused.json()) as object]).toEqual([422, expect.anything()]);
    await office.gateway.set({ PRINT_TO_FAX: 'off' });
    expect(await printer()).toMatchObject({ mode: 'off', uri: null });
    await expect(printByIpp(office.uri, LETTER)).rejects.toThrow();
    await office.gateway.set({ PRINT_TO_FAX: 'this_computer' });
    expect(await printer()).toMatchObject({ uri: office.uri });
    expect((await printByIpp(office.uri, LETTER)).status).toBe(STATUS.ok);
    await discardAll();
  });

  test('rule (printing): a fax takes the documents that it was made from out of the list when it is accepted', async () => {
    for (const name of ['First', 'Second', 'Not Ann’s']) {
      office.gateway.clock.advance(1_000);
      await printByIpp(office.uri, LETTER, { name });
    }
    const [others, second, first] = (await office.waiting()).map(({ id }) => id);
    for (const id of [first, second]) await office.act('POST', `/printed/${id}/take`, { key: ann });
    const send = async (to: string, printed: (string | undefined)[]) => {
      const form = new FormData();
      form.append('to', to);
      for (const id of [...printed, 'gone']) form.append('printed', id ?? '');
      form.append('file', new File([Uint8Array.from(LETTER)], 'Letter.pdf', { type: 'application/pdf' }));
      const headers = { 'Idempotency-Key': `printed-${to}` };
      const answer = await office.gateway.request('POST', '/fax', { key: ann, form, headers });
      return { status: answer.status, fax: (await answer.json()) as { id: string } };
    };
    const names = async () => (await office.waiting({ key: ann })).map(({ name }) => name);
    expect((await send('+1 202', [first, second])).status).toBe(400);
    expect(await names()).toEqual(['Not Ann’s', 'Second', 'First']);
    const { status, fax } = await send('+12025550171', [first, second, second, others]);
    expect(status).toBe(202);
    expect(await names()).toEqual(['Not Ann’s']);
    expect((await audited('printed.remove')).slice(0, 2)).toMatchObject([
      { details: { pages: 2, fax: fax.id } },
      { details: { pages: 2, fax: fax.id } },
    ]);
    expect(await send('+12025550171', [first, others])).toMatchObject({ status: 202, fax: { id: fax.id } });
    expect(await names()).toEqual(['Not Ann’s']);
    await discardAll();
  });

  test('rule (printing): where only one person can send, printed documents are theirs', async () => {
    await enrolMara(office.gateway.url, INSTALLATION_KEY);
    await printByIpp(office.uri, LETTER);
    expect(await office.waiting()).toEqual([]);
    expect(await office.waiting({ key: ann })).toEqual([]);
  });
});
