import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatVariable } from '../../../platform/ami/message.ts';
import { newId } from '../../../platform/ids.ts';
import { copyShared, makeSharedFolder } from '../../../platform/shared-folder.ts';
import type { LineSetup } from '../configuration/types.ts';
import type { TelephonyParts } from '../parts.ts';
import type { EngineSession } from './engine-session.ts';
import { type LineCheck, ok, problem } from './line-check.ts';

/** Folder from which the engine reads the pages of the faxes that it sends, below the data folder. */
export const OUTGOING_FOLDER = 'telephony/outgoing';

const PAGE = fileURLToPath(new URL('../../../../resources/telephony/check-page.tiff', import.meta.url));
const EVENT_TIMEOUT_MS = 10_000;
/** A page takes 15 seconds within the engine; a machine that does other things takes longer. */
const LOOP_TIMEOUT_MS = 120_000;

/** Checks the access of the engine's user to the shared folder, by trying it as that user. */
export async function checkFolder(
  session: EngineSession,
  parts: TelephonyParts,
  { engine }: LineSetup,
): Promise<LineCheck> {
  const event = await withPage(parts, (check) =>
    session.waitForEvent({ name: 'FaxdeskChecked', check, waitMs: EVENT_TIMEOUT_MS }, () =>
      session.send([
        ['Action', 'Originate'],
        ['Channel', 'Local/s@faxdesk-check'],
        ['Application', 'NoOp'],
        ['Async', 'true'],
        ['Variable', formatVariable('__FAXDESK_CHECK', check)],
      ]),
    ),
  );
  if (event === null) return problem('folder', 'Asterisk did not report its access to the data folder.');
  const may = (name: string) => event.get(name) === 'SUCCESS';
  if (!may('Folder'))
    return problem(
      'folder',
      `The Asterisk user cannot reach ${engine.folder}. Share the data folder there, give the user’s group access to it and to the folders above it, or correct “Data folder at the engine”.`,
    );
  const cannot = [
    ...(may('Inbound') ? [] : ['write to inbound']),
    ...(may('Secret') ? [] : ['read telephony/inbound-secret']),
    ...(may('Outgoing') ? [] : ['read the files in telephony/outgoing']),
  ];
  if (cannot.length > 0)
    return problem(
      'folder',
      `The Asterisk user cannot ${cannot.join(' or ')} in ${engine.folder}. Share inbound and telephony with its group.`,
    );
  if (!may('Script'))
    return problem('folder', 'Asterisk cannot run faxdesk-hand-over.sh, or curl is not installed there.');
  return ok('folder', 'Asterisk can read and write the shared folder and deliver faxes to Faxdesk.');
}

/** Sends a fax from the engine to itself, which leaves nothing behind. */
export async function checkLoop(session: EngineSession, parts: TelephonyParts): Promise<LineCheck> {
  const event = await withPage(parts, (check) =>
    session.waitForEvent({ name: 'FaxdeskLooped', check, waitMs: LOOP_TIMEOUT_MS }, () =>
      session.send([
        ['Action', 'Originate'],
        ['Channel', 'Local/receive@faxdesk-loop/n'],
        ['Context', 'faxdesk-loop'],
        ['Exten', 'send'],
        ['Priority', '1'],
        ['Async', 'true'],
        ['Variable', formatVariable('__FAXDESK_CHECK', check)],
      ]),
    ),
  );
  if (event?.get('Status') === 'SUCCESS')
    return ok('loop', 'A page went through Asterisk from one end to the other.');
  const words = Buffer.from(event?.get('Words') ?? '', 'base64').toString('utf8');
  const reason = words === '' ? 'it did not say why' : `it says "${words}"`;
  return problem('loop', `A page did not go through Asterisk; ${reason}.`);
}

/** Runs the work while a page lies where the engine reads the pages of faxes. */
async function withPage<T>({ dataFolder }: TelephonyParts, work: (check: string) => Promise<T>): Promise<T> {
  const check = `check-${newId()}`;
  const folder = join(dataFolder, OUTGOING_FOLDER);
  const path = join(folder, `${check}.tiff`);
  await makeSharedFolder(folder);
  try {
    await copyShared(PAGE, path);
    return await work(check);
  } finally {
    await rm(path, { force: true });
  }
}
