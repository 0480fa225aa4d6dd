import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { Listener } from '../setup/emulators/listener.ts';
import { HOUR } from '../setup/manual-clock.ts';
import { type S3Server, startS3Server } from '../setup/s3-server.ts';
import { InboundGateway, ONE_PAGE } from './inbound-setup.ts';

/** Answers as the machine of a container does, whose role has keys that end within minutes. */
class RoleMachine {
  readonly #listener = new Listener(async (request, response) => {
    if (request.headers.authorization !== 'role-token') return void response.writeHead(403).end();
    this.handedOut += 1;
    response.writeHead(this.isAway ? 500 : 200, { 'Content-Type': 'application/json' }).end(
      JSON.stringify({
        AccessKeyId: `ROLE${this.handedOut}`,
        SecretAccessKey: 'secret-of-the-role',
        Token: `token-${this.handedOut}`,
        // The client of the vendor asks again in the last minutes of a key.
        Expiration: new Date(Date.now() + 60_000).toISOString(),
      }),
    );
  });
  handedOut = 0;
  isAway = false;

  get url(): string {
    return `http://127.0.0.1:${this.#listener.port}/credentials`;
  }
  open = () => this.#listener.open();
  close = () => this.#listener.close();
}

const machine = new RoleMachine();
let s3: S3Server;
let inbound: InboundGateway;

beforeAll(() => machine.open());
afterAll(() => machine.close());
beforeEach(async () => {
  machine.isAway = false;
  vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', machine.url);
  vi.stubEnv('AWS_CONTAINER_AUTHORIZATION_TOKEN', 'role-token');
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  vi.stubEnv('HOME', '/nonexistent');
  s3 = await startS3Server();
  const { AWS_ACCESS_KEY_ID: _id, AWS_SECRET_ACCESS_KEY: _secret, ...settings } = s3.settings();
  inbound = await InboundGateway.start({
    settings: { ...settings, S3_KMS_KEY_ID: 'alias/faxes' },
    bucketPatienceMs: 20_000,
  });
});
afterEach(async () => {
  await inbound.close();
  await s3.close();
  vi.unstubAllEnvs();
});

/** Headers of the requests that stored a document. */
const stored = () => s3.headers.filter((_, i) => s3.requests[i]?.startsWith('PUT /faxes/office/inbound/'));

async function receive() {
  expect((await inbound.notify(inbound.arrive())).status).toBe(200);
  const [held] = await inbound.list();
  return (await inbound.gateway.request('GET', `/inbound/${held?.id}/pdf`)).arrayBuffer();
}

test('rule (storage): without an access key the role of the machine signs, with its newest keys, and the key of the bucket seals', async () => {
  expect(Buffer.from(await receive())).toEqual(ONE_PAGE);
  await receive();
  const [first, second] = stored();
  const credential = (headers: (typeof s3.headers)[number] | undefined) =>
    /Credential=(\w+)\//u.exec(headers?.authorization ?? '')?.[1] ?? '';
  for (const headers of [first, second]) {
    expect(credential(headers)).toMatch(/^ROLE\d+$/u);
    expect(headers?.['x-amz-security-token']).toBe(credential(headers).replace('ROLE', 'token-'));
    expect(headers).toMatchObject({
      'x-amz-server-side-encryption': 'aws:kms',
      'x-amz-server-side-encryption-aws-kms-key-id': 'alias/faxes',
    });
  }
  expect(credential(second)).not.toBe(credential(first));
});

test('where the machine hands out no keys that is said, and a fax waits until it does', async () => {
  machine.isAway = true;
  inbound = new InboundGateway(await inbound.gateway.restart());
  await inbound.notify(inbound.arrive());
  expect(await inbound.list()).toMatchObject([{ status: 'waiting' }]);
  const status = await inbound.gateway.request('GET', '/console/status');
  expect(((await status.json()) as { warnings: string[] }).warnings).toContainEqual(
    'The object storage has a problem. There are no credentials for the bucket faxes. Enter an access key, or give this computer a role.',
  );
  machine.isAway = false;
  inbound.gateway.clock.advance(HOUR);
  await inbound.work();
  expect(await inbound.list()).toMatchObject([{ status: 'received' }]);
});
