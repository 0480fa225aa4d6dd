import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAuditSinks } from '../../server/adapters/audit/create-sinks.ts';
import { createFileSink } from '../../server/adapters/audit/file-sink.ts';
import { formatAuditEvent } from '../../server/adapters/audit/format.ts';
import type { AuditEvent } from '../../server/adapters/audit/port.ts';
import { parseSyslogAddress, SyslogAddressError } from '../../server/adapters/audit/syslog-address.ts';
import { createSyslogSink, syslogMessage } from '../../server/adapters/audit/syslog-sink.ts';
import { startTlsFront } from '../setup/connect-proxy.ts';
import { eventually } from '../setup/eventually.ts';
import { needTools } from '../setup/tools.ts';

let folder: string;
let problems: Error[];
const onError = (error: Error): void => void problems.push(error);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-audit-'));
  problems = [];
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

function eventOf(job: string, more: Partial<AuditEvent> = {}): AuditEvent {
  return { at: '2024-05-06T07:08:09.123Z', event: 'job_created', request_id: 'r1', job_id: job, ...more };
}

async function jobsIn(path: string): Promise<unknown[]> {
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  return lines.map((line) => (JSON.parse(line) as AuditEvent).job_id);
}

describe('the line of an event', () => {
  it('is JSON, or text in which a value cannot forge a field or a line', () => {
    const event = eventOf('j1', { pages: 3, backend: 'sip', reason: 'a "b"\nc=d', ok: true, error: null });
    expect(JSON.parse(formatAuditEvent(event, 'json'))).toEqual(event);
    expect(formatAuditEvent(event, 'text')).toBe(
      String.raw`2024-05-06T07:08:09.123Z job_created request_id=r1 job_id=j1 pages=3 backend=sip reason="a \"b\"\nc=d" ok=true error=-`,
    );
  });
});

describe('the audit file', () => {
  it('gets a line per event, in order, and is for its owner alone', async () => {
    const path = join(folder, 'new/audit.log');
    const sink = createFileSink({ path, onError });
    for (let job = 0; job < 50; job += 1) sink.write(eventOf(`j${job}`));
    await sink.close();
    expect(await jobsIn(path)).toEqual(Array.from({ length: 50 }, (_, job) => `j${job}`));
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(problems).toEqual([]);
  });

  it('is appended to when it exists', async () => {
    const path = join(folder, 'audit.log');
    for (const job of ['a', 'b']) {
      const sink = createFileSink({ path, onError });
      sink.write(eventOf(job));
      await sink.close();
    }
    expect(await jobsIn(path)).toEqual(['a', 'b']);
  });

  it('is opened anew after it was rotated away', async () => {
    const path = join(folder, 'audit.log');
    const sink = createFileSink({ path, onError });
    sink.write(eventOf('before'));
    await eventually(async () => expect(await jobsIn(path)).toEqual(['before']));
    await rename(path, `${path}.1`);
    sink.write(eventOf('after'));
    await sink.close();
    expect(await jobsIn(`${path}.1`)).toEqual(['before']);
    expect(await jobsIn(path)).toEqual(['after']);
  });

  it('reports a failed write, holds the event and writes it with the next one', async () => {
    const path = join(folder, 'audit.log');
    await mkdir(path);
    const sink = createFileSink({ path, onError });
    expect(() => sink.write(eventOf('held'))).not.toThrow();
    await eventually(() => expect(problems).toHaveLength(1));
    expect(problems[0]?.cause).toMatchObject({ code: 'EISDIR' });
    await rm(path, { recursive: true });
    sink.write(eventOf('next'));
    await sink.close();
    expect(await jobsIn(path)).toEqual(['held', 'next']);
    expect(problems).toHaveLength(1);
  });

  it('says how many events were lost when it never could be written', async () => {
    await writeFile(join(folder, 'file'), '');
    const sink = createFileSink({ path: join(folder, 'file/audit.log'), onError });
    sink.write(eventOf('a'));
    sink.write(eventOf('b'));
    await sink.close();
    expect(problems.at(-1)?.message).toContain('2 audit events were lost');
  });
});

