import type { SummaryDayTable } from '../../db/schema/summary.ts';

export type SummaryRow = SummaryDayTable;
