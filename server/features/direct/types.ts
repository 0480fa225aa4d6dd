import type { DirectDeliveryTable, DirectPartnerTable } from '../../db/schema/direct.ts';

export type PartnerRow = Readonly<DirectPartnerTable>;
export type DeliveryRow = Readonly<DirectDeliveryTable>;
