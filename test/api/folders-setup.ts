import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { textPdf } from '../fixtures/long-pdf.ts';
import type { Fax, TestGateway } from '../setup/gateway.ts';
import { SECOND } from '../setup/manual-clock.ts';

export const LETTER = textPdf(2);
export const OTHER = textPdf(3);
export const SCAN_MS = 10 * SECOND;
export const NUMBER = '+12025550123';

/** Send folder of a gateway, as a person who leaves files there sees it. */
export class SendFolder {
  readonly gateway: TestGateway;
  readonly path: string;

  constructor(gateway: TestGateway, path = join(gateway.dataFolder, 'send')) {
    this.gateway = gateway;
    this.path = path;
  }

  /** A key with these permissions, for which files are sent from now on; its id. */
  async sendFor(scopes: readonly string[] = ['fax:send'], setting = 'send'): Promise<string> {
    const made = await this.gateway.request('POST', '/admin/api-keys', { json: { scopes, name: 'Scanner' } });
    const { key_id } = (await made.json()) as { key_id: string };
    await this.gateway.set({ SEND_FOLDER: setting, SEND_FOLDER_FOR: key_id });
    await mkdir(this.path, { recursive: true });
    await this.scan();
    return key_id;
  }

  /** The files of this moment are looked at; twice finds them unchanged. */
  async scan(times = 1): Promise<void> {
    for (let i = 0; i < times; i += 1) {
      this.gateway.clock.advance(SCAN_MS);
      await this.gateway.processAll();
    }
  }

  async dropFile(name: string, content: string | Uint8Array = LETTER): Promise<void> {
    await writeFile(join(this.path, name), content);
  }

  /** Without what is hidden. */
  async names(within = ''): Promise<string[]> {
    return (await readdir(join(this.path, within))).filter((name) => !name.startsWith('.')).sort();
  }

  async text(...path: string[]): Promise<string> {
    return readFile(join(this.path, ...path), 'utf8');
  }

  /** Oldest first. */
  async faxes(): Promise<Fax[]> {
    const { items } = (await (await this.gateway.request('GET', '/fax')).json()) as { items: Fax[] };
    return items.reverse();
  }

  async warnings(): Promise<string[]> {
    const answer = await this.gateway.request('GET', '/health/ready', { key: null });
    return ((await answer.json()) as { warnings: string[] }).warnings;
  }
}
