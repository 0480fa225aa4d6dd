import { createAuditSinks } from './adapters/audit/create-sinks.ts';
import type { OpenSinks } from './features/audit/room.ts';
import type { AllowedFolders } from './platform/allowed-folders.ts';
import type { Logger } from './platform/logger.ts';

/** Opens the destinations of the audit trail beside the store: the log, a file in an allowed folder, syslog. */
export function auditSinks(logger: Logger, folders: AllowedFolders): OpenSinks {
  return (configuration) =>
    createAuditSinks(configuration, {
      log: (event) => logger.info(event, 'audit'),
      onError: (error) => logger.error({ error }, 'audit lines could not be written'),
      mayWrite: (file) => 'path' in folders.check('AUDIT_LOG_FILE', file, { kind: 'file', own: 'audit' }),
    });
}
