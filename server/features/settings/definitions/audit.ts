import { z } from 'zod';
import { booleanSetting, choiceSetting, textSetting } from '../../../platform/setting-kinds.ts';

const group = 'Audit and log';

/** One line of text, as a path or an address is. */
export const line = (most: number): z.ZodType<string> => {
  const error = `must be 1 to ${most} characters on one line`;
  return z
    .string(error)
    .min(1, error)
    .max(most, error)
    .regex(/^\P{Cc}*$/u, error);
};

export const auditSettings = {
  AUDIT_LOG_ENABLED: booleanSetting({
    group,
    label: 'Audit log',
    help: 'Writes a line for every fax that is accepted, sent, changed, failed or fetched.',
    default: false,
  }),
  AUDIT_LOG_FORMAT: choiceSetting({
    group,
    label: 'Form of the lines',
    help: 'How a line of the audit log is written.',
    choices: ['json', 'text'],
    default: 'json',
  }),
  AUDIT_LOG_FILE: textSetting({
    group,
    label: 'Audit file',
    help: 'The file the lines are added to; a path that is not absolute lies in the data folder.',
    schema: line(1000),
    format: 'line',
    most: 1000,
  }),
  AUDIT_LOG_SYSLOG: booleanSetting({
    group,
    label: 'Audit to syslog',
    help: 'Sends the lines to a log server as well.',
    default: false,
  }),
  AUDIT_LOG_SYSLOG_ADDRESS: textSetting({
    group,
    label: 'Log server',
    help: 'For example udp://logs.example.com:514, tcp://… or unix:///dev/log; the log of the computer when none is set.',
    schema: line(300),
    format: 'line',
    most: 300,
  }),
  LOG_LEVEL: choiceSetting({
    group,
    label: 'Detail of the log',
    help: 'What the log of the gateway holds: more with debug, only trouble with warn or error.',
    choices: ['debug', 'info', 'warn', 'error'],
    default: 'info',
    restart: true,
  }),
};
