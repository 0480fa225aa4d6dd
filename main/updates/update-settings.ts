import { posix } from 'node:path';
import type { OfficeDecisions } from '../office-file.ts';
import { SEVERAL_PEOPLE } from './installation-check.ts';

/** Place where new releases are kept: a folder, or the address of one. */
export type Feed =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'web'; readonly address: string }
  /** Releases of a project, such as `example/faxdesk`. */
  | { readonly kind: 'github'; readonly project: string };

/** Sources of the place of new versions, beside the environment. */
export interface UpdateSources {
  /** Null when the file of the office cannot be read. */
  readonly office: OfficeDecisions | null;
  readonly isTerminalServer: boolean;
}

export type UpdateSettings =
  | { readonly kind: 'on'; readonly feed: Feed }
  | { readonly kind: 'off'; readonly sentence: string };

const NOT_SET = 'This computer does not look for new versions: no place to look for them is set.';
const OFF = 'This computer does not look for new versions.';
const OFF_BY_OFFICE = 'Your office decides when this computer gets a new version.';
const OFFICE_DAMAGED =
  'Faxdesk cannot read how your office handles new versions, so it does not look for any. Ask the person who manages this computer.';
const NOT_A_FEED =
  'Faxdesk cannot use the place that is set for new versions, so it does not look for any. Ask the person who manages this computer.';

/**
 * The office's file decides where it has the key `updates`, and else `FAXDESK_UPDATES`. A file that cannot be read turns
 * them off: the office may have wanted that. A terminal server has none, because an installation would end the programs of others.
 */
export function readUpdateSettings(
  sources: UpdateSources & { readonly environment: string | undefined },
): UpdateSettings {
  const { office } = sources;
  if (office === null) return { kind: 'off', sentence: OFFICE_DAMAGED };
  if (sources.isTerminalServer && office.updates !== 'off') return { kind: 'off', sentence: SEVERAL_PEOPLE };
  if (office.updates !== undefined) return settingsOf(office.updates, OFF_BY_OFFICE);
  const own = sources.environment?.trim() ?? '';
  return own === '' ? { kind: 'off', sentence: NOT_SET } : settingsOf(own, OFF);
}

function settingsOf(value: string, off: string): UpdateSettings {
  if (value === 'off') return { kind: 'off', sentence: off };
  const feed = feedOf(value);
  return feed === null ? { kind: 'off', sentence: NOT_A_FEED } : { kind: 'on', feed };
}

function feedOf(value: string): Feed | null {
  const [, project] = /^github:([\w.-]+\/[\w.-]+)$/u.exec(value) ?? [];
  if (project !== undefined) return { kind: 'github', project };
  if (posix.isAbsolute(value) || /^([A-Za-z]:[\\/]|\\\\)/u.test(value))
    return { kind: 'folder', path: value };
  return webFeed(value);
}

/** Plain HTTP only on this computer: on the way, anybody could exchange entry and installer together. */
function webFeed(value: string): Feed | null {
  const url = URL.parse(value);
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    return null;
  const isOwn = url.protocol === 'http:' && (url.hostname === '127.0.0.1' || url.hostname === '[::1]');
  if (url.protocol !== 'https:' && !isOwn) return null;
  return { kind: 'web', address: url.href.endsWith('/') ? url.href : `${url.href}/` };
}
