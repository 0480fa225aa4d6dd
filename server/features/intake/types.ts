import type { IntakeConnectorTable, IntakeItemTable, IntakeRecipientTable } from '../../db/schema/intake.ts';

export type ConnectorRow = IntakeConnectorTable;
export type ItemRow = IntakeItemTable;
export type RecipientRow = IntakeRecipientTable;

/** What an attempt says of one recipient. */
export type RecipientFact = Pick<RecipientRow, 'address' | 'state' | 'sentence'>;
