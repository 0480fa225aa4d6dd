import { setTimeout as pause } from 'node:timers/promises';
import { type Client, UnreachableError } from '../../shared/client/index.ts';
import type { DeliveryState } from '../../shared/states/outbound.ts';
import { CommandFailure, EXIT } from './exit-codes.ts';
import { type Fax, STATE_WORDS } from './fax-words.ts';
import { terminal } from './terminal.ts';

const POLL_MS = 2_000;
/** Looks in a row without an answer, after which the command gives up; the fax goes on without it. */
const MAX_FAILED_POLLS = 60;
/** In these a fax has ended or waits for a person's decision. A held one goes on once it is released. */
const FINAL_STATES: readonly DeliveryState[] = ['success', 'failed', 'cancelled', 'reconciliation_required'];

/** Looks at a fax until it has ended or a person must decide, and says what happens meanwhile. */
export async function followFax(client: Client, accepted: Fax): Promise<Fax> {
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  process.once('SIGINT', interrupt);
  try {
    return await pollUntilFinal(client, accepted, interrupted.signal);
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
    throw new CommandFailure(
      `The fax continues without this command and was not canceled. Check it with: faxdesk status ${accepted.id}`,
      EXIT.interrupted,
    );
  } finally {
    process.off('SIGINT', interrupt);
  }
}

async function pollUntilFinal(client: Client, accepted: Fax, signal: AbortSignal): Promise<Fax> {
  let fax = accepted;
  terminal.note(`${fax.id}: ${STATE_WORDS[fax.delivery_state]}`);
  for (let failedPolls = 0; !FINAL_STATES.includes(fax.delivery_state); ) {
    await pause(POLL_MS, undefined, { signal });
    const next = await poll(client, fax.id, signal);
    failedPolls = next === null ? failedPolls + 1 : 0;
    if (failedPolls === MAX_FAILED_POLLS) throw gatewayLost(fax.id);
    if (next !== null && next.delivery_state !== fax.delivery_state)
      terminal.note(`${fax.id}: ${STATE_WORDS[next.delivery_state]}`);
    fax = next ?? fax;
  }
  return fax;
}

/** Null while there is no answer: a gateway that restarts is waited for, the fax is safe there. */
async function poll(client: Client, id: string, signal: AbortSignal): Promise<Fax | null> {
  try {
    return await client.outbound.getFax({ params: { id }, signal });
  } catch (error) {
    if (error instanceof UnreachableError) return null;
    throw error;
  }
}

function gatewayLost(id: string): CommandFailure {
  return new CommandFailure(
    `The gateway is no longer responding. It has the fax. Check it later with: faxdesk status ${id}`,
    EXIT.unreachable,
  );
}
