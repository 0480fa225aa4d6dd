import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../fuzz/random.ts';
import { type CutOffProxy, startCutOffProxy } from '../../setup/cut-off-proxy.ts';
import { type DnsServer, startDnsServer } from '../../setup/dns-server.ts';
import { type Dovecot, MAILBOX, PASSWORD, startDovecot } from '../../setup/dovecot-server.ts';
import { type MailServer, startMailServer } from '../../setup/mail-server.ts';
import { MINUTE } from '../../setup/manual-clock.ts';
import { MailDomain } from '../../setup/signed-mail.ts';
import { listAll } from './collect-evidence.ts';
import { createLetter, type Letter, SENDERS } from './letters.ts';
import { judgeMail, type ReportedMessage } from './mailbox-judge.ts';
import type { World } from './world.ts';

const ENDED = ['success', 'failed', 'cancelled'];
const STEPS = 120;
const STEP_MS = 700;

interface Parts {
  readonly world: World;
  readonly letters: readonly Letter[];
  readonly dovecot: Dovecot;
  /** Between the gateway and the server of the mailbox. */
  readonly line: CutOffProxy;
  readonly replies: MailServer;
  readonly dns: DnsServer;
}

/** A mailbox whose messages become faxes, with its server, the DNS of those who write, and the server of the replies. */
export class Mailbox {
  readonly #parts: Parts;
  /** Times that it went away, and replies that came. */
  #outages = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Writes so many letters, and has the gateways that are started from now on read the mailbox. */
  static async open(
    world: World,
    { letters, randomFor }: { letters: number; randomFor: (number: number) => Random },
  ): Promise<Mailbox> {
    const domains = {
      clinic: new MailDomain('clinic.example'),
      elsewhere: new MailDomain('elsewhere.example'),
    };
    const dovecot = await startDovecot();
    const parts = {
      world,
      letters: await Promise.all(
        Array.from({ length: letters }, (_, number) => createLetter(randomFor(number), number, domains)),
      ),
      dovecot,
      line: await startCutOffProxy({ host: '127.0.0.1', port: dovecot.port }),
      replies: await startMailServer(),
      dns: await startDnsServer({ ...domains.clinic.records, ...domains.elsewhere.records }),
    };
    Object.assign(world.environment, environmentOf(parts));
    return new Mailbox(parts);
  }

