import { resolve } from 'node:path';
import type { Settings } from './types.ts';

/** What the audit trail needs of the settings: its `AuditConfigurationSource`. A relative file lies in the data folder. */
export function auditConfigurationOf(settings: Settings, dataFolder: string) {
  return {
    current() {
      const file = settings.get('AUDIT_LOG_FILE');
      return {
        enabled: settings.get('AUDIT_LOG_ENABLED'),
        format: settings.get('AUDIT_LOG_FORMAT'),
        file: file === null ? null : resolve(dataFolder, file),
        syslog: settings.get('AUDIT_LOG_SYSLOG'),
        syslogAddress: settings.get('AUDIT_LOG_SYSLOG_ADDRESS'),
      };
    },
    onChange: (listener: () => void) => settings.onChange(() => listener()),
  };
}
