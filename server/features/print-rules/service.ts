import type { ReadDb, WriteTx } from '../../db/database.ts';
import type { JobDefinition } from '../../jobs/define-job.ts';
import type { Caller } from '../access/service.ts';
import { checkPrinter } from './check-printer.ts';
import { type Confirmation, confirm, retry } from './decisions.ts';
import { countsOf, listForCaller, type PrintoutAnswer, presentPrintouts } from './listing.ts';
import type { PrintParts } from './parts.ts';
import { definePrinting } from './print.ts';
import {
  changeRule,
  createRule,
  presentRules,
  type RuleAnswer,
  type RuleFields,
  type RuleRead,
  removeRule,
} from './rules.ts';
import {
  deletePrintouts,
  type PrintoutFilter,
  printoutsOfFax,
  unprintedAmong,
} from './store/printout-store.ts';
import { listPrintRules } from './store/rule-store.ts';
import type { PrintoutRow, PrintRuleRow } from './types.ts';
import { warningsOf } from './warnings.ts';

/** Received faxes on paper. Refusals are PrintRefusalError. */
export interface PrintRulesService {
  readonly jobs: readonly JobDefinition<never>[];
  rules(): Promise<RuleAnswer[]>;
  create(caller: Caller, fields: RuleFields): Promise<RuleAnswer>;
  change(caller: Caller, id: string, fields: RuleFields): Promise<RuleAnswer>;
  remove(caller: Caller, read: RuleRead): Promise<RuleAnswer>;
  check(caller: Caller, url: string): ReturnType<typeof checkPrinter>;
  printouts(caller: Caller, filter: PrintoutFilter): ReturnType<typeof listForCaller>;
  retry(caller: Caller, id: string): Promise<PrintoutAnswer>;
  confirm(caller: Caller, confirmation: Confirmation): Promise<PrintoutAnswer>;
  /** Returns the printouts of a fax, oldest first, for a room that has checked access to it. Works inside a transaction. */
  printoutsOf(db: ReadDb, faxId: string): Promise<PrintoutRow[]>;
  /** Returns those of the faxes with a printout that has not ended. Works inside a transaction. */
  unprintedAmong(db: ReadDb, faxIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Removes the printouts of faxes that are removed with an archive, those of a few dozen at most. */
  removeOf(tx: WriteTx, faxIds: readonly string[]): Promise<void>;
  /** Counts the printouts by state. */
  counts(): ReturnType<typeof countsOf>;
  /** Returns sentences about printouts that wait for a person or a printer. */
  warnings(): Promise<string[]>;
}

export function createPrintRulesService(parts: PrintParts): PrintRulesService {
  const presentRule = async (row: PrintRuleRow) => {
    const [answer] = await presentRules(parts.db.read, [row]);
    return answer as RuleAnswer;
  };
  const present = async (caller: Caller, row: PrintoutRow) => {
    const [answer] = await presentPrintouts(parts, caller, [row]);
    return answer as PrintoutAnswer;
  };
  return {
    jobs: [definePrinting(parts)] as unknown as JobDefinition<never>[],
    rules: async () => presentRules(parts.db.read, await listPrintRules(parts.db.read)),
    create: async (caller, fields) => presentRule(await createRule(parts, caller, fields)),
    change: async (caller, id, fields) => presentRule(await changeRule(parts, caller, id, fields)),
    remove: async (caller, read) => presentRule(await removeRule(parts, caller, read)),
    check: (caller, url) => checkPrinter(parts, caller, url),
    printouts: (caller, filter) => listForCaller(parts, caller, filter),
    retry: async (caller, id) => present(caller, await retry(parts, caller, id)),
    confirm: async (caller, confirmation) => present(caller, await confirm(parts, caller, confirmation)),
    printoutsOf: printoutsOfFax,
    unprintedAmong,
    removeOf: deletePrintouts,
    counts: () => countsOf(parts),
    warnings: () => warningsOf(parts),
  };
}
