import { afterEach, beforeEach, expect, test } from 'vitest';
import { partOf } from '../setup/mail-server.ts';
import { ONE_PAGE } from './inbound-setup.ts';
import { ALICE, IntakeGateway } from './intake-setup.ts';
import { EncodedPages, PARTNER, sha256 } from './outbound-encoded-setup.ts';

let intake: IntakeGateway;
beforeEach(async () => {
  intake = await IntakeGateway.start();
});
afterEach(async () => {
  await intake.gateway.close();
  await intake.mail.close();
});

test('rule (crossings): an e-mail waits for the original and attaches it beside the fax', async () => {
  const office = new EncodedPages(intake.inbound);
  await office.contact({ encoded_pages: 'plain' });
  const { fax, pages } = await office.sendPages();
  await intake.connect();
  const received = await intake.receive({ from: PARTNER, document: pages });
  expect(intake.mail.mails).toEqual([]);
  await intake.gateway.processAll();
  expect((await intake.delivery(received)).state).toBe('delivered');
  const [mail, second] = intake.mail.mails;
  expect(second).toBeUndefined();
  expect(mail?.to).toEqual([ALICE]);
  expect(sha256(partOf(mail, 'application/pdf'))).toBe(sha256(pages));
  const [, , behind = ''] = (mail?.raw ?? '').split('Content-Type: application/pdf');
  const original = Buffer.from(behind.split(/\r?\n\r?\n/u)[1]?.split(/\r?\n--/u)[0] ?? '', 'base64');
  expect(sha256(original)).toBe(fax.document.sha256);
  expect(mail?.raw).toContain('name=letter.pdf');
});

test('an e-mail with ordinary pages leaves as soon as they were looked at, with the fax alone', async () => {
  await intake.connect();
  const received = await intake.receive({ document: ONE_PAGE });
  await intake.gateway.processAll();
  expect((await intake.delivery(received)).state).toBe('delivered');
  expect(intake.mail.mails[0]?.raw.split('Content-Type: application/pdf')).toHaveLength(2);
});
