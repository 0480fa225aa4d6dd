import { resolve } from 'node:path';
import type { AuditConfigurationSource } from '../audit/service.ts';
import type { Settings } from './types.ts';

/** What the audit room needs of the settings. A relative file lies in the data folder. */
export function auditConfigurationOf(settings: Settings, dataFolder: string): AuditConfigurationSource {
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
    onChange: (listener) => settings.onChange(() => listener()),
  };
}
