import { fork } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { startChildProcess, startConfined } from '../../server/documents/client/start-process.ts';
import type { DocumentConnection, PreparedDocument } from '../../server/documents/documents.ts';
import { textPdf } from '../fixtures/make-hostile-pdfs.ts';
import type { AttemptTargets, Report } from './confined-process.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

const DENIED = 'ERR_ACCESS_DENIED';

describe('the process of documents', () => {
  it('rule (documents): the document process has no environment, store, program or network, and no files outside its folders', async () => {
    const data = mkdtempSync(join(tmpdir(), 'faxdesk-confined-'));
    const folder = join(data, 'work');
    const secret = join(data, 'data.key');
    const { server, asked, port } = await startServer();
    try {
      writeFileSync(secret, 'secret');
      const found = await tryAll({ secret, folder, port });
      expect(found.environment).toEqual([]);
      for (const outcomes of [found.outcomes, found.inThread])
        expect(outcomes).toEqual({
          'read another file': DENIED,
          'write beside it': DENIED,
          'write its own code': DENIED,
          'read its folder': 'done',
          'write its folder': 'done',
          'start a program': DENIED,
          connect: DENIED,
          listen: DENIED,
          'ask by HTTP': DENIED,
          'send a datagram': DENIED,
          fetch: 'refused',
        });
      expect(asked()).toBe(0);
      // On Linux the reported restrictions match those that the system enforces.
      if (found.held === null) return;
      expect(found.held).toEqual({
        noNewPrivileges: found.confinedBy.includes('no new privileges'),
        ownNetwork: found.confinedBy.includes('a network namespace without network'),
        memoryLimit: found.confinedBy.includes('a memory limit'),
      });
    } finally {
      server.close();
      rmSync(data, { recursive: true, force: true });
    }
  });
});