describe('syslog addresses', () => {
  it.each([
    ['udp://log.example:1514', { kind: 'udp', host: 'log.example', port: 1514 }],
    ['tcp://10.0.0.1:601', { kind: 'tcp', host: '10.0.0.1', port: 601 }],
    ['tls://log.example', { kind: 'tls', host: 'log.example', port: 6514 }],
    ['tls://[::1]:601', { kind: 'tls', host: '::1', port: 601 }],
    ['log.example:1514', { kind: 'udp', host: 'log.example', port: 1514 }],
    ['localhost', { kind: 'udp', host: 'localhost', port: 514 }],
    ['tcp://[::1]:514', { kind: 'tcp', host: '::1', port: 514 }],
    ['unix:///dev/log', { kind: 'unix', path: '/dev/log' }],
    ['/run/log.sock', { kind: 'unix', path: '/run/log.sock' }],
  ])('reads %s', (text, address) => {
    expect(parseSyslogAddress(text)).toEqual(address);
  });

  it.each(['', 'http://a:1', 'udp://', 'a:0', 'a:70000', 'unix://relative', 'a b'])('refuses %j', (text) => {
    expect(() => parseSyslogAddress(text)).toThrow(SyslogAddressError);
  });
});

describe('syslog over UDP', () => {
  it('sends an RFC 5424 message of the facility "log audit" per datagram', async () => {
    const daemon = createSocket('udp4');
    await new Promise<void>((resolve) => daemon.bind(0, '127.0.0.1', resolve));
    const arrived = once(daemon, 'message');
    const sink = createSyslogSink({
      address: { kind: 'udp', host: '127.0.0.1', port: daemon.address().port },
      onError,
    });
    sink.write(eventOf('j1', { event: 'job_failed', reason: 'besetzt – später' }));
    const [datagram] = (await arrived) as [Buffer];
    const [, priority, json] =
      /^<(\d+)>1 2024-05-06T07:08:09\.123Z \S+ faxdesk \d+ job_failed - (\{.*\})$/.exec(
        datagram.toString(),
      ) as unknown as [string, string, string];
    expect(Number(priority)).toBe(13 * 8 + 4);
    expect(JSON.parse(json)).toMatchObject({ job_id: 'j1', reason: 'besetzt – später' });
    await sink.close();
    daemon.close();
    expect(problems).toEqual([]);
  });

  it('reports a message that is too long for a datagram and goes on', async () => {
    const sink = createSyslogSink({ address: { kind: 'udp', host: '127.0.0.1', port: 9 }, onError });
    sink.write(eventOf('j1', { text: 'x'.repeat(70_000) }));
    await sink.close();
    expect(problems[0]?.cause).toMatchObject({ code: 'EMSGSIZE' });
  });
});

/** A daemon on a stream that keeps the messages it was sent. */
class _Daemon {
  readonly messages: string[] = [];
  readonly #connections = new Set<Socket>();
  readonly server: Server;

  constructor(framing: 'octets' | 'lines') {
    this.server = createServer((socket) => {
      this.#connections.add(socket);
      let rest = '';
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        rest += chunk.toString('latin1');
        const read = framing === 'lines' ? readLines(rest) : readOctets(rest);
        this.messages.push(...read.messages);
        rest = read.rest;
      });
    });
  }

  async listen(where: number | string): Promise<number> {
    if (typeof where === 'number') this.server.listen(where, '127.0.0.1');
    else this.server.listen(where);
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.#connections) socket.destroy();
    await closed;
  }

  get jobs(): unknown[] {
    return this.messages.map(
      (message) => (JSON.parse(message.slice(message.indexOf('{'))) as AuditEvent).job_id,
    );
  }
}

function readLines(text: string): { messages: string[]; rest: string } {
  const parts = text.split('\n');
  return { messages: parts.slice(0, -1), rest: parts.at(-1) ?? '' };
}

function readOctets(text: string): { messages: string[]; rest: string } {
  const messages: string[] = [];
  let rest = text;
  for (;;) {
    const [head, length] = /^(\d+) /.exec(rest) ?? [];
    if (head === undefined || rest.length < head.length + Number(length)) return { messages, rest };
    messages.push(rest.slice(head.length, head.length + Number(length)));
    rest = rest.slice(head.length + Number(length));
  }
}

const FAST = { retryMs: 5, closeMs: 2_000 };

