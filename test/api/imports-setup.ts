import { textPdf } from '../fixtures/long-pdf.ts';
import { InboundGateway } from './inbound-setup.ts';

export const LETTER = textPdf(2);

interface ImportAnswer {
  readonly status: number;
  readonly body: { import_id?: string; inbound_id?: string; status?: string; detail?: string };
}

/** Answer to a successful import. */
interface Imported {
  readonly import_id: string;
  readonly inbound_id: string;
  readonly status: string;
}

/** A gateway that another system hands documents to. */
export class ImportsGateway extends InboundGateway {
  static override async start(...[options = {}]: Parameters<typeof InboundGateway.start>) {
    const { gateway } = await InboundGateway.start({
      ...options,
      settings: { INBOUND_POLLING: 'off', ...options.settings },
    });
    return new ImportsGateway(gateway);
  }

  /** A text is sent as it is, an object as JSON; null leaves the part out. */
  async import(
    manifest: string | object | null,
    file: Uint8Array | null = LETTER,
    options: { key?: string | null } = {},
  ): Promise<ImportAnswer> {
    const form = new FormData();
    if (manifest !== null)
      form.append('manifest', typeof manifest === 'string' ? manifest : JSON.stringify(manifest));
    if (file !== null) form.append('file', new File([new Uint8Array(file)], 'result.pdf'));
    const response = await this.gateway.request('POST', '/imports', { form, ...options });
    return { status: response.status, body: (await response.json()) as ImportAnswer['body'] };
  }

  async imported(manifest: object, file: Uint8Array = LETTER): Promise<Imported> {
    const { status, body } = await this.import(manifest, file);
    if (status !== 200) throw new Error(`${status} ${body.detail}`);
    return body as Imported;
  }
}

let last = 0;
/** A manifest that fits, of an operation that was not seen before unless `given` says another one. */
export function manifestOf(given: Record<string, unknown> = {}): Record<string, unknown> {
  last += 1;
  return { source_system: 'Lab bridge', operation_id: `A-${last}`, ...given };
}
