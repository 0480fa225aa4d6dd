import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifyReceiptFile } from '../../server/features/direct/wire/receipt-file.ts';
import { signedText } from '../../server/features/direct/wire/statement.ts';
import { readCode } from '../api/direct-setup.ts';
import { digestOf, OWN_NUMBER } from '../endure/world/vendor.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { referee } from '../fixtures/referees.ts';
import { type FakePartner, startFakePartner } from '../setup/fake-partner.ts';
import type { Capability } from './capability.ts';
import { type Body, type Office, waitFor } from './office.ts';

/** Numbers of two partners, which no other capability uses. */
const RECEIVER = '+12025550171';
const SENDER = '+12025550172';
const DAY_MS = 24 * 3_600_000;

/** A fax whose original goes to the installation of a partner. */
export const SENT_DIRECTLY: Capability = {
  name: 'a fax to a partner whose number was checked goes directly, with a receipt that verifies',
  run: (office) =>
    withPartner(office, 'Receiving Office', RECEIVER, async (partner, own, id) => {
      const { version } = await office.requestJson('GET', '/direct/peers').then(partnerIn(id));
      const challenged = await office.requestJson('POST', `/direct/peers/${id}/challenge`, {
        json: { version },
      });
      const code = await codeAtVendor(office, challenged.code_fax_id);
      const returned = partner.sign({
        ...partner.head('verification', own.signing_key, Date.now()),
        code: code.replaceAll(' ', ''),
      });
      const answer = await fetch(`${office.url}/direct/verifications`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: signedText(returned),
      });
      expect([answer.status, await answer.json()]).toMatchObject([200, { statement: { type: 'verified' } }]);
      const documents = partner.acceptDocuments();
      const fax = await office.waitForDelivered(await office.send(RECEIVER));
      expect(fax).toMatchObject({ delivered_by: 'direct', backend: 'cloudone' });
      expect(documents.map(digestOf)).toEqual([fax.document.sha256]);
      const { items } = await office.requestJson('GET', `/direct/deliveries?partner_id=${id}`);
      expect(items).toMatchObject([{ direction: 'sent', state: 'accepted', job_id: fax.id }]);
      const [receipt] = verifyReceiptFile(Buffer.from(JSON.stringify(items[0].receipt)));
      expect(receipt?.manifest.sha256).toBe(fax.document.sha256);
    }),
};

/** A document that comes from the installation of a partner. */
export const RECEIVED_DIRECTLY: Capability = {
  name: 'a document of a partner whose code was returned comes in as it was sent, with its mark',
  run: (office) =>
    withPartner(office, 'Sending Office', SENDER, async (partner, own, id) => {
      partner.acceptCodes(new Date(Date.now() + 300 * DAY_MS).toISOString());
      const confirmed = await office.requestJson('POST', `/direct/peers/${id}/confirm`, {
        json: { code: '48213 90576' },
      });
      expect(confirmed).toMatchObject({ state: 'verified', receives_directly: true, sends_directly: false });
      const document = textPdf(2);
      const { status, statement } = await partner.deliver(office.url, own, document);
      expect([status, statement]).toMatchObject([200, { type: 'receipt', sha256: digestOf(document) }]);
      const fax = await office.waitForReceived(({ sha256 }) => sha256 === digestOf(document));
      expect(fax).toMatchObject({ backend: 'direct', fr: SENDER, source_system: 'Sending Office', pages: 2 });
      expect(digestOf(await office.bytes(`/inbound/${fax.id}/pdf`))).toBe(digestOf(document));
    }),
};

/** Turns direct delivery on and adds a partner by its card. `work` also gets the card of the gateway. */
async function withPartner(
  office: Office,
  organization: string,
  number: string,
  work: (partner: FakePartner, own: Body, id: string) => Promise<void>,
): Promise<void> {
  const changes = {
    DIRECT_DELIVERY_ENABLED: true,
    DIRECT_ORGANIZATION: 'Example Clinic',
    DIRECT_FAX_NUMBER: OWN_NUMBER,
    DIRECT_ALLOW_PRIVATE_PEERS: true,
  };
  await office.requestJson('PUT', '/admin/settings', { json: { changes } });
  const partner = await startFakePartner(organization, number);
  try {
    const added = await office.requestJson('POST', '/direct/peers', { json: { card: partner.cardText() } });
    const { card } = await office.requestJson('GET', '/direct/card');
    await work(partner, card, added.partner.id);
  } finally {
    await partner.close();
  }
}

const partnerIn =
  (id: string) =>
  ({ items }: Body): Body =>
    items.find((each: Body) => each.id === id);

/** Returns the code on the page that the provider was given. */
async function codeAtVendor(office: Office, faxId: string): Promise<string> {
  const { cloudone } = office.emulators;
  const { provider_sid } = await waitFor(async () => {
    const fax = await office.requestJson('GET', `/fax/${faxId}`);
    if (fax.provider_sid === null) throw new Error(JSON.stringify(fax));
    return fax;
  });
  expect(await cloudone.fetchDocument(provider_sid, office.url)).toBe(true);
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-code-'));
  try {
    const page = join(folder, 'page.pdf');
    await writeFile(page, cloudone.documentOf(provider_sid) ?? '');
    return readCode(referee('pdftotext', ['-layout', page, '-']).toString());
  } finally {
    await rm(folder, { recursive: true });
  }
}
