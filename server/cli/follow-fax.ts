import { setTimeout as pause } from 'node:timers/promises';
import { type Client, UnreachableError } from '../../shared/client/index.ts';
import type { DeliveryState } from '../../shared/states.ts';
import { CommandFailure, EXIT } from './exit-codes.ts';
import { type Fax, STATE_WORDS } from './fax-words.ts';
import { terminal } from './terminal.ts';

const LOOK_MS = 2_000;
/** Looks in a row without an answer, after which the command gives up; the fax goes on without it. */
const MOST_SILENCES = 60;
/** In these a fax has ended or waits for a person's decision. A held one goes on once it is released. */
const LAST: readonly DeliveryState[] = ['success', 'failed', 'cancelled', 'reconciliation_required'];

/** Looks at a fax until it has ended or a person must decide, and says what happens meanwhile. */
export async function followFax(client: Client, accepted: Fax): Promise<Fax> {
  const interrupted = new AbortController();
  const leave = () => interrupted.abort();
  process.once('SIGINT', leave);
  try {
    return await lookUntilLast(client, accepted, interrupted.signal);
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
    throw new CommandFailure(
      `The fax goes on without this command and was not canceled; look with: faxdesk status ${accepted.id}`,
      EXIT.interrupted,
    );
  } finally {
    process.off('SIGINT', leave);
  }
}

async function lookUntilLast(client: Client, accepted: Fax, signal: AbortSignal): Promise<Fax> {
  let fax = accepted;
  terminal.note(`${fax.id}: ${STATE_WORDS[fax.delivery_state]}`);
  for (let silences = 0; !LAST.includes(fax.delivery_state); ) {
    await pause(LOOK_MS, undefined, { signal });
    const next = await look(client, fax.id, signal);
    silences = next === null ? silences + 1 : 0;
    if (silences === MOST_SILENCES) throw lost(fax.id);
    if (next !== null && next.delivery_state !== fax.delivery_state)
      terminal.note(`${fax.id}: ${STATE_WORDS[next.delivery_state]}`);
    fax = next ?? fax;
  }
  return fax;
}

/** Null while there is no answer: a gateway that restarts is waited for, the fax is safe there. */
async function look(client: Client, id: string, signal: AbortSignal): Promise<Fax | null> {
  try {
    return await client.outbound.getFax({ params: { id }, signal });
  } catch (error) {
    if (error instanceof UnreachableError) return null;
    throw error;
  }
}

function lost(id: string): CommandFailure {
  return new CommandFailure(
    `The gateway does not answer any more. It has the fax; look later with: faxdesk status ${id}`,
    EXIT.unreachable,
  );
}
