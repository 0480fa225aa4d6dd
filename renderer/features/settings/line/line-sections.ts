import type { Setting } from '../../../api/settings.ts';
import type { t } from '../../../texts/administration.ts';

export type SectionId = keyof typeof t.settings.line.sections;

/** In the order of the work; some are also on other pages, since a phone line needs them together. */
const SECTIONS: readonly (readonly [SectionId, readonly string[]])[] = [
  [
    'carrier',
    [
      'TRUNK_PRESET',
      'TRUNK_HOST',
      'TRUNK_PORT',
      'TRUNK_TRANSPORT',
      'TRUNK_AUTHENTICATION',
      'TRUNK_USER',
      'TRUNK_PASSWORD',
      'TRUNK_DIAL_FORMAT',
      'TRUNK_DIAL_PREFIX',
    ],
  ],
  ['numbers', ['FAX_NUMBER', 'FAX_ORGANIZATION', 'TRUNK_STATION_ID']],
  ['lines', ['TRUNK_LINES', 'FAX_CALLS_PER_NUMBER']],
  [
    'faxes',
    ['TRUNK_T38', 'TRUNK_T38_CORRECTION', 'TRUNK_EVEN_PORTS', 'TRUNK_ECM', 'TRUNK_MOST_RATE', 'TRUNK_CODECS'],
  ],
  ['network', ['TRUNK_EXTERNAL_ADDRESS', 'TRUNK_LOCAL_NETS']],
  [
    'engine',
    ['TELEPHONY_HOST', 'TELEPHONY_PORT', 'TELEPHONY_USER', 'TELEPHONY_PASSWORD', 'TELEPHONY_ENGINE_FOLDER'],
  ],
  ['use', ['FAX_BACKEND', 'INBOUND_ENABLED']],
];

interface LineSection {
  readonly id: SectionId;
  readonly settings: readonly Setting[];
}

/** The settings that a phone line needs, of whatever group. One of its own group that stands nowhere else stands in the last. */
export function lineSections(own: readonly Setting[], all: readonly Setting[]): readonly LineSection[] {
  const placed = new Set(SECTIONS.flatMap(([, names]) => names));
  const left = own.filter(({ name }) => !placed.has(name));
  return SECTIONS.map(([id, names], n) => ({
    id,
    settings: [
      ...names.flatMap((name) => all.filter((setting) => setting.name === name)),
      ...(n === SECTIONS.length - 1 ? left : []),
    ],
  }));
}
