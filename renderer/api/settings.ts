import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import {
  ConfigurationValidationErrorResponse,
  type SettingAnswer,
  type SettingJson,
  type SettingsAnswer,
  type SettingsRevision,
} from '../../shared/api/settings.ts';
import type { Backend } from '../../shared/backends.ts';
import type { HeaderOwnForm } from '../../shared/header-line.ts';
import { client } from './client.ts';
import { queryClient } from './queries.ts';
import { isRefused } from './sentence.ts';

export type Setting = z.infer<typeof SettingAnswer>;
export type Settings = z.infer<typeof SettingsAnswer>;
export type SettingValue = z.infer<typeof SettingJson>;
export type Revision = z.infer<typeof SettingsRevision>;
export type SettingChanges = Readonly<Record<string, SettingValue>>;

/** All settings as they were saved last. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => client.settings.read({ signal }),
});

/**
 * Saves all changes or none, on top of the revision that was read, then reads everything that depends on settings
 * again. Rejects with 409 when another change was saved since, and with 422 when values are invalid.
 */
export async function saveSettings(changes: SettingChanges, revisionId: string): Promise<void> {
  await client.settings.write({ body: { changes: { ...changes }, expected_revision_id: revisionId } });
  await refetchSettings();
}

export async function refetchSettings(): Promise<void> {
  const names = ['settings', 'installation', 'context', 'telephony-line'];
  await Promise.all(names.map((name) => queryClient.invalidateQueries({ queryKey: [name] })));
}

/** The settings that a refused write named; empty when it was refused for another reason. */
export function refusedNames(error: unknown): ReadonlySet<string> {
  if (!isRefused(error, 'invalid_settings', 'invalid_body')) return new Set();
  const refusal = ConfigurationValidationErrorResponse.safeParse(error.body);
  if (!refusal.success) return new Set();
  return new Set(refusal.data.detail.map(({ loc }) => String(loc.at(-1))));
}

export interface Provider {
  readonly backend: Backend;
  /** Name in use among people. */
  readonly name: string;
  /** One sentence for who chooses. */
  readonly help: string;
  /** The group of its settings. */
  readonly group: string;
  readonly settings: readonly Setting[];
  /** The settings that a person who has an account enters. */
  readonly essentials: ReadonlySet<string>;
  /** Those of the essentials that may stay empty: they only confirm where messages come from. */
  readonly optional: ReadonlySet<string>;
  /** Parts of the header line that the provider prints in a form of its own. */
  readonly headerOwnForm: readonly HeaderOwnForm[];
  /** Reason why its notifications of received faxes cannot be verified with the saved settings; null when they can. */
  readonly notificationProblem: Settings['providers'][number]['notification_problem'];
}

/** Returns the providers that can be set up. */
export function providersOf({ settings, providers }: Settings): readonly Provider[] {
  return providers.flatMap(
    ({ settings: names, essentials, optional, header_own_form, notification_problem, ...words }) => {
      const own = settings.filter(({ name }) => names.includes(name));
      const [first] = own;
      if (!first) return [];
      return {
        ...words,
        group: first.group,
        settings: own,
        essentials: new Set(essentials),
        optional: new Set(optional),
        headerOwnForm: header_own_form,
        notificationProblem: notification_problem,
      };
    },
  );
}
