import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { z } from 'zod';
import type { ArchiveRemoval } from '../../shared/api/archives-removal.ts';
import type { TestGateway } from '../setup/gateway.ts';
import { DAY, HOUR } from '../setup/manual-clock.ts';
import { type Inbound, InboundGateway } from './inbound-setup.ts';

export type Removal = z.infer<typeof ArchiveRemoval>;

export const TO = '+12025550123';

/** A gateway whose faxes are archived and removed. */
export class ArchivingOffice {
  office: InboundGateway;
  constructor(office: InboundGateway) {
    this.office = office;
  }

  get gateway(): TestGateway {
    return this.office.gateway;
  }

  get year(): number {
    return new Date(this.gateway.clock.now()).getUTCFullYear();
  }

  async json<T>(method: string, address: string, body?: object): Promise<T> {
    const answer = await this.gateway.request(method, address, body === undefined ? {} : { json: body });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${answer.status} ${text}`);
    return JSON.parse(text) as T;
  }

  async status(method: string, address: string, body?: object): Promise<[number, string | null]> {
    const answer = await this.gateway.request(method, address, body === undefined ? {} : { json: body });
    await answer.arrayBuffer();
    return [answer.status, answer.headers.get('x-error-code')];
  }

  /** Receives a fax and finishes its work, unless it is to stay open. Returns its id. */
  async receive({ isOpen = false } = {}): Promise<string> {
    await this.office.notify(this.office.arrive({ from: TO }));
    await this.office.work();
    const { id, work_item_id: item } = await this.#newest();
    if (!isOpen) await this.#finish(item);
    return id;
  }

  /** Finishes the work on the newest received fax. */
  async finishNewest(): Promise<void> {
    await this.#finish((await this.#newest()).work_item_id);
  }

  async #newest(): Promise<Inbound> {
    const [fax] = await this.office.list('?limit=1');
    if (!fax) throw new Error('nothing was received');
    return fax;
  }

  async #finish(item: string | null): Promise<void> {
    const { version } = await this.json<{ version: number }>('GET', `/work/${item}`);
    await this.json('POST', `/work/${item}/done`, { version, note: 'Filed' });
  }

  /** Sends a fax that is delivered. Returns its id. */
  async send(fields: Record<string, string> = {}, headers: Record<string, string> = {}): Promise<string> {
    const { id } = await this.gateway.send({ to: TO, ...fields }, headers);
    await this.gateway.processAll();
    this.gateway.emulator.complete(String((await this.gateway.fax(id)).provider_sid));
    this.gateway.clock.advance(HOUR);
    await this.gateway.processAll();
    return id;
  }

  async archive(year: number): Promise<Buffer> {
    const answer = await this.gateway.request('GET', `/archives/${year}`);
    expect(answer.status).toBe(200);
    return Buffer.from(await answer.arrayBuffer());
  }

  /** Hands an archive over in two pieces. */
  async handOver(bytes: Buffer): Promise<string> {
    const uploadId = randomBytes(16).toString('hex');
    const middle = Math.floor(bytes.length / 2);
    for (const [offset, piece] of [
      [0, bytes.subarray(0, middle)],
      [middle, bytes.subarray(middle)],
    ] as const) {
      const form = new FormData();
      form.append('piece', new File([new Uint8Array(piece)], 'piece'));
      const answer = await this.gateway.request('POST', `/archive-uploads/${uploadId}?offset=${offset}`, {
        form,
      });
      expect([answer.status, await answer.json()]).toEqual([
        200,
        { upload_id: uploadId, size_bytes: offset + piece.length },
      ]);
    }
    return uploadId;
  }

  /** Hands an archive over and waits for its check. */
  async check(bytes: Buffer, year: number): Promise<Removal> {
    const upload_id = await this.handOver(bytes);
    const { id } = await this.json<Removal>('POST', '/archive-removals', { upload_id, year });
    await expect.poll(async () => (await this.removal(id)).state).not.toBe('checking');
    return this.removal(id);
  }

  removal(id: string): Promise<Removal> {
    return this.json('GET', `/archive-removals/${id}`);
  }

  start({ id, version }: Removal): Promise<Removal> {
    return this.json('POST', `/archive-removals/${id}/start`, { version });
  }

  /** Lets the year and its last month pass, and everything that is due by then happen. */
  async pass(): Promise<void> {
    this.gateway.clock.advance(400 * DAY);
    await this.gateway.processAll();
  }

  async restart(): Promise<void> {
    this.office = new InboundGateway(await this.gateway.restart());
  }
}
