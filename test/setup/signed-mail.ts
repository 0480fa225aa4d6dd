import { generateKeyPairSync } from 'node:crypto';
import { dkimSign } from 'mailauth/lib/dkim/sign.js';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { ResolveDns } from '../../server/adapters/mail/reading-port.ts';
import { recordsDns } from './records-dns.ts';

type Fields = ConstructorParameters<typeof MailComposer>[0];

const SELECTOR = 'office';

/** A domain that signs its mail and publishes that it does. */
export class MailDomain {
  readonly name: string;
  readonly #privateKey: string;
  readonly #publicKey: string;

  constructor(name: string) {
    this.name = name;
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    this.#privateKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    this.#publicKey = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  }

  /** Its records by name. */
  get records(): Record<string, string> {
    return {
      [`${SELECTOR}._domainkey.${this.name}`]: `v=DKIM1; k=rsa; p=${this.#publicKey}`,
      [`_dmarc.${this.name}`]: 'v=DMARC1; p=reject',
    };
  }

  /** A message with its signature, `time` being that of the signature and `expires` its end. */
  async sign(
    message: Buffer,
    options: { time?: Date; expires?: Date; headers?: string } = {},
  ): Promise<Buffer> {
    const { signatures } = await dkimSign(message, {
      canonicalization: 'relaxed/relaxed',
      signTime: options.time ?? new Date(),
      ...(options.expires === undefined ? {} : { expires: options.expires }),
      ...(options.headers === undefined ? {} : { headerList: options.headers }),
      signatureData: [{ signingDomain: this.name, selector: SELECTOR, privateKey: this.#privateKey }],
    } as Parameters<typeof dkimSign>[1]);
    return Buffer.concat([Buffer.from(signatures), message]);
  }
}

/** A message as a mail program writes it, without a signature. */
export async function mail(fields: Fields): Promise<Buffer> {
  return await new MailComposer(fields).compile().build();
}

/** The DNS of some domains; every other name is unknown. `faults` are names that nobody answers for. */
export function dnsOf(domains: readonly MailDomain[], faults: ReadonlySet<string> = new Set()): ResolveDns {
  const known = recordsDns(Object.assign({}, ...domains.map(({ records }) => records)));
  return async (name, type) => {
    if (faults.has(name)) throw Object.assign(new Error('no answer'), { code: 'ESERVFAIL' });
    return known(name, type);
  };
}