  /** Lets the senders send, and has them answered; the gateway has to be up. */
  async prepare(): Promise<void> {
    const { replies } = this.#parts;
    await this.#requestJson('POST', '/intake/connectors', {
      name: 'Replies',
      enabled: false,
      host: '127.0.0.1',
      port: replies.port,
      security: 'none',
      from_address: 'fax@office.example',
      recipients: ['office@office.example'],
    });
    const changes = { MAIL_TO_FAX_REPLY_CONNECTOR: 'Replies' };
    await this.#requestJson('PUT', '/admin/settings', { changes });
    const key = await this.#requestJson('POST', '/admin/api-keys', { name: 'Mail', scopes: ['fax:send'] });
    const headers = { 'X-API-Key': String(key['token']) };
    const me = await this.#parts.world.request('GET', '/auth/me', { headers });
    if (me?.status !== 200) throw new Error(`the key of the senders was answered ${me?.status}`);
    const { principal } = me.body as { principal: { id: string } };
    for (const address of SENDERS)
      await this.#requestJson('POST', '/mail-to-fax/senders', { address, principal_id: principal.id });
  }

  async #requestJson(method: string, path: string, json: unknown): Promise<Record<string, unknown>> {
    const answer = await this.#parts.world.request(method, path, { json });
    if (answer === null || answer.status >= 300)
      throw new Error(`${path} was answered ${answer?.status}: ${answer?.bytes.toString('utf8')}`);
    return answer.body as Record<string, unknown>;
  }

  get actionCount(): number {
    return this.#outages + this.#parts.replies.mails.length;
  }

  /** The letters come in, one after the other; further copies come last. */
  async deliver(random: Random): Promise<void> {
    const { world, letters, dovecot } = this.#parts;
    for (const letter of [...letters, ...letters.filter(({ copies }) => copies > 1)]) {
      if (letter.kind === 'fax' && !world.clients.includes(letter.fax)) world.clients.push(letter.fax);
      await dovecot.deliver(letter.raw);
      await pause(random.int(300));
    }
  }

  /** The mailbox goes away and comes back, replies are not taken, and time goes on, until the signal says that it is enough. */
  async disturb(random: Random, signal: AbortSignal): Promise<void> {
    const { world, dovecot, line, replies } = this.#parts;
    while (!signal.aborted) {
      const [deed, lastsMs] = [random.int(10), 100 + random.int(1_200)];
      await pause(100 + random.int(400));
      if (deed < 3) this.#outages += 1;
      if (deed === 0) await line.cut();
      else if (deed === 1) line.freeze();
      else if (deed === 2) await dovecot.stop();
      else if (deed < 6) replies.faults = random.pick([{}, { cut: 'after keeping' }, { cut: 'before data' }]);
      else world.advance(MINUTE);
      if (deed < 3) await pause(lastsMs);
      if (deed === 2) await dovecot.start();
      await line.open();
    }
    replies.faults = {};
  }

  /** Keeps what the gateway says that became a fax: from then on that is so. */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pause(200);
      // It may just be down.
      this.#recordFaxIds(await this.#listMessages().catch(() => []));
    }
  }

  #recordFaxIds(messages: readonly ReportedMessage[]): void {
    const { world, letters } = this.#parts;
    for (const { message_id, state, fax_id } of messages) {
      const letter = letters.find(({ messageId }) => messageId === message_id);
      if (!letter || state !== 'accepted') continue;
      letter.fax.id ??= fax_id;
      if (letter.fax.id !== fax_id)
        world.complaints.push(
          `the message ${message_id} was told as the fax ${letter.fax.id} and as ${fax_id}`,
        );
    }
  }

  #listMessages(): Promise<ReportedMessage[]> {
    return listAll<ReportedMessage>(this.#parts.world, '/mail-to-fax/messages');
  }

  async #listEnded(): Promise<ReadonlySet<string>> {
    const faxes = await listAll<{ id: string; delivery_state: string }>(this.#parts.world, '/fax');
    return new Set(faxes.filter(({ delivery_state: state }) => ENDED.includes(state)).map(({ id }) => id));
  }

  /** Waits, with time going on, until every message is decided and put away, and every reply that can be sent was tried. */
  async settle(): Promise<void> {
    const { world, dovecot } = this.#parts;
    for (let step = 0; step < STEPS; step += 1) {
      const messages = await this.#listMessages();
      const isOpen =
        messages.some(({ state }) => state === 'waiting') ||
        ((await dovecot.folders())['INBOX'] ?? 0) > 0 ||
        hasOpenReplies(messages, await this.#listEnded());
      if (!isOpen) break;
      world.advance(5 * MINUTE);
      await pause(STEP_MS);
    }
    this.#recordFaxIds(await this.#listMessages());
    // A message that became no fax is missing.
    for (const { messageId, fax } of this.#parts.letters) fax.id ??= `of the message ${messageId}`;
  }

  async complaints(): Promise<string[]> {
    const { world, letters, dovecot, replies } = this.#parts;
    const numbers = (await listAll<{ to: string }>(world, '/fax')).map(({ to }) => to);
    return judgeMail({
      letters,
      numbers,
      messages: await this.#listMessages(),
      ended: await this.#listEnded(),
      replies: replies.mails.map(({ raw }) => raw),
      folders: await dovecot.folders(),
    });
  }

  async close(): Promise<void> {
    const { dovecot, line, replies, dns } = this.#parts;
    await line.close();
    await dovecot.close();
    await replies.close();
    dns.close();
  }
}

function hasOpenReplies(messages: readonly ReportedMessage[], ended: ReadonlySet<string>): boolean {
  return messages.some(({ fax_id, replies }) =>
    replies.some(
      ({ state }) =>
        ['waiting', 'sending'].includes(state) || (state === 'pending' && ended.has(fax_id ?? '')),
    ),
  );
}

function environmentOf({ line, dns }: Pick<Parts, 'line' | 'dns'>): Record<string, string> {
  // The gateway asks our DNS; nothing else of it is changed.
  const redirectDns = `import dns from 'node:dns'; import promises from 'node:dns/promises';
    for (const each of [dns, promises]) each.setServers(['${dns.address}']);`;
  return {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(redirectDns)}`,
    MAIL_TO_FAX_HOST: '127.0.0.1',
    MAIL_TO_FAX_PORT: String(line.port),
    MAIL_TO_FAX_SECURITY: 'none',
    MAIL_TO_FAX_USER: MAILBOX,
    MAIL_TO_FAX_PASSWORD: PASSWORD,
  };
}