describe('syslog over TLS', () => {
  it('sends encrypted to a log server whose certificate is trusted, and nothing to another one', async () => {
    const daemon = new _Daemon('octets');
    const front = await startTlsFront('localhost', await daemon.listen(0));
    const trusted = getCACertificates('default');
    const sinkTo = (host: string) =>
      createSyslogSink({ address: { kind: 'tls', host, port: front.port }, onError, ...FAST });
    try {
      const untrusting = sinkTo('localhost');
      untrusting.write(eventOf('0'));
      await eventually(() => expect(problems).toHaveLength(1));
      expect(problems[0]?.message).toContain('not reachable');
      expect(problems[0]?.cause).toMatchObject({ code: expect.stringMatching(/SELF_SIGNED|UNABLE_TO/u) });
      setDefaultCACertificates([...trusted, front.root]);
      await eventually(() => expect(daemon.jobs).toEqual(['0']));
      await untrusting.close();
      const sink = sinkTo('localhost');
      for (const job of ['1', '2']) sink.write(eventOf(job));
      await sink.close();
      await eventually(() => expect(daemon.jobs).toEqual(['0', '1', '2']));
      // The certificate is for another name.
      const other = createSyslogSink({
        address: { kind: 'tls', host: '127.0.0.1', port: front.port },
        onError,
        ...FAST,
        closeMs: 100,
      });
      other.write(eventOf('3'));
      await other.close();
      expect(problems.at(-1)?.message).toContain('1 audit events were lost');
      expect(daemon.jobs).toEqual(['0', '1', '2']);
    } finally {
      setDefaultCACertificates(trusted);
      await front.close();
      await daemon.stop();
    }
  });
});

describe('syslog over TCP', () => {
  it('counts octets, so that messages with line ends and umlauts stay whole', async () => {
    const daemon = new _Daemon('octets');
    const port = await daemon.listen(0);
    const sink = createSyslogSink({ address: { kind: 'tcp', host: '127.0.0.1', port }, onError, ...FAST });
    for (const job of ['1', '2', '3']) sink.write(eventOf(job, { reason: 'größer\nals' }));
    await sink.close();
    await eventually(() => expect(daemon.jobs).toEqual(['1', '2', '3']));
    await daemon.stop();
    expect(problems).toEqual([]);
  });

  it('holds events while the daemon is away and delivers them when it is back', async () => {
    const first = new _Daemon('octets');
    const port = await first.listen(0);
    const sink = createSyslogSink({ address: { kind: 'tcp', host: '127.0.0.1', port }, onError, ...FAST });
    sink.write(eventOf('1'));
    await eventually(() => expect(first.jobs).toEqual(['1']));
    await first.stop();
    await eventually(() => expect(problems).toHaveLength(1));
    expect(problems[0]?.message).toContain('not reachable');
    sink.write(eventOf('2'));
    sink.write(eventOf('3'));
    const second = new _Daemon('octets');
    await second.listen(port);
    await eventually(() => expect(second.jobs).toEqual(['2', '3']));
    await sink.close();
    await second.stop();
    expect(problems).toHaveLength(1);
  });

  it('loses the oldest events beyond its buffer and says how many', async () => {
    const daemon = new _Daemon('octets');
    const port = await daemon.listen(0);
    await daemon.stop();
    const address = { kind: 'tcp', host: '127.0.0.1', port } as const;
    const sink = createSyslogSink({ address, onError, ...FAST, maxBuffered: 2 });
    for (const job of ['1', '2', '3', '4', '5']) sink.write(eventOf(job));
    await eventually(() => expect(problems).toHaveLength(1));
    const back = new _Daemon('octets');
    await back.listen(port);
    await eventually(() => expect(back.jobs).toEqual(['4', '5']));
    expect(problems[1]?.message).toContain('3 audit events were lost');
    await sink.close();
    await back.stop();
  });

  it('closes in time when the daemon never comes, and reports what was lost', async () => {
    const daemon = new _Daemon('octets');
    const port = await daemon.listen(0);
    await daemon.stop();
    const sink = createSyslogSink({
      address: { kind: 'tcp', host: '127.0.0.1', port },
      onError,
      retryMs: 5,
      closeMs: 30,
    });
    sink.write(eventOf('1'));
    await sink.close();
    expect(problems.at(-1)?.message).toContain('1 audit events were lost');
  });
});

/** A datagram socket, which Node cannot open: Perl can. Prints what it gets, a line per datagram. */
const DATAGRAM_DAEMON = `
use Socket; $| = 1;
socket(my $s, PF_UNIX, SOCK_DGRAM, 0) or die; bind($s, sockaddr_un($ARGV[0])) or die; print "ready\\n";
while (defined recv($s, my $m, 65535, 0)) { $m =~ s/[\\n\\0]+$//; print "$m\\n"; }
`;

