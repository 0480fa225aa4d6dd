import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { AccessAdministrator } from '../setup/access-administrator.ts';
import { announceScanner } from '../setup/announced-scanner.ts';
import { eventually } from '../setup/eventually.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { startScanner, type TestScanner } from '../setup/scanner.ts';

interface Scan {
  readonly id: string;
  readonly state: string;
  readonly pages: number;
  readonly problem: string | null;
}

describe('scan to fax', () => {
  let gateway: TestGateway;
  let scanner: TestScanner;
  let scannerId: string;
  let other: string;
  beforeAll(async () => {
    scanner = await startScanner();
    gateway = await startTestGateway({ settings: { SCANNERS: scanner.url } });
    [{ id: scannerId } = { id: '' }] = (await read<{ items: { id: string }[] }>('/scanners')).items;
    const administrator = new AccessAdministrator(gateway);
    const sender = await administrator.integration('Ann');
    await administrator.assign(sender, await administrator.role('Sends', ['fax:send']));
    other = (await administrator.key(sender, ['fax:send'])).token;
  });
  afterAll(async () => {
    await gateway.close();
    await scanner.close();
  });
  afterEach(() => scanner.reset());

  async function read<T>(path: string): Promise<T> {
    const answer = await gateway.request('GET', path);
    expect([path, answer.status]).toEqual([path, 200]);
    return (await answer.json()) as T;
  }
  const post = (path: string, json: object) => gateway.request('POST', path, { json });
  const order = { source: 'feeder', resolution: 200 } as const;
  async function begin(wanted: object = order): Promise<Scan> {
    const answer = await post('/scans', { scanner_id: scannerId, ...wanted });
    const body = (await answer.json()) as Scan;
    expect([answer.status, body]).toMatchObject([202, { state: 'scanning' }]);
    return body;
  }
  const ended = (id: string) =>
    eventually(async () => {
      const scan = await read<Scan>(`/scans/${id}`);
      expect(scan.state).toBe('waiting');
      return scan;
    });
  async function refusal(answer: Promise<Response>): Promise<unknown> {
    const { status, headers, body } = await answer.then(async (it) => ({
      status: it.status,
      headers: it.headers,
      body: (await it.json()) as { detail?: string },
    }));
    return { status, code: headers.get('X-Error-Code'), sentence: body.detail };
  }

  test('finds the scanners of the network, and says which of them the settings have', async () => {
    const port = Number(new URL(scanner.url).port);
    const facts = ['ty=Example OfficeScan 4020', 'note=Front desk', 'rs=eSCL'];
    const announced = await announceScanner({ name: 'Office scanner', port, facts });
    const found = async () =>
      (await read<{ items: { name: string }[] }>('/network-scanners')).items.filter(
        ({ name }) => name === 'Office scanner',
      );
    const known = {
      name: 'Office scanner',
      model: 'Example OfficeScan 4020',
      place: 'Front desk',
      url: scanner.url,
      is_added: true,
      added_url: scanner.url,
    };
    expect(await Promise.all([found(), found()])).toEqual([[known], [known]]);
    await gateway.set({ SCANNERS: [] });
    expect(await found()).toEqual([{ ...known, is_added: false, added_url: null }]);
    await gateway.set({ SCANNERS: [scanner.url] });
    announced.close();
    expect(await found()).toEqual([]);
  });

  const uuid = '4509a320-00a0-008f-00b6-002507510eca';
  test.each([
    ['its host name', [], (port: number) => `localhost:${port}`, true],
    ['the host name that it announces', [], (port: number) => `TEST-scanner.local:${port}`, true],
    ['another address, by its UUID', [`UUID=${uuid.toUpperCase()}`], null, true],
    ['the former address of another scanner', ['UUID=other'], (port: number) => `localhost:${port}`, false],
  ])('a scanner that was added by %s is recognized among those found', async (_, facts, saved, isAdded) => {
    const own = Number(new URL(scanner.url).port);
    const announced = await announceScanner({
      name: 'Known scanner',
      port: saved === null ? 9 : own,
      facts: [...facts, 'rs=eSCL'],
    });
    await gateway.set({ SCANNERS: ['127.0.0.1:7', saved?.(own) ?? scanner.url] });
    const { items } = await read<{ items: { name: string }[] }>('/network-scanners');
    announced.close();
    await gateway.set({ SCANNERS: [scanner.url] });
    expect(items.filter(({ name }) => name === 'Known scanner')).toMatchObject([
      {
        is_added: isAdded,
        added_url: isAdded ? `http://${saved?.(own).toLowerCase() ?? new URL(scanner.url).host}/eSCL` : null,
      },
    ]);
  });

  test('lists the scanners of the settings and what they can do', async () => {
    await gateway.set({ SCANNERS: [scanner.url, '192.0.2.20', 'https://scan.office.example/'] });
    const { items } = await read<{ items: { url: string }[] }>('/scanners');
    expect(items.map(({ url }) => url)).toEqual([
      scanner.url,
      'http://192.0.2.20/eSCL',
      'https://scan.office.example/eSCL',
    ]);
    await gateway.set({ SCANNERS: [scanner.url] });
    scanner.sheets = 3;
    expect(await read(`/scanners/${scannerId}`)).toEqual({
      id: scannerId,
      url: scanner.url,
      model: 'Example OfficeScan 4020',
      sources: [
        { source: 'glass', resolutions: [100, 200, 300, 600] },
        { source: 'feeder', resolutions: [100, 150, 200, 300] },
        { source: 'feeder_two_sided', resolutions: [200, 300] },
      ],
      feeder_loaded: true,
    });
  });

  test('rule (scanning): the pages of a scan become one document of the person who scanned', async () => {
    scanner.sheets = 3;
    scanner.namedHost = 'scanner.invalid:80';
    scanner.waits = 2;
    const { id } = await begin();
    expect(await ended(id)).toMatchObject({ pages: 3, problem: null });
    expect(scanner.jobs.at(-1)?.settings).toContain('<scan:ColorMode>Grayscale8</scan:ColorMode>');
    expect(scanner.jobs.at(-1)?.settings).toContain('<pwg:Width>2550</pwg:Width>');
    const page = await gateway.request('GET', `/scans/${id}/pages/3`);
    expect(page.headers.get('content-type')).toBe('image/jpeg');
    expect([...new Uint8Array(await page.arrayBuffer()).subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
    // A page from the glass after those of the feeder.
    expect((await post(`/scans/${id}/pages`, { source: 'glass', resolution: 300, paper: 'a4' })).status).toBe(
      202,
    );
    expect(await ended(id)).toMatchObject({ pages: 4 });
    expect(scanner.jobs.at(-1)?.settings).toContain('<pwg:Height>3508</pwg:Height>');
    // Nobody else can see it.
    const elsewhere = { key: other };
    for (const [method, path] of [
      ['GET', `/scans/${id}`],
      ['GET', `/scans/${id}/pages/1`],
      ['POST', `/scans/${id}/finish`],
      ['DELETE', `/scans/${id}`],
    ] as const) {
      const answer = await gateway.request(method, path, elsewhere);
      await answer.arrayBuffer();
      expect([path, answer.status]).toEqual([path, 404]);
    }
    const finished = await gateway.request('POST', `/scans/${id}/finish`);
    const document = (await finished.json()) as { id: string };
    expect([finished.status, document]).toMatchObject([
      200,
      { source: 'scanner', pages: 4, mine: true, name: '' },
    ]);
    expect((await read<{ items: object[] }>('/printed')).items).toMatchObject([{ id: document.id }]);
    const pdf = await gateway.request('GET', `/printed/${document.id}/document`);
    expect(
      Buffer.from(await pdf.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    expect(await refusal(gateway.request('GET', `/scans/${id}`))).toMatchObject({
      status: 404,
      code: 'no_such_scan',
    });
    await (await gateway.request('DELETE', `/printed/${document.id}`)).arrayBuffer();
  });

  test('scans both sides of each sheet', async () => {
    scanner.sheets = 2;
    const { id } = await begin({ source: 'feeder_two_sided', resolution: 200 });
    expect(await ended(id)).toMatchObject({ pages: 4 });
    await (await gateway.request('DELETE', `/scans/${id}`)).arrayBuffer();
  });

  test('keeps the pages before paper got stuck, and says so', async () => {
    scanner.sheets = 5;
    scanner.jamsAfter = 2;
    const { id } = await begin();
    expect(await ended(id)).toMatchObject({
      pages: 2,
      problem: 'Paper is stuck in the feeder. Remove it, and scan the pages that are missing.',
    });
    scanner.feederState = null;
    scanner.jamsAfter = null;
    scanner.sheets = 3;
    expect((await post(`/scans/${id}/pages`, order)).status).toBe(202);
    expect(await ended(id)).toMatchObject({ pages: 5, problem: null });
    await (await gateway.request('DELETE', `/scans/${id}`)).arrayBuffer();
  });

  test('keeps no half of a page when the scanner goes away', async () => {
    scanner.sheets = 3;
    scanner.breaksAt = 2;
    const { id } = await begin();
    expect(await ended(id)).toMatchObject({
      pages: 1,
      problem: 'The scanner stopped answering. The pages so far are kept; scan the others again.',
    });
    await (await gateway.request('DELETE', `/scans/${id}`)).arrayBuffer();
  });

  test('stops the scanner when the scan is discarded, and refuses to finish one that runs', async () => {
    scanner.sheets = 5;
    let go = () => {};
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    scanner.beforePage = () => held;
    const { id } = await begin();
    expect(await refusal(gateway.request('POST', `/scans/${id}/finish`))).toMatchObject({
      status: 409,
      code: 'scan_under_way',
    });
    expect(await refusal(post(`/scans/${id}/pages`, order))).toMatchObject({
      status: 409,
      code: 'scan_under_way',
    });
    await (await gateway.request('DELETE', `/scans/${id}`)).arrayBuffer();
    await eventually(async () => expect(scanner.jobs.at(-1)?.isCanceled).toBe(true));
    go();
  });

  test.each([
    ['an empty feeder', () => {}, 'The feeder is empty. Put the pages in and scan again.'],
    [
      'a busy scanner',
      () => (scanner.state = 'Processing'),
      'The scanner is busy. Wait a moment and scan again.',
    ],
    [
      'a scanner that stopped',
      () => (scanner.state = 'Stopped'),
      'The scanner has stopped. See what its display says.',
    ],
    [
      'something else at the address',
      () => (scanner.capabilities = '<html><body>Printer</body></html>'),
      'There is no scanner at this address that Faxdesk can use. An administrator can correct it in Settings.',
    ],
    [
      'XML that is not closed',
      () => (scanner.capabilities = '<a>'.repeat(100_000)),
      'There is no scanner at this address that Faxdesk can use. An administrator can correct it in Settings.',
    ],
  ])('explains %s', async (_, prepare, sentence) => {
    prepare();
    expect(await refusal(post('/scans', { scanner_id: scannerId, ...order }))).toEqual({
      status: 502,
      code: 'scanner_problem',
      sentence,
    });
  });

  test('explains a scanner that is off', async () => {
    await gateway.set({ SCANNERS: ['127.0.0.1:9'] });
    const [off] = (await read<{ items: { id: string }[] }>('/scanners')).items;
    expect(await refusal(gateway.request('GET', `/scanners/${off?.id}`))).toEqual({
      status: 502,
      code: 'scanner_problem',
      sentence: 'The scanner does not answer. Make sure that it is on and connected to the network.',
    });
    expect(await refusal(gateway.request('GET', `/scanners/${scannerId}`))).toMatchObject({
      status: 404,
      code: 'no_such_scanner',
    });
    await gateway.set({ SCANNERS: [scanner.url] });
  });

  test('discards a scan that nobody touched for half an hour', async () => {
    scanner.sheets = 1;
    const { id } = await begin();
    await ended(id);
    gateway.clock.advance(31 * 60_000);
    await gateway.processAll();
    expect(await readdir(join(gateway.dataFolder, 'work'))).toEqual([]);
    scanner.sheets = 1;
    const next = await begin();
    expect(await refusal(gateway.request('GET', `/scans/${id}`))).toMatchObject({
      status: 404,
      code: 'no_such_scan',
    });
    await ended(next.id);
    await (await gateway.request('DELETE', `/scans/${next.id}`)).arrayBuffer();
  });
});
