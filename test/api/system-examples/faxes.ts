import { expect } from 'vitest';
import { formPdf } from '../../fixtures/form-pdf.ts';
import { textPdf } from '../../fixtures/long-pdf.ts';
import { framedPdf } from '../../fixtures/sheet-pdf.ts';
import { signaturePicture } from '../../fixtures/signature-picture.ts';
import { announceScanner } from '../../setup/announced-scanner.ts';
import { eventually } from '../../setup/eventually.ts';
import { freePort } from '../../setup/free-port.ts';
import { textFile } from '../../setup/gateway.ts';
import { printByIpp } from '../../setup/ipp-client.ts';
import { SECOND } from '../../setup/manual-clock.ts';
import { startScanner } from '../../setup/scanner.ts';
import type { Examples } from './examples.ts';

const TO = '+12025550123';
const BUSY = { errorId: 17, errorType: 'lineError' };

/** Sent faxes, their previews and the numbers that they go to. */
export async function callFaxes(x: Examples): Promise<void> {
  const headers = { 'Idempotency-Key': 'order-4711' };
  const sent = await x.call('sendFax', { headers, form: { to: TO, file: textFile() } });
  const params = { id: sent.id };
  await x.gateway.processAll();
  await x.call('getFax', { params });
  await x.call('listFaxes', { query: { state: 'success,failed', limit: '20' } });
  await x.call('countFaxes');
  await x.call('getFaxCalendar', { query: { from: '2026-11-22', to: '2026-11-28' } });
  await x.call('getFaxHistory', { params });
  await x.call('getFaxDocument', { params, query: { purpose: 'download' } });
  const page_edits = JSON.stringify([
    [{ page: 1, marks: [{ kind: 'redact', box: { x: 0.1, y: 0.2, width: 0.4, height: 0.05 } }] }],
  ]);
  const changed = await x.call('sendFax', { form: { to: TO, file: textFile(), page_edits } });
  await x.call('getFaxOriginal', { params: { id: changed.id } });
  await x.call('getFaxReport', { params });
  await x.call('getDayReports', { query: { date: '2026-11-22' } });
  await x.call('refreshFax', { params });
  await x.call('markFaxSeen', { params });
  await x.call('listNumbers', { query: { q: '555' } });
  await x.call('checkNumber', { query: { to: TO } });
  await x.call('describeFax', {
    params,
    json: { subject: 'Knee X-ray', reference: 'Patient 4711', document_type: 'Referral' },
  });
  await x.call('proposeAbout', { query: { number: TO } });
  await callAdminFaxes(x, params);
  await callDecisions(x);
  await callPreviews(x);
  await callCases(x);
  await callCovers(x);
  await callDesk(x);
  await callBroadcasts(x);
  await callOutcomes(x);
}

/** The documents of a case as one fax. */
async function callCases(x: Examples): Promise<void> {
  const params = { case_id: '4711' };
  const documents = new File([Uint8Array.from(framedPdf({ width: 595, height: 842 }))], 'Lab results.pdf', {
    type: 'application/pdf',
  });
  const headers = { 'Idempotency-Key': 'packet-4711' };
  await x.call('sendCase', { params, headers, form: { to: TO, documents, titles: 'Lab results' } });
  await x.gateway.processAll();
  await x.call('listCases', { query: { q: '47' } });
  await x.call('getCase', { params });
}

/** Cover pages, and a fax that has one. */
async function callCovers(x: Examples): Promise<void> {
  await x.call('listCovers');
  await x.call('previewCover', { json: { cover: 'plain', to: TO, cover_fields: { note: 'As agreed' } } });
  const file = new File([Uint8Array.from(formPdf(['to', 'pages', 'note']))], 'cover.pdf');
  const cover = await x.call('createCover', { form: { name: 'Our form', file } });
  const params = { id: cover.id };
  const again = await x.call('replaceCoverFile', { params, form: { version: String(cover.version), file } });
  await x.call('changeCover', { params, json: { name: 'Our cover page', version: again.version } });
  const { version } = await x.call('getCover', { params });
  await x.call('removeCover', { params, json: { version } });
}

