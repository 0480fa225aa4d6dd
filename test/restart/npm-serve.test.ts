import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT } from '../../scripts/steps.ts';
import { builtCommandLine } from '../../server/platform/built-code.ts';

let folder: string;
let npm: ChildProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-npm-'));
});
afterEach(async () => {
  if (npm?.pid !== undefined) killGroup(npm.pid);
  await rm(folder, { recursive: true, force: true });
});

/** The whole group, so that a failing test leaves nothing behind. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Everything has ended, as it should.
  }
}

const isLive = (url: string) =>
  fetch(`${url}/health`).then(
    () => true,
    () => false,
  );

/** Serves with npm, and returns the address once it is printed. */
async function serve(environment: Record<string, string> = {}): Promise<string> {
  const child = spawn('npm', ['run', 'serve', '--', '--port', '0', '--data', folder], {
    cwd: ROOT,
    detached: true,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  npm = child;
  let printed = '';
  return new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => {
      printed += text.toString();
      const found = /ready at (http:\/\/[\d.:]+)/u.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(`npm has ended: ${printed}`)));
  });
}

test.skipIf(process.platform === 'win32').each(['SIGTERM', 'SIGINT'] as const)(
  '%s to npm stops the gateway that it serves',
  async (signal) => {
    const url = await serve();
    expect(await isLive(url)).toBe(true);
    const ended = once(npm as ChildProcess, 'exit');
    npm?.kill(signal);
    await ended;
    expect(await isLive(url)).toBe(false);
  },
);

test.skipIf(process.platform === 'win32')(
  'what npm serves was built, and finds its fonts, its pages and its process of documents',
  async () => {
    const key = 'the-key-of-a-gateway-that-was-built';
    const provider = { FAX_BACKEND: 'cloudone', CLOUDONE_API_KEY: 'key', CLOUDONE_API_SECRET: 'secret' };
    const url = await serve({ API_KEY: key, FAX_DISABLED: 'true', ...provider });
    expect(builtCommandLine()).not.toBeNull();
    const ask = async (path: string, body?: FormData) => {
      const init = { headers: { 'X-API-Key': key }, ...(body && { method: 'POST', body }) };
      const answer = await fetch(`${url}${path}`, init);
      return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
    };
    const form = new FormData();
    form.append('to', '+12025550123');
    form.append('file', new File(['Dear colleague, \u4f60\u597d'], 'letter.txt', { type: 'text/plain' }));
    const sent = await ask('/fax', form);
    expect(sent.status, sent.bytes.toString()).toBe(202);
    const { id } = JSON.parse(sent.bytes.toString()) as { id: string };
    const document = await ask(`/fax/${id}/document`);
    expect(document.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    for (const path of ['/health/ready', '/docs/', '/openapi.json', '/admin/ui/'])
      expect((await ask(path)).status, path).toBe(200);
  },
);
