import { Readable } from 'node:stream';
import type { ImapFlow } from 'imapflow';
import type { Logger } from '../../platform/logger.ts';
import type { ListedMail, MailAccount, MailFolder, MailFolders, MailWatch } from './folder-port.ts';
import { asFolderError } from './imap-failures.ts';

const CONNECT_MS = 30_000;
const SOCKET_TIMEOUT_MS = 120_000;
/** Servers end an IDLE after half an hour at the latest. */
const IDLE_MS = 10 * 60_000;
const RECONNECT_MS = 60_000;
/** Of messages that could not be moved. */
const DONE_FLAG = 'FaxdeskDone';

/** Reads folders of IMAP servers; imapflow speaks the protocol. */
export function createImapFolders(logger: Logger): MailFolders {
  return {
    open: (account) => openFolder(account),
    watch: (account, onMail) => new Watch(account, onMail, logger),
  };
}

async function connect(account: MailAccount, onProblem: () => void): Promise<ImapFlow> {
  const { host, port, security, username, password } = account;
  // Loaded for who reads mail, and for nobody else.
  const { ImapFlow: Client } = await import('imapflow');
  const client = new Client({
    host,
    port,
    secure: security === 'tls',
    doSTARTTLS: security === 'starttls',
    auth: { user: username, pass: password },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    maxIdleTime: IDLE_MS,
  });
  // Without a listener it would end the process; what waits for the connection fails by itself.
  client.on('error', onProblem);
  client.on('close', onProblem);
  try {
    await client.connect();
    return client;
  } catch (error) {
    client.close();
    throw asFolderError(account, error);
  }
}

async function openFolder(account: MailAccount): Promise<MailFolder> {
  const client = await connect(account, () => undefined);
  try {
    const { uidValidity } = await client.mailboxOpen(account.folder);
    return new OpenFolder(client, account, String(uidValidity));
  } catch (error) {
    client.close();
    throw asFolderError(account, error);
  }
}

class OpenFolder implements MailFolder {
  readonly uidValidity: string;
  readonly #client: ImapFlow;
  readonly #account: MailAccount;
  readonly #createdFolders = new Set<string>();

  constructor(client: ImapFlow, account: MailAccount, uidValidity: string) {
    this.#client = client;
    this.#account = account;
    this.uidValidity = uidValidity;
  }

  async list(): Promise<ListedMail[]> {
    return this.#translateErrors(async () => {
      const found = await this.#client.search({ unKeyword: DONE_FLAG, deleted: false }, { uid: true });
      if (!found || found.length === 0) return [];
      const listed = await this.#client.fetchAll(
        found,
        { uid: true, size: true, internalDate: true },
        { uid: true },
      );
      return listed
        .map(({ uid, size = 0, internalDate }) => ({
          uid,
          sizeBytes: size,
          arrivedAt: internalDate === undefined ? null : timeOf(internalDate),
        }))
        .sort((one, other) => one.uid - other.uid);
    });
  }

  async open(uid: number, maxBytes?: number): Promise<Readable | null> {
    return this.#translateErrors(async () => {
      const options = { uid: true, ...(maxBytes === undefined ? {} : { maxBytes }) };
      const { content } = await this.#client.download(String(uid), undefined, options);
      // The connection may end with the message half read.
      return content ? Readable.from(this.#readContent(content), { objectMode: false }) : null;
    });
  }

  async *#readContent(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      yield* content;
    } catch (error) {
      throw asFolderError(this.#account, error);
    }
  }

  async moveMessage(uid: number, folder: string): Promise<void> {
    await this.#translateErrors(async () => {
      const isMoved = await this.#move(uid, folder).catch((error: unknown) => {
        if (!this.#client.usable) throw error;
        return false;
      });
      if (!isMoved) await this.#client.messageFlagsAdd(String(uid), [DONE_FLAG], { uid: true });
    });
  }

  async #move(uid: number, folder: string): Promise<boolean> {
    if (!this.#createdFolders.has(folder)) {
      await this.#client.mailboxCreate([folder]);
      this.#createdFolders.add(folder);
    }
    return (await this.#client.messageMove(String(uid), [folder], { uid: true })) !== false;
  }

  async close(): Promise<void> {
    await this.#client.logout().catch(() => undefined);
    this.#client.close();
  }

  async #translateErrors<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw asFolderError(this.#account, error);
    }
  }
}

function timeOf(date: Date | string): number | null {
  const time = new Date(date).getTime();
  return Number.isNaN(time) ? null : time;
}

/** Waits for the server to announce new messages; the regular poll finds those that it does not announce. */
class Watch implements MailWatch {
  readonly #account: MailAccount;
  readonly #onMail: () => void;
  readonly #logger: Logger;
  #client: ImapFlow | null = null;
  #reconnectTimer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(account: MailAccount, onMail: () => void, logger: Logger) {
    this.#account = account;
    this.#onMail = onMail;
    this.#logger = logger;
    void this.#connect();
  }

  close(): void {
    this.#isClosed = true;
    if (this.#reconnectTimer) clearTimeout(this.#reconnectTimer);
    this.#client?.close();
  }

  async #connect(): Promise<void> {
    try {
      const client = await connect(this.#account, () => this.#reconnectLater());
      this.#client = client;
      if (this.#isClosed) return client.close();
      client.on('exists', this.#onMail);
      await client.mailboxOpen(this.#account.folder, { readOnly: true });
      // Covers messages that arrived while no IDLE was running.
      this.#onMail();
      while (!this.#isClosed && client.usable) await client.idle();
    } catch (error) {
      this.#logger.debug({ error }, 'the server does not report new mail');
    }
    this.#reconnectLater();
  }

  #reconnectLater(): void {
    this.#client?.close();
    if (this.#isClosed || this.#reconnectTimer) return;
    this.#reconnectTimer = setTimeout(() => {
      this.#reconnectTimer = null;
      void this.#connect();
    }, RECONNECT_MS);
    this.#reconnectTimer.unref();
  }
}