/** Saved drafts, phrases and defaults of the caller. */
async function callDesk(x: Examples): Promise<void> {
  const params = { id: '0f1e2d3c4b5a69788796a5b4c3d2e1f0' };
  const content = JSON.stringify({ to: TO });
  await x.call('writeDeskDraft', { params, form: { name: 'Referral', content, file: textFile() } });
  await x.call('changeDeskDraft', { params, json: { name: 'Referral, Hill Street' } });
  await x.call('listDeskDrafts');
  await x.call('getDeskDraft', { params });
  await x.call('getDeskDraftFile', { params: { ...params, number: '1' } });
  await x.call('removeDeskDraft', { params });
  const words = { title: 'Arrived', text: 'Your fax arrived. Thank you.' };
  const phrase = await x.call('createDeskPhrase', { json: words });
  await x.call('changeDeskPhrase', { params: { id: phrase.id }, json: { ...words, title: 'It arrived' } });
  await x.call('listDeskPhrases');
  await x.call('removeDeskPhrase', { params: { id: phrase.id } });
  const { version } = await x.call('getDeskDefaults');
  const signature = 'Mara Okafor, front desk';
  const choices = { mailbox_id: null, cover_id: 'plain', signature, header_name: null };
  await x.call('setDeskDefaults', { json: { ...choices, version } });
  await x.call('setDeskTour', { json: { state: 'begun', step: 'inbox' } });
  await x.call('getDeskTour');
}

/** Documents that were printed to Faxdesk. */
export async function callPrinting(x: Examples, session: Record<string, string>): Promise<void> {
  const person = { key: null, session };
  await x.gateway.set({ PRINT_TO_FAX: 'this_computer', PRINT_PORT: await freePort() });
  const { uri } = await x.call('getPrinter', person);
  await printByIpp(uri, textPdf(2), { name: 'Referral' });
  await printByIpp(uri, textPdf(1), { name: 'Holiday hours' });
  await x.call('createPrintPassword', person);
  await x.call('getPrintPassword', person);
  await x.call('removePrintPassword', person);
  const { items } = await x.call('listPrintedDocuments', person);
  const [printed] = items as { id: string }[];
  const params = { id: printed?.id ?? '' };
  await x.call('acceptPrintedDocument', { ...person, params });
  await x.call('getPrintedDocument', { ...person, params });
  await x.call('removePrintedDocument', { ...person, params });
  await x.gateway.set({ PRINT_TO_FAX: 'off', PRINT_PORT: 6310 });
}

/** Signatures and stamps of a person. */
export async function callSignatures(x: Examples, session: Record<string, string>): Promise<void> {
  const person = { key: null, session };
  const file = new File([Uint8Array.from(await signaturePicture())], 'signature.png', { type: 'image/png' });
  const form = { name: 'Whole name', kind: 'signature', file };
  const { id } = await x.call('addDeskSignature', { ...person, form });
  await x.call('listDeskSignatures', person);
  await x.call('getDeskSignaturePicture', { ...person, params: { id } });
  await x.call('removeDeskSignature', { ...person, params: { id } });
}

/** One document to several recipients. */
async function callBroadcasts(x: Examples): Promise<void> {
  const recipients = 'Fax number,Name\n+12025550141,Hill Street Clinic\n+12025550142,Dr. Lee\n';
  const form = { recipients, name: 'Holiday hours', file: textFile() };
  const headers = { 'Idempotency-Key': 'holiday-hours' };
  const { broadcast } = await x.call('sendBroadcast', { headers, form });
  const params = { id: (broadcast as { id: string }).id };
  await x.call('pauseBroadcast', { params });
  await x.call('continueBroadcast', { params });
  await x.gateway.processAll();
  const { items } = await x.call('listFaxes', { query: { broadcast_id: params.id } });
  for (const { provider_sid } of items as { provider_sid: string }[])
    x.gateway.emulator.complete(provider_sid, { status: 'failure', errorId: 1 });
  x.gateway.clock.advance(60_000);
  await x.gateway.processAll();
  await x.call('retryBroadcast', { params });
  await x.call('cancelBroadcast', { params });
  await x.call('getBroadcast', { params });
  await x.call('listBroadcasts', { query: { q: 'holiday' } });
  await x.call('listBroadcastRecipients', { params });
  await x.call('getBroadcastHistory', { params });
  await x.call('getBroadcastReport', { params });
  await x.call('getBroadcastCsv', { params });
}

async function callAdminFaxes(x: Examples, params: { id: string }): Promise<void> {
  await x.call('listAdminFaxes', { query: { limit: '20' } });
  await x.call('getAdminFax', { params });
  await x.call('getAdminFaxPdf', { params });
  await x.call('refreshAdminFax', { params });
}

