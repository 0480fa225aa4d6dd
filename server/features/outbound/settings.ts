import { parseCheapHours } from '../../platform/cheap-hours.ts';
import { reachableAddress } from '../../platform/outside-address.ts';
import type { Settings, SettingsReader } from '../settings/types.ts';
import type { OutboundSettings } from './parts.ts';

export const OUTBOUND_SETTINGS = [
  'FAX_DISABLED',
  'FAX_AUTOMATIC_TRIES',
  'FAX_CALLS_PER_NUMBER',
  'FAX_DEFAULT_COUNTRY',
  'FAX_ORGANIZATION',
  'FAX_NUMBER',
  'TIME_ZONE',
  'PUBLIC_API_URL',
  'PDF_TOKEN_TTL_MINUTES',
  'MAX_FILE_SIZE_MB',
  'GUARD_BLOCKED',
  'GUARD_OPTED_OUT',
  'GUARD_VOICE_NUMBER',
  'GUARD_OWN_NUMBER',
  'GUARD_SWAPPED_DIGITS',
  'GUARD_NEAR_CONTACT',
  'GUARD_FAILING',
  'GUARD_SAME_DOCUMENT',
  'GUARD_FIRST_TIME',
  'ARTIFACT_TTL_DAYS',
  'CLEANUP_INTERVAL_MINUTES',
  'REFERENCE_LABEL',
  'CHEAP_HOURS',
] as const;

/** The settings as this room reads them: values in force now. */
export function outboundSettings(
  settings: SettingsReader<(typeof OUTBOUND_SETTINGS)[number]> & Pick<Settings, 'snapshot'>,
): OutboundSettings {
  return {
    sendingDisabled: () => settings.get('FAX_DISABLED'),
    automaticTries: () => settings.get('FAX_AUTOMATIC_TRIES'),
    callsPerNumber: () => settings.get('FAX_CALLS_PER_NUMBER'),
    country: () => settings.get('FAX_DEFAULT_COUNTRY'),
    organization: () => settings.get('FAX_ORGANIZATION'),
    ownNumber: () => settings.get('FAX_NUMBER'),
    timeZone: () => settings.get('TIME_ZONE'),
    publicUrl: () => reachableAddress(settings.get('PUBLIC_API_URL')),
    linkMinutes: () => settings.get('PDF_TOKEN_TTL_MINUTES'),
    maxFileBytes: () => settings.get('MAX_FILE_SIZE_MB') * 1024 * 1024,
    guard: () => ({
      blocked: settings.get('GUARD_BLOCKED'),
      opted_out: settings.get('GUARD_OPTED_OUT'),
      voice_number: settings.get('GUARD_VOICE_NUMBER'),
      own_number: settings.get('GUARD_OWN_NUMBER'),
      swapped_digits: settings.get('GUARD_SWAPPED_DIGITS'),
      near_contact: settings.get('GUARD_NEAR_CONTACT'),
      failing: settings.get('GUARD_FAILING'),
      same_document: settings.get('GUARD_SAME_DOCUMENT'),
      first_time: settings.get('GUARD_FIRST_TIME'),
    }),
    artifactDays: () => settings.get('ARTIFACT_TTL_DAYS'),
    cleanupMinutes: () => settings.get('CLEANUP_INTERVAL_MINUTES'),
    cheapHours: () => settings.get('CHEAP_HOURS').flatMap(parseCheapHours),
    referenceLabel: () => settings.get('REFERENCE_LABEL'),
    configuration() {
      const { revisionId, generation } = settings.snapshot();
      return { revisionId, generation };
    },
  };
}
