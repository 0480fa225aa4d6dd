import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { createPendingWork } from '../../platform/pending-work.ts';
import type { AuditProblem } from './port.ts';
import type { SyslogTransport } from './syslog-transport.ts';

/** A datagram per message (RFC 5426). What the network loses is lost: use TCP where that matters. */
export function createUdpTransport(
  address: { host: string; port: number },
  options: { onError: AuditProblem },
): SyslogTransport {
  const socket = createSocket(isIPv6(address.host) ? 'udp6' : 'udp4');
  socket.unref();
  const report = (cause: Error): void => {
    options.onError(
      new Error(`an audit event did not reach syslog at ${address.host}:${address.port}`, { cause }),
    );
  };
  socket.on('error', report);
  const sending = createPendingWork();
  const deliver = (message: string): Promise<void> =>
    new Promise((resolve) => {
      socket.send(message, address.port, address.host, (error) => {
        if (error !== null) report(error);
        resolve();
      });
    });
  return {
    send(message) {
      sending.add(deliver(message));
    },
    async close() {
      await sending.settled();
      await new Promise<void>((resolve) => socket.close(resolve));
    },
  };
}
