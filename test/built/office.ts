import { vi } from 'vitest';
import { startCloudoneVendor } from '../endure/world/cloudone-vendor.ts';
import { startCloudtwoVendor } from '../endure/world/cloudtwo-vendor.ts';
import { OWN_NUMBER, PUBLIC_URL, type Vendor } from '../endure/world/vendor.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { type DnsServer, startDnsServer } from '../setup/dns-server.ts';
import { type Dovecot, MAILBOX, needDovecot, PASSWORD } from '../setup/dovecot.ts';
import { type AmiEmulator, startAmiEmulator } from '../setup/emulators/ami/index.ts';
import { type MailServer, startMailServer } from '../setup/mail-server.ts';
import { enrolMara } from '../setup/owner.ts';
import { MailDomain } from '../setup/signed-mail.ts';
import { toolPath } from '../setup/tools.ts';

/** Reads an answer to its end: Node's client breaks where a connection ends while a body is not read. */
export async function wholeAnswer(answer: Response): Promise<Response> {
  const body = await answer.arrayBuffer();
  return new Response(body.byteLength === 0 ? null : body, answer);
}

/** A gateway in a process of its own, as people run it. */
export interface StartedGateway {
  readonly url: string;
  readonly dataFolder: string;
  /** All that it wrote so far. */
  printed(): string;
  stop(): Promise<void>;
}

/** Starts a gateway with this environment; resolves once it is ready. */
type StartGateway = (environment: Readonly<Record<string, string>>) => Promise<StartedGateway>;

export const KEY = 'installation-key-of-what-people-run-0123456789';
export const LETTER = textPdf(1);
/** Gateways look at folders every few seconds and at each thing twice, and the machine may be busy. */
const WAIT_OPTIONS = { timeout: 180_000, interval: 500 };

// Tests look into answers of every shape.
// oxlint-disable-next-line typescript/no-explicit-any
export type Body = any;

interface RequestOptions {
  readonly json?: unknown;
  readonly form?: FormData;
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Emulators {
  readonly cloudone: Vendor;
  readonly cloudtwo: Vendor;
  readonly engine: AmiEmulator;
  readonly mail: MailServer;
  readonly clinic: MailDomain;
  readonly dns: DnsServer;
  /** Null where Dovecot is not installed. */
  readonly dovecot: Dovecot | null;
}

/** A running gateway and all that it talks to: two providers, a telephone engine, mail servers and the DNS. */
export class Office {
  readonly gateway: StartedGateway;
  readonly emulators: Emulators;

  constructor(gateway: StartedGateway, emulators: Emulators) {
    this.gateway = gateway;
    this.emulators = emulators;
  }

  /** Starts the gateway between new emulators, with Mara as its owner. */
  static async open(start: StartGateway): Promise<Office> {
    const emulators = await startEmulators();
    const gateway = await start(environmentOf(emulators));
    await enrolMara(gateway.url, KEY);
    return new Office(gateway, emulators);
  }

  /** Another gateway between the same emulators. */
  async openSecond(start: StartGateway): Promise<Office> {
    return new Office(await start(environmentOf(this.emulators)), this.emulators);
  }

  get url(): string {
    return this.gateway.url;
  }

  /** With the installation key unless another one, or none, is given. */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
    const { json, form, key = KEY } = options;
    const headers = new Headers(options.headers);
    if (key !== null) headers.set('X-API-Key', key);
    // On a line of its own: on a busy machine an older one may just be given up by the gateway.
    headers.set('Connection', 'close');
    if (json !== undefined) headers.set('Content-Type', 'application/json');
    const body = json === undefined ? form : JSON.stringify(json);
    return wholeAnswer(await fetch(`${this.url}${path}`, { method, headers, body, redirect: 'manual' }));
  }

