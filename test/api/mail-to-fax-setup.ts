import type { z } from 'zod';
import type { MailSender, MailToFaxMessage } from '../../shared/api/mail-to-fax.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { AccessAdministrator } from '../setup/access-administrator.ts';
import { type Dovecot, MAILBOX, needDovecot, PASSWORD } from '../setup/dovecot.ts';
import { type Fax, startTestGateway, type TestGateway, type TestGatewayOptions } from '../setup/gateway.ts';
import { ManualTimers } from '../setup/manual-timers.ts';
import { dnsOf, MailDomain, mail } from '../setup/signed-mail.ts';
import type { Skippable } from '../setup/tools.ts';

export type Message = z.infer<typeof MailToFaxMessage>;
type Sender = z.infer<typeof MailSender>;

// Tests look into answers of every shape.
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

export const ANN = 'ann@clinic.example';
export const NUMBER = '+12025550123';

export const clinic = new MailDomain('clinic.example');
export const elsewhere = new MailDomain('elsewhere.example');

let written = 0;

/** Creates a signed message from Ann with one page, unless the fields say otherwise. */
export async function signed(given: object = {}, domain: MailDomain = clinic): Promise<Buffer> {
  written += 1;
  const fields = {
    from: ANN,
    to: MAILBOX,
    subject: NUMBER,
    text: 'Please fax this.',
    messageId: `<${written}.${process.pid}@clinic.example>`,
    attachments: [{ filename: 'letter.pdf', content: Buffer.from(textPdf(1)) }],
    ...given,
  };
  return domain.sign(await mail(fields));
}

/** A gateway that reads a mailbox, with one person whose address may send faxes. */
export class MailGateway {
  readonly dovecot: Dovecot;
  readonly dnsFaults: Set<string>;
  gateway: TestGateway;
  sender: Sender | null = null;

  constructor(parts: { dovecot: Dovecot; dnsFaults: Set<string>; gateway: TestGateway }) {
    this.dovecot = parts.dovecot;
    this.dnsFaults = parts.dnsFaults;
    this.gateway = parts.gateway;
  }

  static async start(context: Skippable, options: TestGatewayOptions = {}): Promise<MailGateway> {
    const dovecot = await needDovecot(context);
    const dnsFaults = new Set<string>();
    const gateway = await startTestGateway({
      ...options,
      // A busy computer is no reason to judge a message later.
      mailTimers: options.mailTimers ?? new ManualTimers(),
      resolveDns: options.resolveDns ?? dnsOf([clinic, elsewhere], dnsFaults),
    });
    const started = new MailGateway({ dovecot, dnsFaults, gateway });
    await gateway.set(mailboxSettings(dovecot));
    started.sender = await allowSender(gateway, ANN);
    return started;
  }

  /** The same on a new start of the gateway. */
  async restart(): Promise<MailGateway> {
    this.gateway = await this.gateway.restart();
    return this;
  }

  async request(method: string, path: string, json?: unknown): Promise<[number, Body]> {
    const answer = await this.gateway.request(method, path, { json });
    return [answer.status, await answer.json()];
  }

  /** Everything that is due now, and the messages that were looked at, oldest first. */
  async poll(ms = 60_000): Promise<Message[]> {
    this.gateway.clock.advance(ms);
    await this.gateway.processAll();
    return this.messages();
  }

  async messages(query = ''): Promise<Message[]> {
    const found: Message[] = [];
    for (let cursor = ''; ; ) {
      const [, page] = await this.request('GET', `/mail-to-fax/messages?limit=200${query}${cursor}`);
      found.push(...page.items);
      if (page.next_cursor === null) return found.reverse();
      cursor = `&cursor=${page.next_cursor}`;
    }
  }

  async faxes(): Promise<Fax[]> {
    const found: Fax[] = [];
    for (let cursor = ''; ; ) {
      const [, page] = await this.request('GET', `/fax?limit=200${cursor}`);
      found.push(...page.items);
      if (page.next_cursor === null) return found.reverse();
      cursor = `&cursor=${page.next_cursor}`;
    }
  }

  async warnings(): Promise<string[]> {
    return (await this.request('GET', '/console/status'))[1].warnings;
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await this.dovecot.close();
  }
}

export function mailboxSettings({ port }: Dovecot) {
  return {
    MAIL_TO_FAX_HOST: '127.0.0.1',
    MAIL_TO_FAX_PORT: port,
    MAIL_TO_FAX_SECURITY: 'none',
    MAIL_TO_FAX_USER: MAILBOX,
    MAIL_TO_FAX_PASSWORD: PASSWORD,
  };
}

/** Lets an address send faxes for a new integration that may. */
export async function allowSender(
  gateway: TestGateway,
  address: string,
  name = `Mail of ${address}`,
): Promise<Sender> {
  const administrator = new AccessAdministrator(gateway);
  const integration = await administrator.integration(name);
  await administrator.assign(integration, await administrator.role(`Role of ${name}`, ['fax:send']));
  const json = { address, principal_id: integration.id };
  const answer = await gateway.request('POST', '/mail-to-fax/senders', { json });
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Sender;
}
