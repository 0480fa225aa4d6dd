import type { Connection } from './connection.ts';
import type { FaxEvent, FaxFilter, FaxJob, SendFields } from './contract.ts';
import type { FaxWatch } from './fax-watch.ts';
import { withOperationId } from './operation-id.ts';
import type { CallOptions, ChangeOptions, WaitOptions } from './options.ts';
import { itemsOf, type Page, pagesOf } from './pages.ts';
import { ROUTES } from './routes.ts';

/** A document to send: a `File` of a page, or a name with bytes or text. */
export interface FaxFile {
  /** File name with its extension, e.g. `referral.pdf`. */
  readonly name: string;
  readonly content: Blob | ArrayBuffer | Uint8Array | string;
  /** Title of the document in the list of sent faxes; either all files have one or none. */
  readonly title?: string;
}

/** A fax to send: `to` and its files, or the id of a preview. */
export interface FaxOrder extends SendFields {
  /** Several files become one fax, in their order. */
  readonly files?: FaxFile | Blob | readonly (FaxFile | Blob)[];
}

/** An accepted fax: it is recorded and will be sent, and is not delivered yet. */
export interface AcceptedFax extends FaxJob {
  /** True if an earlier call with the same operation id had sent it. This call sent nothing. */
  readonly repeated: boolean;
  /** Operation id of the call. */
  readonly operationId: string;
}

/** Changes of a fax that is sent again. */
export interface ResendFields {
  readonly to?: string;
  readonly mailbox?: string;
  /** First page to send, for example to send only missing pages. */
  readonly from_page?: number;
  /** Form of the pages; that of the earlier fax if left out. */
  readonly page_form?: SendFields['page_form'];
}

/** Sent faxes. */
class Faxes {
  readonly #connection: Connection;
  readonly #watch: FaxWatch;

  /** @internal */
  constructor(connection: Connection, watch: FaxWatch) {
    this.#connection = connection;
    this.#watch = watch;
  }

  /**
   * Sends a fax. When the answer gets lost, the request is repeated under the same operation id, which never sends a
   * second fax.
   */
  async send(order: FaxOrder, options: ChangeOptions = {}): Promise<AcceptedFax> {
    const { files, page_edits: pageEdits, cover_fields: coverFields, ...fields } = order;
    const parts = listOf(files).map(filePart);
    const titles = parts.flatMap(({ title }) => (title === undefined ? [] : [title]));
    const json = { page_edits: jsonText(pageEdits), cover_fields: jsonText(coverFields) };
    return this.#accept(ROUTES.sendFax, options, { fields: { ...fields, ...json, titles }, files: parts });
  }

  /** Sends the document of an earlier fax again, as a new fax. */
  async resend(id: string, changes: ResendFields = {}, options: ChangeOptions = {}): Promise<AcceptedFax> {
    return this.#accept(ROUTES.resendFax, options, { params: { id }, body: changes });
  }

  /** Reads the present state. */
  get(id: string, options: CallOptions = {}): Promise<FaxJob> {
    return this.#connection.read(ROUTES.getFax, { ...options, params: { id } });
  }

  /** Returns the fax that was sent under an operation id; null if there is none. */
  async find(operationId: string, options: CallOptions = {}): Promise<FaxJob | null> {
    const query = { idempotency_key: operationId };
    const page = await this.#connection.read<Page<FaxJob>>(ROUTES.listFaxes, { ...options, query });
    return page.items[0] ?? null;
  }

  /**
   * Waits until a fax is final: `success`, `failed` or `cancelled`. It also returns with `reconciliation_required`, when
   * a person has to ask the recipient whether the fax arrived, unless `untilDecided` is set.
   */
  wait(fax: string | Pick<FaxJob, 'id'>, options: WaitOptions = {}): Promise<FaxJob> {
    return this.#watch.wait(typeof fax === 'string' ? fax : fax.id, options);
  }

  /** Returns faxes, newest first, and reads further pages as they are needed. */
  list(filter: FaxFilter = {}, options: CallOptions = {}): AsyncGenerator<FaxJob, void> {
    return itemsOf(this.pages(filter, options));
  }

  /** Returns faxes by page. `cursor` is `next_cursor` of the page before the first one. */
  pages(
    filter: FaxFilter = {},
    options: CallOptions & { readonly cursor?: string } = {},
  ): AsyncGenerator<Page<FaxJob>, void> {
    const { cursor: start, signal } = options;
    const read = (cursor: string | undefined) =>
      this.#connection.read<Page<FaxJob>>(ROUTES.listFaxes, { signal, query: { ...filter, cursor } });
    return pagesOf(read, start);
  }

  /** Cancels a fax before its submission. Throws ApiError `too_late_to_cancel` afterwards. */
  async cancel(fax: Pick<FaxJob, 'id' | 'delivery_version'>, options: ChangeOptions = {}): Promise<FaxJob> {
    const { id, delivery_version } = fax;
    const input = { params: { id }, body: { delivery_version }, ...withOperationId(options) };
    return (await this.#connection.change<FaxJob>(ROUTES.cancelFax, input)).value;
  }

  /** Returns the history, oldest entry first. */
  async history(id: string, options: CallOptions = {}): Promise<FaxEvent[]> {
    const input = { ...options, params: { id } };
    return (await this.#connection.read<{ events: FaxEvent[] }>(ROUTES.faxHistory, input)).events;
  }

  /** Opens the prepared PDF. */
  document(id: string, options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    return this.#connection.open(ROUTES.faxDocument, { ...options, params: { id } });
  }

  /** Opens the document before its pages were changed. */
  original(id: string, options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    return this.#connection.open(ROUTES.faxOriginal, { ...options, params: { id } });
  }

  /** Opens the signed transmission report, a PDF. */
  report(id: string, options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    return this.#connection.open(ROUTES.faxReport, { ...options, params: { id } });
  }

  async #accept(
    route: typeof ROUTES.sendFax | typeof ROUTES.resendFax,
    options: ChangeOptions,
    input: Omit<Parameters<Connection['change']>[1], 'operationId'>,
  ): Promise<AcceptedFax> {
    const { operationId, ...rest } = withOperationId(options);
    const changed = await this.#connection.change<FaxJob>(route, { ...input, ...rest, operationId });
    return { ...changed.value, repeated: changed.repeated, operationId };
  }
}

/** Creates it for a connection. @internal */
export const createFaxes = (connection: Connection, watch: FaxWatch) => new Faxes(connection, watch);

export type { Faxes };

const listOf = (files: FaxOrder['files']): readonly (FaxFile | Blob)[] => {
  if (files === undefined) return [];
  return Array.isArray(files) ? (files as readonly (FaxFile | Blob)[]) : [files as FaxFile | Blob];
};

/** Returns the JSON text of a form field; undefined where it is left out. */
const jsonText = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value));

/** A copy, because the bytes given may be changed, or shared with another thread. */
const bytesOf = (content: string | ArrayBuffer | Uint8Array) =>
  typeof content === 'string' ? content : new Uint8Array(content);

function filePart(file: FaxFile | Blob): { name: string; content: Blob; title?: string } {
  if (file instanceof Blob) return { name: 'name' in file ? String(file.name) : 'document', content: file };
  const { name, content, title } = file;
  return { name, content: content instanceof Blob ? content : new Blob([bytesOf(content)]), title };
}