  /** The answer to a request that must succeed. */
  async requestJson(method: string, path: string, options: RequestOptions = {}): Promise<Body> {
    const answer = await this.request(method, path, options);
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  async bytes(path: string): Promise<Buffer> {
    const answer = await this.request('GET', path);
    if (!answer.ok) throw new Error(`GET ${path}: ${answer.status} ${await answer.text()}`);
    return Buffer.from(await answer.arrayBuffer());
  }

  /** Hands a fax in; its id. */
  async send(to: string, file: File = new File([new Uint8Array(LETTER)], 'letter.pdf')): Promise<string> {
    const form = new FormData();
    form.append('to', to);
    form.append('file', file);
    return (await this.requestJson('POST', '/fax', { form })).id;
  }

  /** The sent fax once it got there. */
  async waitForDelivered(id: string): Promise<Body> {
    return waitFor(async () => {
      const fax = await this.requestJson('GET', `/fax/${id}`);
      if (fax.delivery_state !== 'success') throw new Error(JSON.stringify(fax));
      return fax;
    });
  }

  /** A received fax with its document, found by a word of its facts. */
  async waitForReceived(matches: (fax: Body) => boolean): Promise<Body> {
    return waitFor(async () => {
      const faxes: Body[] = await this.requestJson('GET', '/inbound?limit=200');
      const fax = faxes.find(matches);
      if (fax?.status !== 'received') throw new Error(JSON.stringify(faxes));
      return fax;
    });
  }

  async close(): Promise<void> {
    await this.gateway.stop();
    const { cloudone, cloudtwo, engine, mail, dns, dovecot } = this.emulators;
    for (const part of [cloudone, cloudtwo, engine, mail, dns, dovecot]) await part?.close();
  }
}

/** Asks again until the check throws nothing. */
export function waitFor<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, WAIT_OPTIONS);
}

async function startEmulators(): Promise<Emulators> {
  const clock = { now: () => Date.now() };
  const clinic = new MailDomain('clinic.example');
  const isInstalled = toolPath('dovecot') !== null;
  const never = {
    skip: (reason?: string): never => {
      throw new Error(reason);
    },
  };
  return {
    cloudone: await startCloudoneVendor(clock),
    cloudtwo: await startCloudtwoVendor(clock),
    engine: await startAmiEmulator(() => clock.now()),
    mail: await startMailServer(),
    clinic,
    dns: await startDnsServer(clinic.records),
    dovecot: isInstalled ? await needDovecot(never) : null,
  };
}

function environmentOf({ cloudone, cloudtwo, engine, dns, dovecot }: Emulators): Record<string, string> {
  return {
    // Redirects the DNS queries of the gateway to the test server; nothing else of it is changed.
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(
      `import dns from 'node:dns'; import promises from 'node:dns/promises';
       for (const each of [dns, promises]) each.setServers(['${dns.address}']);`,
    )}`,
    API_KEY: KEY,
    FAX_BACKEND: 'cloudone',
    FAX_ORGANIZATION: 'Example Clinic',
    FAX_NUMBER: OWN_NUMBER,
    TIME_ZONE: 'UTC',
    INBOUND_ENABLED: 'true',
    PUBLIC_API_URL: PUBLIC_URL,
    ...cloudone.environment,
    ...cloudtwo.environment,
    TELEPHONY_PORT: String(engine.port),
    TELEPHONY_PASSWORD: engine.account.password,
    TRUNK_HOST: 'sip.example.com',
    TRUNK_USER: 'office1',
    TRUNK_PASSWORD: 'trunk-secret',
    HTTPS_ENABLED: 'true',
    HTTPS_HOST: '127.0.0.1',
    HTTPS_PORT: '0',
    IMPORT_FOLDER: 'import',
    ...(dovecot === null
      ? {}
      : {
          MAIL_TO_FAX_HOST: '127.0.0.1',
          MAIL_TO_FAX_PORT: String(dovecot.port),
          MAIL_TO_FAX_SECURITY: 'none',
          MAIL_TO_FAX_USER: MAILBOX,
          MAIL_TO_FAX_PASSWORD: PASSWORD,
        }),
  };
}
