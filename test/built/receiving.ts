import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifyEvidence } from '../../server/features/work/offline.ts';
import { digestOf, OWN_NUMBER, type Vendor } from '../endure/world/vendor.ts';
import { engineImage } from '../fixtures/engine-image.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { IppPrinter } from '../setup/emulators/printer/ipp-printer.ts';
import { partOf } from '../setup/mail-server.ts';
import type { Capability } from './capability.ts';
import { type Body, LETTER, type Office, waitFor } from './office.ts';
import { RECEIVED_DIRECTLY } from './partners.ts';

const CALL = '1763715600.17';
const CALLER = '+12025550177';
/** Sender of no other capability: while it is blocked, its faxes go to Junk, without a work item and without an e-mail. */
const BLOCKED = '+12025550166';
/** Number of an office that sends and gets encoded pages. */
const ENCODED = '+12025550167';
const KEY = 'a key that both offices agreed on';

/** Capabilities of receiving: each way in which faxes arrive, and their processing. */
export const RECEIVING: readonly Capability[] = [
  {
    name: 'a fax comes in by cloudone',
    run: async (office) => void (await receiveAtVendor(office, office.emulators.cloudone)),
  },
  {
    name: 'a fax comes in by cloudtwo',
    run: async (office) => void (await receiveAtVendor(office, office.emulators.cloudtwo)),
  },
  {
    name: 'a fax that the telephone engine hands over comes in as a PDF',
    run: async (office) => {
      const { dataFolder } = office.gateway;
      const tiff_path = join(dataFolder, 'inbound', `${CALL}.tiff`);
      await mkdir(join(dataFolder, 'inbound'), { recursive: true });
      await writeFile(tiff_path, engineImage(2));
      const secret = await readFile(join(dataFolder, 'telephony', 'inbound-secret'), 'utf8');
      const call = { to_number: OWN_NUMBER, from_number: CALLER, faxstatus: 'SUCCESS', faxpages: 2 };
      const { id } = await office.requestJson('POST', '/_internal/telephony/inbound', {
        key: null,
        json: { ...call, tiff_path, uniqueid: CALL },
        headers: { 'X-Internal-Secret': secret.trim() },
      });
      const fax = await office.waitForReceived((each) => each.id === id);
      expect(fax).toMatchObject({ backend: 'sip', pages: 2, fr: CALLER });
      await expectPdf(office, id);
    },
  },
  {
    name: 'a work item is done, and its evidence holds up',
    run: async (office) => {
      const { work_item_id: id } = await receiveAtVendor(office, office.emulators.cloudone);
      const { version } = await office.requestJson('GET', `/work/${id}`);
      const json = { note: 'Filed in the record', version };
      const done = await office.requestJson('POST', `/work/${id}/done`, { json });
      expect(done.state).toBe('done');
      const path = join(office.gateway.dataFolder, 'evidence.zip');
      await writeFile(path, await office.bytes(`/work/${id}/export`));
      expect(await verifyEvidence(path, {})).toMatchObject({ intact: true, faults: [] });
    },
  },
  {
    name: 'the original of encoded pages is sent, recovered and opened byte for byte',
    run: async (office) => {
      const contact = {
        name: 'Mill Valley',
        fax_number: ENCODED,
        encoded_pages: 'encrypted',
        shared_key: KEY,
      };
      await office.requestJson('POST', '/contacts', { json: contact });
      const id = await office.send(ENCODED, new File(['Dear colleague'], 'note.txt'));
      const sent = await waitFor(async () => {
        const fax = await office.requestJson('GET', `/fax/${id}`);
        if (fax.provider_sid === null) throw new Error(JSON.stringify(fax));
        return fax;
      });
      expect(sent.encoded.mode).toBe('encrypted');
      const vendor = office.emulators.cloudone;
      expect(await vendor.fetchDocument(sent.provider_sid, office.url)).toBe(true);
      const pages = vendor.documentOf(sent.provider_sid) ?? Buffer.alloc(0);
      expect(digestOf(pages)).not.toBe(sent.document.sha256);
      vendor.complete(sent.provider_sid, true);
      const came = vendor.receive(pages, sent.encoded.pages, ENCODED);
      await waitFor(async () => expect(await vendor.notify(came, office.url, {})).toBe(true));
      const fax = await office.waitForReceived(
        ({ provider_fax_id, decode }) => provider_fax_id === came && decode !== null,
      );
      expect(fax.decode).toMatchObject({ state: 'decoded', document_name: 'note.pdf' });
      expect(digestOf(await office.bytes(`/inbound/${fax.id}/original`))).toBe(sent.document.sha256);
    },
  },
  RECEIVED_DIRECTLY,
  {
    name: 'a fax whose sender is blocked goes to Junk, closes its work item, and comes back',
    run: async (office) => {
      const { id, work_item_id } = await receiveAtVendor(office, office.emulators.cloudone, {
        from: BLOCKED,
      });
      const json = { fax_id: id, even_if_known: true };
      const { fax } = await office.requestJson('POST', '/inbound/blocked-senders', { json });
      expect(fax.junk).toBe(true);
      expect((await office.requestJson('GET', `/work/${work_item_id}`)).state).toBe('done');
      const unblocking = { json: { unblock: true } };
      const back = await office.requestJson('POST', `/inbound/${id}/not-junk`, unblocking);
      expect(back.junk).toBe(false);
      expect((await office.requestJson('GET', `/work/${work_item_id}`)).state).toBe('open');
    },
  },
  {
    name: 'a note leaves a work item open, and several are done together',
    run: async (office) => {
      const { work_item_id: id } = await receiveAtVendor(office, office.emulators.cloudone);
      const { version } = await office.requestJson('GET', `/work/${id}`);
      const json = { note: 'Page 2 is faint', version };
      const noted = await office.requestJson('POST', `/work/${id}/notes`, { json });
      expect([noted.state, (await office.requestJson('GET', `/work/${id}`)).notes[0].text]).toEqual([
        'open',
        'Page 2 is faint',
      ]);
      const { sentences } = await office.requestJson('GET', '/work/notes');
      const items = [{ id, version: noted.version }];
      const done = await office.requestJson('POST', '/work', {
        json: { action: 'done', note: sentences[0], items },
      });
      expect(done.items[0].state).toBe('done');
    },
  },
  {
    name: 'another system hands a document in',
    run: async (office) => {
      const form = new FormData();
      const manifest = { source_system: 'Lab bridge', operation_id: 'A-1', to_number: OWN_NUMBER };
      form.append('manifest', JSON.stringify(manifest));
      form.append('file', new File([new Uint8Array(LETTER)], 'result.pdf'));
      const { inbound_id } = await office.requestJson('POST', '/imports', { form });
      await office.waitForReceived(({ id }) => id === inbound_id);
      await expectPdf(office, inbound_id);
    },
  },
  {
    name: 'a file of the import folder comes in',
    run: async (office) => {
      const folder = join(office.gateway.dataFolder, 'import');
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'scan.pdf'), textPdf(3));
      const fax = await office.waitForReceived(
        ({ provider_account }) => provider_account === 'import:folder',
      );
      expect(fax).toMatchObject({ backend: 'import', pages: 3 });
    },
  },
  {
    name: 'a received fax goes to an SMTP server with its document',
    run: async (office) => {
      const { mail, cloudone } = office.emulators;
      const json = {
        name: 'Front desk',
        host: '127.0.0.1',
        port: mail.port,
        security: 'none',
        from_address: 'fax@example.org',
        recipients: ['desk@example.com'],
        subject_template: '{from_number}',
      };
      const { id, version } = await office.requestJson('POST', '/intake/connectors', { json });
      const fax = await receiveAtVendor(office, cloudone, { pages: 4 });
      const item = await waitFor(async () => {
        const [first] = (await office.requestJson('GET', `/intake/items?fax_id=${fax.id}`)).items as Body[];
        if (first?.state !== 'delivered') throw new Error(JSON.stringify(first));
        return first;
      });
      expect(item.recipients).toMatchObject([{ address: 'desk@example.com' }]);
      const document = await office.bytes(`/inbound/${fax.id}/pdf`);
      expect(mail.mails.some((each) => partOf(each, 'application/pdf').equals(document))).toBe(true);
      await office.requestJson('POST', `/intake/connectors/${id}/remove`, { json: { version } });
    },
  },
  {
    name: 'a received fax is printed by a rule, once and as its document',
    run: async (office) => {
      const printer = new IppPrinter();
      await printer.open();
      try {
        const json = { name: 'Front desk', printer: 'Reception', printer_url: printer.url };
        const { id, version } = await office.requestJson('POST', '/print-rules', { json });
        // The rule also prints the faxes of the other capabilities; none of them has as many pages.
        const fax = await receiveAtVendor(office, office.emulators.cloudone, { pages: 7 });
        await waitForPrinted(office, printer, fax.id);
        const document = await office.bytes(`/inbound/${fax.id}/pdf`);
        expect(printer.jobs.filter((job) => job.document.equals(document))).toHaveLength(1);
        await office.requestJson('POST', `/print-rules/${id}/remove`, { json: { version } });
      } finally {
        await printer.close();
      }
    },
  },
];

/** Prints at the printer until the gateway has found the fax printed. */
async function waitForPrinted(office: Office, printer: IppPrinter, faxId: string): Promise<void> {
  await waitFor(async () => {
    printer.print();
    const [printout] = (await office.requestJson('GET', `/printouts?fax_id=${faxId}`)).items as Body[];
    if (printout?.state !== 'printed') throw new Error(JSON.stringify(printout));
  });
}

/** A fax comes in at the provider, which notifies of it without its document. */
async function receiveAtVendor(
  office: Office,
  vendor: Vendor,
  { pages = 1, from }: { readonly pages?: number; readonly from?: string } = {},
): Promise<Body> {
  const id = vendor.receive(textPdf(pages), pages, from);
  await waitFor(async () => expect(await vendor.notify(id, office.url, { omitsDocument: true })).toBe(true));
  const fax = await office.waitForReceived(({ provider_fax_id }) => provider_fax_id === id);
  expect(fax.backend).toBe(vendor.name);
  await expectPdf(office, fax.id);
  return fax;
}

async function expectPdf(office: Office, id: string): Promise<void> {
  expect((await office.bytes(`/inbound/${id}/pdf`)).subarray(0, 5).toString()).toBe('%PDF-');
}
