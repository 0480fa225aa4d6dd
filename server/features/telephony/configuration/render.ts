import { readFile } from 'node:fs/promises';
import { sha256Hex } from '../../../platform/hash.ts';
import { type Fillings, fillTemplate } from './fill-template.ts';
import { dialplanFolder, dialplanText, lineValue, shellWord } from './line-text.ts';
import { pjsipFillings } from './pjsip-lines.ts';
import type { EngineSetup, LineSetup } from './types.ts';

/** The files that the engine is configured by, in `resources/telephony/templates`. */
export const CONFIGURATION_FILES = [
  'pjsip.conf',
  'extensions.conf',
  'manager.conf',
  'udptl.conf',
  'rtp.conf',
  'res_fax.conf',
  'modules.conf',
  'faxdesk-hand-over.sh',
] as const;

type ConfigurationFile = (typeof CONFIGURATION_FILES)[number];

/** Texts by the names of files. */
type ConfigurationTexts = Readonly<Record<ConfigurationFile, string>>;

const TEMPLATES = new URL('../../../../resources/telephony/templates/', import.meta.url);

/** Reads the templates that ship with the gateway. */
export async function readTemplates(): Promise<ConfigurationTexts> {
  const entries = CONFIGURATION_FILES.map(
    async (name) => [name, await readFile(new URL(name, TEMPLATES), 'utf8')] as const,
  );
  return Object.fromEntries(await Promise.all(entries)) as ConfigurationTexts;
}

/**
 * Renders the configuration of the telephone engine: the templates filled with the setup. The same setup gives the same
 * files. Throws ConfigurationError, whose sentence names the value, for one that a file cannot hold.
 */
export function renderConfiguration(templates: ConfigurationTexts, setup: LineSetup): ConfigurationTexts {
  const fillings = fillingsOf(setup);
  const entries = CONFIGURATION_FILES.map((name) => [name, fillTemplate(templates[name], fillings[name])]);
  return Object.fromEntries(entries) as ConfigurationTexts;
}

function fillingsOf(setup: LineSetup): Readonly<Record<ConfigurationFile, Fillings>> {
  const { engine, trunk } = setup;
  const [rtpStart, rtpEnd] = engine.rtpPorts.map(String) as [string, string];
  const [udptlStart, udptlEnd] = engine.udptlPorts.map(String) as [string, string];
  const ecm = trunk.ecm ? 'yes' : 'no';
  const mostRate = String(trunk.mostRate);
  return {
    'pjsip.conf': pjsipFillings(setup),
    'extensions.conf': { ...dialplanFillings(setup), ecm, mostRate },
    'manager.conf': managerFillings(engine),
    'udptl.conf': { udptlStart, udptlEnd, evenPorts: trunk.evenPorts ? 'yes' : 'no' },
    'rtp.conf': { rtpStart, rtpEnd },
    'res_fax.conf': { ecm, mostRate },
    'modules.conf': {},
    'faxdesk-hand-over.sh': {
      folder: shellWord('The data folder', engine.folder),
      address: shellWord('The address of Faxdesk', engine.gatewayUrl),
    },
  };
}

function dialplanFillings(setup: LineSetup): Fillings {
  const { engine, trunk, ownNumber } = setup;
  return {
    fingerprint: fingerprintOf(setup),
    folder: dialplanFolder('The data folder', engine.folder),
    stationId: dialplanText(trunk.stationId ?? ownNumber ?? ''),
    // T.38 and, where the other side cannot, sound; or sound alone. Both with events of what is going on.
    receiveOptions: trunk.t38 ? 'fs' : 'Fs',
  };
}

/**
 * Returns a fingerprint that changes with every setting that the files are written from; the address and ports of this
 * computer are supplied when they are written.
 */
export function fingerprintOf({ engine, trunk, ownNumber }: LineSetup): string {
  const { folder, manager } = engine;
  return sha256Hex(JSON.stringify([folder, manager.user, manager.password, trunk, ownNumber])).slice(0, 16);
}

function managerFillings({ manager }: EngineSetup): Fillings {
  const isLocal = /^(127\.|::1$)/u.test(manager.bind);
  return {
    managerBind: lineValue('The address of the manager interface', manager.bind),
    managerPort: String(manager.port),
    managerUser: lineValue('The user of the manager interface', manager.user),
    managerPassword: lineValue('The password of the manager interface', manager.password),
    managerAccess: isLocal ? ['deny=0.0.0.0/0.0.0.0', 'permit=127.0.0.0/255.0.0.0', 'permit=::1/128'] : [],
  };
}
