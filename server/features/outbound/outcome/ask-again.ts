import { LIMITS } from '../../../../shared/limits.ts';
import { DONE, defineJob, type JobDefinition } from '../../../jobs/define-job.ts';
import { epochOf, isoTime } from '../../../platform/clock.ts';
import type { OutboundParts } from '../parts.ts';
import { askAgainJob, type WaitPayload } from '../queue/queued.ts';
import { checkSendAt, formatSendTime } from '../queue/send-later.ts';
import { type Recorder, readFax } from '../record/record.ts';
import { SYSTEM } from '../types.ts';

/**
 * Returns when a person is asked again whether a fax arrived, ISO 8601 UTC, with the entry for the history. Throws a 400
 * refusal for a time that is long past or too far ahead.
 */
export function askAgain(
  parts: Pick<OutboundParts, 'clock' | 'settings'>,
  { by, note, at }: { by: string; note: string | null; at: string | null },
): { readonly askAgainAt: string; readonly text: string } {
  const now = parts.clock.now();
  checkSendAt(at, now);
  const time = at === null ? now + LIMITS.askAgainMinutes * 60_000 : epochOf(at);
  const said = note === null ? '.' : `: ${note.replace(/\.$/u, '')}.`;
  return {
    askAgainAt: isoTime(time),
    text: `${by} could not reach the recipient${said} Faxdesk asks again on ${formatSendTime(parts, time)}.`,
  };
}

/** Asks a person again, at the time that was chosen, whether a fax arrived. Running twice is harmless. */
export function defineAskAgain(
  parts: Pick<OutboundParts, 'db'> & { readonly recorder: Recorder },
): JobDefinition<WaitPayload> {
  return defineJob({
    ...askAgainJob,
    concurrency: 1,
    lost: 'repeat',
    run: async ({ job_id }) => {
      await parts.db.transaction(async (tx) => {
        const fax = await readFax(tx, job_id);
        if (fax) await parts.recorder.record(tx, fax, { kind: 'asks_again' }, SYSTEM);
      });
      return DONE;
    },
  });
}
