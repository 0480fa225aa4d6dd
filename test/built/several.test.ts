import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Collector, startCollector } from '../setup/collector.ts';
import { freePort } from '../setup/free-port.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { type S3Server, startS3Server } from '../setup/s3-server.ts';
import { startScanner, type TestScanner } from '../setup/scanner.ts';
import { needPostgres } from '../setup/tools.ts';
import { completeAtVendor } from './complete-at-vendor.ts';
import { Office, waitFor } from './office.ts';
import { RECEIVING } from './receiving.ts';
import { serve } from './served.ts';

const DATA_KEY = 'c2l4dHktZm91ciBjaGFyYWN0ZXJzIG9mIGEga2V5ISE=';

let folder: string;
let bucket: S3Server;
let collector: Collector;
let scanner: TestScanner;
let logServer: Server;
let logged = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-built-several-'));
  bucket = await startS3Server();
  collector = await startCollector();
  scanner = await startScanner();
  const port = await freePort();
  logServer = createServer((socket) => socket.on('data', (bytes) => (logged += bytes.toString())));
  await new Promise<void>((resolve) => logServer.listen(port, '127.0.0.1', resolve));
});
afterAll(async () => {
  logServer.close();
  await scanner.close();
  await collector.close();
  await bucket.close();
  await rm(folder, { recursive: true, force: true });
});

test.skipIf(process.platform === 'win32')(
  'rule (desktop): two built gateways share a database, a bucket, a collector and a log server',
  async (context) => {
    const databaseUrl = await needPostgres(context);
    const { port } = logServer.address() as { port: number };
    const shared = {
      DATABASE_URL: databaseUrl,
      SEVERAL_GATEWAYS: 'on',
      FAXDESK_DATA_KEY: DATA_KEY,
      FAXDESK_FOLDERS: folder,
      IMPORT_FOLDER: join(folder, 'import'),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      AUDIT_LOG_ENABLED: 'true',
      AUDIT_LOG_SYSLOG: 'true',
      AUDIT_LOG_SYSLOG_ADDRESS: `tcp://127.0.0.1:${port}`,
      SCANNERS: scanner.url,
      ...bucket.settings(),
    };
    const start = (name: string) => (environment: Readonly<Record<string, string>>) =>
      serve(join(folder, name), { ...environment, ...shared });
    const office = await Office.open(start('first'));
    const second = await office.openSecond(start('second'));
    try {
      const { gateways } = await second.requestJson('GET', '/console/gateways');
      expect(gateways).toHaveLength(2);

      const sent = await office.send('+12025550123');
      await completeAtVendor(second, office.emulators.cloudone, sent);
      expect(bucket.keys()).toContainEqual(expect.stringContaining(`fax/${sent}`));
      await waitFor(() => expect(collector.spans.map(({ name }) => name)).toContain('fax.send'));
      await waitFor(() => expect(logged).toContain(sent));
      const [fromCloudone] = RECEIVING;
      await fromCloudone?.run(second, context);

      const { items } = await second.requestJson('GET', '/scanners');
      const order = { scanner_id: items[0].id, source: 'feeder', resolution: 200 };
      scanner.sheets = 2;
      const scan = await second.requestJson('POST', '/scans', { json: order });
      await waitFor(async () =>
        expect(await second.requestJson('GET', `/scans/${scan.id}`)).toMatchObject({
          state: 'waiting',
          pages: 2,
        }),
      );
    } finally {
      await second.gateway.stop();
      await office.close();
      await dropPostgresDatabase(databaseUrl);
    }
  },
);
