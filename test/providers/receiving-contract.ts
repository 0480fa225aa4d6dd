import { existsSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DocumentError, type ReceivingProvider } from '../../server/features/inbound/receiving-port.ts';
import type { ErrorCategory } from '../../shared/states/outbound.ts';
import type { Fault } from '../setup/emulators/faults.ts';
import { providerErrorOf } from './contract.ts';

/** A provider in front of its emulator, seen by who receives. */
export interface ReceivingSetup<A> {
  provider(options?: { timeoutMs?: number }): ReceivingProvider<A>;
  readonly account: A;
  /** Adds a received fax, complete by default, and returns its ID. */
  receive(fax: {
    from?: string;
    to?: string;
    pages?: number;
    document?: Buffer | null;
    state?: 'receiving' | 'failed';
  }): string;
  /** The fax ends well, with its document. */
  complete(id: string): void;
  setDocument(id: string, document: Buffer): void;
  /** A fax that was sent, not received. */
  sent(): Promise<string>;
  /** The time of the emulator goes on. */
  advance(ms: number): void;
  /** Meets the next requests about faxes. */
  setNextFault(fault: Fault): void;
  requests(): number;
  waitUntilHeld(): Promise<void>;
  release(): void;
  close(): Promise<void>;
}

export const receivedPdf = Buffer.from('%PDF-1.4\n% a received document\n');
const hour = 3_600_000;
const longAgo = '2025-12-27T00:00:00.000Z';
const megabytes = (count: number) => count * 1024 * 1024;

/** Answers that say nothing about a fax, and what they count as. */
const brokenAnswers: ReadonlyArray<[name: string, fault: Fault, category: ErrorCategory]> = [
  ['a dropped connection', { kind: 'dropped' }, 'provider_unavailable'],
  ['half an answer', { kind: 'truncated', accepted: true }, 'provider_unavailable'],
  ['a fault of the provider', { kind: 'server-error' }, 'provider_unavailable'],
  ['too many requests', { kind: 'rate-limited' }, 'provider_unavailable'],
  ['an answer after its time', { kind: 'slow' }, 'provider_unavailable'],
  ['a redirect', { kind: 'redirect' }, 'response_unusable'],
  ['a web page', { kind: 'web-page' }, 'response_unusable'],
  ['wrong credentials', { kind: 'unauthorized' }, 'refused'],
];

