import { ApiError, type Client } from '../../shared/client/index.ts';
import { oneLine } from './terminal.ts';

/**
 * Problems because of which a gateway takes no faxes, and warnings that a person should check although it does: whole
 * sentences, as `/health/ready` returns them.
 */
export interface Readiness {
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** Asks a gateway how it is: one that is not ready answers 503 with the same lists. Throws as every call does. */
export async function readinessOf(
  { system }: Pick<Client, 'system'>,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Readiness> {
  try {
    const { problems, warnings } = await system.ready(signal ? { signal } : {});
    return { problems, warnings };
  } catch (error) {
    if (!(error instanceof ApiError) || !error.is('not_ready')) throw error;
    const { problems, warnings } = (error.body ?? {}) as { problems?: unknown; warnings?: unknown };
    return { problems: textsOf(problems) ?? [error.detail], warnings: textsOf(warnings) ?? [] };
  }
}

/** The data folder of a gateway; null when the caller may not read it. Throws when the gateway cannot be reached. */
export async function dataFolderOf({
  access,
  console,
}: Pick<Client, 'access' | 'console'>): Promise<string | null> {
  try {
    const { permissions } = await access.me();
    return permissions.includes('diagnostics:read') ? (await console.status()).data_folder : null;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

function textsOf(list: unknown): string[] | null {
  return Array.isArray(list) ? list.map(String) : null;
}

/** One line for each, indented; sentences of a gateway may name files of anybody. */
export function listed(sentences: readonly string[]): string {
  return sentences.map((sentence) => `  - ${oneLine(sentence)}`).join('\n');
}
