import { spawn, spawnSync } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import { systemClock } from '../../server/platform/clock.ts';
import { freePort } from '../setup/free-port.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { readHttpsStatus } from '../setup/https-client.ts';
import { ManualClock } from '../setup/manual-clock.ts';

// Reads the announcements with another implementation of DNS-SD: Debian's python3-zeroconf.

const PYTHON = '/usr/bin/python3';
const isMissing = spawnSync(PYTHON, ['-c', 'import zeroconf'], { stdio: 'ignore' }).status !== 0;
const reason = isMissing ? ' (needs python3-zeroconf)' : '';

/** Browses a type on the loopback interface until a service with this port is found, and prints it as JSON. */
const BROWSE = `
import json, sys, threading
from zeroconf import ServiceBrowser, ServiceListener, Zeroconf
kind, port = sys.argv[1], int(sys.argv[2])
found = threading.Event()
class Listener(ServiceListener):
    def add_service(self, zc, type_, name):
        info = zc.get_service_info(type_, name)
        if info is None or info.port != port: return
        facts = {key.decode(): value.decode() for key, value in info.properties.items()}
        print(json.dumps({'name': info.name, 'server': info.server, 'addresses': info.parsed_addresses(), 'facts': facts}))
        found.set()
    def update_service(self, zc, type_, name): pass
    def remove_service(self, zc, type_, name): pass
zc = Zeroconf(interfaces=['127.0.0.1'])
ServiceBrowser(zc, kind, Listener())
found.wait(15)
zc.close()
`;

interface Found {
  readonly name: string;
  readonly server: string;
  readonly addresses: readonly string[];
  readonly facts: Readonly<Record<string, string>>;
}

async function browse(kind: string, port: number): Promise<Found> {
  const process = spawn(PYTHON, ['-c', BROWSE, kind, String(port)], { stdio: ['ignore', 'pipe', 'ignore'] });
  const text = (await process.stdout.toArray()).join('');
  // It may be found a second time before the process ends.
  return JSON.parse(text.split('\n')[0] || 'null') as Found;
}

let gateway: TestGateway | null = null;
afterAll(() => gateway?.close());

test.skipIf(isMissing)(
  `the gateway and its printer are found by another implementation of DNS-SD${reason}`,
  async () => {
    const [httpsPort, printPort] = [await freePort(), await freePort()];
    gateway = await startTestGateway({
      clock: new ManualClock(new Date(systemClock.now()).toISOString()),
      settings: {
        HTTPS_ENABLED: 'true',
        HTTPS_ANNOUNCED: 'true',
        HTTPS_HOST: '127.0.0.1',
        HTTPS_PORT: String(httpsPort),
        FAX_ORGANIZATION: 'Zeroconf Clinic',
        PRINT_TO_FAX: 'network',
        PRINT_PORT: String(await freePort()),
        PRINT_NETWORK_HOST: '127.0.0.1',
        PRINT_NETWORK_PORT: String(printPort),
      },
    });
    const { root } = await readHttpsStatus(gateway);
    const [found, printer, phones] = await Promise.all([
      browse('_faxdesk._tcp.local.', httpsPort),
      browse('_ipps._tcp.local.', printPort),
      browse('_universal._sub._ipps._tcp.local.', printPort),
    ]);
    expect(found).toMatchObject({
      name: 'Zeroconf Clinic._faxdesk._tcp.local.',
      addresses: ['127.0.0.1'],
      facts: { root: root.fingerprint.replaceAll(':', '').toLowerCase() },
    });
    expect(printer).toMatchObject({
      server: found.server,
      addresses: ['127.0.0.1'],
      facts: { rp: 'ipp/print', TLS: '1.2', air: 'username,password', note: 'Zeroconf Clinic' },
    });
    expect(phones.facts).toEqual(printer.facts);
  },
);
