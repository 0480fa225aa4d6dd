import type { Connection } from './connection.ts';
import type { InboundFax, InboundFaxCounts, InboundFilter } from './contract.ts';
import { withOperationId } from './operation-id.ts';
import type { CallOptions, ChangeOptions } from './options.ts';
import { itemsOf, type Page, pagesOf } from './pages.ts';
import { ROUTES } from './routes.ts';

/** Received faxes. */
class Inbound {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Returns received faxes, newest first, and reads further pages as they are needed. */
  list(filter: InboundFilter = {}, options: CallOptions = {}): AsyncGenerator<InboundFax, void> {
    return itemsOf(this.pages(filter, options));
  }

  /** Returns received faxes by page. `cursor` is `next_cursor` of the page before the first one. */
  pages(
    filter: InboundFilter = {},
    options: CallOptions & { readonly cursor?: string } = {},
  ): AsyncGenerator<Page<InboundFax>, void> {
    const { cursor: start, signal } = options;
    const read = (cursor: string | undefined) =>
      this.#connection.read<Page<InboundFax>>(ROUTES.listInbound, { signal, query: { ...filter, cursor } });
    return pagesOf(read, start);
  }

  /** Reads a received fax. */
  get(id: string, options: CallOptions = {}): Promise<InboundFax> {
    return this.#connection.read(ROUTES.getInbound, { ...options, params: { id } });
  }

  /** Counts received faxes that are unread, waiting, failed or in Junk. */
  counts(options: CallOptions = {}): Promise<InboundFaxCounts> {
    return this.#connection.read(ROUTES.countInbound, options);
  }

  /**
   * Opens the document, a PDF, as a stream. This marks the fax as read. A stream that breaks off fails with
   * UnreachableError, so that half a document is never taken for a whole one.
   */
  pdf(id: string, options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    return this.#connection.open(ROUTES.inboundPdf, { ...options, params: { id } });
  }

  /** Marks a received fax as read or unread. */
  async markRead(id: string, read = true, options: ChangeOptions = {}): Promise<InboundFax> {
    const input = { params: { id }, body: { read }, ...withOperationId(options) };
    return (await this.#connection.change<InboundFax>(ROUTES.markInbound, input)).value;
  }
}

/** Creates it for a connection. @internal */
export const createInbound = (connection: Connection) => new Inbound(connection);

export type { Inbound };
