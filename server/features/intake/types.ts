import type { IntakeConnectorTable, IntakeItemTable, IntakeRecipientTable } from '../../db/schema/intake.ts';

export type ConnectorRow = IntakeConnectorTable;
export type ItemRow = IntakeItemTable;
export type RecipientRow = IntakeRecipientTable;

/** What an attempt says of one recipient. */
export type RecipientFact = Pick<RecipientRow, 'address' | 'state' | 'sentence'>;

/** An e-mail with a received fax, and what became of it for each recipient, by address. */
export interface RecordedDelivery {
  readonly item: ItemRow;
  readonly recipients: readonly RecipientRow[];
}
