import { generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { issueServer } from '../../server/adapters/certificates/issue.ts';
import type { Identity as IssuedIdentity } from '../../server/adapters/certificates/port.ts';
import { systemClock } from '../../server/platform/clock.ts';
import type { DesktopApp } from './desktop-app.ts';
import type { InPage } from './each-kind.ts';

/** Leads the window from a console to the page where the computer is chosen. */
export async function openComputerChoice(app: DesktopApp): Promise<void> {
  const console = await app.console();
  // The page is left with the question, perhaps before it has the answer.
  await console.evaluate(() => (globalThis as unknown as InPage).faxdesk.chooseGateway()).catch(() => {});
}

/** Asks the window of a console for the Faxdesk of another computer. */
export async function chooseOther(app: DesktopApp, address: string): Promise<void> {
  await openComputerChoice(app);
  const page = await app.window();
  await page.getByLabel('Address of the other computer').fill(address);
  await page.getByRole('button', { name: 'Continue' }).click();
}

interface Identity {
  readonly cert: string;
  readonly key: string;
}

/** A new certificate for this computer, signed by a root that the server does not send. */
export async function signedBy(root: IssuedIdentity): Promise<Identity> {
  const { certificate, key } = await issueServer(root, ['localhost'], systemClock.now());
  return { cert: certificate.split(/(?<=-----END CERTIFICATE-----\n)/u)[0] ?? '', key };
}

/** A gateway as another computer of the office offers it: HTTPS in front of a plain one. */
export class OtherComputer {
  readonly #target: string;
  readonly #identity: Identity;
  readonly #server: Server;

  private constructor(target: string, identity: Identity) {
    this.#target = target;
    this.#identity = identity;
    this.#server = createServer(identity, (incoming, answer) => {
      const { method, headers, url = '/' } = incoming;
      const asked = request(new URL(url, this.#target), { method, headers }, (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      });
      asked.on('error', () => answer.destroy());
      incoming.pipe(asked);
    });
  }

  /** On a free port, or on the one where another stood. */
  static async start(
    target: string,
    port = 0,
    identity = selfSigned('fax.office.example'),
  ): Promise<OtherComputer> {
    const other = new OtherComputer(target, identity);
    await other.#listen(port);
    return other;
  }

  /** Is there again after a stop, with the same certificate. */
  async resume(port: number): Promise<void> {
    await this.#listen(port);
  }

  #listen(port: number): Promise<void> {
    return new Promise((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get address(): string {
    return `https://localhost:${this.port}`;
  }

  get fingerprint(): string {
    return new X509Certificate(this.#identity.cert).fingerprint256;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }
}

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const UTF8 = 0x0c;
const UTC_TIME = 0x17;
const ECDSA_WITH_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex');
const COMMON_NAME = Buffer.from('0603550403', 'hex');

/** A certificate that nobody else has, as an office makes one (X.509 v1, P-256). */
function selfSigned(name: string): Identity {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(SEQUENCE, ECDSA_WITH_SHA256);
  const subject = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8, Buffer.from(name)))));
  const times = ['250101000000Z', '491231235959Z'].map((time) => der(UTC_TIME, Buffer.from(time)));
  const facts = der(
    SEQUENCE,
    der(INTEGER, Buffer.from([1])),
    algorithm,
    subject,
    der(SEQUENCE, ...times),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = der(BIT_STRING, Buffer.from([0]), sign('sha256', facts, privateKey));
  const body = der(SEQUENCE, facts, algorithm, signature).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}

/** A part of ASN.1 in its distinguished encoding. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
