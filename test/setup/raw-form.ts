import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Fax, INSTALLATION_KEY, type TestGateway } from './gateway.ts';
import { type RawAnswer, RawConnection } from './raw-connection.ts';

export const MEGABYTE = 1024 * 1024;
export const BOUNDARY = 'the-boundary';
export const FORM = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };
export const END = `--${BOUNDARY}--\r\n`;

/** One part of a form; `heading` follows `form-data;`. */
export const part = (heading: string, value: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${heading}\r\n\r\n${value}\r\n`;

export const TO = part('name="to"', '+12025550123');
export const FILE = part('name="file"; filename="letter.txt"', 'Dear colleague');
/** More than is kept in memory, so that it shows in the work folder. */
export const LARGE_FILE = part(
  'name="file"; filename="long.txt"',
  `${'Dear colleague '.repeat(5)}\n`.repeat(4000),
);
/** A form that is right in every way. */
export const COMPLETE_FORM = `${TO}${FILE}${END}`;

export const jsonOf = (answer: RawAnswer) => JSON.parse(answer.body) as { detail: string } & Fax;

/** The head of a request with the installation key. */
export function headOf(headers: Record<string, string>, path = '/fax'): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`POST ${path} HTTP/1.1`, 'Host: gateway', `X-API-Key: ${INSTALLATION_KEY}`, ...lines, '', ''].join(
    '\r\n',
  );
}

/** Sends requests byte by byte to a gateway, and looks at what they leave there. */
export class RawCaller {
  readonly #gateway: TestGateway;
  readonly #connections: RawConnection[] = [];

  constructor(gateway: TestGateway) {
    this.#gateway = gateway;
  }

  async open(): Promise<RawConnection> {
    const connection = await RawConnection.open(this.#gateway.url);
    this.#connections.push(connection);
    return connection;
  }

  /** Sends one body on a line of its own, with its right length unless a header says otherwise. */
  async post(
    body: string | Uint8Array,
    headers: Record<string, string> = FORM,
    path = '/fax',
  ): Promise<RawAnswer> {
    const connection = await this.open();
    await connection.send(headOf({ 'Content-Length': String(Buffer.byteLength(body)), ...headers }, path));
    await connection.send(body);
    return connection.answer();
  }

  async faxCount(): Promise<number> {
    const response = await this.#gateway.request('GET', '/fax?limit=200');
    return ((await response.json()) as { items: unknown[] }).items.length;
  }

  /** Waits until the work folder holds so many files. */
  async expectWorkFiles(count: number): Promise<void> {
    const files = () => readdir(join(this.#gateway.dataFolder, 'work'));
    await expect.poll(async () => (await files()).length, { interval: 10 }).toBe(count);
  }

  close(): void {
    for (const connection of this.#connections.splice(0)) connection.close();
  }
}
