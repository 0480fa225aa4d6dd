import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Card, type CardContent, cardText, makeCard } from '../../server/features/direct/wire/card.ts';
import { openDocument } from '../../server/features/direct/wire/encryption.ts';
import { publicText } from '../../server/features/direct/wire/keys.ts';
import {
  assertManifestSigned,
  type Manifest,
  manifestDigest,
  parseManifest,
} from '../../server/features/direct/wire/manifest.ts';
import { REQUEST_HEADERS, requestSender } from '../../server/features/direct/wire/request-signature.ts';
import {
  parseSigned,
  type ReceiptStatement,
  type Signed,
  type Statement,
  type StatementOf,
  signedText,
  signStatement,
} from '../../server/features/direct/wire/statement.ts';
import { bytesOf, inPieces, wireDocument } from './direct-wire.ts';

type Answer = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;

/** Documents that a partner took or refused, by their id. */
export interface KeptDocuments {
  readonly taken: Map<string, ReceiptStatement>;
  readonly refused: Set<string>;
  uploads: number;
}

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

  /** Takes documents with a signed receipt. Returns the list of them, as they were decrypted, which grows. */
  acceptDocuments(): Buffer[] {
    const taken: Buffer[] = [];
    this.answer = (request, response, body) => {
      void this.#open(request, body).then(
        ({ manifest, document }) => {
          taken.push(document);
          this.send(response, 200, this.receiptFor(manifest));
        },
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
    };
    return taken;
  }

  /** Takes each document once by its id and answers questions about it, as an installation does. */
  keepDocuments(): KeptDocuments {
    const kept: KeptDocuments = { taken: new Map(), refused: new Set(), uploads: 0 };
    this.answer = (request, response, body) => {
      const answered =
        request.method === 'GET'
          ? Promise.resolve(this.#answerQuestion(kept, request, response))
          : this.#keep(kept, request, body).then((answer) => this.send(response, ...answer));
      void answered.catch((error: unknown) => response.writeHead(500).end(String(error)));
    };
    return kept;
  }

  async #keep(
    kept: KeptDocuments,
    request: IncomingMessage,
    body: Buffer,
  ): Promise<[status: number, answer: Statement]> {
    const { manifest } = await this.#open(request, body);
    kept.uploads += 1;
    const { message_id, from, time } = manifest;
    if (kept.refused.has(message_id)) {
      const head = this.head('refused', from, Date.parse(time));
      return [409, { ...head, reason: 'withdrawn', message_id }];
    }
    const receipt = kept.taken.get(message_id) ?? this.receiptFor(manifest);
    kept.taken.set(message_id, receipt);
    return [200, receipt];
  }

  /** A document that was not taken before the question is refused afterwards. */
  #answerQuestion(
    kept: KeptDocuments,
    { url = '', headers }: IncomingMessage,
    response: ServerResponse,
  ): void {
    const message_id = url.slice(url.lastIndexOf('/') + 1);
    const head = this.head(
      'status',
      requestSender(headers) ?? '',
      Date.parse(String(headers[REQUEST_HEADERS.time])),
    );
    const receipt = kept.taken.get(message_id);
    if (receipt === undefined) kept.refused.add(message_id);
    this.send(
      response,
      200,
      receipt === undefined
        ? { ...head, message_id, state: 'not_received' }
        : { ...head, message_id, state: 'accepted', receipt: this.sign(receipt) },
    );
  }

  receiptFor(manifest: Manifest): ReceiptStatement {
    const { from, message_id, sha256, size_bytes, time } = manifest;
    const manifest_sha256 = manifestDigest(manifest);
    const head = this.head('receipt', from, Date.parse(time));
    return { ...head, message_id, sha256, size_bytes, received_at: time, manifest_sha256 };
  }

  /** Uploads a document to an installation; resolves to the status and the statement of its answer, null without one. */
  async deliver(
    url: string,
    to: Pick<Card, 'signing_key' | 'exchange_key'>,
    content: Buffer,
    changes: Partial<Manifest> = {},
  ): Promise<{ readonly status: number; readonly statement: Statement | null }> {
    const form = await this.deliveryForm(to, content, changes);
    const answer = await fetch(`${url}/direct/deliveries`, {
      method: 'POST',
      headers: { Connection: 'close' },
      body: form,
    });
    const body = (await answer.json()) as { statement?: Statement };
    return { status: answer.status, statement: body.statement ?? null };
  }

  /** A document as it goes over the wire, under a new id unless `changes` have one. */
  async deliveryForm(
    to: Pick<Card, 'signing_key' | 'exchange_key'>,
    content: Buffer,
    changes: Partial<Manifest> = {},
  ): Promise<FormData> {
    const keys = {
      from: {
        signing: this.signing,
        exchange: this.exchange,
        signingKey: this.signingKey,
        exchangeKey: publicText(this.exchange),
      },
      to: { signingKey: to.signing_key, exchangeKey: to.exchange_key },
      messageId: changes.message_id ?? randomBytes(16).toString('hex'),
    };
    const time = new Date().toISOString();
    const { signed, sealed } = await wireDocument(content, keys, { time, ...changes });
    const form = new FormData();
    form.append('manifest', signed.text);
    form.append('signature', signed.signature);
    form.append('document', new File([new Uint8Array(sealed)], 'document'));
    return form;
  }

  /** Verifies and decrypts a document that was uploaded. */
  async #open(request: IncomingMessage, body: Buffer): Promise<{ manifest: Manifest; document: Buffer }> {
    const type = String(request.headers['content-type']);
    const form = await new Response(new Uint8Array(body), { headers: { 'Content-Type': type } }).formData();
    const manifest = parseManifest(Buffer.from(form.get('manifest') as string));
    assertManifestSigned(manifest, form.get('signature') as string);
    const sealed = Buffer.from(await (form.get('document') as File).arrayBuffer());
    const document = await bytesOf(openDocument(manifest, this.exchange, inPieces(sealed, 64 * 1024)));
    return { manifest, document };
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
