import { type Answer, json } from '../answer.ts';
import { Deliveries, type WebhookDelivery } from '../deliveries.ts';
import { ProviderEmulator } from '../emulator.ts';
import type { ReceivedRequest } from '../request-reading.ts';
import { refusal, unauthorized } from './answer.ts';
import { applyOutcome, type EmulatedFax, type FaxOutcome } from './fax-record.ts';
import { answerFaxes } from './fax-routes.ts';
import { newProjectState, type ProjectState } from './project-state.ts';
import { type ReceivedFax, receiveFax } from './sending.ts';
import { answerServices } from './service-routes.ts';
import { TokenIssuer } from './tokens.ts';
import { prepareWebhook, type WebhookOptions } from './webhook.ts';

interface CloudtwoEmulatorOptions {
  readonly projectId: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly clock?: { now(): number };
  /** URL to which the default service sends INCOMING_FAX; may contain user and password. */
  readonly incomingWebhook?: string;
  /** Default 3600. */
  readonly tokenLifeSeconds?: number;
}

type Access = 'key' | 'token';

/** The vendor's service of the provider `cloudtwo`, with its token endpoint on the same host; see ProviderEmulator. */
export class CloudtwoEmulator extends ProviderEmulator<Access> {
  readonly state: ProjectState;
  readonly tokens: TokenIssuer;
  /** Only exactly 200 ends the retries. */
  protected readonly webhooks = new Deliveries((status) => status === 200);
  protected readonly faultAnswers = { refusal, wrongShape: () => json(200, { identifier: 'none' }) };

  constructor(options: CloudtwoEmulatorOptions) {
    super();
    const clock = options.clock ?? { now: () => Date.now() };
    const now = () => clock.now();
    this.state = newProjectState(options.projectId, now, options.incomingWebhook ?? null);
    const credentials = `${options.apiKey}:${options.apiSecret}`;
    this.tokens = new TokenIssuer({ credentials, lifeSeconds: options.tokenLifeSeconds ?? 3600, now });
  }

  /** The host, as the vendor's client wants it. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get faxes(): ReadonlyMap<string, EmulatedFax> {
    return this.state.faxes;
  }

  /** Ends a fax; a success without an outcome. */
  complete(id: string, outcome: FaxOutcome = {}): EmulatedFax {
    const fax = this.#faxOf(id);
    applyOutcome(fax, outcome, this.now());
    return fax;
  }

  /** Moves a fax on without ending it, e.g. to `IN_PROGRESS`. */
  progress(id: string, status: string): void {
    this.#faxOf(id).status = status;
  }

  /** Stores a received fax, as if a machine had sent it to one of the project's numbers. Sends no webhook. */
  receive(received: ReceivedFax): EmulatedFax {
    return receiveFax(this.state, received);
  }

  /** Posts the webhook of a fax to its own address, otherwise to its service's. */
  sendCallback(id: string, options: WebhookOptions = {}): Promise<WebhookDelivery> {
    const fax = this.#faxOf(id);
    const service = this.state.services.get(fax.serviceId);
    const url = options.url ?? fax.callbackUrl ?? service?.incomingWebhookUrl;
    if (!url) throw new Error(`The fax ${id} has no webhook address.`);
    const contentType =
      (fax.callbackUrl === null ? service?.webhookContentType : fax.callbackUrlContentType) ?? '';
    const asked = { projectId: this.state.projectId, url, contentType, now: this.now() };
    return this.webhooks.send(id, prepareWebhook(fax, asked, options));
  }

  protected now(): number {
    return this.state.now();
  }

  /** Returns the path below the project of this emulator; any other path stays whole. */
  protected pathOf(path: string): string {
    const start = `/v3/projects/${this.state.projectId}/`;
    return path.startsWith(start) ? path.slice(start.length - 1) : path;
  }

  protected acceptedCount(): number {
    return [...this.state.faxes.values()].filter((fax) => fax.direction === 'OUTBOUND').length;
  }

  protected accessOf(request: ReceivedRequest): Access | null {
    if (this.tokens.isKey(request)) return 'key';
    return this.tokens.stateOf(request) === 'alive' ? 'token' : null;
  }

  protected handle(request: ReceivedRequest, access: Access | null): Answer {
    if (request.path === '/oauth2/token') return this.tokens.answer(request);
    if (access === null) return this.#challenge(request);
    const answer = answerFaxes(this.state, request) ?? answerServices(this.state, request);
    return answer ?? refusal(404, 'There is no such resource.');
  }

  #challenge(request: ReceivedRequest): Answer {
    return this.tokens.stateOf(request) === 'expired'
      ? unauthorized('Bearer error="invalid_token", error_description="The token has expired"')
      : unauthorized('Bearer');
  }

  #faxOf(id: string): EmulatedFax {
    const fax = this.state.faxes.get(id);
    if (fax === undefined) throw new Error(`The emulator has no fax ${id}.`);
    return fax;
  }
}

/** Starts the emulator on a free port of 127.0.0.1. */
export async function startCloudtwoEmulator(options: CloudtwoEmulatorOptions): Promise<CloudtwoEmulator> {
  const emulator = new CloudtwoEmulator(options);
  await emulator.open();
  return emulator;
}
