import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createStreamTransport } from './syslog-stream.ts';
import type { SyslogTransport, TransportOptions } from './syslog-transport.ts';

/** Messages longer than this are cut by `logger`; audit events are a tenth of it. */
const MAX_MESSAGE_SIZE = '16KiB';

export interface UnixOptions extends TransportOptions {
  /** The program that can speak to a datagram socket. */
  loggerProgram: string;
}

/**
 * A local log socket. A stream socket is spoken to directly. Most daemons (journald, rsyslog) open a datagram socket,
 * which Node cannot speak to: there the system's `logger` program carries the lines, in the daemon's own local
 * format, and without that program the problem is reported with the way out.
 */
export function createUnixTransport(path: string, options: UnixOptions): SyslogTransport {
  let through: SyslogTransport = createStreamTransport({ path, name: `the syslog socket ${path}` }, 'lines', {
    ...options,
    onRefused(error, held) {
      if (error.code !== 'EPROTOTYPE') return false;
      through = createLoggerTransport(path, options);
      for (const message of held.splice(0)) through.send(message);
      return true;
    },
  });
  return { send: (message) => through.send(message), close: () => closeAll(() => through) };
}

/** Closing the stream may be what finds out that the socket takes datagrams: then the follower is closed too. */
async function closeAll(current: () => SyslogTransport): Promise<void> {
  const before = current();
  await before.close();
  if (current() !== before) await current().close();
}

/** RFC 5424 header of our own messages: priority, version, time, host, name, process, kind, no structured data. */
const HEADER = /^(<\d+>)1 \S+ \S+ \S+ \S+ \S+ - /;

function createLoggerTransport(path: string, options: UnixOptions): SyslogTransport {
  const args = [
    '--socket',
    path,
    '--socket-errors=on',
    '--prio-prefix',
    '--tag',
    'faxdesk',
    '--size',
    MAX_MESSAGE_SIZE,
  ];
  let child: ChildProcess | null = null;
  let closed = false;
  const start = (): ChildProcess => {
    const started = spawn(options.loggerProgram, [...args, `--id=${process.pid}`], {
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    let complaint = '';
    started.stderr?.on('data', (chunk) => {
      complaint = `${complaint}${chunk}`.slice(-500);
    });
    started.stdin?.on('error', () => {});
    started.on('error', (cause) => options.onError(missingLoggerError(path, cause)));
    started.on('exit', (code) => {
      if (child === started) child = null;
      if (!closed || code !== 0) options.onError(new Error(`logger ended (${code}) ${complaint.trim()}`));
    });
    return started;
  };
  return {
    send(message) {
      child ??= start();
      child.stdin?.write(`${message.replace(HEADER, '$1')}\n`);
    },
    async close() {
      closed = true;
      if (child === null || child.pid === undefined) return;
      const ended = once(child, 'exit');
      child.stdin?.end();
      await ended;
    },
  };
}

function missingLoggerError(path: string, cause: Error): Error {
  return new Error(
    `the syslog socket ${path} takes datagrams only, and the program \`logger\` that could send them cannot be started; set AUDIT_LOG_SYSLOG_ADDRESS to udp://127.0.0.1:514 or another address`,
    { cause },
  );
}
