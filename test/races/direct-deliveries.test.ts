import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyReceiptFile } from '../../server/features/direct/wire/receipt-file.ts';
import { seededRandom } from '../fixtures/seeded-random.ts';
import {
  closeSide,
  type DirectSide,
  listDirect,
  makePartners,
  startDirectSide,
} from '../setup/direct-partners.ts';
import type { Fault } from '../setup/fault-proxy.ts';
import { type Fax, startTestGateway, textFile } from '../setup/gateway.ts';
import { HOUR, ManualClock, MINUTE } from '../setup/manual-clock.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, postgresUrl } from '../setup/stores.ts';

/** Number of documents in both directions. The environment can set more. */
const DOCUMENTS = Number(process.env['FAXDESK_DIRECT_DOCUMENTS'] ?? 100);
const SEED = Number(process.env['FAXDESK_DIRECT_SEED'] ?? 29);
/** Documents for which one clock is 25 hours ahead. */
const SKEWED = { from: Math.floor(DOCUMENTS * 0.5), to: Math.floor(DOCUMENTS * 0.55) };
const SETTINGS = { INBOUND_ENABLED: 'true', INBOUND_POLLING: 'off' };

let databaseUrl: string | null = null;
let north: DirectSide;
let south: DirectSide;
beforeAll(async () => {
  if (postgresUrl !== null) databaseUrl = await newPostgresDatabase();
  const common = { settings: SETTINGS };
  north = await startDirectSide(
    { organization: 'North Clinic', faxNumber: '+12025550110' },
    { ...common, clock: new ManualClock() },
  );
  south = await startDirectSide(
    { organization: 'South Pharmacy', faxNumber: '+12025550120' },
    { ...common, clock: new ManualClock(), databaseUrl },
  );
  await makePartners(north, south);
});
afterAll(async () => {
  await closeSide(north);
  await closeSide(south);
  if (databaseUrl !== null) await dropPostgresDatabase(databaseUrl);
});

type Kill = 'sender' | 'recipient' | 'both' | null;

const UPLOAD_FAULTS = [
  'cut_before',
  'cut_during',
  'lost_answer',
  'held',
  'repeated',
  'tampered',
  'tampered_answer',
  'unsigned',
] as const;
const QUERY_FAULTS = ['cut_before', 'lost_answer', 'tampered_answer', 'unsigned'] as const;

function faultFrom(kinds: readonly Fault['kind'][], random: () => number): Fault {
  const kind = kinds[Math.floor(random() * kinds.length)] ?? 'pass';
  switch (kind) {
    case 'tampered':
    case 'tampered_answer':
      return { kind, at: random() };
    case 'unsigned':
      return { kind, status: random() < 0.5 ? 404 : 503 };
    case 'after':
      return { kind: 'pass' };
    default:
      return { kind };
  }
}

/** Restarts a side on an earlier copy of its data folder: what it did later is lost, as when its process is killed. */
async function restartFrom(side: DirectSide, folder: string): Promise<void> {
  const { gateway } = side;
  const { clock, emulator } = gateway;
  await gateway.stop();
  await rm(gateway.dataFolder, { recursive: true, force: true });
  const settings = {
    DIRECT_DELIVERY_ENABLED: 'true',
    DIRECT_ORGANIZATION: side.organization,
    DIRECT_FAX_NUMBER: side.faxNumber,
    DIRECT_ALLOW_PRIVATE_PEERS: 'true',
    PUBLIC_API_URL: side.proxy.url,
    FAX_NUMBER: side.faxNumber,
    ...SETTINGS,
  };
  side.gateway = await startTestGateway({ settings, clock, emulator, dataFolder: folder });
  side.proxy.target = side.gateway.url;
}

async function restart(side: DirectSide): Promise<void> {
  side.gateway = await side.gateway.restart();
  side.proxy.target = side.gateway.url;
}

/** Copies the data folder of a running side. Returns the folder of the copy. */
async function copyDataFolder({ gateway }: DirectSide): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-killed-'));
  await cp(gateway.dataFolder, folder, {
    recursive: true,
    filter: (path) => !/gateway\.(lock|json)$/u.test(path),
  });
  return folder;
}

