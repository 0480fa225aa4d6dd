import { type AmiClient, createAmiClient } from '../../../platform/ami/client.ts';
import { AmiError } from '../../../platform/ami/error.ts';
import type { AmiAction, AmiMessage } from '../../../platform/ami/message.ts';
import { systemTimers } from '../../../platform/timers.ts';
import type { EngineSetup } from '../configuration/types.ts';

/** A connection to the engine for one check. */
export interface EngineSession {
  /** Throws AmiError. */
  send(action: AmiAction): Promise<{ response: AmiMessage; entries: readonly AmiMessage[] }>;
  /** Returns true when the engine accepts the action, false when it answers with an error. Throws other AmiErrors. */
  succeeds(action: AmiAction): Promise<boolean>;
  /**
   * Waits for the event of a check that our dialplan sends, after `begin` has started it; null when none comes within
   * `waitMs` milliseconds.
   */
  waitForEvent(
    event: { readonly name: string; readonly check: string; readonly waitMs: number },
    begin: () => Promise<unknown>,
  ): Promise<AmiMessage | null>;
  close(): void;
}

export function openEngineSession(
  host: string,
  { port, user, password }: EngineSetup['manager'],
): EngineSession {
  const listeners = new Set<(event: AmiMessage) => void>();
  const client: AmiClient = createAmiClient(
    { host, port, user, password },
    {
      onEvent(event) {
        for (const listen of listeners) listen(event);
      },
    },
  );
  return {
    send: (action) => client.sendAction(action),
    async succeeds(action) {
      try {
        await client.sendAction(action);
        return true;
      } catch (error) {
        if (error instanceof AmiError && error.reason === 'refused') return false;
        throw error;
      }
    },
    async waitForEvent({ name, check, waitMs }, begin) {
      let listen: (event: AmiMessage) => void = () => undefined;
      let endWait: () => void = () => undefined;
      const received = new Promise<AmiMessage | null>((resolve) => {
        endWait = systemTimers.after(waitMs, () => resolve(null));
        listen = (event) => {
          if (event.get('UserEvent') === name && event.get('Check') === check) resolve(event);
        };
        listeners.add(listen);
      });
      try {
        await begin();
        return await received;
      } finally {
        endWait();
        listeners.delete(listen);
      }
    },
    close: () => client.close(),
  };
}
