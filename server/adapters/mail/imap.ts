import { Readable } from 'node:stream';
import type { ImapFlow } from 'imapflow';
import type { Logger } from '../../platform/logger.ts';
import type { ListedMail, MailAccount, MailFolder, MailFolders, MailWatch } from './folder-port.ts';
import { asFolderError } from './imap-failures.ts';

const CONNECT_MS = 30_000;
const SILENCE_MS = 120_000;
/** Servers end an IDLE after half an hour at the latest. */
const IDLE_MS = 10 * 60_000;
const WATCH_AGAIN_MS = 60_000;
/** Of messages that could not be moved. */
const MARK = 'FaxdeskDone';

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
    socketTimeout: SILENCE_MS,
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
  readonly #made = new Set<string>();

  constructor(client: ImapFlow, account: MailAccount, uidValidity: string) {
    this.#client = client;
    this.#account = account;
    this.uidValidity = uidValidity;
  }

  async list(): Promise<ListedMail[]> {
    return this.#asking(async () => {
      const found = await this.#client.search({ unKeyword: MARK, deleted: false }, { uid: true });
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

  async open(uid: number, mostBytes?: number): Promise<Readable | null> {
    return this.#asking(async () => {
      const options = { uid: true, ...(mostBytes === undefined ? {} : { maxBytes: mostBytes }) };
      const { content } = await this.#client.download(String(uid), undefined, options);
      // The connection may end with the message half read.
      return content ? Readable.from(this.#piecesOf(content), { objectMode: false }) : null;
    });
  }

  async *#piecesOf(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      yield* content;
    } catch (error) {
      throw asFolderError(this.#account, error);
    }
  }

  async putAway(uid: number, folder: string): Promise<void> {
    await this.#asking(async () => {
      const isMoved = await this.#move(uid, folder).catch((error: unknown) => {
        if (!this.#client.usable) throw error;
        return false;
      });
      if (!isMoved) await this.#client.messageFlagsAdd(String(uid), [MARK], { uid: true });
    });
  }

  async #move(uid: number, folder: string): Promise<boolean> {
    if (!this.#made.has(folder)) {
      await this.#client.mailboxCreate([folder]);
      this.#made.add(folder);
    }
    return (await this.#client.messageMove(String(uid), [folder], { uid: true })) !== false;
  }

  async close(): Promise<void> {
    await this.#client.logout().catch(() => undefined);
    this.#client.close();
  }

  async #asking<T>(work: () => Promise<T>): Promise<T> {
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
  #again: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(account: MailAccount, onMail: () => void, logger: Logger) {
    this.#account = account;
    this.#onMail = onMail;
    this.#logger = logger;
    void this.#begin();
  }

  close(): void {
    this.#isClosed = true;
    if (this.#again) clearTimeout(this.#again);
    this.#client?.close();
  }

  async #begin(): Promise<void> {
    try {
      const client = await connect(this.#account, () => this.#later());
      this.#client = client;
      if (this.#isClosed) return client.close();
      client.on('exists', this.#onMail);
      await client.mailboxOpen(this.#account.folder, { readOnly: true });
      // Covers messages that arrived while no IDLE was running.
      this.#onMail();
      while (!this.#isClosed && client.usable) await client.idle();
    } catch (error) {
      this.#logger.debug({ error }, 'nobody tells of new mail');
    }
    this.#later();
  }

  #later(): void {
    this.#client?.close();
    if (this.#isClosed || this.#again) return;
    this.#again = setTimeout(() => {
      this.#again = null;
      void this.#begin();
    }, WATCH_AGAIN_MS);
    this.#again.unref();
  }
}
