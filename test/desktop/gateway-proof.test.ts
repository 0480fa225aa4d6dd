import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyGateway } from '../../main/gateway-proof.ts';
import { type Gateway, startGateway } from '../../server/index.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { GATEWAY_PROOF } from '../../shared/gateway-proof.ts';
import { bootOptions } from '../setup/boot-options.ts';

const SECRET = 'the secret of this start';

let folder: string;
let gateway: Gateway;
let between: Server;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-'));
  gateway = await startGateway({
    boot: bootOptions(folder, null),
    environment: {},
    logger: createLogger({ write: () => {} }),
    automatic: false,
    proofSecret: SECRET,
  });
  between = createServer(({ method, headers, url = '/' }, answer) => {
    const passedOn = request(new URL(url, gateway.url), { method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    passedOn.end();
  });
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  between.close();
  await gateway.stop();
  await rm(folder, { recursive: true });
});

it('a gateway proves to whoever started it that it is the one on its port', async () => {
  expect(await verifyGateway(gateway.url, SECRET)).toBe(true);
  expect(await verifyGateway(gateway.url, 'the secret of another start')).toBe(false);
});

it('a program between the two cannot pass the proof on', async () => {
  const { port } = between.address() as AddressInfo;
  const asked = await fetch(`http://127.0.0.1:${port}/health`);
  expect(asked.status).toBe(200);
  expect(await verifyGateway(`http://127.0.0.1:${port}`, SECRET)).toBe(false);
});

it('nothing that listens, and nothing that is no proof, is taken for one', async () => {
  expect(await verifyGateway('http://127.0.0.1:1', SECRET)).toBe(false);
  const bare = await fetch(`${gateway.url}${GATEWAY_PROOF.path}`);
  expect(bare.status).toBe(404);
});
