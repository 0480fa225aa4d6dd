import { resolve } from 'node:path';
import type { AuditConfiguration, AuditConfigurationSource } from './types.ts';

export const AUDIT_SETTINGS = [
  'AUDIT_LOG_ENABLED',
  'AUDIT_LOG_FORMAT',
  'AUDIT_LOG_FILE',
  'AUDIT_LOG_SYSLOG',
  'AUDIT_LOG_SYSLOG_ADDRESS',
] as const;

/** The settings are a higher room; theirs fit. */
export interface AuditSettings {
  snapshot(): {
    readonly values: {
      readonly AUDIT_LOG_ENABLED: boolean;
      readonly AUDIT_LOG_FORMAT: AuditConfiguration['format'];
      readonly AUDIT_LOG_FILE: string | null;
      readonly AUDIT_LOG_SYSLOG: boolean;
      readonly AUDIT_LOG_SYSLOG_ADDRESS: string | null;
    };
  };
  onChange(listener: () => void): () => void;
}

/** Where audit lines go by the settings in force now. A relative file lies in the data folder. */
export function auditConfiguration(settings: AuditSettings, dataFolder: string): AuditConfigurationSource {
  return {
    current() {
      const { values } = settings.snapshot();
      return {
        enabled: values.AUDIT_LOG_ENABLED,
        format: values.AUDIT_LOG_FORMAT,
        file: values.AUDIT_LOG_FILE === null ? null : resolve(dataFolder, values.AUDIT_LOG_FILE),
        syslog: values.AUDIT_LOG_SYSLOG,
        syslogAddress: values.AUDIT_LOG_SYSLOG_ADDRESS,
      };
    },
    onChange: (listener) => settings.onChange(() => listener()),
  };
}
