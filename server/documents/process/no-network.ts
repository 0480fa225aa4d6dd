import { Socket as DatagramSocket } from 'node:dgram';
import { Server, Socket } from 'node:net';

/**
 * Takes the network from whatever runs in this thread from now on: Node's permission model does not. It holds for
 * JavaScript; what native code could do, only a network namespace of the process keeps from it.
 */
export function closeNetwork(): void {
  Socket.prototype.connect = refuse;
  Server.prototype.listen = refuse;
  DatagramSocket.prototype.bind = refuse;
  DatagramSocket.prototype.connect = refuse;
  DatagramSocket.prototype.send = refuse;
}

function refuse(): never {
  throw Object.assign(new Error('Documents are processed without a network.'), { code: 'ERR_ACCESS_DENIED' });
}
