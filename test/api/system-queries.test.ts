import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

async function refusalOf(response: Response): Promise<[number, string | null, unknown]> {
  const { detail } = (await response.json()) as { detail: unknown };
  return [response.status, response.headers.get('X-Error-Code'), detail];
}

describe('an unknown query parameter', () => {
  test('is refused with those that exist, so that a mistyped filter never answers the whole list', async () => {
    expect(await refusalOf(await gateway.request('GET', '/contacts?colour=red'))).toEqual([
      400,
      'invalid_request',
      expect.stringMatching(/^"colour" is not a query parameter of this address; it has .*q.*limit.*\.$/u),
    ]);
    expect(await refusalOf(await gateway.request('GET', '/fax?stat=held&mine=1'))).toEqual([
      400,
      'invalid_request',
      expect.stringMatching(
        /^"stat", "mine" are not query parameters of this address; it has ids, state, .*\.$/u,
      ),
    ]);
    expect(await refusalOf(await gateway.request('GET', '/fax/counts?mine=1'))).toEqual([
      400,
      'invalid_request',
      '"mine" is not a query parameter of this address; it has none.',
    ]);
    const cancel = gateway.request('POST', '/fax/nothing/cancel?now', { json: { delivery_version: 1 } });
    expect((await refusalOf(await cancel))[0]).toBe(400);
  });

  test('is named in X-Ignored on routes of earlier releases', async () => {
    const { id } = await gateway.send();
    for (const path of [`/fax/${id}`, '/inbound', '/health', `/admin/fax-jobs/${id}`, '/admin/fax-jobs']) {
      const response = await gateway.request('GET', `${path}?verbose=1&x=2`);
      expect([path, response.status, response.headers.get('X-Ignored')]).toEqual([path, 200, 'verbose, x']);
    }
    const plain = await gateway.request('GET', `/fax/${id}`);
    expect(plain.headers.get('X-Ignored')).toBeNull();
  });

  test('that fits is still checked there', async () => {
    const response = await gateway.request('GET', '/inbound?limit=0&verbose=1');
    expect(await refusalOf(response)).toEqual([400, 'invalid_request', '"limit" must be at least 1.']);
  });
});

describe('the form of a fax', () => {
  test('takes empty optional fields as left out', async () => {
    const empty = ['send_at', 'mailbox', 'preview_id', 'resend_of', 'titles', 'urgent', 'clean_greys'];
    const fields = Object.fromEntries(empty.map((name) => [name, '']));
    const fax = await gateway.send(fields);
    expect(fax).toMatchObject({ send_at: null, mailbox: null, resend_of: null, titles: [], urgent: false });
    expect(await refusalOf(await gateway.sendForm({ to: '' }, [textFile()]))).toEqual([
      400,
      'invalid_request',
      '"to" must not be empty.',
    ]);
  });

  test('is refused url-encoded', async () => {
    const response = await fetch(`${gateway.url}/fax`, {
      method: 'POST',
      headers: { 'X-API-Key': 'test-installation-key-of-this-gateway' },
      body: new URLSearchParams({ to: '+12025550123' }),
    });
    expect(await refusalOf(response)).toEqual([
      415,
      'form_expected',
      'Send the form as multipart/form-data.',
    ]);
  });

  test('has files or a preview, and the refusal says not both', async () => {
    const form = new FormData();
    form.append('file', textFile());
    const made = await gateway.request('POST', '/fax/preview', { form });
    const { preview_id } = (await made.json()) as { preview_id: string };
    const both = await gateway.sendForm({ to: '+12025550123', preview_id }, [textFile()]);
    expect(await refusalOf(both)).toEqual([
      400,
      'file_and_preview',
      'Attach files, or name a preview in "preview_id", but not both. Nothing was sent.',
    ]);
    const none = await gateway.sendForm({ to: '+12025550123' }, []);
    expect((await refusalOf(none))[1]).toBe('file_needed');
    expect((await gateway.sendForm({ to: '+12025550123', preview_id }, [])).status).toBe(202);
  });
});

test('the link of a document says to a key where the document is', async () => {
  const { id } = await gateway.send();
  const withKey = await gateway.request('GET', `/fax/${id}/pdf`);
  expect(await refusalOf(withKey)).toEqual([
    403,
    'link_without_token',
    'This link works only with its token. With an API key, get the document from GET /fax/{id}/document.',
  ]);
  expect((await refusalOf(await gateway.request('GET', `/fax/${id}/pdf`, { key: null })))[0]).toBe(404);
});