/** Sends one document through its faults until it is delivered directly or goes out by a call. */
async function deliver(
  sender: DirectSide,
  recipient: DirectSide,
  { name, random, kill, isSkewed }: { name: string; random: () => number; kill: Kill; isSkewed: boolean },
): Promise<Fax> {
  const upload = random() < 0.7 && !isSkewed ? faultFrom(UPLOAD_FAULTS, random) : ({ kind: 'pass' } as const);
  let copied: string | null = null;
  recipient.proxy.faultOf = (method) => {
    if (method === 'GET') return random() < 0.4 ? faultFrom(QUERY_FAULTS, random) : { kind: 'pass' };
    if (kill !== 'sender' && kill !== 'both') return upload;
    const lost = random() < 0.5 ? 'lost_answer' : 'held';
    return {
      kind: 'after',
      work: async () => void (copied = await copyDataFolder(sender)),
      next: { kind: lost },
    };
  };
  const sent = await sender.gateway.sendForm({ to: recipient.faxNumber }, [textFile(name, 'letter.txt')]);
  const { id } = (await sent.json()) as Fax;
  await sender.gateway.processAll();
  if (copied !== null) await restartFrom(sender, copied);
  if (kill === 'recipient' || kill === 'both') await restart(recipient);
  for (let turn = 0; turn < 200; turn += 1) {
    if (random() < 0.3) await recipient.proxy.deliverHeld();
    const fax = await sender.gateway.fax(id);
    if (fax.delivery_state === 'success' || (!fax.direct && fax.provider_sid !== null)) {
      await recipient.proxy.deliverHeld();
      return sender.gateway.fax(id);
    }
    for (const { gateway } of [sender, recipient]) gateway.clock.advance(turn < 30 ? MINUTE : HOUR);
    await sender.gateway.processAll();
  }
  throw new Error(`the document ${name} was not settled`);
}

test(
  'rule (direct): whatever happens between two partners, each document arrives once directly or goes out as one ordinary fax',
  async () => {
    const random = seededRandom(SEED);
    const sent: { fax: Fax; sender: DirectSide; recipient: DirectSide }[] = [];
    for (let i = 0; i < DOCUMENTS; i += 1) {
      if (i === SKEWED.from) south.gateway.clock.advance(25 * HOUR);
      if (i === SKEWED.to) north.gateway.clock.advance(25 * HOUR);
      const [sender, recipient] = random() < 0.5 ? [north, south] : [south, north];
      // Only a store that is a file can be copied at the moment of the kill.
      const kills: readonly Kill[] = sender === north ? ['sender', 'recipient', 'both'] : ['recipient'];
      // With clocks so far apart only the upload itself is answered: queries are refused until the clocks agree again.
      const isSkewed = i >= SKEWED.from && i < SKEWED.to;
      const kill = i % 10 === 9 && !isSkewed ? (kills[Math.floor(random() * kills.length)] ?? null) : null;
      const fax = await deliver(sender, recipient, { name: `Document ${SEED}-${i}`, random, kill, isSkewed });
      sent.push({ fax, sender, recipient });
    }
    for (const side of [north, south]) {
      const other = side === north ? south : north;
      const own = sent.filter(({ sender }) => sender === side).map(({ fax }) => fax);
      const direct = own.filter((fax) => fax.delivered_by === 'direct');
      const called = own.filter((fax) => fax.delivered_by !== 'direct');
      // One call for each that did not go directly, and none for the others.
      expect(side.gateway.emulator.counts.accepted).toBe(called.length);
      expect(new Set(called.map(({ provider_sid }) => provider_sid)).size).toBe(called.length);
      const received = (await listDirect(other, '&direction=received')).filter(
        ({ state }) => state === 'accepted',
      );
      const ids = (faxes: readonly (string | null)[]) => faxes.map(String).sort();
      expect(ids(received.map(({ message_id }) => message_id))).toEqual(
        ids(direct.map(({ provider_sid }) => provider_sid)),
      );
      const documents = await allReceived(other);
      expect(ids(documents.map(({ sha256 }) => sha256))).toEqual(
        ids(direct.map(({ document }) => document.sha256)),
      );
      const receipts = (await listDirect(side, '&direction=sent')).filter(({ receipt }) => receipt !== null);
      const verified = verifyReceiptFile(Buffer.from(JSON.stringify({ items: receipts })));
      expect(ids(verified.map(({ manifest }) => manifest.message_id))).toEqual(
        ids(direct.map(({ provider_sid }) => provider_sid)),
      );
      expect([direct.length > 0, called.length > 0]).toEqual([true, true]);
    }
  },
  60_000 + DOCUMENTS * 2_000,
);

async function allReceived({ gateway }: DirectSide): Promise<{ sha256: string }[]> {
  const found: { sha256: string }[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const answer = await gateway.request('GET', `/inbound/page?limit=100${page}`);
    const body = (await answer.json()) as { items: { sha256: string }[]; next_cursor: string | null };
    found.push(...body.items);
    cursor = body.next_cursor;
  }
  return found;
}
