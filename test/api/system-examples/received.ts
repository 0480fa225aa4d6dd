import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { engineImage } from '../../fixtures/engine-image.ts';
import { createKey } from '../../setup/test-keys.ts';
import type { Examples } from './examples.ts';

const OWN_NUMBER = '+12025550100';
const SENDER = '+12025550199';

/** Received faxes, blocked senders and documents of another system. */
export async function callReceived(x: Examples): Promise<void> {
  const received = await x.call('testInbound', { json: { from_number: SENDER, to_number: OWN_NUMBER } });
  const params = { id: received.id };
  await x.call('simulateInbound', { json: { from_number: SENDER, to_number: OWN_NUMBER } });
  await x.gateway.processAll();
  await x.call('listInbound', { query: { unread: 'true', limit: '20' } });
  await x.call('pageInbound', { query: { status: 'received' } });
  await x.call('countInbound');
  await x.call('getInbound', { params });
  await x.call('getInboundPdf', { params, query: { purpose: 'download' } });
  await x.call('getInboundPage', { params: { ...params, page: '1' } });
  await x.call('getInboundEvidence', { params });
  await x.call('listInboundReaders', { params });
  await x.call('markInbound', { params, json: { read: true } });
  await x.call('describeInbound', { params, json: { reference: 'Patient 4711' } });
  await x.call('turnInbound', { params, json: { pages: [1], quarter_turns: 1 } });
  await x.call('blockSender', { json: { fax_id: received.id } });
  await x.call('listBlockedSenders');
  await x.call('markNotJunk', { params, json: { unblock: false } });
  await x.call('unblockSender', { params: { number: SENDER } });
  await x.call('applyInboundRules');
  await x.call('recoverInbound');
  const key = await createKey(x.gateway, { test: true });
  await x.call('createReceivedTestFax', { key, json: { from_number: SENDER } });
  await callOriginals(x);
  await callImports(x);
  await callEngine(x);
}

const PUBLIC_URL = 'https://fax.example.com';
const PARTNER = '+12025550151';

/** A fax whose pages carry its document, sent from here and received again. */
async function callOriginals(x: Examples): Promise<void> {
  const { gateway } = x;
  const { emulator } = gateway;
  const contact = { name: 'Mill Valley', fax_number: PARTNER, encoded_pages: 'plain' };
  await gateway.request('POST', '/contacts', { json: contact });
  const { id } = await gateway.send({ to: PARTNER });
  await gateway.processAll();
  const link = new URL(
    emulator.faxes.get(String((await gateway.fax(id)).provider_sid))?.contentUrls[0] ?? '',
  );
  const pages = await gateway.request('GET', `${link.pathname}${link.search}`, { key: null });
  const document = Buffer.from(await pages.arrayBuffer());
  const came = emulator.receive({ from: PARTNER, to: OWN_NUMBER, document });
  const signedUrl = `${PUBLIC_URL}/cloudone-inbound`;
  await emulator.sendCallback(String(came.id), { url: `${gateway.url}/cloudone-inbound`, signedUrl });
  await gateway.processAll();
  const [fax] = await x.call('listInbound', { query: { from_number: PARTNER } });
  await x.call('getInboundOriginal', { params: { id: fax.id } });
  await x.call('recoverInboundOriginal', { params: { id: fax.id }, json: {} });
}

/** An image that the telephone engine on this computer hands over. */
async function callEngine(x: Examples): Promise<void> {
  const path = join(x.gateway.dataFolder, 'inbound', 'a.tif');
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, engineImage());
  const secret = await readFile(join(x.gateway.dataFolder, 'telephony', 'inbound-secret'), 'utf8');
  await x.call('handOverInbound', {
    key: null,
    session: { 'X-Internal-Secret': secret.trim() },
    json: { tiff_path: path, to_number: OWN_NUMBER, from_number: SENDER, faxstatus: 'SUCCESS', faxpages: 1 },
  });
}

async function callImports(x: Examples): Promise<void> {
  const manifest = JSON.stringify({ source_system: 'Lab bridge', operation_id: 'A-1' });
  const pdf = await x.gateway.request('GET', `/fax/${await anyFax(x)}/document`);
  const file = new File([new Uint8Array(await pdf.arrayBuffer())], 'result.pdf', { type: 'application/pdf' });
  await x.call('importDocument', { form: { manifest, file } });
}

const anyFax = async (x: Examples): Promise<string> => (await x.call('listFaxes')).items[0].id;
