import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  checkCloudtwoUrl,
  cloudtwoAccountId,
  cloudtwoBaseUrl,
  cloudtwoHosts,
  tokenEndpoint,
} from '../../server/adapters/providers/cloudtwo/account.ts';
import { testPdf } from './cloudone-setup.ts';
import { type CloudtwoSetup, callbackUrl, projectAccount, startCloudtwoSetup } from './cloudtwo-setup.ts';
import { describeProviderContract, providerErrorOf } from './contract.ts';

describeProviderContract('cloudtwo with tokens', () => startCloudtwoSetup('oauth2'));
describeProviderContract('cloudtwo with its key', () => startCloudtwoSetup('basic'));

describe('cloudtwo', () => {
  let setup: CloudtwoSetup;
  beforeEach(async () => {
    setup = await startCloudtwoSetup('basic');
  });
  afterEach(() => setup.close());

  async function submitted(): Promise<string> {
    const { reference } = await setup.provider().submit(setup.account, setup.request);
    return reference;
  }

  const reportOf = (id: string) => setup.provider().fetchReport(setup.account, id);

  test('uploads the document with its fields and requests one call only', async () => {
    const id = await submitted();
    const call = setup.emulator.calls[0];
    expect(call).toMatchObject({ method: 'POST', path: '/faxes', authorized: true });
    expect(call?.fields).toEqual([
      ['to', '+12025550123'],
      ['maxRetries', '0'],
      ['resolution', 'FINE'],
      ['headerText', 'Example Office +12025550100'],
      ['headerPageNumbers', 'true'],
      ['headerTimeZone', 'America/Chicago'],
      ['callbackUrl', callbackUrl],
      ['callbackUrlContentType', 'application/json'],
    ]);
    const sha256 = createHash('sha256').update(testPdf).digest('hex');
    expect(call?.files).toMatchObject([
      { name: 'file', fileName: 'fax.pdf', contentType: 'application/pdf', sha256 },
    ]);
    expect(setup.emulator.faxes.get(id)).toMatchObject({ maxRetries: 0, document: testPdf });
  });

  test('names the public link instead of uploading', async () => {
    const documentUrl = 'https://gw.example.com/fax/j1/pdf?token=t';
    const request = { ...setup.request, documentUrl, callbackUrl: null };
    const { reference } = await setup.provider().submit(setup.account, request);
    expect(setup.emulator.calls[0]?.files).toEqual([]);
    expect(setup.emulator.faxes.get(reference)).toMatchObject({
      contentUrls: [documentUrl],
      callbackUrl: null,
    });
  });

  test.each([400, 401, 402, 403, 404, 422])(
    'status %i is a final refusal with the words of the provider',
    async (status) => {
      const message = 'No. access-key-of-the-test at http://x/?token=t';
      setup.emulator.setFault({ kind: 'refused', status, message });
      const error = await providerErrorOf(setup.provider().submit(setup.account, setup.request));
      expect(error).toMatchObject({ certainty: 'not_accepted', category: 'refused' });
      const words = status === 401 ? /key or secret\.$/u : / It said: “No\. \(secret\) at \(address\)”$/u;
      expect(error.publicMessage).toMatch(words);
      expect(setup.counts()).toEqual({ accepted: 0, requests: 1 });
    },
  );

  test('an invalid field is named', async () => {
    const request = { ...setup.request, to: '12025550123' };
    const error = await providerErrorOf(setup.provider().submit(setup.account, request));
    expect(error.publicMessage).toContain('to: must be a phone number in E.164 format');
  });

  test.each([
    ['within `error`', { error: { code: 400, message: 'The file is empty.', status: 'INVALID_ARGUMENT' } }],
    ['as a problem document', { type: 'about:blank', title: 'The file is empty.', status: 400 }],
  ])('a refusal %s is final and shows the words of the provider', async (_form, body) => {
    setup.emulator.setFault({ kind: 'refused', status: 400, body });
    const error = await providerErrorOf(setup.provider().submit(setup.account, setup.request));
    expect(error).toMatchObject({
      certainty: 'not_accepted',
      category: 'refused',
      publicMessage: 'The fax provider did not accept the request. It said: “The file is empty.”',
    });
  });

  test('a refusal within `error` shows the invalid fields, and a problem document its detail', async () => {
    const fieldViolations = [{ field: 'to', description: 'is no phone number' }];
    const details = [{ type: 'ErrorInfo' }, { type: 'BadRequest', fieldViolations }];
    const bodies = [
      { error: { code: 422, message: 'Invalid request', details } },
      { title: 'Invalid request', detail: 'to is no phone number', status: 422 },
    ];
    const shown: string[] = [];
    for (const body of bodies) {
      setup.emulator.setFault({ kind: 'refused', status: 422, body });
      shown.push(
        (await providerErrorOf(setup.provider().submit(setup.account, setup.request))).publicMessage,
      );
    }
    expect(shown).toEqual([
      'The fax provider found the request invalid. It said: “Invalid request; to: is no phone number”',
      'The fax provider found the request invalid. It said: “Invalid request: to is no phone number”',
    ]);
  });

  test.each([
    [200, { error: { code: 400, message: 'No.' } }, 'response_unusable'],
    [409, { error: { code: 409, message: 'No.' } }, 'response_unusable'],
    [500, { title: 'Internal Server Error', status: 500 }, 'transport_ambiguous'],
  ])('status %i around an error stays unknown', async (status, body, category) => {
    setup.emulator.setFault({ kind: 'refused', status, body });
    const error = await providerErrorOf(setup.provider().submit(setup.account, setup.request));
    expect(error).toMatchObject({ certainty: 'unknown', category });
  });

  test.each([405, 409, 413, 418])('status %i, which nobody documents, is unknown', async (status) => {
    setup.emulator.setFault({ kind: 'refused', status });
    const error = await providerErrorOf(setup.provider().submit(setup.account, setup.request));
    expect(error).toMatchObject({ certainty: 'unknown', category: 'response_unusable' });
  });

  test.each([400, 401, 429])('status %i around an accepted fax is unknown', async (status) => {
    setup.emulator.setFault({ kind: 'contradiction', status, accepted: true });
    const error = await providerErrorOf(setup.provider().submit(setup.account, setup.request));
    expect(error).toMatchObject({ certainty: 'unknown', category: 'response_unusable' });
    expect(setup.counts()).toEqual({ accepted: 1, requests: 1 });
  });

  test('reports pages, cost and time of a finished fax', async () => {
    const id = await submitted();
    setup.emulator.complete(id, { pages: 3 });
    expect(await reportOf(id)).toEqual({
      reference: id,
      outcome: 'success',
      rawStatus: 'COMPLETED',
      direction: 'sent',
      pages: 3,
      rateBps: null,
      cost: { amount: '0.21', currency: 'USD' },
      completedAt: '2026-01-02T03:04:05.000Z',
      to: '+12025550123',
      failure: null,
      unreached: null,
      noPageTransmitted: false,
      failureCode: null,
    });
  });

  test('a price of nothing is unknown', async () => {
    const id = await submitted();
    setup.emulator.complete(id, { price: '0.00' });
    expect((await reportOf(id)).cost).toBeNull();
  });

  test.each(['QUEUED', 'IN_PROGRESS', 'SUCCEEDED', 'FAILED', 'completed'])(
    'status %s is in progress',
    async (status) => {
      const id = await submitted();
      setup.emulator.progress(id, status);
      expect(await reportOf(id)).toMatchObject({ outcome: 'in_progress', rawStatus: status });
    },
  );

  test.each([
    [{ errorType: 'LINE_ERROR', errorCode: 17 }, 'The line was busy.', 'LINE_ERROR 17'],
    [
      { errorType: 'DOCUMENT_CONVERSION_ERROR', errorCode: 133 },
      'The fax provider could not read the PDF.',
      'DOCUMENT_CONVERSION_ERROR 133',
    ],
    [
      { errorType: 'FAX_ERROR', errorCode: 133 },
      'The fax provider does not allow faxes to this number.',
      'FAX_ERROR 133',
    ],
    [
      { errorType: 'LINE_ERROR', errorCode: 89, errorMessage: 'Out of paper' },
      'Out of paper.',
      'LINE_ERROR 89',
    ],
    [{ errorType: 'CALL_ERROR', errorMessage: '' }, 'The call failed.', 'CALL_ERROR'],
    [
      { errorType: 'FAX_ERROR', errorCode: 21, pages: 3, pagesSent: 2 },
      '2 pages were sent before it failed. The call was disconnected after a page.',
      'FAX_ERROR 21',
    ],
  ])('the failure %o is reported in a sentence', async (outcome, failure, failureCode) => {
    const id = await submitted();
    setup.emulator.complete(id, outcome);
    expect(await reportOf(id)).toMatchObject({ outcome: 'failed', failure, failureCode });
  });

  test('of a failed fax only the pages count that were sent', async () => {
    const id = await submitted();
    setup.emulator.complete(id, { errorType: 'FAX_ERROR', errorCode: 21, pages: 3, pagesSent: 2 });
    expect((await reportOf(id)).pages).toBe(2);
  });

  test('a received fax is reported as received', async () => {
    const fax = setup.emulator.receive({ from: '+12025550199', to: '+12025550100', document: testPdf });
    expect(await reportOf(fax.id)).toMatchObject({ direction: 'received', to: '+12025550100' });
  });

  test('the account check reports a service that does not store received documents', async () => {
    const accepted = 'The fax provider accepts the key for this project.';
    expect(await setup.provider().checkAccount(setup.account)).toEqual({ ok: true, detail: accepted });
    const [service] = setup.emulator.state.services.values();
    Object.assign(service ?? {}, { saveInboundFaxDocuments: false });
    const { detail } = await setup.provider().checkAccount(setup.account);
    expect(detail).toContain('“Default service” does not store received documents');
  });

  test('another project is refused', async () => {
    const account = { ...setup.account, projectId: 'another' };
    const error = await providerErrorOf(setup.provider().submit(account, setup.request));
    expect(error).toMatchObject({ certainty: 'not_accepted', category: 'refused' });
  });
});

