import type { PrintParts } from './parts.ts';
import { countInState, countStuck } from './store/printout-store.ts';

/** Returns sentences about printouts that wait for a person or a printer. */
export async function warningsOf(parts: PrintParts): Promise<string[]> {
  const { read } = parts.db;
  const doubtful = await countInState(read, 'doubtful');
  const failed = await countInState(read, 'failed');
  const stuck = await countStuck(read);
  return [
    doubtful === 0 ? [] : [`${faxes(doubtful)} may or may not have been printed. Look at the printer.`],
    failed === 0 ? [] : [`${faxes(failed)} could not be printed.`],
    stuck === 0
      ? []
      : [`${faxes(stuck)} ${stuck === 1 ? 'waits' : 'wait'} for a printer that does not print.`],
  ].flat();
}

const faxes = (count: number) => (count === 1 ? '1 received fax' : `${count} received faxes`);
