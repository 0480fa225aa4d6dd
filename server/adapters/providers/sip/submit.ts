import { Buffer } from 'node:buffer';
import { computerTimeZone } from '../../../../shared/date-format.ts';
import { headerTime } from '../../../../shared/header-line.ts';
import { type FaxToSend, TransportError } from '../../../features/outbound/transport-port.ts';
import { AmiError } from '../../../platform/ami/error.ts';
import { documentUnreadable } from '../failures.ts';
import { dialedNumber, type SipAccount } from './account.ts';
import type { Engine } from './engine.ts';
import { callFailure, queryFailure } from './failures.ts';
import type { Line } from './line.ts';

/**
 * Draws the pages, leaves them for the engine and has it begin the call, once. The id of the attempt is that of the channel, so
 * that the call is found again whatever happens here. Throws TransportError.
 */
export async function submit(
  line: Line,
  account: SipAccount,
  request: FaxToSend,
): Promise<{ reference: string }> {
  const { attemptId } = request;
  const engine = line.engines.forAccount(account);
  const path = line.images.pathAtEngine(attemptId, account.engineFolder);
  if (path === null) throw unreachableFolder();
  await assertNew(engine, attemptId);
  const pages = await draw(line, account, request);
  try {
    await engine.recordStart(attemptId, pages);
    await line.images.publish(attemptId);
  } catch (error) {
    throw error instanceof AmiError ? queryFailure(error) : documentUnreadable(account, error);
  }
  try {
    await engine.originate({
      attemptId,
      trunk: account.trunk,
      dialed: dialedNumber(account, request.to),
      callerId: request.from,
      variables: variablesOf(account, request, { path, pages }),
    });
  } catch (error) {
    const failure = callFailure(error);
    if (failure instanceof TransportError && failure.certainty !== 'unknown')
      await line.images.remove(attemptId);
    throw failure;
  }
  line.watch.scheduleQuery(attemptId);
  return { reference: attemptId };
}

/**
 * Throws when the engine has a record of the attempt: its call was requested before, even if the gateway lost track of
 * that.
 */
async function assertNew(engine: Engine, attemptId: string): Promise<void> {
  try {
    const known = (await engine.fetchOutcome(attemptId)) ?? (await engine.liveCall(attemptId));
    if (known === null) return;
  } catch (error) {
    throw queryFailure(error);
  }
  throw new TransportError('sip: the engine already has this attempt', {
    certainty: 'unknown',
    category: 'transport_ambiguous',
    publicMessage: 'The telephone engine has already made a call for this fax.',
  });
}

async function draw(line: Line, account: SipAccount, request: FaxToSend): Promise<number> {
  const { path, key } = request.document;
  try {
    const { pages } = await line.drawFax(key ? { path, key } : path, line.images.draftOf(request.attemptId), {
      headerLine: { parts: headerParts(line, request), isNumbered: true },
      cleanGreys: false,
      resolution: 'fine',
    });
    return pages;
  } catch (cause) {
    throw documentUnreadable(account, cause);
  }
}

/** The line is drawn here, so that the pages arrive as the preview showed them; the engine adds none. */
function headerParts({ clock }: Line, { header }: FaxToSend): string[] {
  const zone = header?.timeZone ?? computerTimeZone();
  const time = headerTime(clock.now(), zone);
  return header === null ? [time] : [time, header.text];
}

function variablesOf(
  account: SipAccount,
  request: FaxToSend,
  { path, pages }: { path: string; pages: number },
): Record<string, string> {
  const station = account.stationId ?? request.from ?? '';
  const { withoutEcm, withoutT38, mostRate } = request.limits;
  return {
    FAXDESK_JOB: request.jobId,
    FAXDESK_FILE: path,
    FAXDESK_PAGES: String(pages),
    FAXDESK_ECM: account.ecm && !withoutEcm ? 'yes' : 'no',
    FAXDESK_T38: account.t38 && !withoutT38 ? 'yes' : 'no',
    FAXDESK_MAXRATE: String(Math.min(account.mostRate, mostRate ?? account.mostRate)),
    FAXDESK_STATION_ID: Buffer.from(station.slice(0, 20)).toString('base64'),
    FAXDESK_HEADER: '',
  };
}

function unreachableFolder(): TransportError {
  return new TransportError('sip: the path of the data folder cannot be used in the dialplan', {
    certainty: 'not_accepted',
    category: 'refused',
    publicMessage:
      'The path of the data folder has characters that the telephone engine cannot read. Set “Data folder at the engine” to a path without them.',
  });
}
