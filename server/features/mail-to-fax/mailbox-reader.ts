import { z } from 'zod';
import { type MailAccount, MailFolderError, type MailWatch } from '../../adapters/mail/folder-port.ts';
import { defineJob, type JobDefinition, type JobResult } from '../../jobs/define-job.ts';
import { sha256Hex } from '../../platform/hash.ts';
import { isLoopbackHost } from '../../platform/public-address.ts';
import { checkMailbox } from './check-mailbox.ts';
import type { MailToFaxParts, MailToFaxSettings } from './parts.ts';

const KEY = 'mail-to-fax.look';
const EVERY_MS = 60_000;
/** After failures in a row; the last one is repeated. */
const WAITS_MS = [60_000, 120_000, 300_000, 900_000];
/** Messages of one run, so that a stop of the gateway waits for few. */
const MAX_MESSAGES = 100;
/** Warnings older than this are omitted: another process of the installation reads the mailbox then. */
const WARNINGS_MS = 20 * 60_000;

const NOT_YET =
  'A message in the mailbox for e-mail to fax could not be processed yet. Faxdesk tries again automatically; the log has the details.';

/** Reads the mailbox as soon as its server announces a message, and every minute. */
interface MailboxReader {
  readonly definition: JobDefinition<Record<string, never>>;
  /** Applies the current settings: schedules the next check and watches for new messages. */
  plan(): Promise<void>;
  close(): void;
  /** Warnings for an administrator, as sentences. */
  warnings(): string[];
}

export function createMailboxReader(parts: MailToFaxParts): MailboxReader {
  return new ScheduledMailboxReader(parts);
}

class ScheduledMailboxReader implements MailboxReader {
  readonly #parts: MailToFaxParts;
  readonly definition: MailboxReader['definition'];
  #watch: MailWatch | null = null;
  /** Looks in a row that the server or the connection ended. */
  #failures = 0;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #warnings: readonly string[] = [];

  constructor(parts: MailToFaxParts) {
    this.#parts = parts;
    this.definition = defineJob<Record<string, never>>({
      kind: 'mail-to-fax.look',
      schema: z.strictObject({}),
      concurrency: 1,
      lost: 'repeat',
      mayComeEarly: true,
      run: (_payload, { signal }) => this.#run(signal),
    });
  }

  async plan(): Promise<void> {
    this.close();
    this.#failures = 0;
    this.#warnings = [];
    const { db, queue, folders, settings } = this.#parts;
    // Takes nothing from the mailbox that could not be recorded.
    if (db.damage.isFound) return;
    const found = accountOf(settings);
    await db.transaction(async (tx) => {
      await queue.withdraw(tx, KEY);
      if (found) await queue.enqueue(tx, this.definition, { payload: {}, key: KEY });
    });
    if (found && 'account' in found) this.#watch = folders.watch(found.account, () => this.#checkNow());
  }

  close(): void {
    this.#watch?.close();
    this.#watch = null;
  }

  warnings(): string[] {
    const found = accountOf(this.#parts.settings);
    if (found === null) return [];
    if ('problem' in found) return [notReadSentence(found.problem)];
    const isRecent = this.#parts.clock.now() - this.#checkedAt <= WARNINGS_MS;
    return isRecent ? [...this.#warnings] : [];
  }

  #checkNow(): void {
    const { db, queue, logger } = this.#parts;
    db.transaction((tx) => queue.makeDue(tx, KEY)).catch((error: unknown) =>
      logger.warn({ error }, 'a look at the mailbox could not be planned'),
    );
  }

  async #run(signal: AbortSignal): Promise<JobResult> {
    const { clock, settings, seal } = this.#parts;
    const found = accountOf(settings);
    const again = (ms: number): JobResult => ({ kind: 'retry', at: clock.now() + ms, reason: 'scheduled' });
    // Records could not be sealed.
    if (found === null || 'problem' in found || seal.problem !== null) return again(EVERY_MS);
    try {
      const { hasMore, failed } = await this.#check(found, signal);
      this.#setWarnings(failed > 0 ? [NOT_YET] : []);
      this.#failures = 0;
      return again(hasMore ? 0 : EVERY_MS);
    } catch (error) {
      if (!(error instanceof MailFolderError)) throw error;
      this.#parts.logger.warn({ error }, 'the mailbox could not be read');
      this.#setWarnings([notReadSentence(error.publicMessage)]);
      const wait = WAITS_MS[Math.min(this.#failures, WAITS_MS.length - 1)] ?? EVERY_MS;
      this.#failures += 1;
      return again(wait);
    }
  }

  async #check({ account, id }: Extract<Account, { account: unknown }>, signal: AbortSignal) {
    const open = () => this.#parts.folders.open(account);
    return checkMailbox(this.#parts, open, { accountId: id, maxMessages: MAX_MESSAGES, signal });
  }

  #setWarnings(warnings: readonly string[]): void {
    this.#warnings = warnings;
    this.#checkedAt = this.#parts.clock.now();
  }
}

const notReadSentence = (reason: string) => `Faxdesk is not reading the mailbox for e-mail to fax. ${reason}`;

/** The mailbox that is read, or why it is not; null while none is set. */
type Account = { readonly account: MailAccount; readonly id: string } | { readonly problem: string };

function accountOf(settings: MailToFaxSettings): Account | null {
  const server = settings.server();
  if (server === null) return null;
  if (server.username === '' || server.password === '')
    return { problem: 'The sign-in name or the password of the mailbox is not set.' };
  if (settings.addresses().length === 0)
    return { problem: 'The address of the mailbox is not set (MAIL_TO_FAX_ADDRESS).' };
  if (server.security === 'none' && !isLoopbackHost(server.host))
    return { problem: 'Faxdesk reads a mailbox without encryption only from a server on this computer.' };
  return { account: server, id: accountId(server) };
}

/** UIDs mean something in one folder of one mailbox only. */
function accountId({ host, username, folder }: MailAccount): string {
  return sha256Hex([host.toLowerCase(), username, folder].join('\n')).slice(0, 32);
}