/** Tests that every provider must pass for receiving, so that nothing is lost or invented. */
export function describeReceivingContract<A>(
  name: string,
  startSetup: () => Promise<ReceivingSetup<A>>,
): void {
  let setup: ReceivingSetup<A>;
  const lookUp = (id: string, timeoutMs?: number) => setup.provider({ timeoutMs }).lookUp(setup.account, id);
  const list = async (since = longAgo, timeoutMs?: number) =>
    (await setup.provider({ timeoutMs }).listReceived(setup.account, since)).map((fax) => fax.providerId);
  const timeFor = (fault: Fault) => (fault.kind === 'slow' ? 300 : undefined);

  describe(`${name} keeps the contract of receiving`, () => {
    beforeEach(async () => {
      setup = await startSetup();
    });
    afterEach(() => setup.close());

    describe('looking a fax up', () => {
      test('returns the provider’s facts about it', async () => {
        const id = setup.receive({ from: '+12025550199', to: '+12025550100', pages: 3 });
        expect(await lookUp(id)).toEqual({
          providerId: id,
          from: '+12025550199',
          to: '+12025550100',
          pages: 3,
          rawStatus: expect.any(String) as string,
          state: 'complete',
          isTest: false,
          completedAt: '2026-01-02T03:04:05.000Z',
        });
      });

      test('reports whether it is still being received or failed', async () => {
        expect(await lookUp(setup.receive({ state: 'receiving' }))).toMatchObject({
          state: 'receiving',
          completedAt: null,
        });
        expect(await lookUp(setup.receive({ state: 'failed' }))).toMatchObject({ state: 'failed' });
      });

      test('leaves out a number that is none', async () => {
        const id = setup.receive({ from: 'anonymous', to: '2025550100' });
        expect(await lookUp(id)).toMatchObject({ from: null, to: null });
      });

      test('finds neither sent faxes nor unknown ones', async () => {
        expect(await lookUp(await setup.sent())).toBeNull();
        expect(await lookUp('99999')).toBeNull();
      });

      test('requests nothing for what cannot be an id', async () => {
        const before = setup.requests();
        for (const id of ['', '../account/status', 'a b', '1?x=1', '9'.repeat(90)])
          expect(await lookUp(id)).toBeNull();
        expect(setup.requests()).toBe(before);
      });

      test.each(brokenAnswers)('throws on %s', async (_name, fault, category) => {
        const id = setup.receive({});
        setup.setNextFault(fault);
        const error = await providerErrorOf(lookUp(id, timeFor(fault)));
        expect(error).toMatchObject({ category });
        expect(error.certainty).not.toBe('unknown');
      });

      test('does not take the 404 of a stranger for the word of the provider', async () => {
        const id = setup.receive({});
        setup.setNextFault({ kind: 'server-error', status: 404 });
        await providerErrorOf(lookUp(id));
        expect(await lookUp(id)).not.toBeNull();
      });
    });

    describe('listing', () => {
      test('lists received faxes of every state, the oldest first', async () => {
        const first = setup.receive({});
        setup.advance(1000);
        await setup.sent();
        const second = setup.receive({ state: 'receiving' });
        setup.advance(1000);
        const third = setup.receive({ state: 'failed' });
        expect(await list()).toEqual([first, second, third]);
      });

      test('goes through all pages', async () => {
        const ids = Array.from({ length: 450 }, () => {
          setup.advance(1000);
          return setup.receive({});
        });
        const before = setup.requests();
        expect(await list()).toEqual(ids);
        expect(setup.requests() - before).toBe(3);
      });

      test('lists a fax once that moves to another page meanwhile', async () => {
        const ids = Array.from({ length: 201 }, () => {
          setup.advance(1000);
          return setup.receive({});
        });
        setup.setNextFault({ kind: 'slow' });
        const listing = list();
        await setup.waitUntilHeld();
        setup.receive({});
        setup.release();
        expect(await listing).toEqual(ids);
      });

      test('leaves out what ended before', async () => {
        const early = setup.receive({});
        setup.advance(hour / 2);
        const late = setup.receive({});
        expect(await list('2026-01-02T03:04:06.000Z')).toEqual([late]);
        expect(await list('2026-01-02T03:04:05.000Z')).toEqual([early, late]);
      });

      test('lists a fax that began before and completed since', async () => {
        const id = setup.receive({ state: 'receiving' });
        setup.advance(2 * hour);
        setup.complete(id);
        expect(await list('2026-01-02T04:04:05.000Z')).toEqual([id]);
      });

      test.each(brokenAnswers)('throws on %s', async (_name, fault, category) => {
        setup.receive({});
        setup.setNextFault(fault);
        expect(await providerErrorOf(list(longAgo, timeFor(fault)))).toMatchObject({ category });
      });

      test('throws rather than read a listing without end', async () => {
        setup.setNextFault({ kind: 'oversized' });
        expect(await providerErrorOf(list())).toMatchObject({ category: 'response_unusable' });
      });
    });

    describe('fetching a document', () => {
      let folder: string;
      let path: string;
      beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), 'documents-'));
        path = join(folder, 'fax.pdf');
      });
      afterEach(() => rm(folder, { recursive: true, force: true }));

      const fetchOf = (id: string, options: { timeoutMs?: number; signal?: AbortSignal } = {}) =>
        setup
          .provider({ timeoutMs: options.timeoutMs })
          .fetchDocument(setup.account, id, path, { maxBytes: megabytes(50), signal: options.signal });

      async function expectNothing(fetching: Promise<unknown>, expected: object): Promise<void> {
        expect(await providerErrorOf(fetching)).toMatchObject(expected);
        expect(existsSync(path)).toBe(false);
      }

      test('writes it to a new file of the owner', async () => {
        const fetched = await fetchOf(setup.receive({ document: receivedPdf }));
        expect(fetched).toEqual({ sizeBytes: receivedPdf.length, mediaType: 'application/pdf' });
        expect(await readFile(path)).toEqual(receivedPdf);
        if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
      });

      test('finds it missing until it is there', async () => {
        const id = setup.receive({ document: null });
        await expectNothing(fetchOf(id), { problem: 'document_missing' });
        await expectNothing(fetchOf(id), { problem: 'document_missing' });
        setup.setDocument(id, receivedPdf);
        expect(await fetchOf(id)).toMatchObject({ sizeBytes: receivedPdf.length });
      });

      test.each([true, false])('stops at the limit, announced: %s', async (announced) => {
        setup.setNextFault({ kind: 'huge-document', announced });
        const fetching = fetchOf(setup.receive({}));
        const error = await providerErrorOf(fetching);
        expect(error).toBeInstanceOf(DocumentError);
        expect(error).toMatchObject({
          problem: 'document_too_large',
          publicMessage: 'The document of this fax is larger than 50 MB.',
        });
        expect(existsSync(path)).toBe(false);
      });

      test('gives up on a drip', async () => {
        setup.setNextFault({ kind: 'drip' });
        const id = setup.receive({});
        await expectNothing(fetchOf(id, { timeoutMs: 400 }), { category: 'provider_unavailable' });
      });

      test('can be called off', async () => {
        setup.setNextFault({ kind: 'drip' });
        const id = setup.receive({});
        const signal = AbortSignal.timeout(200);
        await expectNothing(fetchOf(id, { signal }), { category: 'provider_unavailable' });
      });

      test('never follows a redirect to another host', async () => {
        let hits = 0;
        const elsewhere = createServer((_request, response) => {
          hits += 1;
          response.end(receivedPdf);
        });
        await new Promise<void>((resolve) => void elsewhere.listen(0, '127.0.0.1', resolve));
        const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/fax.pdf`;
        setup.setNextFault({ kind: 'redirect', location });
        await expectNothing(fetchOf(setup.receive({})), { category: 'response_unusable' });
        elsewhere.close();
        expect(hits).toBe(0);
      });

      test.each(brokenAnswers)('leaves nothing on %s', async (_name, fault, category) => {
        const id = setup.receive({ document: receivedPdf });
        setup.setNextFault(fault);
        await expectNothing(fetchOf(id, { timeoutMs: timeFor(fault) }), { category });
      });

      test('takes an empty document for none', async () => {
        const id = setup.receive({ document: Buffer.alloc(0) });
        await expectNothing(fetchOf(id), { category: 'response_unusable' });
      });

      test('hands on a document that is cut but complete on the wire: checking it is left to the caller', async () => {
        setup.setNextFault({ kind: 'half-document' });
        const fetched = await fetchOf(setup.receive({ document: receivedPdf }));
        expect(fetched.sizeBytes).toBe(Math.floor(receivedPdf.length / 2));
      });

      test('never writes over a file', async () => {
        await writeFile(path, 'before');
        await expect(fetchOf(setup.receive({}))).rejects.toMatchObject({ code: 'EEXIST' });
        expect(await readFile(path, 'utf8')).toBe('before');
      });

      test('calls only the host of the account', async () => {
        const account = { ...setup.account, baseUrl: 'http://provider.example.com' };
        const fetching = setup.provider().fetchDocument(account, '1', path, { maxBytes: 1 });
        await expectNothing(fetching, { publicMessage: 'The provider address must use HTTPS.' });
      });
    });
  });
}
