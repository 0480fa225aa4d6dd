import type { GatewayTable, StoreMoveTable } from '../../db/schema/gateways.ts';

/** A gateway on the database, with the age of its last sign of life in ms by the clock of the database. */
export type GatewayRow = GatewayTable & { readonly age: number };

/** This gateway, as it is entered in the table. */
export type OwnGateway = Omit<GatewayTable, 'started_at' | 'seen_at'>;

/** A gateway that has given no sign of life for so long is gone. Milliseconds. */
export const GONE_MS = 30_000;

/**
 * Raise it in a release whose gateways must not work beside those of the release before: other payloads of jobs, other
 * columns of shared tables.
 */
export const WORKS_WITH = 1;

/** `works_with` of `faxdesk move`, which no gateway can work beside. */
export const MOVES = 0;

/** Mark of a store that an installation is moved to or was moved from. */
export type MoveRecord = Omit<StoreMoveTable, 'key'>;
