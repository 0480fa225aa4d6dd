import { UnfinishedRestoreError } from '../backup/errors.ts';
import { BootError } from '../config/boot.ts';
import { NewerStoreError } from '../db/migrator.ts';
import { OtherGatewaysError, StoreMovedError } from '../features/gateways/errors.ts';
import { SettingsStartError } from '../features/settings/errors.ts';
import { StoreMismatchError } from '../features/storage/errors.ts';
import { connectionSentence } from '../platform/connection-trouble.ts';
import { databaseRefusal } from '../platform/database-refusal.ts';
import { errorCode } from '../platform/errors.ts';
import { isPortDenied, PORT_DENIED } from '../platform/port-denied.ts';
import { STORE_SENTENCES, storeTroubleOf } from '../platform/store-trouble.ts';
import { transientErrorSentence } from '../platform/transient-errors.ts';
import { GatewayRunningError } from './data-folder.ts';

const WITH_SENTENCE = [
  BootError,
  GatewayRunningError,
  NewerStoreError,
  OtherGatewaysError,
  SettingsStartError,
  UnfinishedRestoreError,
  StoreMismatchError,
  StoreMovedError,
];

/** Returns the sentence about a start that cannot succeed by trying again; null for any other failure. */
export function startProblem(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (WITH_SENTENCE.some((known) => error instanceof known)) return error.message;
  const trouble = storeTroubleOf(error);
  if (trouble !== null) return STORE_SENTENCES[trouble];
  const refusal = databaseRefusal(error);
  if (refusal !== null) return refusal;
  if (isPortDenied(error)) return PORT_DENIED;
  switch (errorCode(error)) {
    case 'EADDRNOTAVAIL':
      return 'This computer does not have the address that HOST names.';
    case 'ECONNREFUSED':
    case 'DATABASE_AWAY':
      return connectionSentence(error) ?? 'The database that DATABASE_URL names cannot be reached.';
    default:
      return transientErrorSentence(error);
  }
}
