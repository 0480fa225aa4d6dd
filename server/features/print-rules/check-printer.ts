import { actorOf, type Caller } from '../access/service.ts';
import { recordedActor } from '../audit/service.ts';
import type { PrintParts } from './parts.ts';
import { PrinterError } from './printer-port.ts';
import { PRINTER_SENTENCES } from './sentences.ts';

interface CheckResult {
  readonly ok: boolean;
  readonly model: string | null;
  readonly detail: string;
}

/** Asks the printer at an address for its name and state. Nothing is printed. */
export async function checkPrinter(
  parts: Pick<PrintParts, 'db' | 'audit' | 'printers' | 'logger'>,
  caller: Caller,
  url: string,
): Promise<CheckResult> {
  await parts.db.transaction((tx) =>
    parts.audit.record(tx, {
      ...recordedActor(actorOf(caller)),
      operation: 'printer.check',
      target: { kind: 'printer', id: null },
      outcome: 'done',
      details: { address: url },
    }),
  );
  try {
    const { model, takes, fault } = await parts.printers.describe(url);
    const known = model === '' ? null : model;
    const problem = takes === null ? 'format' : fault;
    const named = known ?? 'The printer';
    if (problem !== null)
      return { ok: false, model: known, detail: `${named} answers. ${PRINTER_SENTENCES[problem]}` };
    return { ok: true, model: known, detail: `${named} answers and can print faxes.` };
  } catch (error) {
    if (!(error instanceof PrinterError)) throw error;
    parts.logger.info(
      { fault: error.fault, reason: error.message },
      'a printer that was checked does not answer',
    );
    return { ok: false, model: null, detail: PRINTER_SENTENCES[error.fault] };
  }
}
