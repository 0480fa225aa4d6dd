import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

const HEADER_BYTES = 12;
const TXT = 16;
const ANSWERED = 0x8180;
const NO_SUCH_NAME = 3;

/** DNS server on this computer, over UDP, with these TXT records and no other name. */
export class DnsServer {
  readonly #socket: Socket;
  readonly #records: ReadonlyMap<string, string>;

  constructor(records: Readonly<Record<string, string>>) {
    this.#records = new Map(Object.entries(records));
    this.#socket = createSocket('udp4', (query, { port, address }) => {
      this.#socket.send(answerQuery(query, this.#records), port, address);
    });
  }

  async listen(): Promise<void> {
    this.#socket.bind(0, '127.0.0.1');
    await once(this.#socket, 'listening');
  }

  /** As `setServers` of `node:dns` takes it. */
  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  close(): void {
    this.#socket.close();
  }
}

export async function startDnsServer(records: Readonly<Record<string, string>>): Promise<DnsServer> {
  const server = new DnsServer(records);
  await server.listen();
  return server;
}

/** RFC 1035: the question of a query again, and its record where there is one. */
function answerQuery(query: Buffer, records: ReadonlyMap<string, string>): Buffer {
  const { name, end } = readName(query, HEADER_BYTES);
  const question = query.subarray(HEADER_BYTES, end + 4);
  const text = query.readUInt16BE(end) === TXT ? records.get(name.toLowerCase()) : undefined;
  const header = Buffer.alloc(HEADER_BYTES);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(ANSWERED | (text === undefined ? NO_SUCH_NAME : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(text === undefined ? 0 : 1, 6);
  return Buffer.concat([header, question, text === undefined ? Buffer.alloc(0) : encodeRecord(text)]);
}

/** A TXT record of the name of the question, kept for no time. */
function encodeRecord(text: string): Buffer {
  const strings = (text.match(/.{1,255}/gsu) ?? []).map((part) => {
    const bytes = Buffer.from(part);
    return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  });
  const data = Buffer.concat(strings);
  const head = Buffer.from([0xc0, HEADER_BYTES, 0, TXT, 0, 1, 0, 0, 0, 0, 0, 0]);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function readName(query: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = start;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), end: at + 1 };
}
