import type { IntakeConnectorTable, IntakeItemTable, IntakeRecipientTable } from '../../db/schema/intake.ts';

export type ConnectorRow = IntakeConnectorTable;
export type ItemRow = IntakeItemTable;
export type RecipientRow = IntakeRecipientTable;

/** Result of an attempt for one recipient. */
export type RecipientFact = Pick<RecipientRow, 'address' | 'state' | 'sentence'>;

/** E-mail with a received fax, and its outcome for each recipient, by address. */
export interface RecordedDelivery {
  readonly item: ItemRow;
  readonly recipients: readonly RecipientRow[];
}
