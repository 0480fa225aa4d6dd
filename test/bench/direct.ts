import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { request as requestHttps } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openDatabase } from '../../server/db/database.ts';
import type { Card } from '../../server/features/direct/wire/card.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { partnerRow } from '../setup/direct-partners.ts';
import { BENCH_KEY } from './bench-key.ts';
import { type Child, startChild } from './child.ts';
import { faxRequest } from './fax-upload.ts';
import { type Figure, measureInTurns, median, ratioOf } from './figure.ts';
import type { GatewayReady } from './gateway-process.ts';
import { largeScan } from './large-scan.ts';
import type { LoadRequest } from './load.ts';

const BAR = 2;
/** A page has about 125 KB. */
const PAGES = 80;
const ROUNDS = 10;
const SENDER = '+12025550100';
/** The number of a load request: `faxRequest` sends to it. */
const RECIPIENT = '+12025550123';
const POLL_MS = 2;
const DEADLINE_MS = 30_000;
const KEY = { 'X-API-Key': BENCH_KEY };

interface Side {
  readonly child: Child<GatewayReady>;
  readonly folder: string;
}

/**
 * A document of 10 MB to a partner, from its acceptance until the receipt is recorded, against the upload of the same document to
 * the same gateway over HTTPS, each time another one.
 */
export async function run(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  const sides: Side[] = [];
  try {
    const recipient = await openSide(join(folder, 'recipient'), RECIPIENT);
    sides.push(recipient);
    const { url, ca } = await openHttps(recipient);
    const sender = await openSide(join(folder, 'sender'), SENDER, ca);
    sides.push(sender);
    await makePartners(recipient, sender);
    const pdf = await largeScan(PAGES);
    const measurements = [() => deliver(sender, pdf), () => upload(url, ca, pdf)];
    for (const measure of measurements) await measure();
    const [direct, plain] = await measureInTurns(ROUNDS, measurements);
    const detail = `${(pdf.length / 1e6).toFixed(1)} MB; ${median(direct ?? []).toFixed(0)} ms, upload ${median(plain ?? []).toFixed(0)} ms`;
    return [
      {
        name: 'a document to a partner',
        ratio: ratioOf(direct, plain),
        bar: BAR,
        atMost: true,
        unit: 'of an upload over HTTPS',
        detail,
      },
    ];
  } finally {
    for (const { child } of sides) await child.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function openSide(folder: string, number: string, partnerCa?: string): Promise<Side> {
  const environment = {
    FAX_BACKEND: 'cloudone',
    CLOUDONE_API_KEY: 'bench',
    CLOUDONE_API_SECRET: 'bench',
    DIRECT_DELIVERY_ENABLED: 'true',
    DIRECT_ORGANIZATION: number,
    DIRECT_FAX_NUMBER: number,
    DIRECT_ALLOW_PRIVATE_PEERS: 'true',
    HTTPS_HOST: '127.0.0.1',
    HTTPS_PORT: '0',
    MAX_REQUESTS_PER_MINUTE: '0',
  };
  const child = await startChild<GatewayReady>('gateway-process.ts', {
    dataFolder: folder,
    environment,
    partnerCa,
  });
  await change({ child, folder }, { PUBLIC_API_URL: child.ready.url });
  return { child, folder };
}

/** Opens the HTTPS listener of a gateway, and names it as its public address. */
async function openHttps(side: Side): Promise<{ url: string; ca: string }> {
  await change(side, { HTTPS_ENABLED: true });
  const { addresses } = (await read(side, '/console/https')) as { addresses: string[] };
  const url = addresses.find((address) => address.includes('127.0.0.1'));
  if (url === undefined) throw new Error(`HTTPS is not open: ${addresses.join(' ')}`);
  const root = await fetch(`${side.child.ready.url}/https/root.crt`);
  const ca = new X509Certificate(Buffer.from(await root.arrayBuffer())).toString();
  await change(side, { PUBLIC_API_URL: url, FAX_DISABLED: true });
  return { url, ca };
}

async function makePartners(recipient: Side, sender: Side): Promise<void> {
  await addPartner(recipient, sender);
  await addPartner(sender, recipient);
}

/** Writes the partner into the store, as after both have faxed and confirmed a code. */
async function addPartner(side: Side, other: Side): Promise<void> {
  const { card } = (await read(other, '/direct/card')) as { card: Card };
  const db = openDatabase({ postgresUrl: null, sqliteFile: join(side.folder, 'faxdesk.sqlite') });
  try {
    await db.transaction((tx) =>
      tx
        .insertInto('direct_partner')
        .values(partnerRow('partner', card, systemClock))
        .execute(),
    );
  } finally {
    await db.close();
  }
}

async function read({ child }: Side, path: string): Promise<unknown> {
  const response = await fetch(`${child.ready.url}${path}`, { headers: KEY });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function change({ child }: Side, changes: object): Promise<void> {
  const response = await fetch(`${child.ready.url}/admin/settings`, {
    method: 'PUT',
    headers: { ...KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify({ changes }),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
}

let sent = 0;

/** The request that sends the document as a fax, with a comment that nothing else has. */
function nextRequest(pdf: Buffer): LoadRequest & { readonly body: Buffer } {
  const shot = faxRequest(pdf, BENCH_KEY, { different: true });
  const body = Buffer.from(shot.body ?? '');
  sent += 1;
  body.write(String(sent).padStart(8, '0'), shot.variesAt ?? 0, 'latin1');
  return { ...shot, body };
}

/** Returns the time from the acceptance of a fax until the partner has signed for it, in ms. */
async function deliver(side: Side, pdf: Buffer): Promise<number> {
  const { path, headers, body } = nextRequest(pdf);
  const url = side.child.ready.url;
  const accepted = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: headers as Record<string, string>,
    body,
  });
  const { id } = (await accepted.json()) as { id: string };
  const began = performance.now();
  for (;;) {
    const fax = (await read(side, `/fax/${id}`)) as { delivery_state: string; delivered_by: string | null };
    if (fax.delivery_state === 'success' && fax.delivered_by === 'direct') return performance.now() - began;
    if (!['ready', 'submitting', 'accepted', 'in_progress', 'preparing'].includes(fax.delivery_state))
      throw new Error(`the fax is ${fax.delivery_state} by ${fax.delivered_by}`);
    if (performance.now() - began > DEADLINE_MS) throw new Error(`the fax is still ${fax.delivery_state}`);
    await setTimeout(POLL_MS);
  }
}

/** Returns the time of an upload to the gateway over HTTPS, on a connection of its own, in ms. */
function upload(url: string, ca: string, pdf: Buffer): Promise<number> {
  const { path, headers, body } = nextRequest(pdf);
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const all = { ...headers, 'Content-Length': body.length };
    const request = requestHttps(
      `${url}${path}`,
      { method: 'POST', ca, agent: false, headers: all },
      (answer) => {
        answer.resume().once('end', () => {
          if (answer.statusCode === 202) resolve(performance.now() - began);
          else reject(new Error(`the upload was answered ${answer.statusCode}`));
        });
      },
    );
    request.once('error', reject);
    request.end(body);
  });
}