describe('a gateway that is killed', () => {
  it.skipIf(process.platform !== 'linux')('takes the process of documents with it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'faxdesk-dying-'));
    try {
      const gateway = fork(new URL('./dying-gateway.ts', import.meta.url), [folder], { execArgv: [] });
      const [pids] = (await once(gateway, 'message')) as [number[]];
      expect(pids).toHaveLength(1);
      gateway.kill('SIGKILL');
      await expect.poll(() => existsSync(`/proc/${pids[0]}`)).toBe(false);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

/** Restrictions that the system enforces on the process, as Linux shows them. */
interface Held {
  readonly noNewPrivileges: boolean;
  readonly ownNetwork: boolean;
  readonly memoryLimit: boolean;
}

function heldOf(pid: number): Held {
  const of = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'utf8');
  return {
    noNewPrivileges: /^NoNewPrivs:\s+1$/m.test(of('status')),
    ownNetwork: readlinkSync(`/proc/${pid}/ns/net`) !== readlinkSync('/proc/self/ns/net'),
    memoryLimit: /^Max data size\s+\d+/m.test(of('limits')),
  };
}

async function tryAll(
  tried: AttemptTargets,
): Promise<Report & { confinedBy: readonly string[]; held: Held | null }> {
  mkdirSync(tried.folder);
  writeFileSync(join(tried.folder, 'document'), 'x');
  const entry = fileURLToPath(new URL('./confined-process.ts', import.meta.url));
  const connection = await startConfined(entry, [tried.folder]);
  connection.send(tried as never);
  const report = await new Promise<Report>((resolve, reject) => {
    connection.onMessage((message) => resolve(message as unknown as Report));
    connection.onEnd((lastWords) => reject(new Error(lastWords)));
  });
  const held = process.platform === 'linux' ? heldOf(report.pid) : null;
  await connection.end();
  return { ...report, confinedBy: connection.confinedBy, held };
}

async function startServer(): Promise<{ server: Server; asked: () => number; port: number }> {
  let connections = 0;
  const server = createServer((_request, response) => response.end());
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, asked: () => connections, port: (server.address() as AddressInfo).port };
}

describe('without work', () => {
  it('the process ends, and the next document starts another', async () => {
    const processes: { hasEnded: boolean }[] = [];
    const start: typeof startChildProcess = async (folders) => {
      const connection = await startChildProcess(folders);
      const process = { hasEnded: false };
      processes.push(process);
      connection.onEnd(() => (process.hasEnded = true));
      return connection;
    };
    const workspace = openWorkspace({ start, idleMs: 1 });
    try {
      const path = workspace.file('letter.txt', 'Dear colleague');
      for (const count of [1, 2]) {
        expect((await workspace.prepare([path])).pages).toBe(1);
        expect(processes).toHaveLength(count);
        await expect.poll(() => processes.every(({ hasEnded }) => hasEnded), { timeout: 30_000 }).toBe(true);
      }
      // Asked for while the one before ends, none is lost.
      const many = Array.from({ length: 20 }, async (_, i) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        setTimeout(resolve, i * 5);
        await promise;
        return (await workspace.prepare([path], `${i}.pdf`)).pages;
      });
      expect(await Promise.all(many)).toEqual(many.map(() => 1));
    } finally {
      await workspace.close();
    }
  });
});

/**
 * Creates processes that are killed before they receive a job with this file name, and the others in the same message.
 */
function deadlyWith(name: string): { start: typeof startChildProcess; deaths: () => number } {
  let deaths = 0;
  const start = async (folders: readonly string[]): Promise<DocumentConnection> => {
    const connection = await startChildProcess(folders);
    const send: DocumentConnection['send'] = (message) => {
      const isDeadly =
        message.kind === 'run' && message.jobs.some((job) => JSON.stringify(job.task).includes(name));
      if (!isDeadly) return connection.send(message);
      deaths += 1;
      void connection.end();
    };
    return { ...connection, send };
  };
  return { start, deaths: () => deaths };
}

describe('when the process of documents dies', () => {
  let workspace: Workspace;
  afterEach(async () => await workspace.close());

  const prepare = async (name: string, pages: number): Promise<string> => {
    const source = { bytes: Uint8Array.from(textPdf(pages)), fileName: `${name}.pdf`, declaredType: null };
    const path = join(workspace.folder, `${name}.pdf`);
    return workspace.documents.prepare([source], path, { maxBytes: 1e7 }).then(
      (prepared: PreparedDocument) => `${name}: ${prepared.pages}`,
      (error: { publicMessage?: string }) => `${name}: ${error.publicMessage}`,
    );
  };

  it('rule (documents): a document that ends the document process harms no other: the rest are tried again, each alone', async () => {
    const { start, deaths } = deadlyWith('deadly.pdf');
    workspace = openWorkspace({ threads: 2, start });
    const all = [prepare('one', 1), prepare('deadly', 2), prepare('three', 3), prepare('four', 4)];
    expect(await Promise.all(all)).toEqual([
      'one: 1',
      'deadly: The document is too complex to be processed.',
      'three: 3',
      'four: 4',
    ]);
    // Once more when the one at fault came with a job that had begun: that one is suspected first.
    expect([2, 3]).toContain(deaths());
    expect(await prepare('after', 2)).toBe('after: 2');
  });

  it('again and again at its start, pending callers get an error, and the next one tries anew', async () => {
    let starts = 0;
    const start = async (folders: readonly string[]) => {
      const connection = await startChildProcess(folders);
      starts += 1;
      if (starts <= 3) void connection.end();
      return connection;
    };
    workspace = openWorkspace({ start });
    const source = { bytes: Uint8Array.from(textPdf(1)), fileName: 'one.pdf', declaredType: null };
    const refused = workspace.documents.prepare([source], join(workspace.folder, 'a.pdf'), { maxBytes: 1e7 });
    await expect(refused).rejects.toThrow('the process of documents does not start');
    expect(await prepare('after', 1)).toBe('after: 1');
    expect(starts).toBe(4);
  });
});
