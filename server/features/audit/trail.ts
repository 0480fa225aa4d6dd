import type { AuditEvent, AuditSink } from '../../adapters/audit/port.ts';
import type { Logger } from '../../platform/logger.ts';
import type {
  AuditChain,
  AuditConfiguration,
  AuditConfigurationSource,
  AuditTrail,
  OpenSinks,
} from './types.ts';

const NOT_OPEN =
  'The audit log cannot be opened, so no audit lines are written. Check its settings. The log has the details.';

interface TrailParts {
  configuration: AuditConfigurationSource;
  openSinks: OpenSinks;
  logger: Logger;
  chain: AuditChain;
}

/** Creates the trail over the configured sinks, which are reopened when those settings change. */
export function createAuditTrail(parts: TrailParts): AuditTrail {
  const logger = parts.logger.room('audit');
  let wanted = parts.configuration.current();
  let sinks = openOrReport(parts.openSinks, wanted, logger);
  let closing: Promise<unknown> = Promise.resolve();

  const stopListening = parts.configuration.onChange(() => {
    const next = parts.configuration.current();
    if (JSON.stringify(next) === JSON.stringify(wanted)) return;
    wanted = next;
    const old = sinks;
    sinks = openOrReport(parts.openSinks, next, logger);
    closing = closing.then(() => closeAll(old, logger));
  });

  return {
    write(event) {
      if (sinks.length === 0) return;
      const line = parts.chain.next(event, wanted.format);
      for (const sink of sinks) writeOrReport(sink, line, logger);
    },
    problems() {
      if (wanted.enabled && sinks.length === 0) return [NOT_OPEN];
      return sinks.map((sink) => sink.problem()).filter((problem) => problem !== null);
    },
    async close() {
      stopListening();
      const last = sinks;
      sinks = [];
      await closing;
      await closeAll(last, logger);
      parts.chain.close();
    },
  };
}

function openOrReport(openSinks: OpenSinks, wanted: AuditConfiguration, logger: Logger): AuditSink[] {
  if (!wanted.enabled) return [];
  try {
    return openSinks(wanted);
  } catch (error) {
    logger.error({ error }, 'the audit log could not be opened; no audit lines are written');
    return [];
  }
}

function writeOrReport(sink: AuditSink, event: AuditEvent, logger: Logger): void {
  try {
    sink.write(event);
  } catch (error) {
    logger.error({ error, event: event.event, job_id: event.job_id }, 'an audit line could not be written');
  }
}

async function closeAll(sinks: readonly AuditSink[], logger: Logger): Promise<void> {
  for (const sink of sinks) {
    try {
      await sink.close();
    } catch (error) {
      logger.error({ error }, 'an audit sink could not be closed');
    }
  }
}
