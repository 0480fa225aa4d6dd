import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  checkBaseUrl,
  cloudoneAccountId,
  cloudoneBaseUrl,
} from '../../server/adapters/providers/cloudone/account.ts';
import { errorCatalog } from '../setup/emulators/cloudone/index.ts';
import { type CloudoneSetup, startCloudoneSetup, testPdf, testRequest } from './cloudone-setup.ts';
import { describeProviderContract, providerErrorOf } from './contract.ts';

describeProviderContract('cloudone', startCloudoneSetup);

describe('cloudone', () => {
  let setup: CloudoneSetup;
  beforeEach(async () => {
    setup = await startCloudoneSetup();
  });
  afterEach(() => setup.close());

  async function submitted(): Promise<string> {
    const { reference } = await setup.provider().submit(setup.account, setup.request);
    return reference;
  }

  const reportOf = (id: string) => setup.provider().fetchReport(setup.account, id);

  test('uploads the document with its fields when there is no public link', async () => {
    const id = await submitted();
    const call = setup.emulator.calls[0];
    expect(call).toMatchObject({ method: 'POST', path: '/faxes', authorized: true });
    expect(call?.fields).toEqual([
      ['to', '+12025550123'],
      ['header_text', 'Example Office +12025550100'],
      ['callback_url', 'https://gw.example.com/cloudone-callback?job_id=j1&attempt_id=a1'],
    ]);
    expect(call?.files).toMatchObject([
      {
        name: 'file',
        fileName: 'fax.pdf',
        contentType: 'application/pdf',
        sha256: createHash('sha256').update(testPdf).digest('hex'),
      },
    ]);
    expect(setup.emulator.faxes.get(id)?.document).toEqual(testPdf);
  });

  test('names the public link instead of uploading, and the provider can fetch it', async () => {
    let asked = 0;
    const gateway = createServer((_request, response) => {
      asked += 1;
      response.writeHead(200, { 'content-type': 'application/pdf' }).end(testPdf);
    });
    await new Promise<void>((resolve) => void gateway.listen(0, '127.0.0.1', resolve));
    const documentUrl = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/fax/j1/pdf?token=t`;
    const request = { ...setup.request, documentUrl, callbackUrl: null };
    const { reference } = await setup.provider().submit(setup.account, request);
    expect(setup.emulator.calls[0]?.fields.map(([name]) => name)).toEqual([
      'to',
      'content_url',
      'header_text',
    ]);
    expect(setup.emulator.calls[0]?.files).toEqual([]);
    expect(await setup.emulator.fetchContent(reference)).toEqual({
      status: 200,
      contentType: 'application/pdf',
    });
    expect(setup.emulator.faxes.get(reference)?.document).toEqual(testPdf);
    expect(asked).toBe(1);
    gateway.close();
  });

  test('cuts a header line to 50 characters', async () => {
    await setup
      .provider()
      .submit(setup.account, { ...setup.request, header: { text: 'ü'.repeat(70), timeZone: 'UTC' } });
    expect(setup.emulator.calls[0]?.fields).toContainEqual(['header_text', 'ü'.repeat(50)]);
  });

  test('never follows a redirect', async () => {
    let hits = 0;
    const elsewhere = createServer((_request, response) => {
      hits += 1;
      response.end('{}');
    });
    await new Promise<void>((resolve) => void elsewhere.listen(0, '127.0.0.1', resolve));
    const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
    setup.emulator.setFault({ kind: 'redirect', location, count: 2 });
    await providerErrorOf(setup.provider().submit(setup.account, setup.request));
    await providerErrorOf(reportOf('1'));
    expect(hits).toBe(0);
    elsewhere.close();
  });

  test.each([400, 401, 402, 403, 404, 422])(
    'status %i is a final refusal with the words of the provider',
    async (status) => {
      setup.emulator.setFault({
        kind: 'refused',
        status,
        message: `No.\u0007 key-of-the-test at http://x/?token=t`,
      });
      const error = await providerErrorOf(setup.provider().submit(setup.account, setup.request));
      expect(error).toMatchObject({ certainty: 'not_accepted', category: 'refused' });
      expect(error.publicMessage).toMatch(/ It said: “No\. \(secret\) at \(address\)”$/u);
    },
  );

  test('200 with success:false is a final refusal', async () => {
    setup.emulator.setFault({ kind: 'unsuccessful', message: 'x'.repeat(900) });
    const error = await providerErrorOf(setup.provider().submit(setup.account, setup.request));
    expect(error.certainty).toBe('not_accepted');
    expect(error.publicMessage.length).toBeLessThan(250);
  });

  test.each([405, 409, 413, 418])('status %i, which nobody documents, is unknown', async (status) => {
    setup.emulator.setFault({ kind: 'refused', status });
    const error = await providerErrorOf(setup.provider().submit(setup.account, setup.request));
    expect(error).toMatchObject({ certainty: 'unknown', category: 'response_unusable' });
  });

  test.each([400, 401, 429])('status %i around a success is unknown', async (status) => {
    setup.emulator.setFault({ kind: 'contradiction', status, accepted: true });
    const error = await providerErrorOf(setup.provider().submit(setup.account, setup.request));
    expect(error).toMatchObject({ certainty: 'unknown', category: 'response_unusable' });
    expect(setup.emulator.counts.accepted).toBe(1);
  });

  test.each([500, 502, 503, 504])('status %i is unknown', async (status) => {
    setup.emulator.setFault({ kind: 'server-error', status });
    const error = await providerErrorOf(setup.provider().submit(setup.account, setup.request));
    expect(error).toMatchObject({ certainty: 'unknown', category: 'transport_ambiguous' });
  });

  test('reach opens a connection and sends nothing', async () => {
    await setup.provider().reach(setup.account);
    expect(setup.emulator.counts).toMatchObject({ connections: 1, requests: 0 });
  });

  test('reports pages, speed, cost and time of a finished fax', async () => {
    const id = await submitted();
    setup.emulator.complete(id, { pages: 3, bitrate: 9600 });
    expect(await reportOf(id)).toEqual({
      reference: id,
      outcome: 'success',
      rawStatus: 'success',
      direction: 'sent',
      pages: 3,
      documentPages: 3,
      rateBps: 9600,
      cost: { amount: '0.21', currency: 'USD' },
      completedAt: '2026-01-02T03:04:05.000Z',
      to: '+12025550123',
      failure: null,
      unreached: null,
      noPageTransmitted: false,
      failureCode: null,
    });
  });

  test('a cost of 0 is unknown', async () => {
    const id = await submitted();
    setup.emulator.complete(id, { cost: 0 });
    expect((await reportOf(id)).cost).toBeNull();
  });

  test.each(['queued', 'pendingbatch', 'inprogress', 'ringing', 'willretry', 'canceled', 'SUCCESS'])(
    'status %s is in progress',
    async (status) => {
      const id = await submitted();
      setup.emulator.progress(id, status, 'willretry');
      expect(await reportOf(id)).toMatchObject({ outcome: 'in_progress', rawStatus: status, failure: null });
    },
  );

  test('partial success counts as failed', async () => {
    const id = await submitted();
    const recipients = [{ status: 'failure', error_type: 'lineError', error_id: 17, error_message: 'Busy' }];
    setup.emulator.complete(id, { status: 'partialsuccess', pages: 1, recipients });
    const failure = 'Not every recipient got the fax. The line was busy.';
    // The page count of a failed fax is the length of its document.
    const counts = { pages: null, documentPages: 1 };
    const failed = { outcome: 'failed', failure, failureCode: 'lineError 17', ...counts };
    expect(await reportOf(id)).toMatchObject(failed);
  });

  test('a cancelled fax has failed', async () => {
    const id = await submitted();
    await fetch(
      `${setup.account.baseUrl}/faxes/${id}/cancel?api_key=key-of-the-test&api_secret=secret-of-the-test`,
      {
        method: 'POST',
      },
    );
    const failure = 'The fax was canceled by a person.';
    expect(await reportOf(id)).toMatchObject({ failure, failureCode: 'faxError 75' });
  });

  test('every listed error has a sentence of its own', async () => {
    const id = await submitted();
    for (const [errorType, ids] of Object.entries(errorCatalog)) {
      for (const errorId of ids) {
        setup.emulator.complete(id, { errorType, errorId, errorMessage: 'words of the provider' });
        const { failure, failureCode } = await reportOf(id);
        expect(failure).toMatch(/^[A-Z][^()\d]*\.$/u);
        expect(failureCode).toBe(`${errorType} ${errorId}`);
        expect(failure).not.toContain('words of the provider');
      }
    }
  });

  test('an unlisted error is reported in the words of the provider', async () => {
    const id = await submitted();
    setup.emulator.complete(id, { errorType: 'fatalError', errorId: 9001, errorMessage: 'Meteor\nstrike' });
    const meteor = { failure: 'Meteor strike.', failureCode: 'fatalError 9001' };
    expect(await reportOf(id)).toMatchObject(meteor);
    setup.emulator.complete(id, { errorType: 'fatalError', errorMessage: '' });
    const fatal = { failure: 'The fax provider reported a serious error.', failureCode: 'fatalError' };
    expect(await reportOf(id)).toMatchObject(fatal);
    setup.emulator.complete(id, { status: 'failure' });
    expect((await reportOf(id)).failure).toBe('The fax provider gave no reason.');
  });

  test('a received fax is reported as received', async () => {
    const fax = setup.emulator.receive({ from: '+12025550199', to: '+12025550100', document: testPdf });
    expect(await reportOf(String(fax.id))).toMatchObject({ direction: 'received', to: '+12025550100' });
  });

  test('the account check reports the balance', async () => {
    const detail = 'The fax provider accepts the key. The balance is $50.00.';
    expect(await setup.provider().checkAccount(setup.account)).toEqual({ ok: true, detail });
  });

  test('a base address with a trailing slash is the same account', async () => {
    const account = { ...setup.account, baseUrl: `${setup.account.baseUrl}/` };
    await setup.provider().submit(account, testRequest(setup.request.document.path));
    expect(setup.emulator.calls[0]?.path).toBe('/faxes');
  });
});

test('the account is named by the first 12 hex digits of the key', () => {
  expect(cloudoneAccountId('abc')).toBe('cloudone:ba7816bf8f01');
});

test.each([
  [cloudoneBaseUrl, true],
  ['https://fax-proxy.example.com/v2', true],
  ['http://127.0.0.1:4010/v2.1', true],
  ['http://[::1]:4010/v2.1', true],
  ['http://localhost/v2', true],
  [cloudoneBaseUrl.replace('https:', 'http:'), false],
  ['http://127.0.0.1.example.com/', false],
  ['https://user:secret@example.com/', false],
  ['https://example.com/?x=1', false],
  ['ftp://example.com/', false],
  ['example.com', false],
])('the base address %s is usable: %s', (url, usable) => {
  expect(checkBaseUrl(url) === null).toBe(usable);
});
