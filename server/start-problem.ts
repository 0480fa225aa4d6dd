import { BootError } from './config/boot.ts';
import { NewerStoreError } from './db/migrator.ts';
import { SettingsStartError } from './features/settings/errors.ts';
import { GatewayRunningError } from './gateway.ts';
import { errorCode } from './platform/errors.ts';

const WITH_SENTENCE = [BootError, GatewayRunningError, NewerStoreError, SettingsStartError];

/** What a person is told about a start that cannot succeed by trying again; null when it is no such failure. */
export function startProblem(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (WITH_SENTENCE.some((known) => error instanceof known)) return error.message;
  switch (errorCode(error)) {
    case 'ENOSPC':
    case 'SQLITE_FULL':
      return 'The disk is full. Nothing was lost; make room and try again.';
    case 'EACCES':
    case 'EPERM':
      return `The system does not permit that: ${error.message}`;
    case 'EADDRNOTAVAIL':
      return 'This computer does not have the address that HOST names.';
    case 'ECONNREFUSED':
      return 'The database that DATABASE_URL names cannot be reached.';
    default:
      return null;
  }
}
