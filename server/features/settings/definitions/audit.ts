import { booleanSetting, choiceSetting, pathSetting, textSetting } from '../../../platform/setting-kinds.ts';
import { lineOf } from './line-schemas.ts';

const group = 'Audit and log';
/** Settings of the audit log and its receivers. */
const opens = ['audit:read'] as const;

export const auditSettings = {
  AUDIT_LOG_ENABLED: booleanSetting({
    opens,
    group,
    label: 'Audit log',
    help: 'Writes a line when a fax is accepted, sent, changed or fetched, or has failed.',
    default: false,
  }),
  AUDIT_LOG_FORMAT: choiceSetting({
    group,
    label: 'Audit log format',
    help: 'The format of each line in the audit log.',
    choices: ['json', 'text'],
    default: 'json',
  }),
  AUDIT_LOG_FILE: pathSetting({
    opens,
    group,
    label: 'Audit file',
    help: 'The file the lines are added to, in a folder that you allowed. A relative path is in the folder "audit" of the data folder.',
    kind: 'file',
    own: 'audit',
  }),
  AUDIT_LOG_SYSLOG: booleanSetting({
    opens,
    group,
    label: 'Audit to syslog',
    help: 'Also sends the lines to a log server.',
    default: false,
  }),
  AUDIT_LOG_SYSLOG_ADDRESS: textSetting({
    opens,
    group,
    label: 'Log server',
    help: 'For example tls://logs.example.com:6514 (encrypted), tcp://…, udp://… or unix:///dev/log; if empty, this computer’s own log.',
    schema: lineOf(300),
    format: 'line',
    most: 300,
  }),
  LOG_LEVEL: choiceSetting({
    group,
    label: 'Log level',
    help: 'Amount of detail in the log: debug writes everything, warn and error write only problems.',
    choices: ['debug', 'info', 'warn', 'error'],
    default: 'info',
    restart: true,
  }),
};
