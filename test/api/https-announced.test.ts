import { hostname } from 'node:os';
import type { Answer, SrvAnswer, TxtAnswer } from 'dns-packet';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { searchNetwork, searchWithThisComputer } from '../../main/network-search.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { GROUP } from '../../server/platform/ipp/message.ts';
import { groupOf, valuesOf } from '../../server/platform/ipp/values.ts';
import { freePort } from '../setup/free-port.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { certificateAt, parsePort, readHttpsStatus } from '../setup/https-client.ts';
import { callPrinter } from '../setup/ipp-client.ts';
import { ManualClock } from '../setup/manual-clock.ts';
import {
  askLoopback,
  type LoopbackListener,
  listenOnLoopback,
  sendFromOwnPort,
  untilAnswered,
} from '../setup/network-question.ts';

const TYPE = '_faxdesk._tcp.local';
const PRINTER = '_ipps._tcp.local';
const OFF = { HTTPS_ENABLED: 'true', HTTPS_HOST: '127.0.0.1', HTTPS_PORT: '0' };
const ON = { ...OFF, HTTPS_ANNOUNCED: 'true' };

let gateways: TestGateway[] = [];
let listener: LoopbackListener | null = null;
afterEach(async () => {
  listener?.close();
  listener = null;
  await Promise.all(gateways.map((gateway) => gateway.close()));
  gateways = [];
});

async function start(organization: string, settings: Record<string, string> = ON): Promise<TestGateway> {
  const clock = new ManualClock(new Date(systemClock.now()).toISOString());
  const given = { ...settings, FAX_ORGANIZATION: organization };
  const gateway = await startTestGateway({ clock, settings: given });
  gateways.push(gateway);
  return gateway;
}

const named = (records: readonly Answer[], type: string, name: string) =>
  records.find((record) => record.type === type && record.name === name);
const serverOf = (records: readonly Answer[], name: string) =>
  (named(records, 'SRV', name) as SrvAnswer).data;
const factsOf = (records: readonly Answer[], name: string) =>
  ((named(records, 'TXT', name) as TxtAnswer).data as Buffer[]).map(String);
const pointersTo = (records: readonly Answer[], name: string) =>
  records.filter((record) => record.type === 'PTR' && record.data === name);

describe('the gateway in the local network', () => {
  test('rule (https): nothing is announced unless the office wants it', async () => {
    const gateway = await start('Quiet Clinic', OFF);
    expect((await readHttpsStatus(gateway)).announced).toBeNull();
    const records = await askLoopback(TYPE);
    expect(pointersTo(records, `Quiet Clinic.${TYPE}`)).toEqual([]);
  });

  test('is found by its name, with address, port and the root that its certificate comes from', async () => {
    const gateway = await start('Dr. Found Clinic', { ...ON, HTTPS_NAMES: 'fax.office.example' });
    const { addresses, root, announced } = await readHttpsStatus(gateway);
    expect(announced).toBe('Dr Found Clinic');
    const name = `Dr Found Clinic.${TYPE}`;
    const records = await untilAnswered(TYPE, (all) => {
      expect(pointersTo(all, name)).not.toEqual([]);
      return all;
    });
    const { target, port } = serverOf(records, name);
    expect(port).toBe(parsePort(addresses[0]));
    expect(target).toBe(`${hostname().toLowerCase().split('.')[0]}-faxdesk.local`);
    expect(named(records, 'A', target)).toMatchObject({ data: '127.0.0.1', ttl: 10 });
    expect(factsOf(records, name)).toEqual([
      'txtvers=1',
      'path=/admin/ui/',
      'host=fax.office.example',
      `root=${root.fingerprint.replaceAll(':', '').toLowerCase()}`,
    ]);
    expect((await certificateAt(port)).subjectaltname).toContain(target);
  });

  test('is listed by the search of the window, without the gateways that have gone', async () => {
    const gateway = await start('Listed Clinic');
    const { addresses, root } = await readHttpsStatus(gateway);
    const port = parsePort(addresses[0]);
    const listed = async () => (await searchNetwork()).filter(({ name }) => name === 'Listed Clinic');
    const [found] = await listed();
    expect(found).toMatchObject({ root: root.fingerprint });
    expect(found?.addresses[0]).toBe(`https://127.0.0.1:${port}`);
    await gateway.set({ HTTPS_ANNOUNCED: false });
    expect((await readHttpsStatus(gateway)).announced).toBeNull();
    expect(await listed()).toEqual([]);
  });

  test('is listed by the search of an account without one, also where it is not announced', async () => {
    const gateway = await start('Machine Clinic');
    const { addresses, root } = await readHttpsStatus(gateway);
    const port = parsePort(addresses[0]);
    const listed = async () =>
      (await searchWithThisComputer(port)).filter((found) => found.root === root.fingerprint);
    expect(await listed()).toMatchObject([{ name: 'Machine Clinic' }]);
    await gateway.set({ HTTPS_ANNOUNCED: false });
    expect((await readHttpsStatus(gateway)).announced).toBeNull();
    const here = { name: 'This computer', addresses: [`https://localhost:${port}`], root: root.fingerprint };
    expect(await listed()).toEqual([here]);
  });

  test('is taken back when it is turned off, and when it stops', async () => {
    const gateway = await start('Leaving Clinic');
    await readHttpsStatus(gateway);
    listener = await listenOnLoopback();
    const name = `Leaving Clinic.${TYPE}`;
    const goodbyes = () =>
      pointersTo(listener?.heard ?? [], name).filter((record) => 'ttl' in record && record.ttl === 0);
    await gateway.set({ HTTPS_ANNOUNCED: false });
    await expect.poll(goodbyes).toHaveLength(1);
    await gateway.set({ HTTPS_ANNOUNCED: true });
    await readHttpsStatus(gateway);
    await gateway.close();
    gateways = [];
    await expect.poll(goodbyes).toHaveLength(2);
  });

  test('rule (https): a name that the network has already is left to its owner, and a number is added', async () => {
    const first = await start('Same Clinic');
    const { words } = await readHttpsStatus(first);
    const second = await start('Same Clinic');
    const status = await readHttpsStatus(second);
    expect([(await readHttpsStatus(first)).announced, status.announced]).toEqual([
      'Same Clinic',
      'Same Clinic (2)',
    ]);
    expect(status.words).not.toEqual(words);
    expect(status.problem).toBeNull();
  });

  test('takes another name when a responder claims its name later on', async () => {
    const gateway = await start('Claimed Clinic');
    await readHttpsStatus(gateway);
    listener = await listenOnLoopback();
    const name = `Claimed Clinic.${TYPE}`;
    const data = { target: 'thief.local', port: 65_000, priority: 9, weight: 9 };
    const claim = { type: 'SRV' as const, name, ttl: 120, data };
    const answer = { type: 'response' as const, answers: [claim] };
    await sendFromOwnPort(answer);
    await untilAnswered(TYPE, (all) => expect(pointersTo(all, name)).not.toEqual([]));
    expect((await readHttpsStatus(gateway)).announced).toBe('Claimed Clinic');
    await listener.send(answer);
    await vi.waitFor(
      async () => {
        await listener?.send(answer);
        expect((await readHttpsStatus(gateway)).announced).toBe('Claimed Clinic (2)');
      },
      { timeout: 20_000, interval: 100 },
    );
  });

  test('rule (https): malformed and endless messages harm nothing', async () => {
    const gateway = await start('Patient Clinic');
    await readHttpsStatus(gateway);
    const quiet = await listenOnLoopback();
    listener = quiet;
    const loop = Buffer.from('000000000001000000000000c00c000c0001', 'hex');
    const cut = Buffer.from('0000840000000005000000000466617864', 'hex');
    const counts = Buffer.from('00000000ffffffffffffffff', 'hex');
    const random = Array.from({ length: 120 }, (_, seed) =>
      Buffer.from(
        Array.from({ length: 40 + seed }, (__, index) => (index * 31 + seed * 17 + index * seed) % 256),
      ),
    );
    for (const bytes of [Buffer.alloc(0), loop, cut, counts, Buffer.alloc(9_500, 1), ...random])
      await quiet.send(bytes);
    await untilAnswered(TYPE, (all) => expect(pointersTo(all, `Patient Clinic.${TYPE}`)).not.toEqual([]));
    expect((await readHttpsStatus(gateway)).announced).toBe('Patient Clinic');
  });
});

