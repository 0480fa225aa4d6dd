import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { Contact } from '../../shared/api/contacts.ts';
import type { Fax } from '../setup/gateway.ts';
import { type Inbound, InboundGateway } from './inbound-setup.ts';

type ContactAnswer = z.infer<typeof Contact>;

export const KEY = 'a key that both offices agreed on';
/** A number that encoded pages are sent to, and come back from. */
export const PARTNER = '+12025550150';

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** A gateway whose sent pages come back as received faxes, as if another Faxdesk were at the other end. */
export class EncodedPages {
  readonly inbound: InboundGateway;
  constructor(inbound: InboundGateway) {
    this.inbound = inbound;
  }

  static async start(options: Parameters<typeof InboundGateway.start>[0] = {}): Promise<EncodedPages> {
    return new EncodedPages(await InboundGateway.start(options));
  }

  get gateway() {
    return this.inbound.gateway;
  }

  async json<T>(method: string, path: string, json?: unknown): Promise<T> {
    const answer = await this.gateway.request(method, path, { json });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  contact(fields: object): Promise<ContactAnswer> {
    return this.json('POST', '/contacts', { name: 'Mill Valley', fax_number: PARTNER, ...fields });
  }

  change({ id }: Pick<ContactAnswer, 'id'>, version: number, fields: object): Promise<ContactAnswer> {
    return this.json('PATCH', `/contacts/${id}`, { version, ...fields });
  }

  /** Sends a fax and returns it with the pages that the provider got. */
  async sendPages(fields: Record<string, string> = {}, files?: File[]): Promise<{ fax: Fax; pages: Buffer }> {
    const { id } = files
      ? ((await (await this.gateway.sendForm({ to: PARTNER, ...fields }, files)).json()) as Fax)
      : await this.gateway.send({ to: PARTNER, ...fields });
    return this.pagesOf(id);
  }

  async pagesOf(id: string): Promise<{ fax: Fax; pages: Buffer }> {
    await this.gateway.processAll();
    const fax = await this.gateway.fax(id);
    const sid = String(fax.provider_sid);
    if (this.gateway.emulator.faxes.get(sid)?.contentUrls[0] !== undefined) {
      const [link = ''] = this.gateway.emulator.faxes.get(sid)?.contentUrls ?? [];
      const answer = await fetch(`${this.gateway.url}${new URL(link).pathname}${new URL(link).search}`);
      return { fax, pages: Buffer.from(await answer.arrayBuffer()) };
    }
    return { fax, pages: this.gateway.emulator.faxes.get(sid)?.document ?? Buffer.alloc(0) };
  }

  /** Lets a document come in as a fax of the partner and returns it once its pages were looked at. */
  async receive(document: Buffer, from = PARTNER): Promise<Inbound> {
    const known = new Set((await this.inbound.list()).map(({ id }) => id));
    await this.inbound.notify(this.inbound.arrive({ from, document }));
    await this.inbound.work();
    const found = (await this.inbound.list()).find(({ id }) => !known.has(id));
    if (!found) throw new Error('no fax came in');
    return found;
  }

  async received(id: string): Promise<Inbound> {
    return this.json('GET', `/inbound/${id}`);
  }

  async original(id: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.gateway.request('GET', `/inbound/${id}/original`, { headers });
  }

  async document(id: string): Promise<Buffer> {
    return Buffer.from(await (await this.gateway.request('GET', `/fax/${id}/document`)).arrayBuffer());
  }

  async accepted(id: string): Promise<string> {
    return (await this.gateway.history(id))[0]?.text ?? '';
  }

  close(): Promise<void> {
    return this.inbound.close();
  }
}
