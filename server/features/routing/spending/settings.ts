import type { SettingsReader } from '../../settings/types.ts';
import type { SpendingSettings } from './limits.ts';

export const SPENDING_SETTINGS = [
  'SPENDING_CURRENCY',
  'SPENDING_DAY',
  'SPENDING_MONTH',
  'SPENDING_PERSON_DAY',
  'SPENDING_PERSON_MONTH',
] as const;

/** The settings of the limits: values in force now. */
export function spendingSettings(
  settings: SettingsReader<(typeof SPENDING_SETTINGS)[number]>,
): SpendingSettings {
  return {
    currency: () => settings.get('SPENDING_CURRENCY'),
    perDay: () => settings.get('SPENDING_DAY'),
    perMonth: () => settings.get('SPENDING_MONTH'),
    personPerDay: () => settings.get('SPENDING_PERSON_DAY'),
    personPerMonth: () => settings.get('SPENDING_PERSON_MONTH'),
  };
}

/** Returns a warning about amounts without a currency, which hold nothing. */
export function spendingWarnings(settings: SpendingSettings): string[] {
  const amounts = [
    settings.perDay(),
    settings.perMonth(),
    settings.personPerDay(),
    settings.personPerMonth(),
  ];
  if (settings.currency() !== null || amounts.every((amount) => amount === null)) return [];
  return ['No spending limit applies, because no currency is chosen in the settings.'];
}
