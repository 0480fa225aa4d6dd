import { describe, expect, it } from 'vitest';
import type { AuditEvent, AuditSink } from '../../server/adapters/audit/port.ts';
import { type AuditConfiguration, createAuditTrail } from '../../server/features/audit/service.ts';
import { auditConfiguration } from '../../server/features/audit/settings.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { removeFolder, startSettings } from '../setup/settings-room.ts';

const event = (id: string): AuditEvent => ({
  at: '2026-10-01T08:30:00.000Z',
  event: 'job_created',
  request_id: null,
  job_id: id,
});
const OFF: AuditConfiguration = {
  enabled: false,
  format: 'json',
  file: null,
  syslog: false,
  syslogAddress: null,
};

/** A trail over sinks that remember, and the means to change its configuration. */
function setUp(first: Partial<AuditConfiguration>, broken: Partial<AuditSink> = {}) {
  const log: string[] = [];
  const opened: AuditConfiguration[] = [];
  const done: string[] = [];
  const listeners = new Set<() => void>();
  const state = { wanted: { ...OFF, ...first } };
  const trail = createAuditTrail({
    configuration: {
      current: () => state.wanted,
      onChange(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    openSinks(wanted) {
      if (wanted.syslogAddress === 'wrong') throw new Error('wrong address');
      const number = opened.push(wanted);
      const sink = {
        write: (it: AuditEvent) => void done.push(`${number}:${it.job_id}`),
        problem: () => null,
        close: async () => void done.push(`${number}:closed`),
      };
      return [{ ...sink, ...broken }, sink];
    },
    logger: createLogger({ write: (line) => log.push(line) }),
    chain: { next: (it) => it, close: () => undefined },
  });
  const change = (next: Partial<AuditConfiguration>) => {
    state.wanted = { ...state.wanted, ...next };
    for (const listener of listeners) listener();
  };
  return { trail, change, opened, done, log, listeners };
}

describe('the audit trail', () => {
  it('opens nothing while the audit log is off', () => {
    const { trail, opened, done } = setUp({});
    trail.write(event('a'));
    expect([opened, done]).toEqual([[], []]);
  });

  it('writes to every sink once it is switched on, and closes them when it is switched off', async () => {
    const { trail, change, done } = setUp({});
    change({ enabled: true });
    trail.write(event('a'));
    change({ enabled: false });
    trail.write(event('b'));
    await trail.close();
    expect(done).toEqual(['1:a', '1:a', '1:closed', '1:closed']);
  });

  it('opens its sinks anew only when their own settings change', async () => {
    const { trail, change, opened, done } = setUp({ enabled: true });
    change({});
    change({ format: 'text' });
    trail.write(event('a'));
    await trail.close();
    expect(opened.map((wanted) => wanted.format)).toEqual(['json', 'text']);
    expect(done.sort()).toEqual(['1:closed', '1:closed', '2:a', '2:a', '2:closed', '2:closed']);
  });

  it('goes on with the other sinks when one fails to write or close, and says so in the log', async () => {
    const fail = () => {
      throw new Error('the sink broke');
    };
    const { trail, done, log, listeners } = setUp(
      { enabled: true },
      { write: fail, close: async () => fail() },
    );
    trail.write(event('a'));
    await trail.close();
    trail.write(event('b'));
    expect(done).toEqual(['1:a', '1:closed']);
    expect(log.filter((line) => line.includes('the sink broke'))).toHaveLength(2);
    expect(listeners.size).toBe(0);
  });

  it('stays silent with a line in the log when its settings cannot work', () => {
    const { trail, change, log } = setUp({ enabled: true, syslogAddress: 'wrong' });
    trail.write(event('a'));
    expect(log.join('')).toContain('wrong address');
    change({ syslogAddress: null });
    trail.write(event('b'));
  });

  it('follows the settings room', async () => {
    const room = await startSettings();
    try {
      const source = auditConfiguration(room.settings);
      let heard = 0;
      const stop = source.onChange(() => (heard += 1));
      expect(source.current()).toEqual(OFF);
      const changes = { AUDIT_LOG_ENABLED: true, AUDIT_LOG_FILE: 'audit.log', AUDIT_LOG_FORMAT: 'text' };
      await room.call('PUT', '/admin/settings', { changes });
      stop();
      await room.call('PUT', '/admin/settings', { changes: { AUDIT_LOG_FILE: '/var/log/fax.log' } });
      expect(heard).toBe(1);
      expect(source.current()).toEqual({ ...OFF, enabled: true, format: 'text', file: '/var/log/fax.log' });
    } finally {
      await room.stop();
      await removeFolder(room.folder);
    }
  });
});
