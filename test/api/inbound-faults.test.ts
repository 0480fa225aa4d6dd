import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { missingPage } from '../fixtures/make-hostile-pdfs.ts';
import type { Fault } from '../setup/emulators/cloudone/index.ts';
import { HOUR, MINUTE, SECOND } from '../setup/manual-clock.ts';
import { mountSmallDisk, type SmallDisk } from '../setup/small-disk.ts';
import { InboundGateway, ONE_PAGE } from './inbound-setup.ts';

const DOCUMENT = /\/file$/u;

describe('fetching a document', () => {
  let inbound: InboundGateway;
  beforeEach(async () => {
    inbound = await InboundGateway.start();
  });
  afterEach(() => inbound.close());

  /** The fax waits with this sentence, nothing is stored, and it is received at the next attempt. */
  async function expectWaitingThenReceived(sentence: string): Promise<void> {
    await inbound.notifyBare(inbound.arrive());
    await inbound.work();
    await expectReceivedNext(sentence);
  }

  async function expectReceivedNext(sentence: string): Promise<void> {
    const waiting = await inbound.only();
    expect(waiting.problem).toBe(sentence);
    expect(waiting).toMatchObject({ status: 'waiting', sha256: null, retry_at: '2026-11-21T09:01:00.000Z' });
    expect(await inbound.stored()).toEqual([]);
    expect(await inbound.inWork()).toEqual([]);
    inbound.gateway.clock.advance(MINUTE);
    await inbound.work();
    expect(await inbound.only()).toMatchObject({ id: waiting.id, status: 'received', problem: null });
    expect(await inbound.stored()).toHaveLength(1);
  }

  const faults: [string, Omit<Fault, 'path'>, string][] = [
    [
      'is not there yet',
      { kind: 'refused', status: 404 },
      'Phaxio does not have the document of this fax, or does not have it yet.',
    ],
    ['is a web page', { kind: 'web-page' }, 'Phaxio’s answer could not be read.'],
    [
      'is half of the PDF',
      { kind: 'half-document' },
      'The document from Phaxio is not a PDF whose pages can all be read.',
    ],
    ['breaks off', { kind: 'truncated' }, 'Phaxio did not answer.'],
    [
      'is larger than 50 MB, as announced',
      { kind: 'huge-document' },
      'The document of this fax is larger than 50 MB.',
    ],
    [
      'is larger than 50 MB, unannounced',
      { kind: 'huge-document', announced: false },
      'The document of this fax is larger than 50 MB.',
    ],
    ['meets a broken server', { kind: 'server-error' }, 'Phaxio reported an error on its side.'],
    [
      'is refused',
      { kind: 'unauthorized' },
      'Phaxio refused the API key or secret. It said: “The API key or secret is not valid.”',
    ],
    ['comes too often', { kind: 'rate-limited' }, 'There were too many requests. Phaxio asks for a pause.'],
    ['meets a dropped line', { kind: 'dropped' }, 'Phaxio did not answer.'],
  ];
  test.each(faults)(
    'that %s leaves the fax waiting and nothing half-written',
    async (_name, fault, sentence) => {
      inbound.gateway.emulator.setFault({ ...fault, path: DOCUMENT });
      await expectWaitingThenReceived(sentence);
    },
  );

  test('is not led to another host', async () => {
    let asked = 0;
    const elsewhere = createServer((_request, response) => {
      asked += 1;
      response.end(ONE_PAGE);
    });
    await new Promise<void>((resolve) => void elsewhere.listen(0, '127.0.0.1', resolve));
    const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/file`;
    inbound.gateway.emulator.setFault({ kind: 'redirect', location, path: DOCUMENT });
    await expectWaitingThenReceived('Phaxio’s answer could not be read.');
    expect(asked).toBe(0);
    elsewhere.close();
  });

  test('that drips in is given up after 30 seconds', async () => {
    inbound.gateway.emulator.setFault({ kind: 'drip', path: DOCUMENT });
    await inbound.notifyBare(inbound.arrive());
    // A second stands for the 30, and for the one attempt alone.
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const asked = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms / 30));
    await inbound.work();
    expect(asked).toHaveBeenLastCalledWith(30 * SECOND);
    asked.mockRestore();
    await expectReceivedNext('Phaxio did not answer.');
  });

  test('with a page that cannot be loaded is not held', async () => {
    await inbound.notifyBare(inbound.arrive({ document: missingPage() }));
    await inbound.work();
    expect(await inbound.only()).toMatchObject({
      status: 'waiting',
      problem: 'The document from Phaxio is not a PDF whose pages can all be read.',
    });
    expect(await inbound.stored()).toEqual([]);
  });

  test('that is there after hours is received then', async () => {
    inbound.gateway.emulator.setFault({ kind: 'refused', status: 404, count: 10, path: DOCUMENT });
    await inbound.notifyBare(inbound.arrive());
    for (let i = 0; i < 11; i += 1) {
      await inbound.work();
      inbound.gateway.clock.advance(HOUR);
    }
    const { id, status } = await inbound.only();
    expect(status).toBe('received');
    expect((await inbound.evidence(id)).filter(({ kind }) => kind === 'attempt')).toHaveLength(10);
  });

  test('of a fax that the provider could not receive is left to a person', async () => {
    const fax = inbound.arrive();
    await inbound.notify(fax, { fax: { status: 'failure' }, file: null });
    await inbound.work();
    const failed = await inbound.only();
    expect(failed).toMatchObject({ status: 'failed', can_fetch_again: true });
    expect(failed.problem).toBe('Phaxio reports that it could not receive this fax completely.');
    expect((await inbound.gateway.request('POST', `/inbound/${failed.id}/fetch`)).status).toBe(202);
    await inbound.work();
    expect((await inbound.only()).status).toBe('received');
  });

  test('goes through the account that the fax came through, whatever the settings say now', async () => {
    await inbound.notifyBare(inbound.arrive());
    inbound = new InboundGateway(
      await inbound.gateway.restart({
        settings: { INBOUND_ENABLED: 'true', CLOUDONE_API_KEY: 'another', CLOUDONE_API_SECRET: 'account' },
      }),
    );
    await inbound.work();
    expect(await inbound.only()).toMatchObject({ status: 'received' });
  });
});

const disk = await mountSmallDisk(24);
const reason = 'unavailable' in disk ? ` (skipped: ${disk.unavailable})` : '';

describe.skipIf('unavailable' in disk)(`a full disk${reason}`, () => {
  const small = disk as SmallDisk;
  let inbound: InboundGateway;
  beforeAll(async () => {
    inbound = await InboundGateway.start({ dataFolder: `${small.folder}/data` });
  });
  afterAll(async () => {
    await inbound.close();
    await small.remove();
  });

  /** Larger than what is left, while the store still finds room. */
  const large = () => Buffer.concat([ONE_PAGE, Buffer.from(`%${'x'.repeat(3_000_000)}\n`)]);
  const waitingOnes = async () => (await inbound.list()).filter(({ status }) => status === 'waiting');

  test('while a document is fetched leaves the fax waiting with a sentence, and costs no attempt', async () => {
    await inbound.notifyBare(inbound.arrive({ document: large() }));
    await small.fill(1_000_000);
    await inbound.work();
    const [waiting] = await waitingOnes();
    expect(waiting?.problem).toMatch(/^The disk is full/u);
    expect(waiting?.retry_at).toBe('2026-11-21T09:05:00.000Z');
    expect(await inbound.inWork()).toEqual([]);
    const asked = inbound.gateway.emulator.counts.requests;
    inbound.gateway.clock.advance(10 * SECOND);
    await inbound.work();
    expect(await waitingOnes()).toEqual([waiting]);
    expect(inbound.gateway.emulator.counts.requests).toBe(asked);
    await small.makeRoom();
    inbound.gateway.clock.advance(5 * SECOND);
    await inbound.work();
    expect(await waitingOnes()).toEqual([]);
  });

  test('while a document comes along records the fax, and fetches the document once there is room', async () => {
    const fax = inbound.arrive({ document: large() });
    const before = (await inbound.list()).length;
    await small.fill(1_000_000);
    expect((await inbound.notify(fax)).status).toBe(200);
    await inbound.work();
    expect((await waitingOnes())[0]?.problem).toMatch(/^The disk is full/u);
    expect(await inbound.inWork()).toEqual([]);
    await small.makeRoom();
    expect((await inbound.notify(fax)).status).toBe(200);
    inbound.gateway.clock.advance(5 * MINUTE);
    await inbound.work();
    expect(await inbound.list()).toHaveLength(before + 1);
    expect(await waitingOnes()).toEqual([]);
  });

  test('to the last byte loses no fax that was recorded', async () => {
    await inbound.notifyBare(inbound.arrive());
    await small.fill();
    await inbound.work().catch(() => undefined);
    await small.makeRoom();
    for (let i = 0; i < 4; i += 1) {
      inbound.gateway.clock.advance(5 * MINUTE);
      await inbound.work();
    }
    expect(await waitingOnes()).toEqual([]);
    expect(await inbound.stored()).toHaveLength((await inbound.list()).length);
  });
});
