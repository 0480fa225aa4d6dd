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
  pathOf(name: 'AUDIT_LOG_FILE'): { readonly path: string } | { readonly problem: string } | null;
  onChange(listener: () => void): () => void;
}

/** Returns the targets of audit lines under the settings in force; none while the file may not be written. */
export function auditConfiguration(settings: AuditSettings): AuditConfigurationSource {
  return {
    current() {
      const { values } = settings.snapshot();
      const file = settings.pathOf('AUDIT_LOG_FILE');
      const isRefused = file !== null && 'problem' in file;
      return {
        // Lines for a file that may not be written go nowhere else unasked.
        enabled: values.AUDIT_LOG_ENABLED && (!isRefused || values.AUDIT_LOG_SYSLOG),
        format: values.AUDIT_LOG_FORMAT,
        file: file === null || isRefused ? null : file.path,
        syslog: values.AUDIT_LOG_SYSLOG,
        syslogAddress: values.AUDIT_LOG_SYSLOG_ADDRESS,
      };
    },
    onChange: (listener) => settings.onChange(() => listener()),
  };
}
