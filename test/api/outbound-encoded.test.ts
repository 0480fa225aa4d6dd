import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ERRORS } from '../../shared/errors/all.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { PUBLIC_URL } from './inbound-setup.ts';
import { EncodedPages, KEY, PARTNER, sha256 } from './outbound-encoded-setup.ts';

let office: EncodedPages;
beforeEach(async () => {
  office = await EncodedPages.start();
});
afterEach(() => office.close());

const pdf = (pages: number) => new File([new Uint8Array(textPdf(pages))], 'long.pdf');

describe('a fax to a contact with encoded pages', () => {
  test('rule (outbound): its pages carry the stored document, which stays the original', async () => {
    await office.contact({ encoded_pages: 'plain' });
    const { fax, pages } = await office.sendPages();
    expect(fax).toMatchObject({
      encoded: { mode: 'plain', pages: expect.any(Number) },
      attempt: { encoded_pages: fax.encoded?.pages },
      document: { pages: 1 },
    });
    expect(sha256(pages)).not.toBe(fax.document.sha256);
    const stored = await office.document(fax.id);
    expect(sha256(stored)).toBe(fax.document.sha256);
    expect(await office.accepted(fax.id)).toMatch(/sends \d+ encoded pages? that carry the document itself/u);
    const back = await office.receive(pages);
    expect(back.decode).toMatchObject({
      state: 'decoded',
      document_name: 'letter.pdf',
      sha256: sha256(stored),
    });
    expect(Buffer.from(await (await office.original(back.id)).arrayBuffer())).toEqual(stored);
  });

  test('uploads the encoded pages where the provider cannot fetch them', async () => {
    await office.gateway.set({ PUBLIC_API_URL: null });
    await office.contact({ encoded_pages: 'plain' });
    const { fax, pages } = await office.sendPages();
    expect(office.gateway.emulator.faxes.get(String(fax.provider_sid))?.contentUrls).toEqual([]);
    await office.gateway.set({ PUBLIC_API_URL: PUBLIC_URL });
    expect((await office.receive(pages)).decode).toMatchObject({
      state: 'decoded',
      sha256: fax.document.sha256,
    });
  });

  test('rule (outbound): encrypted pages open with the shared key alone', async () => {
    const contact = await office.contact({ encoded_pages: 'encrypted', shared_key: KEY });
    const { fax, pages } = await office.sendPages();
    expect(fax.encoded).toMatchObject({ mode: 'encrypted' });
    expect((await office.receive(pages)).decode).toMatchObject({ state: 'decoded' });
    await office.change(contact, 1, { shared_key: 'another key of the same length' });
    expect((await office.receive(pages)).decode).toMatchObject({
      state: 'key_wrong_or_altered',
      document_name: null,
      sha256: null,
    });
  });

  test('rule (outbound): encrypted pages without a key are refused, never sent in clear', async () => {
    await office.contact({ encoded_pages: 'encrypted' });
    for (const page_form of ['automatic', 'encoded', 'ordinary']) {
      const answer = await office.gateway.sendForm({ to: PARTNER, page_form }, [pdf(1)]);
      expect(answer.status, page_form).toBe(409);
      expect(await answer.json()).toEqual({
        detail: expect.stringMatching(page_form === 'ordinary' ? /sent encrypted only/u : /no shared key/u),
      });
    }
    await office.inbound.work();
    expect(office.gateway.emulator.faxes.size).toBe(0);
  });

  test('sends ordinary pages this time when it is asked for', async () => {
    await office.contact({ encoded_pages: 'plain' });
    const { fax, pages } = await office.sendPages({ page_form: 'ordinary' });
    expect(fax).toMatchObject({ encoded: null, attempt: { encoded_pages: null }, page_form: 'ordinary' });
    expect(sha256(pages)).toBe(fax.document.sha256);
    expect(await office.accepted(fax.id)).toContain('Ordinary pages are sent this time, as requested.');
  });

  test('rule (outbound): encoded pages that take three times as long are sent only where they are asked for', async () => {
    await office.contact({ encoded_pages: 'plain' });
    const { fax } = await office.sendPages({}, [pdf(1)]);
    expect(fax.encoded).toBeNull();
    expect(await office.accepted(fax.id)).toContain('would take more than three times as long');
    const forced = await office.sendPages({ page_form: 'encoded' }, [pdf(1)]);
    expect(forced.fax.encoded?.pages).toBeGreaterThan(10);
    expect((await office.receive(forced.pages)).decode).toMatchObject({
      state: 'decoded',
      sha256: fax.document.sha256,
    });
  });

  test('says that a recipient is not marked as able to read encoded pages', async () => {
    const { fax } = await office.sendPages({ page_form: 'encoded' });
    expect(fax.encoded).toBeNull();
    expect(await office.accepted(fax.id)).toContain('not marked as able to read encoded pages');
  });

  test('rule (outbound): after a try without a receipt plain pages are ordinary, and encrypted ones stay encrypted', async () => {
    const contact = await office.contact({ encoded_pages: 'plain' });
    const { fax } = await office.sendPages();
    office.gateway.emulator.complete(String(fax.provider_sid), {
      status: 'failure',
      errorType: 'faxError',
    });
    office.gateway.clock.advance(10 * 60_000);
    await office.inbound.work();
    expect(await office.gateway.fax(fax.id)).toMatchObject({ delivery_state: 'failed' });
    const again = await office.json<{ id: string }>('POST', `/fax/${fax.id}/resend`, {});
    expect(await office.gateway.fax(again.id)).toMatchObject({ encoded: null, resend_of: fax.id });
    expect(await office.accepted(again.id)).toContain(
      'an earlier try with encoded pages ended without a receipt',
    );
    await office.change(contact, 1, { encoded_pages: 'encrypted', shared_key: KEY });
    const secret = await office.json<{ id: string }>('POST', `/fax/${fax.id}/resend`, {});
    expect(await office.gateway.fax(secret.id)).toMatchObject({ encoded: { mode: 'encrypted' } });
  });

  test('a fax that is sent again gets the form that is asked for, and that of the earlier one otherwise', async () => {
    const contact = await office.contact({ encoded_pages: 'plain' });
    const { fax } = await office.sendPages({ page_form: 'ordinary' });
    office.gateway.emulator.complete(String(fax.provider_sid));
    office.gateway.clock.advance(10 * 60_000);
    await office.inbound.work();
    const again = async (body: object) => {
      const { id } = await office.json<{ id: string }>('POST', `/fax/${fax.id}/resend`, body);
      return office.gateway.fax(id);
    };
    expect(await again({})).toMatchObject({ encoded: null, page_form: 'ordinary' });
    expect(await again({ page_form: 'encoded' })).toMatchObject({
      encoded: { mode: 'plain' },
      page_form: 'encoded',
      resend_of: fax.id,
    });
    expect(await again({ page_form: 'automatic' })).toMatchObject({ page_form: 'automatic' });
    const wrong = await office.gateway.request('POST', `/fax/${fax.id}/resend`, {
      json: { page_form: 'clear' },
    });
    expect(wrong.status).toBe(400);
    const key = { 'Idempotency-Key': 'sent-again' };
    const repeat = (page_form: string) =>
      office.gateway.request('POST', `/fax/${fax.id}/resend`, { json: { page_form }, headers: key });
    expect([(await repeat('encoded')).status, (await repeat('encoded')).status]).toEqual([202, 202]);
    expect((await repeat('ordinary')).status).toBe(409);
    await office.change(contact, 1, { encoded_pages: 'encrypted', shared_key: KEY });
    // Nobody asked for clear pages now: the form of the earlier fax gives way.
    expect(await again({})).toMatchObject({ encoded: { mode: 'encrypted' } });
    expect(await again({ page_form: 'encoded' })).toMatchObject({ encoded: { mode: 'encrypted' } });
  });

  test('rule (outbound): a fax that is sent again to a contact with encrypted pages is never sent in clear', async () => {
    await office.contact({ encoded_pages: 'encrypted', shared_key: KEY });
    const { fax } = await office.sendPages();
    office.gateway.emulator.complete(String(fax.provider_sid));
    office.gateway.clock.advance(10 * 60_000);
    await office.inbound.work();
    const refused = await office.gateway.request('POST', `/fax/${fax.id}/resend`, {
      json: { page_form: 'ordinary' },
    });
    expect([refused.status, refused.headers.get('X-Error-Code')]).toEqual([409, 'encrypted_pages_only']);
    expect(await refused.json()).toMatchObject({ detail: ERRORS.encrypted_pages_only.sentence });
    expect(office.gateway.emulator.counts.accepted).toBe(1);
  });
});
