import type { RequestListener } from 'node:http';
import type { Confirmation } from '../../../shared/assistant.ts';
import type { AssistantHttp } from '../../assistant/http.ts';
import { RefusalError } from '../../platform/errors.ts';
import { createInProcessFetch } from '../../platform/in-process-fetch.ts';
import type { Logger } from '../../platform/logger.ts';
import type { AssistantSettings } from './settings.ts';

export type { AssistantHttp } from '../../assistant/http.ts';

/** Of the requests that the tools make in this process; it has no effect. */
const OWN_ADDRESS = 'http://127.0.0.1';
/** Base64 and the JSON around a document. */
const GROWTH = 1.4;
const MESSAGE_BYTES = 1024 * 1024;

/** The assistant protocol over HTTP. */
export interface AssistantService {
  /** The protocol, which is loaded at its first use. Rejects with a refusal while assistants are turned off. */
  protocol(): Promise<AssistantHttp>;
  /** Throws a refusal while assistants are turned off. */
  rules(): { readonly confirm: Confirmation };
  /** Maximum size of a message, in bytes. */
  mostMessageBytes(): number;
  /** Ends the sessions when assistants are turned off. */
  settingsChanged(): void;
  open(requests: RequestListener): void;
  close(): Promise<void>;
}

export function createAssistantService({
  settings,
  logger,
  release,
  maxFileBytes,
}: {
  settings: AssistantSettings;
  logger: Logger;
  release: string;
  maxFileBytes: () => number;
}): AssistantService {
  let requests: RequestListener | null = null;
  let protocol: Promise<AssistantHttp> | null = null;
  const assertEnabled = () => {
    if (!settings.isEnabled()) throw new RefusalError('assistant_off');
  };
  const endSessions = async () => {
    const loaded = await protocol?.catch(() => null);
    loaded?.close();
  };
  return {
    async protocol() {
      assertEnabled();
      if (requests === null) throw new RefusalError('stopping');
      protocol ??= loadProtocol(requests, { logger, release });
      return await protocol;
    },
    rules() {
      assertEnabled();
      return { confirm: settings.confirm() };
    },
    mostMessageBytes: () => Math.ceil(maxFileBytes() * GROWTH) + MESSAGE_BYTES,
    settingsChanged() {
      if (!settings.isEnabled()) void endSessions();
    },
    open(handler) {
      requests = handler;
    },
    async close() {
      requests = null;
      await endSessions();
    },
  };
}

async function loadProtocol(
  requests: RequestListener,
  { logger, release }: { logger: Logger; release: string },
): Promise<AssistantHttp> {
  const { createAssistantHttp } = await import('../../assistant/http.ts');
  const { createAssistantServer } = await import('../../assistant/assistant-server.ts');
  return createAssistantHttp({
    serverFor: ({ apiKey, address }) =>
      createAssistantServer({
        connection: { baseUrl: OWN_ADDRESS, apiKey, fetch: createInProcessFetch(requests, address) },
        readFile: null,
        release,
      }),
    // The message may quote what an assistant sent.
    onError: (name) => logger.info({ error: name }, 'a message of an assistant could not be handled'),
    uptime: () => performance.now(),
  });
}