async function callDecisions(x: Examples): Promise<void> {
  const tomorrow = new Date(x.gateway.clock.now() + 86_400_000).toISOString();
  const later = await x.call('sendFax', { form: { to: TO, file: textFile(), send_at: tomorrow } });
  const params = { id: later.id };
  const evening = new Date(x.gateway.clock.now() + 36_000_000).toISOString();
  const moved = await x.call('scheduleFax', {
    params,
    json: { delivery_version: later.delivery_version, send_at: evening },
  });
  await x.call('cancelFax', { params, json: { delivery_version: moved.delivery_version } });
  await x.call('resendFax', { params, json: { to: '+12025550124' } });
  await x.gateway.set({ FAX_DISABLED: true });
  const held = await x.call('sendFax', { form: { to: TO, file: textFile(), queue_only: 'true' } });
  await x.gateway.set({ FAX_DISABLED: false });
  await x.call('releaseFax', {
    params: { id: held.id },
    json: { delivery_version: held.delivery_version },
  });
  await x.gateway.processAll();
}

/** A fax whose outcome a person confirms, and one that is tried again. */
async function callOutcomes(x: Examples): Promise<void> {
  const { emulator, clock } = x.gateway;
  const send = async () => {
    const { id } = await x.gateway.send();
    await x.gateway.processAll();
    return await x.gateway.fax(id);
  };
  emulator.setFault({ kind: 'dropped', accepted: true, method: 'POST' });
  const unconfirmed = await send();
  const note = 'They have both pages.';
  await x.call('reconcileFax', {
    params: { id: unconfirmed.id },
    json: { outcome: 'success', note, delivery_version: unconfirmed.delivery_version },
  });
  const { id, provider_sid } = await send();
  emulator.complete(String(provider_sid), BUSY);
  clock.advance(31 * SECOND);
  await x.gateway.processAll();
  await x.call('tryFaxAgain', { params: { id } });
  const linked = await send();
  const link = emulator.faxes.get(String(linked.provider_sid))?.contentUrls[0];
  if (link === undefined) return;
  await x.call('servePdf', {
    key: null,
    params: { id: linked.id },
    query: { token: new URL(link).searchParams.get('token') ?? '' },
  });
}

async function callPreviews(x: Examples): Promise<void> {
  const preview = await x.call('previewFax', { query: { wait: 'true' }, form: { to: TO, file: textFile() } });
  const params = { id: preview.preview_id };
  await x.call('getPreview', { params });
  await x.call('getPreviewPage', { params: { ...params, page: '1' } });
  await x.call('getUnchangedPage', { params: { ...params, page: '1' } });
  await x.call('redrawPreview', { params, query: { wait: 'true' }, json: { clean_greys: true } });
  await x.call('previewEncodedPages', { params, query: { to: TO } });
  await x.call('removePreview', { params });
}

/** A scan of two pages. */
export async function callScanning(x: Examples, session: Record<string, string>): Promise<void> {
  const person = { key: null, session };
  const scanner = await startScanner();
  await x.gateway.set({ SCANNERS: [scanner.url] });
  const port = Number(new URL(scanner.url).port);
  const facts = ['ty=Example OfficeScan 4020', 'note=Front desk'];
  const announced = await announceScanner({ name: 'Office scanner', port, facts });
  await x.call('listNetworkScanners', {});
  announced.close();
  const { items } = await x.call('listScanners', person);
  const scanner_id = items[0].id as string;
  await x.call('getScanner', { ...person, params: { id: scanner_id } });
  const order = { source: 'feeder', resolution: 300, paper: 'letter' };
  const scan = async (begin: () => Promise<{ id: string }>): Promise<{ id: string }> => {
    scanner.sheets = 1;
    const params = { id: (await begin()).id };
    // The first call of a route is its example.
    await eventually(async () => {
      const answer = await x.gateway.request('GET', `/scans/${params.id}`, { key: null, headers: session });
      expect(await answer.json()).toMatchObject({ state: 'waiting' });
    });
    await x.call('getScan', { ...person, params });
    return params;
  };
  const params = await scan(() => x.call('createScan', { ...person, json: { scanner_id, ...order } }));
  await scan(() => x.call('addScanPages', { ...person, params, json: order }));
  await x.call('getScanPage', { ...person, params: { ...params, page: '1' } });
  const { id } = await x.call('finishScan', { ...person, params });
  await x.call('removePrintedDocument', { ...person, params: { id } });
  const other = await scan(() => x.call('createScan', { ...person, json: { scanner_id, ...order } }));
  await x.call('removeScan', { ...person, params: other });
  await x.gateway.set({ SCANNERS: [] });
  await scanner.close();
}
