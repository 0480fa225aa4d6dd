import { AmiError } from '../../../platform/ami/error.ts';
import { setupOrProblem } from '../configuration/line-setup.ts';
import { fingerprintOf } from '../configuration/render.ts';
import type { LineSetup } from '../configuration/types.ts';
import type { TelephonyParts } from '../parts.ts';
import { checkFolder, checkLoop } from './check-calls.ts';
import { checkTrunk } from './check-trunk.ts';
import { type EngineSession, openEngineSession } from './engine-session.ts';
import { isOk, type LineCheck, ok, problem } from './line-check.ts';

/** Modules without which faxes can neither be sent nor received. */
const MODULES = [
  'res_fax',
  'res_fax_spandsp',
  'chan_pjsip',
  'res_pjsip_t38',
  'pbx_config',
  'app_userevent',
  'app_system',
  'app_stack',
  'func_base64',
  'func_db',
  'func_env',
  'func_strings',
];

/**
 * Checks everything that faxing over the line needs, from the settings to a fax within the engine when a loop is
 * requested; skips checks that depend on one that failed. A failed check is a result and throws nothing.
 */
export async function checkLine(parts: TelephonyParts, { loop }: { loop: boolean }): Promise<LineCheck[]> {
  const { setup, missing } = await setupOrProblem(parts);
  if (setup === null) return [problem('settings', missing)];
  const session = openEngineSession(parts.settings.engineHost(), setup.engine.manager);
  try {
    const first = [ok('settings', 'The phone line is set up.'), await checkEngine(session, parts, setup)];
    return first.every(isOk) ? [...first, ...(await checkRest(session, { parts, setup, loop }))] : first;
  } finally {
    session.close();
  }
}

async function checkEngine(
  session: EngineSession,
  { settings }: TelephonyParts,
  { engine }: LineSetup,
): Promise<LineCheck> {
  const where = `${settings.engineHost()}:${engine.manager.port}`;
  try {
    const { response } = await session.send([['Action', 'CoreSettings']]);
    return ok('engine', `Asterisk ${response.get('AsteriskVersion') ?? ''} answers at ${where}.`);
  } catch (error) {
    if (!(error instanceof AmiError)) throw error;
    return problem('engine', sentenceOf(error, where));
  }
}

function sentenceOf({ reason }: AmiError, where: string): string {
  if (reason === 'sign_in')
    return 'The telephone engine refuses the user or the password. Write its configuration again and restart it, or compare them with its manager.conf.';
  if (reason === 'protocol') return `The program at ${where} is not the manager interface of Asterisk.`;
  return `No telephone engine answers at ${where}. Check that Asterisk runs and that manager.conf is in place.`;
}

async function checkRest(
  session: EngineSession,
  { parts, setup, loop }: { parts: TelephonyParts; setup: LineSetup; loop: boolean },
): Promise<LineCheck[]> {
  try {
    const modules = await checkModules(session);
    const configuration = await checkConfiguration(session, setup);
    const trunk = await checkTrunk(session, setup);
    if (!isOk(configuration)) return [modules, configuration, trunk];
    const folder = await checkFolder(session, parts, setup);
    const all = [modules, configuration, trunk, folder];
    return loop && isOk(modules) && isOk(folder) ? [...all, await checkLoop(session, parts)] : all;
  } catch (error) {
    if (!(error instanceof AmiError)) throw error;
    return [problem('engine', 'The telephone engine stopped answering during the check. Check again.')];
  }
}

async function checkModules(session: EngineSession): Promise<LineCheck> {
  const missing: string[] = [];
  for (const name of MODULES) {
    const action = [
      ['Action', 'ModuleCheck'],
      ['Module', name],
    ] as const;
    if (!(await session.succeeds(action))) missing.push(name);
  }
  if (missing.length === 0) return ok('modules', 'All modules are loaded.');
  return problem('modules', `Asterisk has not loaded ${joinNames(missing)}. ${adviceOn(missing)}`);
}

const joinNames = (names: readonly string[]) =>
  [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' and ');

function adviceOn(missing: readonly string[]): string {
  return missing.some((name) => name.startsWith('res_fax'))
    ? 'Install its fax modules (on Debian and Ubuntu in the package asterisk-modules), and restart Asterisk.'
    : 'Install what is missing, let modules.conf load it, and restart Asterisk.';
}

async function checkConfiguration(session: EngineSession, setup: LineSetup): Promise<LineCheck> {
  const { response } = await session.send([
    ['Action', 'Getvar'],
    ['Variable', 'FAXDESK_CONFIGURATION'],
  ]);
  const found = response.get('Value') ?? '';
  const write =
    'Write it under “Phone line” in Settings or with "faxdesk telephony config", and restart Asterisk.';
  if (found === '')
    return problem('configuration', `Asterisk does not use a configuration from Faxdesk. ${write}`);
  return found === fingerprintOf(setup)
    ? ok('configuration', 'Asterisk uses the configuration from these settings.')
    : problem(
        'configuration',
        `Settings were changed since the Asterisk configuration was written. ${write}`,
      );
}
