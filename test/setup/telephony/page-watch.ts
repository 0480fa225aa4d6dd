import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { AmiConnection, Packet } from './ami-connection.ts';

/** Often enough: the confirmation of a page begins with a second of tones. */
const POLL_MS = 50;

/**
 * Comes back when the far end has the whole of so many pages of the fax to a number, and has not yet confirmed the last of them; with none,
 * when the fax begins. Answers the channel of the call. Throws when the fax ends before.
 */
export async function waitForPages(ami: AmiConnection, number: string, pages: number): Promise<string> {
  const name = `${number.replace(/\D/gu, '')}-`;
  for (let known = false; ; await pause(POLL_MS)) {
    const session = (await receivingSessions(ami)).find(({ FileName }) =>
      basename(FileName ?? '').startsWith(name),
    );
    if (session === undefined && known) throw new Error(`the fax to ${number} has ended`);
    known ||= session !== undefined;
    if (session?.['Channel'] !== undefined && Number(session['PagesReceived']) >= pages)
      return session['Channel'];
  }
}

/** Hangs up a call of the far end, as a machine does whose plug is pulled. */
export async function hangUp(ami: AmiConnection, channel: string): Promise<void> {
  await ami.action({ Action: 'Hangup', Channel: channel, Cause: '16' });
}

async function receivingSessions(ami: AmiConnection): Promise<Packet[]> {
  const list = await ami.action({ Action: 'FAXSessions' });
  const isOfList = (it: Packet) => it['ActionID'] === list['ActionID'];
  await ami.event((it) => it['Event'] === 'FAXSessionsComplete' && isOfList(it));
  const entries = ami.events.filter((it) => it['Event'] === 'FAXSessionsEntry' && isOfList(it));
  const sessions: Packet[] = [];
  for (const { SessionNumber = '', Channel = '' } of entries) {
    const session = await ami.action({ Action: 'FAXSession', SessionNumber });
    // It may have ended since.
    if (session['Response'] !== 'Success') continue;
    const details = await ami.event(
      (it) => it['Event'] === 'FAXSession' && it['ActionID'] === session['ActionID'],
    );
    sessions.push({ ...details, Channel });
  }
  return sessions;
}