describe('the printer in the local network', () => {
  test('is found by computers as printers of IPP Everywhere are, while it prints for the network', async () => {
    const port = await freePort();
    const gateway = await start('Printing Clinic', {
      ...ON,
      PRINT_TO_FAX: 'this_computer',
      PRINT_PORT: String(await freePort()),
      PRINT_NETWORK_PORT: String(port),
      PRINT_NETWORK_HOST: '127.0.0.1',
    });
    const { addresses } = await readHttpsStatus(gateway);
    const ours = async () => {
      const records = await askLoopback(PRINTER);
      return records.filter((record) => record.type === 'SRV' && record.data.port === port);
    };
    expect(await ours()).toEqual([]);
    await gateway.set({ PRINT_TO_FAX: 'network' });
    const uri = `ipps://127.0.0.1:${port}/ipp/print`;
    const name = await vi.waitFor(
      async () => {
        const [server] = await ours();
        expect(server).toBeDefined();
        return (server as Answer).name;
      },
      { timeout: 20_000, interval: 100 },
    );
    expect(name).toMatch(/^Faxdesk(?: \(\d+\))?\._ipps\._tcp\.local$/u);
    const facts = factsOf(await askLoopback(PRINTER), name);
    const printer = groupOf(await callPrinter(uri, 'getPrinterAttributes'), GROUP.printer);
    const texts = (attribute: string) => valuesOf(printer, attribute).map(({ value }) => value as string);
    const text = (attribute: string) => texts(attribute)[0] ?? '';
    expect(facts).toEqual(
      expect.arrayContaining([
        'txtvers=1',
        'rp=ipp/print',
        `ty=${text('printer-make-and-model')}`,
        'note=Printing Clinic',
        `adminurl=${addresses[0]}/admin/ui/`,
        `UUID=${text('printer-uuid').replace('urn:uuid:', '')}`,
        'TLS=1.2',
        'air=username,password',
        `URF=${texts('urf-supported').join(',')}`,
      ]),
    );
    expect(facts.find((fact) => fact.startsWith('pdl='))).toContain('application/pdf');
    expect(text('printer-more-info')).toBe(`${addresses[0]}/admin/ui/`);
    expect(name).toBe(`${text('printer-dns-sd-name')}.${PRINTER}`);
    const state = async () => (await gateway.request('GET', '/printer')).json();
    expect(await state()).toMatchObject({ network_name: text('printer-dns-sd-name') });
    for (const subtype of ['_universal', '_print'])
      expect(pointersTo(await askLoopback(`${subtype}._sub.${PRINTER}`), name)).toHaveLength(1);
    await gateway.set({ PRINT_TO_FAX: 'this_computer' });
    await readHttpsStatus(gateway);
    expect(await ours()).toEqual([]);
    expect(await state()).toMatchObject({ network_name: null });
  });
});
