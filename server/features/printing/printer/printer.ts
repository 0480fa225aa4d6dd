import type { PrintingParts } from '../parts.ts';
import { openPrinter } from '../store.ts';
import { createJobTable, type JobTable } from './job-table.ts';

/** The printer while it runs. */
export interface FaxPrinter {
  readonly parts: PrintingParts;
  readonly jobs: JobTable;
  readonly uuid: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
}

/** Opens the printer of the installation with the UUID by which computers recognize it. */
export async function createFaxPrinter(parts: PrintingParts): Promise<FaxPrinter> {
  const { uuid } = await parts.db.transaction((tx) => openPrinter(tx, crypto.randomUUID()));
  return { parts, jobs: createJobTable(parts.clock), uuid, startedAt: parts.clock.now() };
}
