import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import type { InboundCounts, InboundEvidence, InboundFax } from '../../shared/api/inbound-shapes.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import type { EmulatedFax, WebhookOptions } from '../setup/emulators/cloudone/index.ts';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../setup/gateway.ts';

export const PUBLIC_URL = 'https://fax.example.com';
export const SENDER = '+12025550199';
export const OWN_NUMBER = '+12025550100';
export const ONE_PAGE = textPdf(1);

export type Inbound = z.infer<typeof InboundFax>;
type EvidenceItem = z.infer<typeof InboundEvidence>['items'][number];

/** A gateway that receives through the emulator of cloudone. */
export class InboundGateway {
  readonly gateway: TestGateway;
  constructor(gateway: TestGateway) {
    this.gateway = gateway;
  }

  /** With a public address unless `settings` say otherwise. */
  static async start(options: TestGatewayOptions = {}): Promise<InboundGateway> {
    const settings = { INBOUND_ENABLED: 'true', PUBLIC_API_URL: PUBLIC_URL, ...options.settings };
    return new InboundGateway(await startTestGateway({ ...options, settings }));
  }

  static async startPolling(options: TestGatewayOptions = {}): Promise<InboundGateway> {
    const settings = { INBOUND_ENABLED: 'true', ...options.settings };
    return new InboundGateway(await startTestGateway({ ...options, settings }));
  }

  /** A fax arrives at the provider. */
  arrive(given: { from?: string; to?: string; document?: Buffer; pages?: number } = {}): EmulatedFax {
    const { from = SENDER, to = OWN_NUMBER, document = ONE_PAGE, pages } = given;
    return this.gateway.emulator.receive({ from, to, document, ...(pages === undefined ? {} : { pages }) });
  }

  /** The provider notifies of it; the status and body of the answer. */
  async notify(fax: EmulatedFax, options: WebhookOptions = {}): Promise<{ status: number; body: string }> {
    const delivery = await this.gateway.emulator.sendCallback(String(fax.id), {
      url: `${this.gateway.url}/cloudone-inbound`,
      signedUrl: `${PUBLIC_URL}/cloudone-inbound`,
      ...options,
    });
    const { status, body } = delivery.attempts.at(-1) ?? { status: null, body: '' };
    return { status: status ?? 0, body };
  }

  /** Without the document, so that it has to be fetched. */
  async notifyBare(fax: EmulatedFax): Promise<{ status: number; body: string }> {
    return this.notify(fax, { file: null });
  }

  async list(query = '', key?: string): Promise<Inbound[]> {
    const response = await this.gateway.request('GET', `/inbound${query}`, key === undefined ? {} : { key });
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    return (await response.json()) as Inbound[];
  }

  /** The only fax there is. */
  async only(): Promise<Inbound> {
    const [fax, second] = await this.list();
    if (!fax || second) throw new Error('not exactly one fax');
    return fax;
  }

  async evidence(id: string): Promise<EvidenceItem[]> {
    const response = await this.gateway.request('GET', `/inbound/${id}/evidence`);
    return ((await response.json()) as z.infer<typeof InboundEvidence>).items;
  }

  async counts(key?: string): Promise<z.infer<typeof InboundCounts>> {
    const answer = await this.gateway.request('GET', '/inbound/counts', key === undefined ? {} : { key });
    return (await answer.json()) as z.infer<typeof InboundCounts>;
  }

  /** Everything that is due, and what that makes due. */
  async work(): Promise<void> {
    await this.gateway.processAll();
  }

  /** Names of the stored documents. */
  async stored(): Promise<string[]> {
    return readdir(join(this.gateway.dataFolder, 'files', 'inbound')).catch(() => []);
  }

  async inWork(): Promise<string[]> {
    return readdir(join(this.gateway.dataFolder, 'work'));
  }

  async close(): Promise<void> {
    await this.gateway.close();
  }
}

export const fileRequests = (gateway: TestGateway) =>
  gateway.emulator.calls.filter(({ path }) => path.endsWith('/file')).length;
