import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { InboundGateway } from '../api/inbound-setup.ts';
import { ALICE, IntakeGateway } from '../api/intake-setup.ts';
import { startLineGateway } from '../api/outbound-line-setup.ts';
import { startTestGateway, textFile } from '../setup/gateway.ts';
import { startS3Server } from '../setup/s3-server.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';
import { diagnosedHere, type Found } from './diagnose-setup.ts';

let cli: CommandLine;
beforeAll(async () => {
  cli = await openCommandLine();
});
afterAll(() => cli.close());

const faultIn = (faults: readonly Found[], kind: string) => faults.find((each) => each.kind === kind)?.fault;

test('a provider that refuses the account, and one that does not answer', async () => {
  const gateway = await startTestGateway();
  gateway.emulator.setFault({ kind: 'unauthorized', method: 'POST', count: 9 });
  await gateway.send();
  await gateway.processAll();
  expect(faultIn(await diagnosedHere(cli, gateway), 'account_refused')).toBe(
    'The fax provider does not accept the account in the settings, so faxes cannot be sent. Check the account.',
  );
  await gateway.close();

  const silent = await startTestGateway();
  await silent.emulator.refuseConnections();
  await silent.send();
  await silent.processAll();
  expect(faultIn(await diagnosedHere(cli, silent), 'provider_away')).toMatch(
    /^The fax provider has not answered since /u,
  );
  await silent.emulator.acceptConnections();
  await silent.close();
});

test('a clock that is wrong by more than minutes against the provider', async () => {
  const server = createServer((_request, response) => {
    response.setHeader('Date', new Date(Date.now() + 20 * 60_000).toUTCString());
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const gateway = await startTestGateway({ settings: { CLOUDONE_API_URL: `http://127.0.0.1:${port}` } });
  expect(faultIn(await diagnosedHere(cli, gateway), 'clock_wrong')).toBe(
    'The clock of this computer is 20 minutes behind that of the provider.',
  );
  await gateway.close();
  server.closeAllConnections();
  server.close();
});

test('no provider, and received faxes that have no way in', async () => {
  const gateway = await startTestGateway({ settings: { FAX_BACKEND: '' } });
  expect(faultIn(await diagnosedHere(cli, gateway), 'no_provider')).toBe(
    'No fax provider is set up, so faxes cannot be sent.',
  );
  await gateway.set({ FAX_BACKEND: 'cloudone', INBOUND_ENABLED: true, INBOUND_POLLING: 'off' });
  expect(faultIn(await diagnosedHere(cli, gateway), 'receiving')).toMatch(
    /^No provider can reach Faxdesk\./u,
  );
  await gateway.close();
});

test('a bucket that is away', async () => {
  const s3 = await startS3Server();
  const inbound = await InboundGateway.start({ settings: s3.settings(), bucketPatienceMs: 5_000 });
  s3.fail('broken');
  await (await inbound.gateway.sendForm({ to: '+12025550123' }, [textFile()])).text();
  expect(faultIn(await diagnosedHere(cli, inbound.gateway), 'bucket_away')).toBe(
    'The object storage has a problem. The bucket faxes reports an error (500). Faxdesk tries again.',
  );
  s3.clear();
  await inbound.close();
  await s3.close();
});

test('a SIP trunk whose registration is refused', async () => {
  const { gateway, engine } = await startLineGateway();
  const answer = await gateway.request('POST', '/telephony/configuration', { json: {} });
  const { folder } = (await answer.json()) as { folder: string };
  const text = await readFile(join(folder, 'extensions.conf'), 'utf8');
  engine.line.fingerprint = /^FAXDESK_CONFIGURATION=(\w+)$/mu.exec(text)?.[1] ?? null;
  engine.line.registration = 'Rejected';
  expect(faultIn(await diagnosedHere(cli, gateway), 'phone_line')).toBe(
    'The carrier refuses the registration. Check user and password of the trunk.',
  );
  await gateway.close();
  await engine.close();
});

test('an e-mail server that refuses', async () => {
  const intake = await IntakeGateway.start();
  intake.mail.faults = { recipients: { [ALICE]: { code: 550, text: 'No such user' } } };
  await intake.connect({ recipients: [ALICE] });
  await intake.receive();
  await intake.gateway.processAll();
  const faults = await diagnosedHere(cli, intake.gateway);
  expect(faultIn(faults, 'mail_refused')).toBe(
    'The e-mail server refused 1 e-mail with a received fax, which Faxdesk tries again.',
  );
  expect(JSON.stringify(faults)).not.toContain(ALICE);
  await intake.close();
});