test('the account is named by the project', () => {
  expect(cloudtwoAccountId('p1')).toBe('cloudtwo:p1');
});

test.each([
  ...Object.values(cloudtwoHosts).map((host) => [`https://${host}`, true] as const),
  ['https://fax.api.sinch.com/', true],
  ['http://127.0.0.1:4010', true],
  ['http://[::1]:4010/', true],
  ['http://fax.api.sinch.com', false],
  ['https://fax.api.sinch.com:8443', false],
  ['https://fax.api.sinch.com.example.com', false],
  ['https://fax-proxy.example.com', false],
  ['https://fax.api.sinch.com/v3', false],
  ['https://fax.api.sinch.com/?x=1', false],
  ['https://user:secret@fax.api.sinch.com', false],
  ['fax.api.sinch.com', false],
] as const)('the base address %s is usable: %s', (url, usable) => {
  expect(checkCloudtwoUrl(url) === null).toBe(usable);
});

test('tokens come from the one documented address, for every region', () => {
  const address = 'https://auth.sinch.com/oauth2/token';
  expect(tokenEndpoint(projectAccount(cloudtwoBaseUrl('eu1'), 'oauth2'))).toBe(address);
  expect(tokenEndpoint(projectAccount('http://127.0.0.1:4010', 'oauth2'))).toBe(
    'http://127.0.0.1:4010/oauth2/token',
  );
});
