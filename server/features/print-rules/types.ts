import type { PrintoutTable, PrintRuleTable } from '../../db/schema/print-rules.ts';

export type { Scope } from '../access/service.ts';

export type PrintRuleRow = PrintRuleTable;
export type PrintoutRow = PrintoutTable;

/** Fields of a printout that change. */
export type PrintoutChanges = Partial<
  Omit<PrintoutRow, 'id' | 'version' | 'fax_id' | 'rule_id' | 'recorded_at' | 'updated_at'>
>;
