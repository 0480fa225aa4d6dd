import { freePort } from './free-port.ts';
import { startTestGateway, type TestGateway } from './gateway.ts';

interface PrintedDocument {
  readonly id: string;
  readonly name: string;
  readonly printed_by: string | null;
  readonly to: string | null;
  readonly pages: number;
  readonly size_bytes: number;
  readonly mine: boolean;
  readonly version: number;
}

/** A gateway with a printer for the programs of its computer. */
export interface PrintingOffice {
  gateway: TestGateway;
  /** Address of the printer. */
  readonly uri: string;
  /** Address of the printer that takes recipients. */
  readonly faxUri: string;
  /** Lists what waits: at the computer, or as seen from another one by `elsewhere`. */
  waiting(options?: { key?: string; elsewhere?: boolean }): Promise<PrintedDocument[]>;
  act(method: string, path: string, options?: { key?: string; elsewhere?: boolean }): Promise<number>;
}

/** Starts a gateway whose printer is on. */
export async function openPrintingOffice(databaseUrl: string | null = null): Promise<PrintingOffice> {
  const port = await freePort();
  const gateway = await startTestGateway({
    databaseUrl,
    settings: { PRINT_TO_FAX: 'this_computer', PRINT_PORT: String(port) },
  });
  const requestOptions = ({ key, elsewhere = false }: { key?: string; elsewhere?: boolean }) => ({
    ...(key === undefined ? {} : { key }),
    headers: (elsewhere ? { 'X-Forwarded-For': '192.0.2.7' } : {}) as Record<string, string>,
  });
  const office: PrintingOffice = {
    gateway,
    uri: `ipp://127.0.0.1:${port}/ipp/print`,
    faxUri: `ipp://127.0.0.1:${port}/ipp/faxout`,
    async waiting(options = {}) {
      const answer = await office.gateway.request('GET', '/printed', requestOptions(options));
      return ((await answer.json()) as { items: PrintedDocument[] }).items;
    },
    async act(method, path, options = {}) {
      const answer = await office.gateway.request(method, path, requestOptions(options));
      await answer.arrayBuffer();
      return answer.status;
    },
  };
  return office;
}
