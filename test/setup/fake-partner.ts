import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Card, type CardContent, cardText, makeCard } from '../../server/features/direct/wire/card.ts';
import { publicText } from '../../server/features/direct/wire/keys.ts';
import {
  parseSigned,
  type Signed,
  type Statement,
  type StatementOf,
  signedText,
  signStatement,
} from '../../server/features/direct/wire/statement.ts';

type Answer = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;

/** Installation of a partner as a test plays it: its keys, its card and its server on loopback. */
export class FakePartner {
  signing: KeyObject = generateKeyPairSync('ed25519').privateKey;
  readonly exchange: KeyObject = generateKeyPairSync('x25519').privateKey;
  /** Path of each request. */
  readonly requests: string[] = [];
  /** Answers requests; replaced by tests. */
  answer: Answer = (_request, response) => response.writeHead(404).end();
  readonly #server: Server;
  readonly #organization: string;
  readonly #number: string;

  constructor(server: Server, organization: string, number: string) {
    this.#server = server;
    this.#organization = organization;
    this.#number = number;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.requests.push(request.url ?? '');
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => this.answer(request, response, Buffer.concat(pieces)));
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get signingKey(): string {
    return publicText(this.signing);
  }

  card(given: Partial<CardContent> = {}): Card {
    return makeCard(
      {
        organization: this.#organization,
        fax_number: this.#number,
        endpoint: this.url,
        signing_key: this.signingKey,
        exchange_key: publicText(this.exchange),
        ...given,
      },
      this.signing,
    );
  }

  cardText(given: Partial<CardContent> = {}): string {
    return cardText(this.card(given));
  }

  sign<S extends Statement>(statement: S): Signed<S> {
    return signStatement(statement, this.signing);
  }

  /** Head of a statement to an installation by its signing key. */
  head<T extends string>(type: T, to: string, now: number) {
    const time = new Date(now).toISOString();
    return { direct: 1, type, from: this.signingKey, to, time } as const;
  }

  /** Answers codes as right, until `until` (ISO 8601 UTC). */
  acceptCodes(until: string): void {
    this.answer = (_request, response, body) => {
      const { statement } = parseSigned(body, ['verification']);
      this.send(response, 200, {
        ...this.head('verified', statement.from, Date.parse(statement.time)),
        expires_at: until,
      } satisfies StatementOf<'verified'>);
    };
  }

  send(response: ServerResponse, status: number, statement: Statement): void {
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(signedText(this.sign(statement)));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

export async function startFakePartner(organization: string, number: string): Promise<FakePartner> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return new FakePartner(server, organization, number);
}
