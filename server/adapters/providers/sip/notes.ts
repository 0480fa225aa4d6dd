import type { AmiClient } from '../../../platform/ami/client.ts';
import { AmiError } from '../../../platform/ami/error.ts';

/**
 * Records that the dialplan and the gateway keep about attempts in the database of the engine; see
 * `resources/telephony/templates/extensions.conf`.
 */
export const BEGUN = 'faxdesk-begun';
export const ANSWERED = 'faxdesk-answered';
export const OUTCOME = 'faxdesk-outcome';
export const WORDS = 'faxdesk-words';

/** Order of removal. BEGUN is last: an attempt without it has no other records. */
const FAMILIES = [OUTCOME, WORDS, ANSWERED, BEGUN] as const;

export interface Note {
  readonly family: (typeof FAMILIES)[number];
  readonly attemptId: string;
  readonly value: string;
}

/** Removes all records of an attempt. Throws AmiError. */
export async function removeNotes(client: AmiClient, attemptId: string): Promise<void> {
  for (const family of FAMILIES) await removeNote(client, family, attemptId);
}

/** Lists all records of attempts. Throws AmiError; `refused` by an engine that cannot list its database. */
export async function listNotes(client: AmiClient): Promise<Note[]> {
  const notes: Note[] = [];
  for (const family of FAMILIES) {
    const { entries } = await client.sendAction([
      ['Action', 'DBGetTree'],
      ['Family', family],
    ]);
    for (const entry of entries) {
      const [, of, attemptId = ''] = /^\/([^/]+)\/([\w-]{1,40})$/u.exec(entry.get('Key') ?? '') ?? [];
      if (of === family) notes.push({ family, attemptId, value: entry.get('Val') ?? '' });
    }
  }
  return notes;
}

/** Reads the record under a name, which the engine cuts at 255 characters; empty where there is none. */
export async function readNote(client: AmiClient, family: string, attemptId: string): Promise<string> {
  try {
    const { entries } = await client.sendAction([
      ['Action', 'DBGet'],
      ['Family', family],
      ['Key', attemptId],
    ]);
    return entries[0]?.get('Val') ?? '';
  } catch (error) {
    if (isNotThere(error)) return '';
    throw error;
  }
}

/** Any other refusal says nothing of what is there. */
function isNotThere(error: unknown): boolean {
  if (!(error instanceof AmiError) || error.reason !== 'refused') return false;
  return /not found|could not be deleted/iu.test(error.message);
}

/** One that is not there is as good as removed. */
async function removeNote(client: AmiClient, family: string, attemptId: string): Promise<void> {
  try {
    await client.sendAction([
      ['Action', 'DBDel'],
      ['Family', family],
      ['Key', attemptId],
    ]);
  } catch (error) {
    if (!isNotThere(error)) throw error;
  }
}
