import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ROOT } from '../../scripts/steps.ts';
import { clientProgram, hasClientPrograms, NOT_INSTALLED } from '../setup/client-programs.ts';
import { startTestGateway } from '../setup/gateway.ts';

const run = promisify(execFile);

interface Generator {
  /** Script of the program below node_modules. */
  readonly script: string;
  /** Arguments that generate a client of a description. */
  readonly generate: (description: string, folder: string) => readonly string[];
  /** Program of a caller: sends a fax, and reads its state and the reason of a refusal. */
  readonly caller: string;
}

const GENERATORS: Readonly<Record<string, Generator>> = {
  'openapi-typescript': {
    script: 'openapi-typescript/bin/cli.js',
    generate: (description, folder) => [description, '-o', join(folder, 'schema.ts')],
    caller: `import type { components, operations } from './schema';
      type Sent = operations['sendFax']['responses'][202]['content']['application/json'];
      export const isDelivered = (fax: Sent): boolean => fax.delivery_state === 'success';
      export const at = (fax: components['schemas']['FaxJob']): string => fax.created_at;
      export const fields: operations['sendFax']['requestBody']['content']['multipart/form-data'] = {
        to: '+12025550123', file: [], queue_only: false, send_now: false, urgent: false, send_by_call: false,
        clean_greys: false, titles: [],
      };`,
  },
  '@hey-api/openapi-ts': {
    script: '@hey-api/openapi-ts/bin/run.js',
    generate: (description, folder) => ['-i', description, '-o', folder, '-c', '@hey-api/client-fetch'],
    caller: `import { getFax, sendFax } from './sdk.gen';
      export async function send(document: Blob): Promise<boolean> {
        const { data, error } = await sendFax({ body: { to: '+12025550123', file: [document] } });
        if (!data) throw new Error(String(error.detail));
        const fax = await getFax({ path: { id: data.id } });
        return fax.data?.delivery_state === 'success';
      }`,
  },
  orval: {
    script: 'orval/dist/bin/orval.mjs',
    generate: (description, folder) => [
      '--input',
      description,
      '--output',
      join(folder, 'client.ts'),
      '--client',
      'fetch',
    ],
    caller: `import { getFax, sendFax } from './client';
      export async function send(document: Blob): Promise<boolean> {
        const sent = await sendFax({ to: '+12025550123', file: [document] });
        if (sent.status !== 202) throw new Error(sent.data.detail);
        const fax = await getFax(sent.data.id);
        return fax.status === 200 && fax.data.delivery_state === 'success';
      }`,
  },
  'swagger-typescript-api': {
    script: 'swagger-typescript-api/dist/cli.mjs',
    generate: (description, folder) => ['generate', '-p', description, '-o', folder, '-n', 'api.ts'],
    caller: `import { Api } from './api';
      export async function send(document: File): Promise<boolean> {
        const api = new Api({ baseUrl: 'https://fax.example.com' });
        const { data } = await api.fax.sendFax({ to: '+12025550123', file: [document] });
        return (await api.fax.getFax(data.id)).data.delivery_state === 'success';
      }`,
  },
};

const STRICT = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  types: ['node'],
  typeRoots: [join(ROOT, 'node_modules/@types')],
};

describe('a client of the served description', () => {
  let folder: string;
  let description: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'faxdesk-clients-'));
    description = join(folder, 'openapi.json');
    const gateway = await startTestGateway();
    const served = await gateway.request('GET', '/openapi.json', { key: null });
    await writeFile(description, await served.text());
    await gateway.close();
  });
  beforeEach((context) => {
    if (!hasClientPrograms()) context.skip(NOT_INSTALLED);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test.each(Object.entries(GENERATORS))(
    '%s generates one that compiles strictly with a caller',
    async (name, { script, generate, caller }) => {
      const client = await mkdtemp(join(folder, 'client-'));
      expect([name, await problemsOf(script, generate(description, client))]).toEqual([name, '']);
      await writeFile(join(client, 'caller.ts'), caller);
      await writeFile(join(client, 'tsconfig.json'), JSON.stringify({ compilerOptions: STRICT }));
      expect([name, await problemsOf('typescript/bin/tsc', ['-p', client])]).toEqual([name, '']);
    },
  );
});

/** Runs a program of another maker; returns what it prints when it fails, or an empty text. */
async function problemsOf(script: string, args: readonly string[]): Promise<string> {
  try {
    await run(process.execPath, [clientProgram(script), ...args]);
    return '';
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return `${stdout}${stderr}` || String(error);
  }
}
