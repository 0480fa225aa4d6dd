import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

export interface AmiAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

/** One packet of the manager interface; of a name that occurs several times, the last. */
export type Packet = Readonly<Record<string, string>>;

/** A connection to an engine's manager interface, as little as tests need: nothing of the product's own client. */
export class AmiConnection {
  readonly events: Packet[] = [];
  readonly #socket: Socket;
  readonly #waiting = new Map<string, (packet: Packet) => void>();
  readonly #watchers = new Set<() => void>();
  #last = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('error', () => {});
    // One for each question that is open.
    socket.setMaxListeners(0);
  }

  /** Signs in; throws when nobody listens or the engine is not up yet. */
  static async connect({ host, port, user, password }: AmiAddress): Promise<AmiConnection> {
    const socket = connect(port, host);
    await once(socket, 'connect');
    const manager = new AmiConnection(socket);
    const reading = manager.#read();
    reading.catch(() => {});
    const answer = await manager.action({ Action: 'Login', Username: user, Secret: password });
    if (answer['Response'] !== 'Success') throw new Error(`sign-in refused: ${answer['Message']}`);
    await manager.event((it) => it['Event'] === 'FullyBooted');
    return manager;
  }

  /** Asks and answers with the response; throws when the connection ends first. */
  async action(fields: Readonly<Record<string, string | readonly string[]>>): Promise<Packet> {
    this.#last += 1;
    const id = String(this.#last);
    const lines = Object.entries({ ...fields, ActionID: id }).flatMap(([name, value]) =>
      [value].flat().map((it) => `${name}: ${it}\r\n`),
    );
    const answer = new Promise<Packet>((resolve, reject) => {
      this.#waiting.set(id, resolve);
      this.#socket.once('close', () => reject(new Error('the engine hung up')));
    });
    this.#socket.write(`${lines.join('')}\r\n`);
    return answer;
  }

  /** The first event so far or from now on that fits. */
  async event(fits: (event: Packet) => boolean): Promise<Packet> {
    const known = this.events.find(fits);
    if (known !== undefined) return known;
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = this.events.find(fits);
        if (found === undefined) return;
        this.#watchers.delete(look);
        resolve(found);
      };
      this.#watchers.add(look);
      this.#socket.once('close', () => reject(new Error('the engine hung up')));
    });
  }

  async close(): Promise<void> {
    this.#socket.destroy();
  }

  async #read(): Promise<void> {
    let packet: Record<string, string> = {};
    for await (const line of createInterface({ input: this.#socket })) {
      const found = /^([^:]+): ?(.*)$/u.exec(line);
      if (found?.[1] !== undefined) packet[found[1]] = found[2] ?? '';
      if (line !== '') continue;
      this.#take(packet);
      packet = {};
    }
  }

  #take(packet: Packet): void {
    const id = packet['ActionID'] ?? '';
    if ('Response' in packet) {
      this.#waiting.get(id)?.(packet);
      this.#waiting.delete(id);
    }
    if (!('Event' in packet)) return;
    this.events.push(packet);
    for (const look of this.#watchers) look();
  }
}
