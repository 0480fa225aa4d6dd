import type { TerminalEnd } from '../../../shared/states/terminal.ts';
import type { Database } from '../../db/database.ts';
import { type Clock } from '../../platform/clock.ts';
import { RefusalError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { Logger } from '../../platform/logger.ts';
import { type AccessService, actorOf, type Caller, ownCaller, type TerminalKey } from '../access/service.ts';
import { recordedActor, type SecurityAudit } from '../audit/service.ts';
import { createTerminal, type Terminal } from './terminal.ts';
import type { StartTerminalProcess } from './terminal-process-port.ts';

interface TerminalServiceParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly audit: SecurityAudit;
  readonly access: Pick<AccessService, 'terminalKeys'>;
  readonly isEnabled: () => boolean;
  readonly start: StartTerminalProcess;
  /** Address at which the process reaches this gateway. */
  readonly url: () => string;
}

/** Request to open a terminal. */
interface OpenOrder {
  readonly caller: Caller;
  /** Authenticates the session of the caller again. Throws when it has ended. */
  readonly again: () => Promise<Caller>;
  readonly address: string;
  readonly columns: number;
  readonly rows: number;
}

interface OpenTerminal {
  readonly terminal: Terminal;
  readonly order: OpenOrder;
  readonly key: TerminalKey;
  readonly openedAt: number;
}

const MAX_PER_PERSON = 3;
const MAX_OPEN = 10;
const IDLE_MS = 15 * 60_000;
/** Time for which a page may be away, such as for a moment without network. */
const UNREAD_MS = 30_000;
const PERMISSION = 'host:terminal';

export function createTerminalService(parts: TerminalServiceParts): TerminalService {
  return new TerminalService(parts);
}

export type { TerminalService };

/** The open terminals of this gateway. */
class TerminalService {
  readonly #parts: TerminalServiceParts;
  readonly #open = new Map<string, OpenTerminal>();
  /** People whose terminals are being opened, each as often as that is so. */
  readonly #opening: string[] = [];
  readonly #closing = new Set<Promise<void>>();
  #isStopped = false;
  #isChecking = false;

  constructor(parts: TerminalServiceParts) {
    this.#parts = parts;
  }

  get count(): number {
    return this.#open.size;
  }

  /** Opens a terminal. Throws a refusal for keys, while terminals are off, and when too many are open. */
  async open(order: OpenOrder): Promise<{ id: string }> {
    const { principal } = ownCaller(order.caller);
    if (this.#isStopped) throw new RefusalError('stopping');
    if (!this.#parts.isEnabled()) throw new RefusalError('terminal_off');
    const people = [
      ...[...this.#open.values()].map(({ order: { caller } }) => caller.principal.id),
      ...this.#opening,
    ];
    const own = people.filter((id) => id === principal.id);
    if (own.length >= MAX_PER_PERSON || people.length >= MAX_OPEN)
      throw new RefusalError('too_many_terminals');
    this.#opening.push(principal.id);
    try {
      return await this.#start(order);
    } finally {
      this.#opening.splice(this.#opening.indexOf(principal.id), 1);
    }
  }

  /** Returns an open terminal of the caller's session. Throws a 404 refusal for any other. */
  find(id: string, caller: Caller): Terminal {
    const found = this.#open.get(id);
    if (found?.order.caller.credential.id !== caller.credential.id)
      throw new RefusalError('no_such_terminal');
    return found.terminal;
  }

  /** Ends a terminal; once is enough. */
  async close(id: string, reason: TerminalEnd): Promise<void> {
    const open = this.#open.get(id);
    if (!open) return;
    this.#open.delete(id);
    open.key.end();
    const closing = this.#end(open, reason);
    this.#closing.add(closing);
    await closing.finally(() => this.#closing.delete(closing));
  }

  async closeAll(reason: TerminalEnd): Promise<void> {
    await Promise.all([...this.#open.keys()].map((id) => this.close(id, reason)));
  }

  /** Opens none any more, and ends all. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.closeAll('stopped');
    await Promise.all(this.#closing);
  }

  /** Ends terminals whose session or permission has ended, that are idle, or that nobody reads. */
  async check(): Promise<void> {
    if (this.#isChecking || this.#open.size === 0) return;
    this.#isChecking = true;
    try {
      await Promise.all([...this.#open].map(([id, open]) => this.#check(id, open)));
    } finally {
      this.#isChecking = false;
    }
  }

  async #check(id: string, { terminal, order }: OpenTerminal): Promise<void> {
    const caller = await order.again().catch(() => null);
    if (caller === null) return await this.close(id, 'session_ended');
    if (!caller.holds(PERMISSION)) return await this.close(id, 'permission_lost');
    if (terminal.idleMs >= IDLE_MS) return await this.close(id, 'idle');
    if (terminal.unreadMs >= UNREAD_MS) return await this.close(id, 'window_closed');
    terminal.ping();
  }

  async #start(order: OpenOrder): Promise<{ id: string }> {
    const { clock, start, access, url, logger } = this.#parts;
    const process = await start();
    const id = newId();
    const key = access.terminalKeys.create(id, order.again);
    try {
      await this.#record(order, id, 'terminal.open', {});
      if (this.#isStopped) throw new RefusalError('stopping');
    } catch (error) {
      key.end();
      await process.end();
      throw error;
    }
    const terminal = createTerminal({
      id,
      process,
      clock,
      onEnded: (reason) => void this.close(id, reason),
    });
    this.#open.set(id, { terminal, order, key, openedAt: clock.now() });
    process.onEnd((lastWords) => {
      if (this.#open.has(id)) logger.warn({ lastWords }, 'the process of a terminal ended');
    });
    const { columns, rows } = order;
    process.send({ kind: 'start', url: url(), key: key.token, columns, rows });
    return { id };
  }

  async #end({ terminal, order, openedAt }: OpenTerminal, reason: TerminalEnd): Promise<void> {
    const seconds = Math.round(Math.abs(this.#parts.clock.now() - openedAt) / 1_000);
    try {
      await terminal.end(reason);
      await this.#record(order, terminal.id, 'terminal.close', { reason, seconds });
    } catch (error) {
      this.#parts.logger.error({ error }, 'the end of a terminal was not recorded');
    }
  }

  async #record(
    { caller, address }: OpenOrder,
    id: string,
    operation: 'terminal.open' | 'terminal.close',
    details: object,
  ): Promise<void> {
    const { db, audit } = this.#parts;
    await db.transaction((tx) =>
      audit.record(tx, {
        ...recordedActor(actorOf(caller)),
        operation,
        target: { kind: 'terminal', id },
        outcome: 'done',
        details: { address, ...details },
      }),
    );
  }
}
