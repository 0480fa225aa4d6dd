import type { ChangeOptions } from './options.ts';

/** Returns a new random id of a change. `crypto.randomUUID` exists in pages of secure origins only. */
export function newOperationId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns the options with a new operation id where they have none. @internal */
export function withOperationId(options: ChangeOptions): ChangeOptions & { operationId: string } {
  return { ...options, operationId: options.operationId ?? newOperationId() };
}
