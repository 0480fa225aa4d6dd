import type { z } from 'zod';
import {
  type ConfigurationMeta,
  INVALID_CONFIGURATION,
  type ProviderAnswer,
  type SettingAnswer,
  type SettingJson,
  type SettingsRevision,
} from '../../../shared/api/settings.ts';
import { InvalidBodyError } from '../../http/error-handler.ts';
import { SettingsInvalidError } from './errors.ts';
import type { AnyValue, ApplyState, RevisionRecord, ShownProvider, ShownSetting } from './types.ts';

export function answerSetting(shown: ShownSetting): z.infer<typeof SettingAnswer> {
  return {
    name: shown.name,
    value: answerValue(shown.value),
    is_set: shown.isSet,
    source: shown.source,
    secret: shown.secret,
    needs_restart: shown.restart,
    opens: [...shown.opens],
    group: shown.group,
    label: shown.label,
    help: shown.help,
    type: shown.type,
    choices: shown.choices === null ? null : [...shown.choices],
    format: shown.format,
    least: shown.least,
    most: shown.most,
    rule: shown.rule,
    warning: shown.warning,
  };
}

export function answerProvider(shown: ShownProvider): z.infer<typeof ProviderAnswer> {
  return {
    backend: shown.backend,
    name: shown.displayName,
    help: shown.help,
    settings: Object.keys(shown.settings),
    essentials: [...shown.essentials],
    optional: [...shown.optional],
    header_own_form: [...shown.headerOwnForm],
    notification_problem: shown.notificationProblem,
  };
}

export function answerMeta(state: ApplyState): z.infer<typeof ConfigurationMeta> {
  return {
    active_revision_id: state.active.id,
    desired_revision_id: state.desired.id,
    generation: state.active.generation,
    apply_state: state.pendingRestart ? 'pending_restart' : 'applied',
    restart_recommended: state.pendingRestart,
  };
}

export function answerRevision(record: RevisionRecord): z.infer<typeof SettingsRevision> {
  return {
    id: record.id,
    generation: record.generation,
    created_at: record.createdAt,
    actor: { ...record.actor },
    changes: record.changes.map((change) => ({
      ...change,
      from: answerValue(change.from),
      to: answerValue(change.to),
    })),
  };
}

/** Problems become places in the body, all with the same words. */
export async function withFields<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SettingsInvalidError)) throw error;
    throw new InvalidBodyError(
      error.problems.map((problem) => ({
        loc: ['body', ...problem.at],
        type: problem.type,
        msg: INVALID_CONFIGURATION,
      })),
      'invalid_settings',
    );
  }
}

function answerValue(value: AnyValue): z.infer<typeof SettingJson> {
  return typeof value === 'object' && value !== null ? [...value] : value;
}