async function datagramDaemon(path: string) {
  const daemon = spawn('perl', ['-e', DATAGRAM_DAEMON, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface(daemon.stdout)[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe('ready');
  return { next: async () => String((await lines.next()).value), stop: () => daemon.kill() };
}

describe.skipIf(process.platform === 'win32')('a local syslog socket', () => {
  it('of the stream kind is spoken to directly', async () => {
    const daemon = new _Daemon('lines');
    await daemon.listen(join(folder, 'log'));
    const sink = createSyslogSink({ address: { kind: 'unix', path: join(folder, 'log') }, onError, ...FAST });
    sink.write(eventOf('1'));
    sink.write(eventOf('2'));
    await sink.close();
    await eventually(() => expect(daemon.jobs).toEqual(['1', '2']));
    await daemon.stop();
    expect(problems).toEqual([]);
  });

  it('of the datagram kind is reached through the program logger', async (context) => {
    needTools(context, 'perl', 'logger');
    const daemon = await datagramDaemon(join(folder, 'log'));
    try {
      const sink = createSyslogSink({
        address: { kind: 'unix', path: join(folder, 'log') },
        onError,
        ...FAST,
      });
      sink.write(eventOf('1'));
      sink.write(eventOf('2'));
      await sink.close();
      for (const job of ['1', '2']) {
        const line = await daemon.next();
        expect(line).toMatch(/^<109>.*faxdesk.*: \{/);
        expect(JSON.parse(line.slice(line.indexOf('{')))).toEqual(eventOf(job));
      }
      expect(problems).toEqual([]);
    } finally {
      daemon.stop();
    }
  });

  it('of the datagram kind without that program is reported with the way out', async (context) => {
    needTools(context, 'perl');
    const daemon = await datagramDaemon(join(folder, 'log'));
    try {
      const address = { kind: 'unix', path: join(folder, 'log') } as const;
      const sink = createSyslogSink({ address, onError, ...FAST, loggerProgram: join(folder, 'no-logger') });
      sink.write(eventOf('1'));
      await eventually(() => expect(problems[0]?.message).toContain('takes datagrams only'));
      expect(problems[0]?.message).toContain('AUDIT_LOG_SYSLOG_ADDRESS');
      await sink.close();
    } finally {
      daemon.stop();
    }
  });
});

describe('the sinks of the settings', () => {
  const off = { enabled: false, format: 'json', file: null, syslog: false, syslogAddress: null } as const;
  const edges = { log: () => {}, onError };

  it('are none unless auditing is enabled', () => {
    expect(createAuditSinks({ ...off, file: join(folder, 'a'), syslog: true }, edges)).toEqual([]);
  });

  it('are the log when nothing else is named', () => {
    const logged: AuditEvent[] = [];
    const log = (event: AuditEvent): void => void logged.push(event);
    for (const sink of createAuditSinks({ ...off, enabled: true }, { log, onError }))
      sink.write(eventOf('1'));
    expect(logged).toEqual([eventOf('1')]);
  });

  it('are the file and syslog when both are named, in the wanted format', async () => {
    const daemon = createSocket('udp4');
    await new Promise<void>((resolve) => daemon.bind(0, '127.0.0.1', resolve));
    const arrived = once(daemon, 'message');
    const file = join(folder, 'audit.log');
    const syslogAddress = `127.0.0.1:${daemon.address().port}`;
    const settings = { enabled: true, format: 'text', file, syslog: true, syslogAddress } as const;
    const sinks = createAuditSinks(settings, edges);
    for (const sink of sinks) sink.write(eventOf('1'));
    for (const sink of sinks) await sink.close();
    expect(await readFile(file, 'utf8')).toBe(`${formatAuditEvent(eventOf('1'), 'text')}\n`);
    expect(String((await arrived)[0])).toBe(syslogMessage(eventOf('1'), 'text'));
    daemon.close();
  });

  it('refuse a wrong address', () => {
    const settings = { ...off, enabled: true, syslog: true, syslogAddress: 'ftp://x' };
    expect(() => createAuditSinks(settings, edges)).toThrow(SyslogAddressError);
  });
});
