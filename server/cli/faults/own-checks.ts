import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { SEALED_KEY_MARK } from '../../../shared/data-folder.ts';
import { computerTimeZone } from '../../../shared/date-format.ts';
import { type Fault, faultOf } from '../../../shared/fault-kinds.ts';
import type { BootOptions } from '../../config/boot.ts';
import { KEY_FILES } from '../../config/secrets.ts';
import { writingProblem } from '../../config/writable-folders.ts';
import { NO_BACKUP, NO_PROVIDER, RECENT_BACKUP_MS, SENDING_OFF } from '../../features/console/offline.ts';
import { hasBackupExtension } from '../../platform/backup-name.ts';
import { systemClock } from '../../platform/clock.ts';
import { diskProblem, lowSpaceWarnings } from '../../platform/disk-space.ts';
import { errorCode } from '../../platform/errors.ts';
import { KEY_PROBLEMS, keyStateOf } from '../../platform/key-state.ts';
import { localDay } from '../../platform/local-time.ts';

const DAY_MS = 24 * 3_600_000;
const CERTIFICATE_DAYS = 14;
/** A daily backup of yesterday is recent until its hour of today has passed. */
const DAILY_BACKUP_MS = 2 * DAY_MS;

/** Values of stored settings that are no secrets. */
export type Values = ReadonlyMap<string, unknown>;

/** Lists sentences about folder, disk and settings by the rules of the gateway, for when none runs. */
export async function sentencesWithoutGateway(
  boot: BootOptions,
  stored: { values: Values; keyProof: string | null } | null,
): Promise<string[]> {
  const { dataFolder } = boot;
  const found = await Promise.all([
    writingProblem(dataFolder),
    diskProblem(dataFolder),
    lowSpaceWarnings(dataFolder).then(([sentence = null]) => sentence),
    stored && keyProblem(boot, stored.keyProof),
    stored && backupProblem(dataFolder, stored.values),
  ]);
  const off = stored?.values.get('FAX_DISABLED') === true ? SENDING_OFF : null;
  const none = stored && (stored.values.get('FAX_BACKEND') ?? null) === null ? NO_PROVIDER : null;
  return [...found, off ?? none].filter((sentence) => sentence !== null);
}

/** A key that only the keychain of the desktop application opens counts as the right one. */
async function keyProblem(
  { dataFolder, dataKey }: BootOptions,
  proof: string | null,
): Promise<string | null> {
  const given = dataKey && Buffer.from(Buffer.from(dataKey).toString('base64'));
  const file = given ?? (await readFile(join(dataFolder, KEY_FILES.data)).catch(() => null));
  if (file?.toString('latin1').startsWith(SEALED_KEY_MARK)) return null;
  const state = keyStateOf(file, proof);
  return state === 'whole' ? null : KEY_PROBLEMS[state];
}

async function backupProblem(dataFolder: string, values: Values): Promise<string | null> {
  const chosen = values.get('BACKUP_FOLDER');
  const folder = typeof chosen === 'string' ? chosen : join(dataFolder, 'backups');
  const names = (await readdir(folder).catch(() => [])).filter(hasBackupExtension);
  const times = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).mtimeMs));
  if (times.length === 0) return NO_BACKUP;
  const newest = Math.max(...times);
  const isDaily = (values.get('BACKUP_DAILY_AT') ?? 'off') !== 'off';
  if (systemClock.now() - newest <= (isDaily ? DAILY_BACKUP_MS : RECENT_BACKUP_MS)) return null;
  const country = chosenCountry(values);
  return `The last backup is from ${localDay(newest, { timeZone: computerTimeZone(), country })}.`;
}

function chosenCountry(values: Values): string {
  const country = values.get('FAX_DEFAULT_COUNTRY');
  return typeof country === 'string' ? country : 'US';
}

/** Finds another program on the port of a gateway that does not run. */
export async function portFault({ host, port }: BootOptions): Promise<Fault | null> {
  if (port === 0) return null;
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
    return null;
  } catch (error) {
    if (errorCode(error) !== 'EADDRINUSE') return null;
    return faultOf('port_taken', `Another program uses port ${port}, so Faxdesk cannot start there.`);
  } finally {
    server.close();
  }
}

/** Reads the certificate of the settings: one of the authority of Faxdesk itself is renewed in time. */
export async function certificateFault(values: Values): Promise<Fault | null> {
  const path = values.get('HTTPS_CERTIFICATE_FILE');
  if (values.get('HTTPS_ENABLED') !== true || typeof path !== 'string') return null;
  const ends = await readFile(path).then(
    (pem) => new X509Certificate(pem).validToDate.getTime(),
    () => null,
  );
  // The gateway has a sentence about a file that cannot be read.
  if (ends === null || ends - systemClock.now() > CERTIFICATE_DAYS * DAY_MS) return null;
  const days = Math.floor((ends - systemClock.now()) / DAY_MS);
  const sentence =
    days < 0 ? 'has expired' : `ends ${days === 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`}`;
  return faultOf('certificate', `The HTTPS certificate in ${path} ${sentence}.`);
}
